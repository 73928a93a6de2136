import { placesOf } from "../../packages/debugger/console/why.ts";
import type { Cause, Executed } from "../../packages/debugger/why/cause.ts";
import { strangeIn } from "../../packages/debugger/why/meaning.ts";
import { whyValue } from "../../packages/debugger/why/value.ts";
import { lookedBack } from "../../packages/debugger/why/why.ts";
import type { Origin, ValuePlace } from "../page/client.ts";
import type { Standing } from "./standing.ts";

/** See `Client.origin`. */
export function origin({ program }: Standing, place: ValuePlace, type: string): Origin | undefined {
  const { debugger: debugger_, footing } = program;
  const { simd, dispatchSlot } = debugger_.session.program;
  // Values of vISA are not followed back.
  if (simd !== undefined || dispatchSlot !== undefined) return undefined;
  const why = debugger_.aside((session, history) =>
    lookedBack(session, history, (past) => whyValue(past, placesOf(footing), { text: "", target: place, type })),
  );
  const [cause] = why?.causes ?? [];
  const made = cause && madeIn(cause, strangeIn(type, cause.value.bits));
  return made && { position: made.step, thread: { block: made.block, warp: made.thread >> 5, lane: made.thread & 31 } };
}

/**
 * What wrote a value; of one that is NaN or infinite the last step back where it is: what it was made of is not, or nothing that was
 * executed.
 */
function madeIn({ origin, because }: Cause, kind: ReturnType<typeof strangeIn>): Executed | undefined {
  if (origin.kind !== "step") return undefined;
  if (kind === undefined) return origin;
  const same = because.find(({ value, role }) => role === undefined && strangeIn(value.type, value.bits) === kind);
  return (same && madeIn(same, kind)) ?? origin;
}
