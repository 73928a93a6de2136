import { followers } from "../../../src/interp/contract/control-flow.ts";
import { volume } from "../../../src/interp/contract/launch/dim3.ts";
import { lanesOf } from "../../../src/interp/contract/launch/lane-mask.ts";
import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import { nextOf, touchesOf } from "../../../src/interp/contract/plan/effects.ts";
import type { Program } from "../../../src/interp/contract/program.ts";
import type { Executed } from "./cause.ts";
import type { Lead, Reader } from "./lead.ts";
import type { Past } from "./past.ts";
import type { Sought } from "./sought.ts";

/** A store that would have written some memory, and why it has not. */
interface Missed {
  /** The instruction that kept the thread from it; absent where the launch does not have the thread. */
  readonly at?: Executed;
  readonly why: string;
  /** The predicate that decided it. */
  readonly lead?: Lead;
}

/** Lanes whose addresses are looked at. */
const MOST_LANES = 4096;

/**
 * Why memory was not written: a lane's guard kept it from the store, the thread that would have written it by the rule
 * that the others follow has branched away, or the launch has no such thread.
 */
export function missedStore(
  past: Past,
  reader: Reader,
  sought: Sought & { kind: "memory" },
  step: number,
): Missed | undefined {
  const where = past.offset(step, sought.space, sought.address, sought.bytes, sought.thread);
  if (where === undefined) return undefined;
  const range = reader.names.around(sought.space, sought.address);
  const start = range && past.offset(step, sought.space, range.address, range.bytes, sought.thread);
  const isNear = (at: number): boolean =>
    range === undefined || start === undefined || (at >= start && at < start + range.bytes);
  return guarded(past, reader, where) ?? byRule(past, reader, where, isNear);
}

/** A lane that came to the store, and whose guard did not hold. */
function guarded(past: Past, reader: Reader, where: number): Missed | undefined {
  const { log, program } = past;
  let left = MOST_LANES;
  for (let step = log.first; step < log.behind && left > 0; step++) {
    const kept = log.active(step) & ~log.taken(step);
    if (kept === 0) continue;
    const { plan, operands, guard } = program.code[log.pc(step)] ?? {};
    const touch =
      plan === undefined ? undefined : touchesOf(plan).find(({ how }) => how === "store" || how === "atomic");
    const operand = operands?.[touch?.address ?? -1];
    if (touch === undefined || operand === undefined || guard === undefined) continue;
    for (const lane of lanesOf(kept)) {
      left--;
      const thread = { block: log.block(step), warp: log.warp(step), lane };
      const [address] = past.operand(step, thread, operand);
      const at = address === undefined ? undefined : past.offset(step, touch.space, address, touch.bytes, thread);
      if (at === undefined || where < at || where >= at + touch.bytes) continue;
      const lead: Lead = { ...reader.lead(step, thread, { kind: "predicate", ...guard }, "pred"), role: "choice" };
      return { at: reader.names.executed(step, thread, log.pc(step)), why: "does not write it", lead };
    }
  }
  return undefined;
}

/** The thread that would write it where threads write places in a row, and where it has left the way to the store. */
function byRule(past: Past, reader: Reader, where: number, isNear: (at: number) => boolean): Missed | undefined {
  const { log, program, session } = past;
  const { grid = [1, 1, 1], block = [1, 1, 1] } = session.state?.context ?? {};
  const threads = volume(block);
  const [blocks] = [volume(grid)];
  const byPc = new Map<number, { readonly thread: number; readonly at: number }[]>();
  for (const { pc, block, warp, lanes, where: places, late } of log.writes) {
    if (late || !places.every(isNear)) continue;
    const known = byPc.get(pc) ?? [];
    byPc.set(pc, known);
    for (const [index, lane] of lanes.entries())
      known.push({ thread: block * threads + warp * 32 + lane, at: places[index] ?? 0 });
  }
  for (const [pc, writes] of byPc) {
    const owner = ownerOf(writes, where);
    if (owner === undefined || owner < 0) continue;
    const store = reader.names.executed(0, { block: 0, warp: 0, lane: 0 }, pc);
    if (owner >= blocks * threads)
      return {
        why: `the launch has no thread that writes it: thread ${owner % threads} of block ${Math.floor(owner / threads)} would, at line ${store.line}`,
      };
    const index = owner % threads;
    const thread = { block: Math.floor(owner / threads), warp: index >> 5, lane: index & 31 };
    const left = leaving(past, program, thread, pc);
    if (left === undefined) continue;
    const guard = program.code[log.pc(left)]?.guard;
    if (guard === undefined) continue;
    const lead: Lead = { ...reader.lead(left, thread, { kind: "predicate", ...guard }, "pred"), role: "choice" };
    return {
      at: reader.names.executed(left, thread, log.pc(left)),
      why: `leaves the way to line ${store.line}, which would have written it`,
      lead,
    };
  }
  return undefined;
}

/** The thread that writes a place, where all threads write at a fixed distance from each other. */
function ownerOf(
  writes: readonly { readonly thread: number; readonly at: number }[],
  where: number,
): number | undefined {
  const [first] = writes;
  const second = writes.find(({ thread }) => thread !== first?.thread);
  if (first === undefined || second === undefined) return undefined;
  const stride = (second.at - first.at) / (second.thread - first.thread);
  if (stride === 0 || writes.some(({ thread, at }) => at !== first.at + (thread - first.thread) * stride))
    return undefined;
  const owner = first.thread + (where - first.at) / stride;
  return Number.isInteger(owner) ? owner : undefined;
}

/** The last branch of a thread from which it could have come to an instruction, and went where it could not. */
function leaving(past: Past, program: Program, { block, warp, lane }: ThreadId, pc: number): number | undefined {
  const { log } = past;
  const reaching = leadingTo(program, pc);
  const own = log.stepsOf(block, warp).filter((step) => (log.active(step) >>> lane) & 1);
  for (let at = own.length - 2; at >= 0; at--) {
    const step = own[at] ?? 0;
    const { plan, guard } = program.code[log.pc(step)] ?? {};
    if (plan === undefined || guard === undefined || nextOf(plan) === "on") continue;
    if (reaching.has(log.pc(step)) && !reaching.has(log.pc(own[at + 1] ?? 0))) return step;
  }
  return undefined;
}

/** The instructions from which control may come to one. */
function leadingTo({ code }: Program, pc: number): ReadonlySet<number> {
  const before = new Map<number, number[]>();
  for (const [at, instruction] of code.entries())
    for (const next of followers(instruction, at)) before.set(next, [...(before.get(next) ?? []), at]);
  const found = new Set([pc]);
  for (const each of found) for (const earlier of before.get(each) ?? []) found.add(earlier);
  return found;
}
