import type { Bench } from "../bench.ts";
import type { BarrierState, State, WarpPlaces } from "../client.ts";
import { element } from "../element.ts";
import { laneRanges, ones } from "../masks.ts";
import { type Cell, Table } from "../table.ts";
import { nothing } from "./focus.ts";
import type { Panel } from "./panel.ts";

/** Warps that are listed. */
const MAX_LISTED_WARPS = 200;

/** Where every warp's lanes are, what they wait for, and who has arrived at barriers. */
export function warpsPanel(bench: Bench): Panel {
  const table = new Table("Where the lanes are", "values warps");
  const barriers = new Table("Barriers", "values warps");
  const empty = nothing();
  const note = element("p", { class: "note" });
  const update = (): void => {
    const { state } = bench;
    empty.show(state === undefined, bench);
    table.element.hidden = barriers.element.hidden = note.hidden = state === undefined;
    if (state === undefined) return;
    const rows = state.warps.slice(0, MAX_LISTED_WARPS).flatMap((warp) => rowsOf(bench, state, warp));
    table.fill(["warp", "lanes", "line", "state"], rows);
    table.element.hidden = rows.length === 0;
    note.textContent = `Warps running: ${state.warps.length} of ${Math.ceil(state.threads / state.lanes) * state.blocks}.${state.warps.length > MAX_LISTED_WARPS ? ` The first ${MAX_LISTED_WARPS} are listed.` : ""}`;
    barriers.element.hidden = state.barriers.length === 0;
    barriers.fill(["barrier", "arrived", "of"], state.barriers.map(barrierRow));
  };
  return {
    id: "warps",
    title: "Warps",
    show: update,
    element: element(
      "div",
      {},
      note,
      element(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Warps and barriers" },
        table.element,
        barriers.element,
        empty.element,
      ),
    ),
  };
}

function rowsOf(bench: Bench, { focus }: State, { block, warp, groups, live, threads }: WarpPlaces): readonly Cell[][] {
  const focused = focus.block === block && focus.warp === warp;
  const name = `block ${block}, warp ${warp}`;
  const at = (mask: number): Pick<Cell, "act" | "label"> => ({
    act: () => void bench.focus({ block, warp, lane: 31 - Math.clz32(mask & -mask) }),
    label: `Look at ${name}, lane ${31 - Math.clz32(mask & -mask)}`,
  });
  const ended = ones(threads & ~live);
  const rows = groups.map(({ mask, line, does }): Cell[] => [
    { text: name, heads: true, class: focused ? "focused" : "", ...at(mask) },
    { text: laneRanges(mask) },
    { text: line === undefined ? "" : String(line) },
    { text: does },
  ]);
  if (ended > 0)
    rows.push([{ text: name, heads: true }, { text: laneRanges(threads & ~live) }, { text: "" }, { text: "ended" }]);
  return rows;
}

const barrierRow = ({ block, number, threads, arrived }: BarrierState): readonly Cell[] => [
  { text: `block ${block}, barrier ${number}`, heads: true },
  { text: arrived.flatMap((mask, warp) => (mask === 0 ? [] : [`warp ${warp}: ${laneRanges(mask)}`])).join("; ") },
  { text: `${arrived.reduce((sum, mask) => sum + ones(mask), 0)} of ${threads} threads` },
];
