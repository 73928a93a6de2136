import type { Bench } from "../bench.ts";
import type { Loaded, Outcomes } from "../client.ts";
import { element } from "../element.ts";
import { type Cell, Table } from "../table.ts";
import type { Panel } from "./panel.ts";

/** Launches that are small enough, for one that is not. */
const small = [
  ["2 blocks of 1 thread", { grid: "2", block: "1" }],
  ["1 block of 2 threads", { grid: "1", block: "2" }],
] as const;

/** Every outcome that the memory model allows a small launch, or a litmus test; an execution of each that is looked at. */
export function outcomesPanel(bench: Bench): Panel {
  const content = element("div", { class: "outcomes" });
  const table = new Table("Outcomes", "values");
  let known: Loaded | undefined;
  const show = (found: Outcomes): void => {
    const detail = element("pre", { class: "printed", tabindex: 0, "aria-label": "An execution" });
    detail.hidden = true;
    const look = (row: number): void =>
      bench.look(bench.client.outcomeDetail(row), (text) => {
        detail.textContent = text ?? "";
        detail.hidden = text === undefined;
        detail.focus();
      });
    table.fill(
      ["", ...found.columns, "executions"],
      found.rows.map(({ cells, count, marked }, at): Cell[] => [
        { text: marked ? "▶ show" : "show", title: marked ? found.mark : "", act: () => look(at) },
        ...cells.map((text): Cell => ({ text, class: marked ? "changed" : "" })),
        { text: `${count}`, class: "faint" },
      ]),
    );
    table.element.hidden = found.rows.length === 0;
    content.replaceChildren(
      element("h2", {}, found.title),
      ...found.problems.flatMap(({ message, expected }) => [
        element("p", {}, `Not listed: ${message}${expected === undefined ? "" : ` (expected ${expected})`}.`),
      ]),
      ...(found.problems.some(({ code }) => code === "PTX6009") ? [smaller()] : []),
      ...found.claims.map(({ text, holds, why }) =>
        element(
          "p",
          { class: holds === false ? "fault" : "" },
          `${holds === undefined ? "open" : holds ? "✔ as stated" : "✖ not as stated"}: `,
          element("code", {}, text),
          why !== undefined && element("details", {}, element("summary", {}, "why"), element("pre", {}, why)),
        ),
      ),
      table.element,
      ...(found.rows.some(({ marked }) => marked) ? [element("p", { class: "faint" }, `▶ ${found.mark}`)] : []),
      ...found.notes.map((text) => element("p", { class: "note" }, text)),
      detail,
    );
  };
  const smaller = (): HTMLElement =>
    element(
      "p",
      {},
      "Launch ",
      ...small.map(([title, size]) => element("button", { type: "button", onclick: () => bench.input(size) }, title)),
    );
  const update = (): void => {
    const { loaded, stale } = bench;
    if (loaded === undefined || loaded === known || (stale && loaded.outcomes === undefined)) return;
    known = loaded;
    if (loaded.outcomes !== undefined) show(loaded.outcomes);
    else bench.look(bench.client.outcomes(), (found) => loaded === known && show(found));
  };
  return {
    id: "outcomes",
    title: "Outcomes",
    show: update,
    element: element(
      "div",
      {},
      element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Outcomes" }, content),
    ),
  };
}
