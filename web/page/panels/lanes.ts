import type { Bench } from "../bench.ts";
import type { LaneRegisters } from "../client.ts";
import { element, select } from "../element.ts";
import { type Cell, Table } from "../table.ts";
import { show, type View, views } from "../views.ts";
import { nothing } from "./focus.ts";
import type { Panel } from "./panel.ts";

/** Registers that are shown at once; a filter finds the others. */
const MAX_SHOWN_REGISTERS = 24;

/** All lanes of a warp beside each other: a row each, with the lanes that execute next marked. */
export function lanesPanel(bench: Bench): Panel {
  let view: View = "typed";
  let only = "";
  let shown: LaneRegisters | undefined;
  let before: LaneRegisters | undefined;
  let at: unknown;
  const table = new Table("Lanes of the warp", "values lanes");
  const empty = nothing();
  const note = element("p", { class: "note" });
  const filter = element("input", {
    type: "search",
    placeholder: "filter",
    "aria-label": "Show registers whose name contains",
  });
  filter.addEventListener("input", () => {
    only = filter.value.trim().toLowerCase();
    draw();
  });
  const choose = select("Values", views, view, (chosen) => {
    view = chosen as View;
    draw();
  });
  const draw = (): void => {
    const { state } = bench;
    if (state === undefined || shown === undefined) return;
    const { live, active, registers } = shown;
    const chosen = registers.filter(({ name }) => name.toLowerCase().includes(only));
    const columns = chosen.slice(0, MAX_SHOWN_REGISTERS);
    const old = new Map(before?.registers.map((each) => [each.name, each]));
    const more = chosen.length - columns.length;
    note.textContent = `Block ${state.focus.block}, warp ${state.focus.warp}. ▶ lanes execute the next instruction.${more > 0 ? ` ${more} more registers: filter by name.` : ""}`;
    const lanes = Array.from({ length: state.lanes }, (_, lane) => lane).filter(
      (lane) => columns.length === 0 || columns.some(({ bits }) => bits[lane] !== undefined),
    );
    table.fill(
      ["lane", ...columns.map(({ name }) => name)],
      lanes.map((lane): readonly Cell[] => {
        const runs = ((active >>> lane) & 1) === 1;
        const lives = ((live >>> lane) & 1) === 1;
        const mark = runs ? "▶" : lives ? "" : "ended";
        const focused = lane === state.focus.lane;
        const select = (): void => void bench.focus({ ...state.focus, lane });
        return [
          {
            text: `${lane} ${mark}`,
            act: select,
            heads: true,
            title: "look at this lane",
            class: [focused && "focused", runs && "active", !lives && "unwritten"].filter(Boolean).join(" "),
            label: `Lane ${lane}${runs ? ", executes next" : ""}${lives ? "" : ", has ended"}${focused ? ", shown in Registers" : ""}`,
          },
          ...columns.map(({ name, type, width, bits }): Cell => {
            const value = bits[lane];
            if (value === undefined) return { text: "" };
            const changed = old.get(name)?.bits[lane] !== undefined && old.get(name)?.bits[lane] !== value;
            const [kind, title] = changed ? ["changed", "changed by the last move"] : [runs ? "active" : "", ""];
            return { text: show(value, width, type, view), class: kind, title };
          }),
        ];
      }),
    );
  };
  const update = (): void => {
    const { state } = bench;
    empty.show(state === undefined, bench);
    table.element.hidden = note.hidden = state === undefined;
    if (state === undefined) {
      shown = before = at = undefined;
      return;
    }
    if (at === state) return;
    at = state;
    bench.look(bench.client.lanes(), (lanes) => {
      if (bench.state !== state) return;
      before = shown;
      shown = lanes;
      draw();
    });
  };
  const head = element("div", { class: "panel-head" }, choose, filter);
  return {
    id: "lanes",
    title: "Lanes",
    show: update,
    element: element(
      "div",
      {},
      head,
      note,
      element(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Lanes" },
        table.element,
        empty.element,
      ),
    ),
  };
}
