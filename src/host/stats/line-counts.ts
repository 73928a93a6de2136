import { isBarrier } from "../../interp/contract/plan/effects.ts";
import type { Instruction, Program } from "../../interp/contract/program.ts";
import type { AccessStats } from "./memory-counter.ts";

/** Totals over the instructions of one line. */
export interface LineSums {
  /** Executions of instructions by warps, by lanes that reached them, and by lanes that passed their guards. */
  readonly warp: number;
  readonly active: number;
  readonly thread: number;
  /** Branches that made lanes of a warp diverge. */
  readonly divergent: number;
  /** Arrivals of warps at barriers. */
  readonly barriers: number;
  /** Requests of warps to memory, of all spaces, and their bytes. */
  readonly requests: number;
  readonly bytes: number;
  /** Those to global and local memory: requests, their sectors of 32 bytes, and the fewest that would be enough. */
  readonly transfers: number;
  readonly sectors: number;
  readonly fewest: number;
  /** Requests to shared memory: parts, the passes that they took, and how many of those bank conflicts caused. */
  readonly parts: number;
  readonly passes: number;
  readonly conflicts: number;
}

/** A line of the program's text. */
export interface LineCount extends LineSums {
  readonly line: number;
  /** As it is written, with single blanks; cut where it is very long. */
  readonly text: string;
}

/** A line of a file that the program was compiled from, as `.loc` names it. */
export interface SourceLineCount extends LineSums {
  readonly file: string;
  readonly line: number;
}

/** Counts by index of the instruction. */
export interface PcCounts {
  readonly warps: Float64Array;
  readonly active: Float64Array;
  readonly taken: Float64Array;
  readonly divergent: Float64Array;
}

type Sums = { -readonly [K in keyof LineSums]: LineSums[K] };

/** The longest excerpt of a line. */
const LONGEST = 160;

/** Lines of the text with executed instructions, in their order. */
export function lineCounts(program: Program, counts: PcCounts, accesses: readonly AccessStats[]): LineCount[] {
  const { source } = program;
  const lineOf = ({ span }: Instruction): string => String(source.position(span.start).line);
  return [...summed(program, counts, accesses, lineOf)]
    .map(([key, sums]) => ({ line: Number(key), text: cut(source.line(Number(key))), ...sums }))
    .sort((a, b) => a.line - b.line);
}

/** Lines of what the program was compiled from, by file and line; none without `.loc`. */
export function sourceCounts(program: Program, counts: PcCounts, accesses: readonly AccessStats[]): SourceLineCount[] {
  const lineKey = ({ location }: Instruction): string | undefined => location && `${location.line} ${location.file}`;
  return [...summed(program, counts, accesses, lineKey)]
    .map(([key, sums]) => {
      const space = key.indexOf(" ");
      return { file: key.slice(space + 1), line: Number(key.slice(0, space)), ...sums };
    })
    .sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}

/** An untrusted program may be one line of a megabyte. */
function cut(line: string): string {
  const text = line
    .slice(0, 4 * LONGEST)
    .replace(/\s+/g, " ")
    .trim();
  return text.length > LONGEST || line.length > 4 * LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}

function summed(
  { code }: Program,
  { warps, active, taken, divergent }: PcCounts,
  accesses: readonly AccessStats[],
  keyOf: (instruction: Instruction) => string | undefined,
): Map<string, Sums> {
  const found = new Map<string, Sums>();
  const byPc: (Sums | undefined)[] = [];
  for (const [pc, instruction] of code.entries()) {
    const key = keyOf(instruction);
    if (key === undefined || warps[pc] === 0) continue;
    const sums = found.get(key) ?? nothing();
    found.set(key, sums);
    byPc[pc] = sums;
    sums.warp += warps[pc] ?? 0;
    sums.active += active[pc] ?? 0;
    sums.thread += taken[pc] ?? 0;
    sums.divergent += divergent[pc] ?? 0;
    if (isBarrier(instruction.plan)) sums.barriers += warps[pc] ?? 0;
  }
  for (const { pc, requests, bytes, space, sectors, fewest, parts, passes } of accesses) {
    const sums = byPc[pc];
    if (sums === undefined) continue;
    sums.requests += requests;
    sums.bytes += bytes;
    if (space === "global" || space === "local") sums.transfers += requests;
    sums.sectors += sectors;
    sums.fewest += fewest;
    sums.parts += parts;
    sums.passes += passes;
    sums.conflicts += passes - parts;
  }
  return found;
}

const nothing = (): Sums => ({
  warp: 0,
  active: 0,
  thread: 0,
  divergent: 0,
  barriers: 0,
  requests: 0,
  bytes: 0,
  transfers: 0,
  sectors: 0,
  fewest: 0,
  parts: 0,
  passes: 0,
  conflicts: 0,
});
