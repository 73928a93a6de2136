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
import type { Plan } from "../../contract/plan/plan.ts";
import type { Program } from "../../contract/program.ts";
import { elementAt, type NamedRange } from "./place.ts";
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
    `a flag that one stores with .release.${scope} and the other loads with .acquire.${scope}`;
  if (apart === 0 && a.warp === b.warp)
    return `both are lanes of one warp: order them by bar.warp.sync or another instruction among lanes, or by ${patterns("cta")}`;
  if (apart === 0)
    return `they are in two warps of one block: put bar.sync 0 between them, where all its threads reach it, or order them by ${patterns("cta")}`;
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
  /** The allocation that a byte of memory's buffer is in. */
  rangeAt(at: number): NamedRange | undefined;
}

/** Two accesses to one byte, and what the later one does. */
export interface Race {
  readonly other: RecordedAccess;
  readonly now: RecordedAccess;
  readonly does: "reads" | "writes";
  readonly shared: boolean;
  /** The byte, in memory's buffer. */
  readonly at: number;
}

/** How far apart the threads of two accesses are: -1 for lanes of one warp, otherwise as `distance`. */
export const apartIn = ({ other: { thread: a }, now: { thread: b } }: Pick<Race, "other" | "now">): Reach =>
  a.blockClock === b.blockClock && a.warp === b.warp ? -1 : distance(a.blockClock, b.blockClock);

/** The message about two accesses that race: `now` is the later one, and what is told of, unless it is to be the one by `pc`. */
export function raceFinding(site: RaceSite, log: StrongLog, race: Race, pc: number = race.now.pc): Diagnostic {
  const { program } = site;
  const { other, now, does, shared, at } = race;
  const { code, source } = program;
  const narrow = tooNarrow(other, now);
  const did = doneBy(code[other.pc]!.plan);
  const flag = narrow === undefined ? flagBetween(log, program, other, now) : undefined;
  const lacks = narrow !== undefined ? [narrow.help] : (flag?.lacks ?? [anyOrder(other, now)]);
  const small = raceAsLitmus({ other, now, wrote: did !== "reads", writes: does === "writes", shared }, flag);
  const both = [
    { ...now, does: does === "writes" && doneBy(code[now.pc]!.plan) === "updates" ? "updates" : does },
    { ...other, does: did },
  ] as const;
  const [first, second] = now.pc === pc ? both : [both[1], both[0]];
  const isOne = first.thread.blockClock === second.thread.blockClock;
  const why =
    narrow?.why ??
    (flag ? "the flag does not order them" : isOne ? "no barrier orders them" : "no release and acquire order them");
  const [here, there] = [code[first.pc]!, code[second.pc]!];
  const lines = [here, there].map(({ span }) => source.position(span.start).line);
  // In one line they are told apart by their names.
  const named = lines[0] === lines[1] && here !== there;
  const by = named ? [`by ${here.opcode}`, `by ${there.opcode}`] : lines.map((line) => `on line ${line}`);
  const place = elementAt(at, shared, program, site.rangeAt(at), [first.pc, second.pc]);
  const another = isOne ? lane(second, site) : who(second, site);
  const so =
    here === there && first.does === second.does
      ? `, and so does ${another}`
      : ` while ${another} ${second.does} it ${by[1]}`;
  return {
    code: "PTX4002",
    severity: "error",
    message: `${who(first, site)} ${first.does} ${place} ${by[0]}${so}: ${why}`,
    source,
    span: here.span,
    related: [{ source, span: there.span, message: `${who(second, site)} ${second.does} it` }],
    help: [
      ...lacks.map((message) => ({ message })),
      { message: `the bad outcome in small, which ptxrun litmus shows to be allowed:\n${small}` },
    ],
  };
}

/** What an instruction does to the memory that it accesses; an asynchronous one touches nothing when it is executed. */
function doneBy(plan: Plan): "reads" | "writes" | "updates" {
  const touches = touchesWithin(plan);
  if (touches.some(({ how }) => how === "atomic")) return "updates";
  const asked = touches.length === 0 && completesAsync(plan);
  const loads = !asked && touches.every(({ how }) => how === "load") && imagesOf(plan) !== "writes";
  return loads ? "reads" : "writes";
}

const who = (epoch: Epoch, site: RaceSite): string =>
  `${lane(epoch, site)} of block (${unlinear(epoch.thread.blockClock.block, site.grid).join(",")})`;

const lane = ({ thread }: Epoch, { program, block }: RaceSite): string =>
  `thread (${unlinear(thread.warp * (program.simd?.width ?? LANES) + thread.lane, block).join(",")})`;

/** Why two strong accesses are not morally strong with each other, and what would make them so. */
function tooNarrow(other: RecordedAccess, now: RecordedAccess): { why: string; help: string } | undefined {
  const reach = Math.min(other.reach, now.reach);
  if (reach < 0) return undefined;
  const wide = distance(other.thread.blockClock, now.thread.blockClock) === 1 ? ".cluster" : ".gpu";
  return reach === 0
    ? { why: ".cta does not include another block", help: `give both the scope ${wide}` }
    : { why: ".cluster does not include a block of another cluster", help: `give both the scope ${wide}` };
}
