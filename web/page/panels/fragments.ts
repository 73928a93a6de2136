import type { Bench } from "../bench.ts";
import type { FragmentMap } from "../client.ts";
import { element, select } from "../element.ts";

/** Elements of a matrix that are drawn; a larger one is asked for an element. */
const MOST_DRAWN = 512;

/** The element that somebody has asked for, which stays while they look at other threads and instructions. */
export interface Asked {
  name: string;
  row: number;
  column: number;
}

/** Who holds an element of the matrices that an instruction multiplies: asked for by row and column, or found in a drawing of lanes. */
export function fragmentsView(bench: Bench, maps: readonly FragmentMap[], asked: Asked): HTMLElement {
  let map = maps.find(({ name }) => name === asked.name) ?? (maps[0] as FragmentMap);
  const number = (label: string): HTMLInputElement =>
    element("input", { type: "number", min: 0, value: 0, "aria-label": label });
  const [row, column] = [number("Row"), number("Column")];
  const answer = element("output");
  const layout = element("pre", { class: "faint" });
  const table = element("table", { class: "fragment" });
  const look = element("button", { type: "button" }, "Look at it");
  let lane = 0;
  look.addEventListener("click", () => {
    const { state } = bench;
    if (state !== undefined) void bench.focus({ ...state.focus, lane });
  });
  const holder = (at: number): readonly [lane: number, element: number] | undefined => {
    const held = map.holders[at] ?? -1;
    return held < 0 ? undefined : [Math.floor(held / map.count), held % map.count];
  };
  const told = (at: number): string => {
    const { name, columns, rows, registers, bits, values } = map;
    const place = `${name}[${Math.floor(at / columns) % rows}][${at % columns}]`;
    const found = holder(at);
    if (found === undefined) return `${place}: there is no such element`;
    const each = (bits === 64 ? 64 : 32) / bits;
    const low = (found[1] % each) * bits;
    const part = each === 1 ? "" : `, bits ${low} to ${low + bits - 1}`;
    const value = values[at] === undefined ? "" : ` = ${values[at]}`;
    return `${place}${value}: lane ${found[0]}, ${name}${found[1]} in ${registers[Math.floor(found[1] / each)] ?? "_"}${part}`;
  };
  const show = (): void => {
    Object.assign(asked, { name: map.name, row: row.valueAsNumber, column: column.valueAsNumber });
    const position = asked.row * map.columns + asked.column;
    const inside = asked.row < map.rows && asked.column < map.columns;
    answer.textContent = inside ? told(position) : `${map.name} has ${map.rows} rows and ${map.columns} columns`;
    const found = inside ? holder(position) : undefined;
    look.hidden = found === undefined;
    lane = found?.[0] ?? 0;
    for (const cell of table.querySelectorAll("td"))
      cell.classList.toggle("asked", inside && cell.dataset["at"] === String(position));
  };
  const draw = (): void => {
    const { rows, columns, holders } = map;
    [row.max, column.max] = [String(rows - 1), String(columns - 1)];
    layout.textContent = map.layout.join("\n");
    const own = bench.state?.focus.lane;
    const line = (at: number): HTMLElement =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, String(at)),
        ...Array.from({ length: columns }, (_, x) => {
          const position = at * columns + x;
          const found = holder(position);
          const kind = found?.[0] === own ? "own" : "";
          return element("td", { class: kind, title: told(position), "data-at": position }, String(found?.[0] ?? ""));
        }),
      );
    table.replaceChildren(
      ...(holders.length > MOST_DRAWN || holders.length > rows * columns
        ? []
        : [
            element(
              "thead",
              {},
              element(
                "tr",
                {},
                element("th"),
                ...Array.from({ length: columns }, (_, x) => element("th", { scope: "col" }, String(x))),
              ),
            ),
            element("tbody", {}, ...Array.from({ length: rows }, (_, y) => line(y))),
          ]),
    );
    show();
  };
  for (const field of [row, column]) field.addEventListener("input", show);
  table.addEventListener("click", ({ target }) => {
    const at = Number((target as HTMLElement).dataset["at"] ?? Number.NaN);
    if (Number.isNaN(at)) return;
    [row.value, column.value] = [String(Math.floor(at / map.columns)), String(at % map.columns)];
    show();
  });
  const names = maps.map(({ name, rows, columns, type }) => [name, `${name}: ${rows} × ${columns} .${type}`] as const);
  const which = select("Matrix", names, map.name, (name) => {
    map = maps.find((each) => each.name === name) ?? map;
    draw();
  });
  [row.value, column.value] = [String(asked.row), String(asked.column)];
  draw();
  return element(
    "section",
    {},
    element("h3", {}, "Which lane holds it"),
    element("p", { class: "panel-head" }, which, labelled("row", row), labelled("column", column), answer, look),
    element("div", { class: "wide" }, table),
    element("details", {}, element("summary", {}, "in the manual's words"), layout),
  );
}

const labelled = (text: string, field: HTMLElement): HTMLElement =>
  element("label", { class: "pick" }, element("span", {}, text), field);
