import type { Touch } from "../async/flight.ts";
import type { Operation } from "../async/operation.ts";
import type { Context } from "../state/context.ts";
import { report, whoIs } from "../state/fault.ts";
import type { Warp } from "../state/warp.ts";
import type { MemoryAccess } from "./memory-access.ts";

const touches: Readonly<Record<MemoryAccess["kind"], Touch>> = { load: "read", store: "write", atomic: "update" };

/** Reports an access to bytes of an asynchronous operation that nobody has waited for. `what` says what the lane does. */
export function reportInTheWay(
  warp: Warp,
  lane: number,
  { kind, bytes }: MemoryAccess,
  what: string,
  context: Context,
): void {
  const { asynchrony, scratch, grid, block } = context;
  const [first] = asynchrony.inTheWay(scratch.at[lane]!, bytes, touches[kind]);
  if (first === undefined) return;
  const { flight, how } = first;
  const { operation } = flight;
  const { site, thread } = operation;
  const code = how === "writes" ? "PTX4020" : "PTX4021";
  const found = report(context, warp, lane, code, `${what}, which ${site.opcode}, still in flight, ${how}`);
  const advice = asynchrony.advice(flight);
  const last = advice?.last;
  context.report({
    ...found,
    related: [
      { source: site.source, span: site.span, message: `${site.opcode}, asked for by ${whoIs(thread, grid, block)}` },
      ...(last === undefined
        ? []
        : [{ source: last.site.source, span: last.site.span, message: `the last wait, which leaves it in flight` }]),
      ...(found.related ?? []),
    ],
    help: [...(found.help ?? []), { message: advice?.help ?? waitFor(operation) }],
  });
}

/** Reports an access to the bits of an mbarrier object, which mean nothing to a program. */
export function reportBarrier(warp: Warp, lane: number, at: number, what: string, context: Context): void {
  const { asynchrony, grid, block } = context;
  const found = report(context, warp, lane, "PTX4030", `${what}, which is an mbarrier object`);
  // An access may begin before the object.
  const made = asynchrony.barriers.maker(at) ?? asynchrony.barriers.maker(at + 8);
  if (made === undefined) {
    context.report(found);
    return;
  }
  const { source, span, opcode } = made.site;
  const message = `${opcode}, which has made the object, in ${whoIs(made.thread, grid, block)}`;
  context.report({ ...found, related: [{ source, span, message }, ...(found.related ?? [])] });
}

function waitFor({ completion }: Operation): string {
  if (completion.kind === "mbarrier") return "wait for the phase of its mbarrier object first";
  if (completion.kind === "commit")
    return "have tcgen05.commit arrive at an mbarrier object and wait for its phase first";
  return "nothing in the program can tell when it has happened";
}
