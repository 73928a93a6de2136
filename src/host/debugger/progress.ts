import { unlinear, volume } from "../../interp/contract/launch/dim3.ts";
import { bitsIn } from "../../interp/contract/launch/lane-mask.ts";
import type { Program } from "../../interp/contract/program.ts";
import type { GroupView, WarpView } from "../../interp/contract/views.ts";
import type { Session } from "../../interp/machine/session.ts";
import { MachineView } from "../../interp/tools/machine-view.ts";
import { lanesIn } from "../../interp/warp/waiting.ts";
import type { Related } from "../../source/diagnostic.ts";

/** Most instructions that are listed, and most threads listed at each. */
const MOST_PLACES = 12;
const MOST_WHO = 4;

/** Lanes of all warps that are at one instruction for the same reason. */
interface Place {
  readonly pc: number;
  readonly does: string;
  threads: number;
  warps: number;
  /** By block: its warps in words, `warps 0 to 3, lane 5`. */
  readonly blocks: Map<number, Who[]>;
}

/** Adjacent warps of one block with the same lanes at that instruction. */
interface Who {
  readonly from: number;
  to: number;
  /** The lanes, empty for all lanes of the warp. */
  readonly lanes: string;
}

/**
 * The positions of all threads of a launch that have begun and not ended: an entry for each instruction, with the
 * number of threads there, which ones they are, and whether they run or what they wait for. Equal entries are folded;
 * long lists are only counted.
 */
export function threadsByInstruction(session: Session): readonly Related[] {
  const { context } = session.state ?? {};
  if (context === undefined) return [];
  const { program, grid, block } = context;
  const perBlock = Math.ceil(volume(block) / 32);
  const all = placesOf(new MachineView(session).warps(), program);
  const shown = new Set([...all].sort((a, b) => b.threads - a.threads).slice(0, MOST_PLACES));
  const entry = (place: Place): Related => {
    const { span, location } = program.code[place.pc] ?? { span: { start: 0, end: 0 } };
    const from = location === undefined ? "" : `, compiled from ${location.file}:${location.line}`;
    const who = whoIn(place, perBlock, (linear) => `(${unlinear(linear, grid).join(",")})`);
    return {
      source: program.source,
      span,
      message: `${count(place.threads, "thread")} of ${count(place.warps, "warp")} ${place.does} here: ${who}${from}`,
    };
  };
  const listed = all.filter((place) => shown.has(place)).map(entry);
  const [hidden] = all.filter((place) => !shown.has(place));
  if (hidden === undefined) return listed;
  const { source, span } = entry(hidden);
  return [...listed, { source, span, message: `and at ${count(all.length - shown.size, "more place")}, as here` }];
}

/** The progress of a launch. */
export interface Progress {
  /** Warp instructions executed. */
  readonly steps: number;
  readonly blocks: { readonly done: number; readonly running: number; readonly all: number };
}

/** The progress of a launch, to be shown while it runs. */
export const progressOf = (session: Session): Progress => ({
  steps: session.steps,
  blocks: new MachineView(session).blocks(),
});

/** Every instruction with threads at it, in program order. */
function placesOf(warps: readonly WarpView[], program: Program): Place[] {
  const places = new Map<string, Place>();
  for (const warp of warps) {
    const here = new Map<Place, number>();
    for (const group of warp.groups) {
      const does = doing(group, program);
      const key = `${group.pc} ${does}`;
      const place = places.get(key) ?? { pc: group.pc, does, threads: 0, warps: 0, blocks: new Map() };
      places.set(key, place);
      here.set(place, (here.get(place) ?? 0) | group.mask);
    }
    for (const [place, mask] of here) add(place, warp, mask >>> 0);
  }
  return [...places.values()].sort((a, b) => a.pc - b.pc);
}

function add(place: Place, { block, warp, threads }: WarpView, mask: number): void {
  place.threads += bitsIn(mask);
  place.warps++;
  const lanes = mask === threads ? "" : lanesIn(mask);
  const who = place.blocks.get(block) ?? [];
  place.blocks.set(block, who);
  const last = who.at(-1);
  if (last?.lanes === lanes && last.to === warp - 1) last.to = warp;
  else who.push({ from: warp, to: warp, lanes });
}

function doing({ state, barrier, members, pc }: GroupView, program: Program): string {
  if (state === "barrier") return `waiting at barrier ${barrier}`;
  if (state === "cluster") return "waiting for the cluster";
  if (state === "until") return `waiting at ${program.code[pc]?.opcode}`;
  if (state === "lanes") return `waiting at ${program.code[pc]?.opcode} for the lanes of 0x${members?.toString(16)}`;
  return "running";
}

/** `blocks (0,0,0) to (3,0,0); block (5,0,0): warps 0 to 3, lanes 0 to 15`. */
function whoIn({ blocks }: Place, perBlock: number, name: (block: number) => string): string {
  const runs: { readonly from: number; to: number; readonly warps: string; readonly size: number }[] = [];
  for (const [block, who] of [...blocks].sort(([a], [b]) => a - b)) {
    const warps = warpsIn(who, perBlock);
    const size = who.reduce((sum, { from, to }) => sum + to - from + 1, 0);
    const last = runs.at(-1);
    if (last?.warps === warps && last.to === block - 1) last.to = block;
    else runs.push({ from: block, to: block, warps, size });
  }
  const said = runs.slice(0, MOST_WHO).map(({ from, to, warps }) => {
    const where = from === to ? `block ${name(from)}` : `blocks ${name(from)} to ${name(to)}`;
    return warps === "" ? where : `${where}: ${warps}`;
  });
  const left = runs.slice(MOST_WHO).reduce((sum, { from, to, size }) => sum + (to - from + 1) * size, 0);
  return [...said, ...(left === 0 ? [] : [`and ${count(left, "more warp")}`])].join("; ");
}

/** `warps 0 to 3, lanes 0 to 15`; nothing for all of a block. */
function warpsIn(who: readonly Who[], perBlock: number): string {
  const [first] = who;
  if (who.length === 1 && first?.lanes === "" && first.to - first.from + 1 === perBlock) return "";
  const said = who.slice(0, MOST_WHO).map(({ from, to, lanes }) => {
    const warps = from === to ? `warp ${from}` : `warps ${from} to ${to}`;
    return lanes === "" ? warps : `${warps} ${lanes}`;
  });
  const left = who.slice(MOST_WHO).reduce((sum, { from, to }) => sum + to - from + 1, 0);
  return [...said, ...(left === 0 ? [] : [`${left} more`])].join(", ");
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;
