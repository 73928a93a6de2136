import { element } from "./element.ts";

export interface Cell {
  readonly text: string;
  readonly class?: string | undefined;
  readonly title?: string;
  /** What somebody who does not see is told, in place of the text. */
  readonly label?: string;
  /** Makes it a button. */
  readonly act?: () => void;
  /** The row's heading. */
  readonly heads?: boolean;
}

/**
 * A table that is filled again and again: cells that stay keep their elements, so that the place in the page and what has the
 * keyboard stay, too.
 */
export class Table {
  readonly element: HTMLTableElement;
  readonly #head = element("thead");
  readonly #body = element("tbody");
  #columns = "";
  readonly #acts = new WeakMap<HTMLElement, () => void>();

  /** `label` names the table to who does not see it. */
  constructor(label: string, kind: string) {
    this.element = element("table", { class: kind, "aria-label": label }, this.#head, this.#body);
    this.#body.addEventListener("click", (event) => {
      const cell = (event.target as HTMLElement).closest("button");
      if (cell !== null) this.#acts.get(cell)?.();
    });
  }

  fill(columns: readonly string[], rows: readonly (readonly Cell[])[]): void {
    const joined = columns.join("\n");
    if (joined !== this.#columns) {
      this.#columns = joined;
      this.#head.replaceChildren(element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name))));
      this.#body.replaceChildren();
    }
    while (this.#body.rows.length > rows.length) this.#body.deleteRow(-1);
    for (const [at, cells] of rows.entries()) this.#fillRow(this.#body.rows[at] ?? this.#body.insertRow(), cells);
  }

  #fillRow(row: HTMLTableRowElement, cells: readonly Cell[]): void {
    while (row.cells.length > cells.length) row.deleteCell(-1);
    for (const [at, cell] of cells.entries()) {
      let place: HTMLElement | undefined = row.cells[at];
      if (place === undefined) {
        place = cell.heads ? element("th", { scope: "row" }) : element("td");
        row.append(place);
      }
      this.#fillCell(place, cell);
    }
  }

  #fillCell(place: HTMLElement, { text, class: kind = "", title, label, act }: Cell): void {
    if (place.className !== kind) place.className = kind;
    if (title !== undefined && place.title !== title) place.title = title;
    // A cell that was a button before.
    if (act === undefined && place.firstElementChild !== null) place.replaceChildren();
    let holder = place;
    if (act !== undefined) {
      if (place.firstElementChild === null) place.replaceChildren(element("button", { type: "button" }));
      holder = place.firstElementChild as HTMLElement;
      this.#acts.set(holder, act);
      if (label !== undefined) holder.setAttribute("aria-label", label);
    }
    if (holder.textContent !== text) holder.textContent = text;
  }
}
