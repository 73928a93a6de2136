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

/** Rows down and columns to the right by which an arrow key goes on. */
const arrows: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/**
 * A table that is filled again and again: cells that stay keep their elements, so that the place in the page and what has the
 * keyboard stay, too. Tab comes to one of its buttons, from which arrow keys go to the others.
 */
export class Table {
  readonly element: HTMLTableElement;
  readonly #head = element("thead");
  readonly #body = element("tbody");
  #columns = "";
  readonly #acts = new WeakMap<HTMLElement, () => void>();
  /** The button to which Tab comes. */
  #entry: HTMLButtonElement | undefined;

  /** `label` names the table to who does not see it. */
  constructor(label: string, kind: string) {
    this.element = element("table", { class: kind, "aria-label": label }, this.#head, this.#body);
    this.#body.addEventListener("click", (event) => {
      const cell = (event.target as HTMLElement).closest("button");
      if (cell !== null) this.#acts.get(cell)?.();
    });
    this.#body.addEventListener("focusin", ({ target }) => this.#enter(target as HTMLButtonElement));
    this.#body.addEventListener("keydown", (event) => {
      const [down, right] = arrows[event.key] ?? [];
      const cell = (event.target as HTMLElement).closest<HTMLTableCellElement>("td, th");
      if (cell === null || down === undefined || right === undefined) return;
      const row = (cell.parentElement as HTMLTableRowElement).rowIndex + down;
      const next = this.element.rows[row]?.cells[cell.cellIndex + right]?.querySelector("button");
      next?.focus();
      event.preventDefault();
    });
  }

  #enter(button: HTMLButtonElement | null): void {
    if (this.#entry !== undefined) this.#entry.tabIndex = -1;
    if (button !== null) button.tabIndex = 0;
    this.#entry = button ?? undefined;
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
    if (this.#entry?.isConnected !== true) this.#enter(this.#body.querySelector("button"));
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
      if (place.firstElementChild === null) place.replaceChildren(element("button", { type: "button", tabindex: -1 }));
      holder = place.firstElementChild as HTMLElement;
      this.#acts.set(holder, act);
      if (label !== undefined) holder.setAttribute("aria-label", label);
    }
    if (holder.textContent !== text) holder.textContent = text;
  }
}
