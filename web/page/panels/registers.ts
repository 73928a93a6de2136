import type { Bench } from "../bench.ts";
import type { RegisterValue } from "../client.ts";
import { element, select } from "../element.ts";
import { type Cell, Table } from "../table.ts";
import { show, type View, views } from "../views.ts";
import { nothing, threadPicker } from "./focus.ts";
import type { Panel } from "./panel.ts";

/** The registers of one thread, each of which can be opened; those that the last move has changed are marked. */
export function registersPanel(bench: Bench, open: (register: string) => void): Panel {
  let view: View = "typed";
  let only = "";
  const table = new Table("Registers", "values registers");
  const empty = nothing();
  const filter = element("input", {
    type: "search",
    placeholder: "filter",
    "aria-label": "Show registers whose name contains",
  });
  filter.addEventListener("input", () => {
    only = filter.value.trim().toLowerCase();
    update();
  });
  const picker = threadPicker(bench);
  const choose = select("Values", views, view, (chosen) => {
    view = chosen as View;
    update();
  });
  const legend = element("span", { class: "note" }, "● changed by the last move");
  const head = element("div", { class: "panel-head" }, picker.element, choose, filter, legend);
  const update = (): void => {
    const { state } = bench;
    picker.show();
    empty.show(state === undefined, bench);
    table.element.hidden = state === undefined;
    if (state === undefined) return;
    legend.hidden = !state.registers.some(({ changed }) => changed);
    const rows = state.registers.filter(({ name }) => name.toLowerCase().includes(only));
    table.fill(
      ["register", "type", "bits", view === "typed" ? "value" : view],
      rows.map((each) => row(each, view, () => open(each.name))),
    );
  };
  return {
    id: "registers",
    title: "Registers",
    show: update,
    element: element(
      "div",
      {},
      head,
      element(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Registers" },
        table.element,
        empty.element,
      ),
    ),
  };
}

function row(
  { name, type, width, bits, written, changed }: RegisterValue,
  view: View,
  open: () => void,
): readonly Cell[] {
  const kind = changed ? "changed" : written ? undefined : "unwritten";
  const values = (as: View): string => [...bits].map((each) => show(each, width, type, as)).join(", ");
  const unset = changed ? "changed by the last move" : written ? "" : "not written yet";
  return [
    {
      text: `${changed ? "● " : ""}${name}`,
      class: kind,
      heads: true,
      act: open,
      label: `${name}${changed ? ", changed" : ""}, as bits`,
      title: unset,
    },
    { text: type, class: "faint" },
    { text: values("hex"), class: kind, title: unset },
    { text: values(view), class: kind, title: unset },
  ];
}
