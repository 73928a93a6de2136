import type { ExecutionCount, MemoryStats, Stats } from "../../host/stats/stats.ts";
import { columns } from "../text/columns.ts";
import { type Palette, plain } from "../text/palette.ts";
import { percent } from "../text/percent.ts";
import { renderCosts } from "./costs.ts";
import { renderLines } from "./line-stats.ts";

/** Opcodes that the text names; the rest are summed up. */
const MAX_NAMED_OPCODES = 24;
const BAR = 30;

/** The numbers of a run as aligned text with bars. */
export function renderStats(stats: Stats, palette: Palette = plain): string {
  const { instructions, lanes, branches, calls, barriers, exchanges, atomics, memory, banks } = stats;
  const facts: [name: string, text: string][] = [
    ["instructions", `${instructions.warp} of warps, ${instructions.thread} of threads`],
    ["lanes", `${percent(lanes.active, lanes.all)} active, ${percent(lanes.taken, lanes.all)} past their guards`],
    ["branches", `${branches.warp}, ${branches.divergent} of them divergent`],
  ];
  if (calls.warp > 0) facts.push(["calls", counted(calls)]);
  if (barriers.warp > 0) facts.push(["barriers", `${barriers.warp} arrivals of warps, ${barriers.completed} complete`]);
  if (exchanges.warp > 0) facts.push(["among lanes", counted(exchanges)]);
  if (atomics.warp > 0) facts.push(["atomics", counted(atomics)]);
  if (banks.parts > 0)
    facts.push(["shared banks", `${banks.passes} passes for ${banks.parts} accesses, ${banks.conflicts} by conflicts`]);
  const width = Math.max(...facts.map(([name]) => name.length));
  const head = facts.map(([name, text]) => `${palette.strong(name.padEnd(width))}  ${text}\n`).join("");
  const costs = renderCosts(stats.lines, palette);
  return [
    head,
    opcodesOf(stats, palette),
    ...(memory.length === 0 ? [] : [memoryOf(memory, palette)]),
    ...renderLines(stats, palette),
    ...(costs === "" ? [] : [costs]),
  ].join("\n");
}

const counted = ({ warp, thread }: ExecutionCount): string => `${warp} of warps, ${thread} of threads`;

function opcodesOf({ opcodes }: Stats, palette: Palette): string {
  const left = opcodes.slice(MAX_NAMED_OPCODES);
  const sum = (key: "warp" | "thread"): number => left.reduce((all, each) => all + each[key], 0);
  const shown = [...opcodes.slice(0, MAX_NAMED_OPCODES)];
  if (left.length > 0) shown.push({ opcode: `${left.length} others`, warp: sum("warp"), thread: sum("thread") });
  const most = Math.max(1, ...opcodes.map(({ warp }) => warp));
  const rows = shown.map(({ opcode, warp, thread }) => [opcode, String(warp), String(thread)]);
  const bars = shown.map(({ warp }) => "#".repeat(Math.min(BAR, Math.ceil((warp * BAR) / most))));
  return columns(["opcode", "warps", "threads"], rows, bars, palette);
}

function memoryOf(memory: readonly MemoryStats[], palette: Palette): string {
  const rows = memory.map(({ space, kind, requests, accesses, bytes, sectors, fewest }) => [
    `${space} ${kind}`,
    ...[requests, accesses, bytes].map(String),
    sectors === 0 ? "" : String(sectors),
    sectors === 0 ? "" : percent(fewest, sectors),
  ]);
  const bars = memory.map(({ sectors, fewest }) =>
    sectors === 0 ? "" : "#".repeat(Math.round((fewest * BAR) / sectors)),
  );
  return columns(["memory", "requests", "accesses", "bytes", "sectors", "coalesced"], rows, bars, palette);
}
