import type { Signal } from "../environment/io.ts";
import { progressOf, threadsByInstruction } from "../host/debugger/progress.ts";
import type { Stop } from "../interp/contract/stop.ts";
import type { Session } from "../interp/machine/session.ts";
import type { Diagnostic, Help } from "../source/diagnostic.ts";

/** A session's stop between two instructions. */
type Between = Stop & { readonly reason: "budget" | "step" | "pause" };

/** The stop of a session that `--timeout` ends; its message has the positions of all threads. */
export const outOfTime = (session: Session, stop: Between, timeout: number): Stop =>
  cutShort(session, stop, "PTX6101", `still running after ${timeout / 1000} s`, [
    { message: "allow more time with --timeout, or look at the loop that this instruction is in" },
  ]);

/** The stop of a session that a signal ends; its message has the positions of all threads. */
export const interrupted = (session: Session, stop: Between, signal: Signal): Stop =>
  cutShort(session, stop, "PTX6103", signal === "SIGINT" ? "interrupted" : "asked to end");

function cutShort(
  session: Session,
  { at, pc }: Between,
  code: "PTX6101" | "PTX6103",
  what: string,
  help?: readonly Help[],
): Stop {
  const { source, code: instructions } = session.program;
  const { steps, blocks } = progressOf(session);
  const done = blocks.all > 1 ? `, with ${blocks.done} of ${blocks.all} blocks done` : "";
  const places = threadsByInstruction(session);
  const alone = places.length === 1 && places[0]?.message.startsWith("1 thread ");
  const diagnostic: Diagnostic = {
    code,
    severity: "error",
    message: `${what}${code === "PTX6103" ? ` after ${steps} warp instructions` : ""}${done}`,
    source,
    span: instructions[pc]?.span ?? { start: 0, end: 0 },
    ...(alone ? {} : { related: places }),
    ...(help === undefined ? {} : { help }),
  };
  return { reason: "trap", at, pc, diagnostic };
}
