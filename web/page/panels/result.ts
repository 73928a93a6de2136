import type { Bench } from "../bench.ts";
import type { BufferPlace, LaneRegisters, MemoryBytes, State, ValuePlace } from "../client.ts";
import { element, select } from "../element.ts";
import { shorten } from "../names.ts";
import { type Cell, Table } from "../table.ts";
import { show } from "../views.ts";
import { type Element, elementsOf, widthOf } from "./elements.ts";
import { nothing } from "./focus.ts";
import type { Panel } from "./panel.ts";
import { picture } from "./picture.ts";

/** Bytes of what is shown at once, and of a picture. */
const PAGE = 512;
const MOST_PICTURED = 2 ** 22;
const narrow = matchMedia("(max-width: 760px)");

const types = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "f16", "bf16", "f16x2", "bf16x2", "f32", "f64"];
/** The choice of no buffer. */
const REGISTERS = "registers";

/** What the panel says of its values. */
const LEADS = "A click on a value leads to what wrote it.";

type View = "numbers" | "picture" | "bytes";

/**
 * What a launch has made: the buffer that it has written, as numbers, as a picture or as bytes, with what has changed marked; or the
 * registers of all lanes. At the end that is compared with how it was before the launch, under way with the last stop.
 */
export function resultPanel(bench: Bench): Panel {
  /** What somebody has chosen; until then it follows what was written. */
  let chosen: string | undefined;
  let type = "";
  let view: View | undefined;
  /** Elements of a picture's row, where somebody has said so. */
  let wide = 0;
  let from = 0;
  let known: { readonly key: string; readonly held: MemoryBytes } | undefined;
  let at: State | undefined;
  const table = new Table("Result", "values result");
  const image = picture();
  const empty = nothing();
  const note = element("p", { class: "note" });
  const printed = element("pre", { class: "printed", tabindex: 0, "aria-label": "What has been printed" });
  const again = (): void => {
    at = undefined;
    update();
  };
  const places = select("Show", [], "", (name) => {
    [chosen, from, type, view, wide, known] = [name, 0, "", undefined, 0, undefined];
    typeMenu.value = "";
    again();
  });
  const menu = places.querySelector("select") as HTMLSelectElement;
  const as = select("as", [["", "its type"], ...types.map((each) => [each, each] as const)], "", (value) => {
    type = value;
    again();
  });
  const typeMenu = as.querySelector("select") as HTMLSelectElement;
  const views = select("in", [["numbers", "numbers"], ["picture", "a picture"], ["bytes", "bytes"]], "", (value) => {
    [view, from] = [value as View, 0];
    again();
  }); // biome-ignore format: a table
  const viewMenu = views.querySelector("select") as HTMLSelectElement;
  const width = element("input", { type: "number", min: 1, "aria-label": "Elements in a row of the picture" });
  width.addEventListener("change", () => {
    wide = Math.max(0, Math.floor(width.valueAsNumber || 0));
    again();
  });
  const widths = element("label", { class: "pick" }, element("span", {}, "wide"), width);
  const page = (by: number): void => {
    from = Math.max(0, from + by * PAGE);
    again();
  };
  const back = element("button", { type: "button", onclick: () => page(-1) }, "Previous");
  const on = element("button", { type: "button", onclick: () => page(1) }, "Next");

  /** Each value is a button that leads to what wrote it, or made it NaN or infinite. */
  const traced = (at: ValuePlace, own: string): Pick<Cell, "act"> => ({ act: () => void bench.trace(at, own) });

  const drawRegisters = (state: State, { registers }: LaneRegisters): void => {
    const used = new Set(state.registers.flatMap(({ name, written }) => (written ? [name] : [])));
    const rows = registers.filter(({ name, bits }) => used.has(name) || bits.some((each) => (each ?? 0n) !== 0n));
    const lanes = (registers[0]?.bits ?? []).flatMap((bits, lane) => (bits === undefined ? [] : [lane]));
    if (state.position === 0) {
      note.textContent = "Nothing has run yet.";
      table.fill([], []);
      return;
    }
    note.textContent = `Registers of block ${state.focus.block}, warp ${state.focus.warp}, lane by lane. ${LEADS}`;
    table.fill(
      ["register", "type", ...lanes.map((lane) => (lanes.length === 1 ? "value" : String(lane)))],
      rows.map(({ name, type: own, width, bits }) => [
        { text: name, heads: true },
        { text: own, class: "faint" },
        ...lanes.map((lane): Cell => {
          const text = show(bits[lane] ?? 0n, width, own, "typed");
          return { text, ...traced({ kind: "register", name, thread: { ...state.focus, lane } }, own) };
        }),
      ]),
    );
  };

  const drawBuffer = (state: State, place: BufferPlace, how: View, held: MemoryBytes): void => {
    const { name, space, address, bytes } = place;
    const ended = isEnd(state);
    const key = `${name} ${from} ${how}`;
    const old = ended ? held.before : known?.key === key ? known.held.bytes : undefined;
    known = { key, held };
    const own = type || place.type;
    const elements = elementsOf(held, own, old);
    const each = Math.max(1, widthOf(own) / 8);
    const written = state.written.find((one) => one.name === name);
    const changes = !ended
      ? "● and orange: changed since the last stop"
      : written === undefined
        ? "as it was before the launch"
        : `${written.changed} changed by the launch${how === "picture" ? "" : " (● and orange)"}`;
    const part = bytes > held.bytes.length ? `; ${from / each} to ${from / each + elements.length - 1} are shown` : "";
    note.textContent = `${Math.floor(bytes / each)} × ${own}, ${space} memory at 0x${address.toString(16)}; ${changes}${part}. ${LEADS}`;
    const lead = (offset: number, width: number, as: string): Pick<Cell, "act"> =>
      traced({ kind: "memory", space, address: address + BigInt(offset), bytes: width }, as);
    const ofElement = (index: number): Pick<Cell, "act"> => lead(index * each, each, own);
    if (how === "picture")
      image.draw(name, elements, planeOf(place, own, wide) ?? [1, 1], (index) => ofElement(index).act?.());
    else if (how === "bytes") fillBytes(table, held, old, from, (offset) => lead(offset, 1, "b8"));
    else fillNumbers(table, elements, from / each, place.wide?.[0], ofElement);
  };

  const update = (): void => {
    const { state } = bench;
    empty.show(state === undefined, bench);
    const shown = state !== undefined;
    head.hidden = !shown;
    if (!shown) table.element.hidden = note.hidden = image.element.hidden = printed.hidden = true;
    if (state === undefined || at === state) return;
    at = state;
    printed.textContent = state.printed;
    printed.hidden = state.printed === "";
    const names = state.buffers.map(({ name }) => name);
    list(menu, [...names, REGISTERS], (name) => shorten(name, bench.loaded));
    const wanted = chosen !== undefined && [...names, REGISTERS].includes(chosen) ? chosen : likely(state);
    menu.value = wanted;
    const place = state.buffers.find(({ name }) => name === wanted);
    const plane = place && planeOf(place, type || place.type, wide);
    const how: View =
      view === "picture" && plane === undefined ? "numbers" : (view ?? (isPicture(place) ? "picture" : "numbers"));
    viewMenu.value = how;
    for (const option of viewMenu.options) option.disabled = option.value === "picture" && plane === undefined;
    widths.hidden = how !== "picture";
    width.value = String(plane?.[0] ?? "");
    as.hidden = views.hidden = place === undefined;
    const draw = (act: () => void): void => {
      if (bench.state !== state) return;
      table.element.hidden = how === "picture";
      image.element.hidden = how !== "picture";
      note.hidden = false;
      act();
    };
    if (place === undefined) {
      back.hidden = on.hidden = true;
      bench.look(bench.client.lanes(), (lanes) => draw(() => drawRegisters(state, lanes)));
      return;
    }
    const { space, address, bytes } = place;
    from = Math.min(from, Math.floor(Math.max(0, bytes - 1) / PAGE) * PAGE);
    const whole = how === "picture" && bytes <= MOST_PICTURED;
    const [start, length] = whole ? [0, bytes] : [from, Math.min(PAGE, bytes - from)];
    back.hidden = on.hidden = whole || bytes <= PAGE;
    back.disabled = from === 0;
    on.disabled = from + PAGE >= bytes;
    bench.look(bench.client.memory(space, address + BigInt(start), length), (held) =>
      draw(() => drawBuffer(state, place, how, held)),
    );
  };
  bench.listen((change) => {
    if (change === "project") [chosen, view, type, from, wide, known] = [undefined, undefined, "", 0, 0, undefined];
  });
  const head = element("div", { class: "panel-head" }, places, as, views, widths, back, on);
  const content = { class: "scroll", tabindex: 0, role: "region", "aria-label": "Result" };
  return {
    id: "result",
    title: "Result",
    show: update,
    element: element(
      "div",
      {},
      head,
      note,
      element("div", content, printed, table.element, image.element, empty.element),
    ),
  };
}

const isEnd = ({ stop }: State): boolean => ["exit", "fault", "bound", "interrupt"].includes(stop.reason);

/** What came out: the first buffer that was written; else the registers, or the first buffer while it runs. */
const likely = ({ written, buffers, stop }: State): string =>
  written[0]?.name ?? (stop.reason === "exit" ? REGISTERS : (buffers[0]?.name ?? REGISTERS));

/** Whether a buffer is looked at as a picture: it has two dimensions, and more numbers than one reads. */
const isPicture = (place: BufferPlace | undefined): boolean =>
  place?.wide !== undefined && place.wide[0] * place.wide[1] >= 64;

/**
 * A picture's sides: as wide as somebody has said, as the launch is, or about a square. Its last row may have less. None of a buffer
 * that is too large.
 */
function planeOf(place: BufferPlace, type: string, said: number): readonly [number, number] | undefined {
  const count = Math.floor(place.bytes / Math.max(1, widthOf(type) / 8));
  if (count === 0 || place.bytes > MOST_PICTURED) return undefined;
  const [x, y] = place.wide ?? [0, 0];
  const wide = Math.min(said || (x * y === count ? x : Math.ceil(Math.sqrt(count))), count);
  return [wide, Math.ceil(count / wide)];
}

/** As many numbers in a row as fit there, by powers of two. */
function columnsFor(longest: number): number {
  const fit = (narrow.matches ? 300 : 540) / (8 * Math.max(longest, 3) + 20);
  return 2 ** Math.max(0, Math.min(4, Math.floor(Math.log2(fit))));
}

function list(menu: HTMLSelectElement, names: readonly string[], short: (name: string) => string): void {
  if ([...menu.options].map(({ value }) => value).join("\n") === names.join("\n")) return;
  menu.replaceChildren(...names.map((name) => element("option", { value: name, title: name }, short(name))));
}

/** Numbers in rows, as wide as a row of the buffer where that is not much; each that has changed is marked. */
function fillNumbers(
  table: Table,
  elements: readonly Element[],
  first: number,
  wide: number | undefined,
  traced: (index: number) => Pick<Cell, "act">,
): void {
  const longest = elements.reduce((most, { text }) => Math.max(most, text.length), 1);
  const columns = wide !== undefined && wide <= 16 ? wide : columnsFor(longest);
  table.fill(
    ["index", ...Array.from({ length: Math.min(columns, elements.length) }, (_, column) => `+${column}`)],
    Array.from({ length: Math.ceil(elements.length / columns) }, (_, row): Cell[] => {
      const cells = elements.slice(row * columns, (row + 1) * columns);
      const mark = cells.some(({ changed }) => changed) ? "● " : "";
      return [
        { text: `${mark}${first + row * columns}`, class: "faint", heads: true },
        ...cells.map(({ text, changed, before }, at): Cell => {
          const title = before === undefined ? "" : `was ${before}`;
          return { text, class: changed ? "changed" : "", title, ...traced(first + row * columns + at) };
        }),
      ];
    }),
  );
}

/** Bytes in hexadecimal; each that has changed is marked. */
function fillBytes(
  table: Table,
  { bytes }: MemoryBytes,
  old: Uint8Array | undefined,
  base: number,
  traced: (offset: number) => Pick<Cell, "act">,
): void {
  const wide = narrow.matches ? 8 : 16;
  table.fill(
    ["offset", ...Array.from({ length: Math.min(wide, bytes.length) }, (_, column) => `+${column.toString(16)}`)],
    Array.from({ length: Math.ceil(bytes.length / wide) }, (_, row): Cell[] => {
      const start = row * wide;
      const cells = [...bytes.slice(start, start + wide)].map((byte, column): Cell => {
        const was = old?.[start + column];
        const text = byte.toString(16).padStart(2, "0");
        return { text, class: was !== undefined && was !== byte ? "changed" : "", ...traced(base + start + column) };
      });
      const mark = cells.some((cell) => cell.class === "changed") ? "● " : "";
      const text = `${mark}0x${(base + start).toString(16).padStart(4, "0")}`;
      return [{ text, class: "faint", heads: true }, ...cells];
    }),
  );
}
