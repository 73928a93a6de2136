import type { PlannedFence } from "../contract/memory-consistency.ts";
import { acquires, distance, type Reach, reachOf, releases } from "../contract/memory-consistency.ts";
import { fenceOf, writtenBy } from "../contract/plan/effects.ts";
import type { Program } from "../contract/program.ts";
import type { StrongAccess, StrongLog } from "./race-strong.ts";
import type { RecordedAccess } from "./race-word.ts";
import { covers } from "./vector-clock.ts";

/** A fence that stands on the way from one access to another. */
export interface Passed extends PlannedFence {
  readonly opcode: string;
}

/** A flag by which two threads meant to be in order, and what it lacks (PTX ISA 8.8). */
export interface Flag {
  readonly write: StrongAccess;
  readonly read: StrongAccess;
  /** Fences between the first access and the write, and between the read and the second access. */
  readonly before: readonly Passed[];
  readonly after: readonly Passed[];
  /** What to do, a sentence each; never empty. */
  readonly lacks: readonly string[];
}

export const scopeNames = ["cta", "cluster", "gpu"] as const;

/**
 * Looks for a strong store behind the first access of a race that a strong load before the second has read, among those
 * that their blocks made last, and says which half of the two patterns is missing, or has too narrow a scope.
 */
export function flagBetween(
  log: StrongLog,
  program: Program,
  other: RecordedAccess,
  now: RecordedAccess,
): Flag | undefined {
  const apart = distance(other.thread.blockClock, now.thread.blockClock);
  for (const write of log.of(other.thread.blockClock.block)) {
    if (write.how === "load" || write.pc <= other.pc) continue;
    for (const read of log.of(now.thread.blockClock.block)) {
      if (read.how === "store" || read.pc >= now.pc || read.from !== write.from || read.turn <= write.turn) continue;
      // Somebody else's flag, or one whose value nobody gets.
      if (read.thread === write.thread || (read.how === "atomic" && writtenBy(program.code[read.pc]!.plan) === 0))
        continue;
      const before = fences(program, other.pc, write.pc);
      const after = fences(program, read.pc, now.pc);
      const lacks = [
        ...missingRelease(program, write, before, other, apart),
        ...missingAcquire(program, read, after, apart),
      ];
      if (lacks.length > 0) return { write, read, before, after, lacks };
    }
  }
  return undefined;
}

function missingRelease(
  program: Program,
  write: StrongAccess,
  before: readonly Passed[],
  other: RecordedAccess,
  apart: 0 | 1 | 2,
): string[] {
  const wide = scopeNames[apart];
  const opcode = program.code[write.pc]!.opcode;
  if (covers(write.told[apart], other))
    return write.reach >= apart ? [] : [`the writer of the flag needs the scope .${wide} in ${opcode}`];
  const narrow = before.findLast(({ sem, scope }) => releases(sem) && reachOf(scope) < apart);
  if (releases(write.sem))
    return [`the writer of the flag needs the scope .${wide} in ${opcode}, which releases no further than its own`];
  if (narrow !== undefined)
    return [
      `the writer of the flag needs the scope .${wide} in ${narrow.opcode}, which releases no further than its own`,
    ];
  return [
    `the writer of the flag needs ${named(opcode)}.release.${wide} in place of ${opcode}, or a fence.acq_rel.${wide} before it`,
  ];
}

function missingAcquire(program: Program, read: StrongAccess, after: readonly Passed[], apart: 0 | 1 | 2): string[] {
  const wide = scopeNames[apart];
  const opcode = program.code[read.pc]!.opcode;
  const fenced = after.filter(({ sem }) => acquires(sem));
  const narrow = fenced.findLast(({ scope }) => reachOf(scope) < apart);
  if (read.reach < apart) return [`the reader of the flag needs the scope .${wide} in ${opcode}`];
  if (acquires(read.sem) || fenced.some(({ scope }) => reachOf(scope) >= apart)) return [];
  if (narrow !== undefined)
    return [
      `the reader of the flag needs the scope .${wide} in ${narrow.opcode}, which acquires no further than its own`,
    ];
  return [
    `the reader of the flag needs ${named(opcode)}.acquire.${wide} in place of ${opcode}, or a fence.acq_rel.${wide} after it`,
  ];
}

/** `ld` of `ld.relaxed.gpu.global.u32`. */
const named = (opcode: string): string => opcode.slice(0, `${opcode}.`.indexOf("."));

/** Fences that stand between two instructions. */
function fences({ code }: Program, from: number, to: number): Passed[] {
  return code.slice(from + 1, to).flatMap(({ plan, opcode }) => {
    const fence = fenceOf(plan);
    return fence === undefined ? [] : [{ ...fence, opcode }];
  });
}

/** What would order two accesses between which nothing was tried. */
export function anyOrder(other: RecordedAccess, now: RecordedAccess): string {
  const [a, b] = [other.thread, now.thread];
  const apart = distance(a.blockClock, b.blockClock);
  const patterns = (scope: string): string =>
    `a flag that the first stores with .release.${scope} and the second loads with .acquire.${scope}`;
  if (apart === 0 && a.warp === b.warp)
    return `both are lanes of one warp: order them by bar.warp.sync or another instruction among lanes, or by ${patterns("cta")}`;
  if (apart === 0) return `both are in one block: order them by a barrier of the block, or by ${patterns("cta")}`;
  if (apart === 1)
    return `both are in one cluster: order them by a barrier of the cluster, or by ${patterns("cluster")}`;
  return `no barrier orders two blocks: they need ${patterns("gpu")}`;
}

/** The scope in an access, as one writes it. */
export const scopeOf = (reach: Reach): string => (reach < 0 ? "" : `.${scopeNames[Math.max(reach, 0)]}`);
