import { bytesOf, isElementType } from "../../../src/host/memory/element.ts";
import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import { addressOperand, touchesOf } from "../../../src/interp/contract/plan/effects.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import type { Cause, Why } from "./cause.ts";
import { type Extent, Follower } from "./follow.ts";
import type { Lead } from "./lead.ts";
import { strangeIn } from "./meaning.ts";
import { missedStore } from "./missed.ts";
import { type NamedPlace, Names } from "./names.ts";
import type { Past } from "./past.ts";
import { whyValue } from "./value.ts";

/** A fault or a finding, and the execution that it is about. */
interface Found {
  readonly problem: Diagnostic;
  readonly step: number;
  readonly thread: ThreadId;
  readonly pc: number;
}

/**
 * The causes of a fault that ended a run, or of a finding: of an address that leads nowhere, or of bytes that nothing has
 * written. Undefined where it says itself all that there is, such as a race.
 */
export function whyProblem(
  past: Past,
  places: readonly NamedPlace[],
  problem: Diagnostic,
  extent: Extent = {},
): Why | undefined {
  const found = executionOf(past, problem);
  if (found === undefined) return undefined;
  const names = new Names(past, places);
  const follower = new Follower(past, names);
  const { pc, step, thread } = found;
  const { plan, operands } = past.program.code[pc] ?? {};
  if (plan === undefined || operands === undefined) return undefined;
  const at = names.executed(step, thread, pc);
  const why = (causes: readonly Cause[]): Why => ({ subject: problem.message, causes, at });
  const address = operands[addressOperand(plan) ?? -1];
  if (problem.code === "PTX4001") {
    const [touch] = touchesOf(plan);
    if (touch === undefined || address === undefined) return undefined;
    const [start = 0n] = past.operand(step, thread, address);
    return why([unwritten(past, follower, { space: touch.space, address: start, bytes: touch.bytes, thread }, step)]);
  }
  const given = address === undefined ? operands.flatMap((each) => (each?.kind === "slot" ? [each] : [])) : [address];
  const leads = given.map((each): Lead => follower.reader.lead(step, thread, each, "b64"));
  return leads.every(({ sought }) => sought === undefined) ? undefined : why(follower.causes(leads, extent));
}

/** Bytes that were read before anything had written them: who writes them later, or would have. */
function unwritten(
  past: Past,
  { reader, writers }: Follower,
  place:
    | { space: "shared"; address: bigint; bytes: number; thread: ThreadId }
    | Parameters<Follower["reader"]["memory"]>[1],
  step: number,
): Cause {
  const sought = { kind: "memory", ...place } as const;
  const { value } = reader.memory({ step }, place, `b${8 * place.bytes}`);
  const nothing: Cause = { value: { ...value, bits: undefined }, origin: { kind: "nothing" }, because: [], more: 0 };
  const writer = writers.later(sought, step);
  if (writer !== undefined) {
    const { block, warp, lane } = place.thread;
    const own = writer.thread.block === block && writer.thread.warp === warp && writer.thread.lane === lane;
    const note = own
      ? "writes it later itself"
      : writer.thread.block === block
        ? "writes it later: is a barrier missing?"
        : "of another block writes it later";
    const late: Cause = {
      value: nothing.value,
      role: "late",
      origin: { kind: "step", ...reader.names.executed(writer.step, writer.thread, writer.pc), operands: [], note },
      because: [],
      more: 0,
    };
    return { ...nothing, because: [late] };
  }
  const missed = missedStore(past, reader, sought, step);
  if (missed === undefined) return nothing;
  const { at, why, lead } = missed;
  const because: Cause = {
    value: nothing.value,
    role: "missed",
    origin:
      at === undefined
        ? { kind: "unknown", why }
        : { kind: "step", ...at, operands: lead === undefined ? [] : [lead.value], note: why },
    because: [],
    more: 0,
  };
  return { ...nothing, because: [because] };
}

/** The execution that a problem of a run is about. */
function executionOf(past: Past, problem: Diagnostic): Found | undefined {
  const { thread } = problem;
  if (thread === undefined) return undefined;
  const { code } = past.program;
  const pc = code.findIndex(({ span }) => span.start === problem.span.start && span.end === problem.span.end);
  if (pc < 0) return undefined;
  const { fault } = past;
  const isEnd = fault?.code === problem.code && fault.span.start === problem.span.start;
  return { problem, thread, pc, step: isEnd ? past.now : past.stepOf(problem) };
}

/**
 * What is wrong first with a run: the fault that ended it, a finding, or a NaN or an infinity that it has left in memory
 * of floats. Undefined where nothing is, or nothing more can be said.
 */
export function whyFirst(past: Past, places: readonly NamedPlace[], extent: Extent = {}): Why | undefined {
  const { fault, session } = past;
  const faults = fault === undefined ? [] : [fault];
  for (const problem of [...faults, ...session.findings.filter(({ severity }) => severity === "error")]) {
    const why = whyProblem(past, places, problem, extent);
    if (why !== undefined) return why;
  }
  for (const { name, type, address, bytes } of places) {
    if (!isElementType(type)) continue;
    const size = bytesOf(type);
    for (let at = 0; at + size <= bytes; at += size) {
      const place = { space: "generic", address: address + BigInt(at), bytes: size } as const;
      const value = past.memory(past.now, place.space, place.address, size);
      if (strangeIn(type, value) === undefined || !past.wrote(place.address, size)) continue;
      return whyValue(
        past,
        places,
        { text: `${name}[${at / size}]`, target: { kind: "memory", ...place }, type },
        extent,
      );
    }
  }
  return undefined;
}
