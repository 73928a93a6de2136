import type { Bench } from "../bench.ts";
import type { BufferPlace, MemoryBytes, Space } from "../client.ts";
import { element, select } from "../element.ts";
import { type Cell, Table } from "../table.ts";
import { show } from "../views.ts";
import { nothing } from "./focus.ts";
import type { Panel } from "./panel.ts";

/** Bytes of what is shown at once, and of a row. */
const PAGE = 512;
const narrow = matchMedia("(max-width: 760px)");
const rowBytes = (): number => (narrow.matches ? 8 : 16);

const types = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "f16", "bf16", "f16x2", "bf16x2", "f32", "f64"];

/** A buffer's bytes in hexadecimal and as numbers; what the last move has changed is marked. */
export function memoryPanel(bench: Bench): Panel {
  let place: BufferPlace | undefined;
  let type = "";
  let from = 0;
  let known: { readonly name: string; readonly from: number; readonly held: MemoryBytes } | undefined;
  let at: unknown;
  const table = new Table("Memory", "values memory");
  const empty = nothing();
  const note = element("p", { class: "note" });
  const places = select("Memory", [], "", (name) => {
    place = bench.state?.buffers.find((each) => each.name === name);
    [from, type, at, known] = [0, "", undefined, undefined];
    update();
  });
  const menu = places.querySelector("select") as HTMLSelectElement;
  const as = select("As", [["", "its type"], ...types.map((each) => [each, each] as const)], "", (chosen) => {
    type = chosen;
    draw(known?.held, known?.held);
  });
  const page = (by: number): void => {
    from = Math.max(0, from + by * PAGE);
    [at, known] = [undefined, undefined];
    update();
  };
  const back = element("button", { type: "button", onclick: () => page(-1) }, "Previous");
  const on = element("button", { type: "button", onclick: () => page(1) }, "Next");
  const draw = (held: MemoryBytes | undefined, old: MemoryBytes | undefined): void => {
    if (place === undefined || held === undefined) return;
    const { name, space, address, bytes } = place;
    note.textContent = `${space} memory, ${name}: ${bytes} bytes at 0x${address.toString(16)}${bytes > PAGE ? `; ${from} to ${Math.min(bytes, from + PAGE) - 1} are shown` : ""}`;
    back.hidden = on.hidden = bytes <= PAGE;
    back.disabled = from === 0;
    on.disabled = from + PAGE >= bytes;
    table.fill(["offset", "bytes", "values"], rowsOf(held, old, type || place.type, from));
    mark(table.element, held, old);
  };
  const update = (): void => {
    const { state } = bench;
    empty.show(state === undefined, bench);
    table.element.hidden = note.hidden = state === undefined;
    if (state === undefined || at === state) return;
    at = state;
    listPlaces(menu, state.buffers);
    place = state.buffers.find(({ name }) => name === (place?.name ?? menu.value)) ?? state.buffers[0];
    if (place === undefined) {
      note.textContent = "This program has no buffers and no variables in memory.";
      table.fill([], []);
      return;
    }
    menu.value = place.name;
    const { space, address, bytes, name } = place;
    const read = (where: Space): Promise<MemoryBytes> =>
      bench.client.memory(where, address + BigInt(from), Math.min(PAGE, bytes - from));
    bench.look(read(space), (held) => {
      if (bench.state !== state) return;
      const old = known?.name === name && known.from === from ? known.held : undefined;
      known = { name, from, held };
      draw(held, old);
    });
  };
  const head = element("div", { class: "panel-head" }, places, as, back, on);
  return {
    id: "memory",
    title: "Memory",
    show: update,
    element: element(
      "div",
      {},
      head,
      note,
      element(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Memory" },
        table.element,
        empty.element,
      ),
    ),
  };
}

function listPlaces(menu: HTMLSelectElement, buffers: readonly BufferPlace[]): void {
  const names = buffers.map(({ name }) => name);
  if ([...menu.options].map(({ value }) => value).join("\n") === names.join("\n")) return;
  menu.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
}

const widthOf = (type: string): number => {
  const [, width = "8", count = "1"] = /(\d+)(?:x(\d))?$/.exec(type) ?? [];
  return Number(width) * Number(count);
};

const differs = (held: MemoryBytes, old: MemoryBytes | undefined, from: number, to: number): boolean => {
  for (let at = from; at < to; at++) if (old !== undefined && old.bytes[at] !== held.bytes[at]) return true;
  return false;
};

function rowsOf(held: MemoryBytes, old: MemoryBytes | undefined, type: string, base: number): Cell[][] {
  const width = widthOf(type);
  const each = Math.max(1, width / 8);
  const wide = rowBytes();
  return Array.from({ length: Math.ceil(held.bytes.length / wide) }, (_, row) => {
    const start = row * wide;
    const end = Math.min(start + wide, held.bytes.length);
    const numbers: string[] = [];
    for (let at = start; at + each <= end; at += each) {
      let bits = 0n;
      for (let byte = each - 1; byte >= 0; byte--) bits = (bits << 8n) | BigInt(held.bytes[at + byte] ?? 0);
      const isSet = held.written?.slice(at, at + each).every((one) => one === 1) ?? true;
      numbers.push(isSet ? show(bits, width, type, "typed") : "·");
    }
    const changed = differs(held, old, start, end);
    return [
      { text: `0x${(base + start).toString(16).padStart(4, "0")}`, class: "faint", heads: true },
      {
        text: [...held.bytes.slice(start, end)].map((byte) => byte.toString(16).padStart(2, "0")).join(" "),
        class: "bytes",
      },
      { text: `${changed ? "● " : ""}${numbers.join("  ")}`, class: changed ? "changed" : "" },
    ];
  });
}

/** Marks each byte that has changed, and dims what nobody has written. */
function mark(table: HTMLTableElement, held: MemoryBytes, old: MemoryBytes | undefined): void {
  for (const [row, cell] of [...table.querySelectorAll<HTMLElement>("td.bytes")].entries()) {
    const parts = (cell.textContent ?? "").split(" ").map((text, column) => {
      const at = row * rowBytes() + column;
      const space = column === 0 ? "" : " ";
      if (differs(held, old, at, at + 1)) return [space, element("b", { class: "changed" }, text)];
      if (held.written?.[at] === 0) return [space, element("span", { class: "unwritten" }, text)];
      return [space + text];
    });
    cell.replaceChildren(...parts.flat());
  }
}
