import type { Diagnostic } from "../../../source/diagnostic.ts";
import { type Dim3, unlinear } from "../../contract/launch/dim3.ts";
import { LANES } from "../../contract/launch/lane-mask.ts";
import {
  acquires,
  distance,
  type PlannedFence,
  type Reach,
  reachOf,
  releases,
} from "../../contract/memory-consistency.ts";
import { completesAsync, fenceOf, imagesOf, touchesWithin, writtenBy } from "../../contract/plan/effects.ts";
import type { Program } from "../../contract/program.ts";
import type { StrongAccess, StrongLog } from "./strong.ts";
import { covers, type Epoch } from "./vector-clock.ts";
import type { RecordedAccess } from "./word.ts";

/** A fence between two accesses. */
interface Passed extends PlannedFence {
  readonly opcode: string;
}

/** A flag that was to order two threads, and what it lacks (PTX ISA 8.8). */
interface Flag {
  readonly write: StrongAccess;
  readonly read: StrongAccess;
  /** Fences between the first access and the write, and between the read and the second access. */
  readonly before: readonly Passed[];
  readonly after: readonly Passed[];
  /** What to do, a sentence each; never empty. */
  readonly lacks: readonly string[];
}

const scopeNames = ["cta", "cluster", "gpu"] as const;

/**
 * Looks among the blocks' last strong accesses for a strong store after the first access of a race and a strong load
 * before the second that read it, and names the half of the two patterns that is missing or has too narrow a scope.
 */
function flagBetween(log: StrongLog, program: Program, other: RecordedAccess, now: RecordedAccess): Flag | undefined {
  const apart = distance(other.thread.blockClock, now.thread.blockClock);
  for (const write of log.of(other.thread.blockClock.block)) {
    if (write.how === "load" || write.pc <= other.pc) continue;
    for (const read of log.of(now.thread.blockClock.block)) {
      if (read.how === "store" || read.pc >= now.pc || read.from !== write.from || read.turn <= write.turn) continue;
      // Another thread's flag, or one whose value is not returned.
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
  if (covers(write.released[apart], other))
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

/** Fences between two instructions. */
function fences({ code }: Program, from: number, to: number): Passed[] {
  return code.slice(from + 1, to).flatMap(({ plan, opcode }) => {
    const fence = fenceOf(plan);
    return fence === undefined ? [] : [{ ...fence, opcode }];
  });
}

/** What would order two accesses between which there is no flag. */
function anyOrder(other: RecordedAccess, now: RecordedAccess): string {
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

/** The scope of an access, as a modifier. */
const scopeOf = (reach: Reach): string => (reach < 0 ? "" : `.${scopeNames[Math.max(reach, 0)]}`);

/** Two accesses that race, and whether they store. */
interface Raced {
  readonly other: RecordedAccess;
  readonly now: RecordedAccess;
  readonly wrote: boolean;
  readonly writes: boolean;
  /** They are in shared memory. */
  readonly shared: boolean;
}

/**
 * A small litmus test in plain PTX that shows the bad outcome of a race: one thread for each of the two, the data, the
 * flag if there was one, and the program's fences. `ptxrun litmus` reports that the outcome is allowed.
 */
function raceAsLitmus({ other, now, wrote, writes, shared }: Raced, flag: Flag | undefined): string {
  const apart = distance(other.thread.blockClock, now.thread.blockClock);
  const space = shared && apart === 0 ? "shared" : "global";
  const access = (stores: boolean, at: RecordedAccess, value: number): string => {
    const sem = at.reach < 0 ? ".weak" : `.relaxed${scopeOf(at.reach)}`;
    return stores ? `st${sem}.${space}.u32 [data], ${value};` : `ld${sem}.${space}.u32 r0, [data];`;
  };
  const place = apart === 0 ? "cta 0 cluster 0" : apart === 1 ? "cta 1 cluster 0" : "cta 1 cluster 1";
  const seen = flag === undefined ? [] : ["P1:r1 == 1"];
  // The first access's effect is missing, or the second's is there already.
  const bad = !wrote ? "P0:r0 == 2" : writes ? "data == 1" : "P1:r0 == 0";
  return [
    "//@ litmus race",
    `.${space} .u32 data;`,
    ...(flag === undefined ? [] : [".global .u32 flag;"]),
    "//@ thread P0 cta 0 cluster 0",
    access(wrote, other, 1),
    ...(flag === undefined
      ? []
      : [...flag.before.map(fence), `st${manner(flag.write, "release")}.global.u32 [flag], 1;`]),
    `//@ thread P1 ${place}`,
    ...(flag === undefined
      ? []
      : [`ld${manner(flag.read, "acquire")}.global.u32 r1, [flag];`, ...flag.after.map(fence)]),
    access(writes, now, 2),
    `//@ exists ${[...seen, bad].join(" /\\ ")}`,
  ].join("\n");
}

const fence = ({ sem, scope }: Passed): string => `fence.${sem}.${scope};`;

/** An atomic orders as a store of its kind where it releases, and as a load where it acquires. */
function manner({ sem, reach }: StrongAccess, half: "release" | "acquire"): string {
  return `.${sem === half || sem === "acq_rel" ? half : "relaxed"}${scopeOf(reach)}`;
}

/** The facts about the launch that a race message needs. */
export interface RaceSite {
  readonly program: Program;
  readonly grid: Dim3;
  readonly block: Dim3;
}

/** Two accesses to one word, and what the later one does. */
export interface Race {
  readonly other: RecordedAccess;
  readonly now: RecordedAccess;
  readonly does: "reads" | "writes";
  readonly shared: boolean;
}

/** The message about two accesses that race: `now` is the later one. */
export function raceFinding(site: RaceSite, log: StrongLog, { other, now, does, shared }: Race): Diagnostic {
  const { program } = site;
  const [mine, its] = [program.code[now.pc]!, program.code[other.pc]!];
  const narrow = tooNarrow(other, now);
  const touches = touchesWithin(its.plan);
  // An asynchronous instruction touches nothing when it is executed.
  const asked = touches.length === 0 && completesAsync(its.plan);
  const loads = !asked && touches.every(({ how }) => how === "load") && imagesOf(its.plan) !== "writes";
  const flag = narrow === undefined ? flagBetween(log, program, other, now) : undefined;
  const lacks = narrow !== undefined ? [narrow.help] : (flag?.lacks ?? [anyOrder(other, now)]);
  const small = raceAsLitmus({ other, now, wrote: !loads, writes: does === "writes", shared }, flag);
  const did = loads ? "read" : "written";
  return {
    code: "PTX4002",
    severity: "error",
    message: `${mine.opcode} ${does} what ${who(other, site)} has ${did} by ${its.opcode}, and nothing orders the two${narrow?.why ?? ""}, in ${who(now, site)}`,
    source: program.source,
    span: mine.span,
    related: [{ source: program.source, span: its.span, message: `${its.opcode}, in ${who(other, site)}` }],
    help: [
      ...lacks.map((message) => ({ message })),
      { message: `the bad outcome in small, which ptxrun litmus shows to be allowed:\n${small}` },
    ],
  };
}

function who({ thread }: Epoch, { program, grid, block }: RaceSite): string {
  const at = unlinear(thread.warp * (program.simd?.width ?? LANES) + thread.lane, block).join(",");
  return `thread (${at}) of block (${unlinear(thread.blockClock.block, grid).join(",")})`;
}

/** Why two strong accesses are not morally strong with each other, and what would make them so. */
function tooNarrow(other: RecordedAccess, now: RecordedAccess): { why: string; help: string } | undefined {
  const reach = Math.min(other.reach, now.reach);
  if (reach < 0) return undefined;
  const wide = distance(other.thread.blockClock, now.thread.blockClock) === 1 ? ".cluster" : ".gpu";
  return reach === 0
    ? { why: ": .cta does not include another block", help: `give both the scope ${wide}` }
    : { why: ": .cluster does not include a block of another cluster", help: `give both the scope ${wide}` };
}
