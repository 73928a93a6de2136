import { bitsIn } from "../../../src/numeric/format/named.ts";
import { hex } from "../../../src/present/value.ts";
import type { Bench } from "../bench.ts";
import type { RegisterValue } from "../client.ts";
import { element, select } from "../element.ts";
import { nothing } from "./focus.ts";
import { factsOf, laneOf, parsed, type Reading, readings, short, texts, withLane } from "./formats.ts";
import type { Panel } from "./panel.ts";

/** A register, or an element of a vector. */
interface Shown {
  readonly name: string;
  readonly register: string;
  readonly type: string;
  readonly width: number;
  readonly bits: bigint;
}

/** A register as bits, which can be changed to see what they would be. */
export function bitsPanel(bench: Bench): Panel & { open(register: string): void } {
  let name = "";
  /** Bits in place of the register's, while somebody tries others. */
  let tried: bigint | undefined;
  /** By type of register, the name of the reading that somebody has chosen. */
  const chosen = new Map<string, string>();
  /** The bit that has the keyboard when it comes to the bits. */
  let cursor = 0;
  let made = "";
  const empty = nothing();
  const head = element("div", { class: "panel-head" });
  const boxes = element("div", { class: "bit-rows", role: "group" });
  const value = field("Value", (text) => take((reading) => parsed(reading, text), value));
  const digits = field("Bits", (text) => take((_, width) => parsedHex(text, width), digits));
  const facts = element("dl", { class: "facts float" });
  const formats = element("table", { class: "values readings", "aria-label": "The same bits in other formats" });
  const content = element(
    "div",
    { class: "bits-panel" },
    boxes,
    element("div", { class: "bit-fields" }, value.label, digits.label),
    element("div", { class: "bit-columns" }, facts, formats),
  );
  const buttons = new Map<number, HTMLButtonElement>();

  const here = (): { readonly of: Shown; readonly bits: bigint; readonly reading: Reading } | undefined => {
    const all = shownOf(bench.state?.registers ?? []);
    const of = all.find((each) => each.name === name) ?? all[0];
    if (of === undefined) return undefined;
    const possible = readings(of.width);
    const wanted = chosen.get(of.type) ?? of.type.replace(/^b(\d)/, "u$1");
    const reading = possible.find((each) => each.name === wanted) ?? possible[0];
    return reading && { of, reading, bits: tried ?? of.bits };
  };

  const attempt = (bits: bigint | undefined): void => {
    tried = bits;
    update();
  };

  function take(read: (reading: Reading, width: number) => bigint | undefined, from: Field): void {
    const now = here();
    const bits = now && read(now.reading, now.of.width);
    from.input.toggleAttribute("aria-invalid", bits === undefined);
    if (bits !== undefined) attempt(bits);
  }

  const toggle = (bit: number): void => {
    cursor = bit;
    const now = here();
    if (now !== undefined) attempt(now.bits ^ (1n << BigInt(bit)));
  };

  boxes.addEventListener("keydown", (event) => {
    const now = here();
    if (now === undefined) return;
    const { width } = now.of;
    const to = { ArrowLeft: cursor + 1, ArrowRight: cursor - 1, Home: width - 1, End: 0 }[event.key];
    const isDigit = event.key === "0" || event.key === "1";
    if (to === undefined && !isDigit) return;
    event.preventDefault();
    if (isDigit && (now.bits >> BigInt(cursor)) % 2n !== BigInt(event.key)) toggle(cursor);
    cursor = Math.min(width - 1, Math.max(0, to ?? cursor - 1));
    update();
    buttons.get(cursor)?.focus();
  });

  const update = (): void => {
    const now = here();
    empty.show(now === undefined, bench);
    head.hidden = content.hidden = now === undefined;
    if (now === undefined) return;
    const { of, reading, bits } = now;
    cursor = Math.min(cursor, of.width - 1);
    const names = shownOf(bench.state?.registers ?? []).map((each) => each.name);
    const structure = [of.name, reading.name, of.width, ...names].join(" ");
    if (structure !== made) {
      made = structure;
      build(of, reading, names);
    }
    const input = inputOf(bench, of);
    reset.hidden = use.hidden = tried === undefined || tried === of.bits;
    if (input === undefined) use.hidden = true;
    boxes.setAttribute("aria-label", `The bits of ${of.name} as ${reading.name}`);
    for (const [bit, button] of buttons) {
      const digit = String((bits >> BigInt(bit)) % 2n);
      button.textContent = digit;
      button.setAttribute("aria-label", `${button.title}: ${digit}`);
      button.setAttribute("aria-pressed", String(digit === "1"));
      button.tabIndex = bit === cursor ? 0 : -1;
      button.classList.toggle("tried", ((bits ^ of.bits) >> BigInt(bit)) % 2n === 1n);
    }
    value.set(texts(reading, bits));
    digits.set(hex(bits, of.width));
    const lane = Math.floor(cursor / reading.width);
    for (const caption of boxes.querySelectorAll<HTMLElement>("[data-field]")) {
      const [at = "0", of = "sign"] = (caption.dataset["field"] ?? "").split(" ");
      const own = laneOf(reading, bits, Number(at));
      caption.textContent =
        reading.format === undefined || of === "lane"
          ? `[${at}] ${short(reading, own)}`
          : factsOf(reading.format, own)[of as "sign" | "exponent" | "significand"];
    }
    const held = (document.activeElement as HTMLElement | null)?.dataset["held"];
    facts.replaceChildren(...factRows(reading, bits, lane, attempt));
    formats.replaceChildren(
      ...formatRows(of.width, bits, reading, (next) => {
        chosen.set(of.type, next);
        update();
      }),
    );
    // What has the keyboard is there anew.
    if (held !== undefined) content.querySelector<HTMLElement>(`[data-held="${held}"]`)?.focus();
  };

  const reset = element("button", { type: "button", onclick: () => attempt(undefined) }, "The register's bits");
  const use = element("button", { type: "button", onclick: () => useAsInput() }, "Use as input");
  const useAsInput = (): void => {
    const now = here();
    if (now === undefined) return;
    const values = { ...bench.project.inputs.values, [now.of.register]: hex(now.bits, now.of.width) };
    tried = undefined;
    bench.input({ values });
  };

  function build(of: Shown, reading: Reading, all: readonly string[]): void {
    const pick = select(
      "Register",
      all.map((each) => [each, each] as const),
      of.name,
      (next) => open(next),
    );
    head.replaceChildren(pick, element("span", { class: "faint" }, of.type), reset, use);
    buttons.clear();
    boxes.replaceChildren(
      ...Array.from({ length: reading.count }, (_, at) => laneBoxes(reading, reading.count - 1 - at, buttons, toggle)),
    );
  }

  function open(next: string): void {
    if (next !== name) tried = undefined;
    name = next;
    cursor = Number.MAX_SAFE_INTEGER;
    update();
  }

  return {
    id: "bits",
    title: "Bits",
    show: update,
    open,
    element: element(
      "div",
      {},
      head,
      element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Bits" }, content, empty.element),
    ),
  };
}

interface Field {
  readonly label: HTMLElement;
  readonly input: HTMLInputElement;
  /** Shows a text, unless somebody is typing there. */
  set(text: string): void;
}

function field(label: string, take: (text: string) => void): Field {
  const input = element("input", { type: "text", spellcheck: "false", autocapitalize: "off", autocomplete: "off" });
  let known = "";
  const write = (): void => {
    input.value = known;
    input.removeAttribute("aria-invalid");
  };
  const set = (text: string): void => {
    known = text;
    if (document.activeElement !== input) write();
  };
  input.addEventListener("input", () => take(input.value.trim()));
  // What was typed becomes what it is.
  input.addEventListener("change", write);
  return { label: element("label", { class: "pick" }, element("span", {}, label), input), input, set };
}

function parsedHex(text: string, width: number): bigint | undefined {
  const clean = text.replaceAll(/[\s_]/g, "").replace(/^0x/i, "");
  return /^[0-9a-f]+$/i.test(clean) && BigInt(`0x${clean}`) >> BigInt(width) === 0n ? BigInt(`0x${clean}`) : undefined;
}

const shownOf = (registers: readonly RegisterValue[]): readonly Shown[] =>
  registers.flatMap(({ name, type, width, bits }) =>
    bits.map((own, at) => ({
      ...{ register: name, type, width, bits: own },
      name: bits.length > 1 ? `${name}[${at}]` : name,
    })),
  );

/** The box in Inputs that the register has: one that takes a number, not a buffer. */
const inputOf = ({ loaded }: Bench, { register, name }: Shown) =>
  loaded?.demands.find((each) => each.name === register && register === name && !each.example.includes(":"));

/** A row of boxes: the fields of a float apart from each other, in groups of four from the lowest bit. */
function laneBoxes(
  reading: Reading,
  lane: number,
  buttons: Map<number, HTMLButtonElement>,
  toggle: (bit: number) => void,
): HTMLElement {
  const { format, width } = reading;
  const used = format === undefined ? width : bitsIn(format);
  const fields =
    format === undefined
      ? ([["bits", width]] as const)
      : ([
          ["unused", width - used],
          ["sign", format.sign],
          ["exponent", format.exp],
          ["significand", format.frac],
          ["unused", format.pad],
        ] as const);
  let bit = lane * width + width - 1;
  const groups = fields.flatMap(([field, count]) => {
    if (count === 0) return [];
    const nibbles: HTMLElement[] = [];
    for (let left = count; left > 0; ) {
      const size = left % 4 || 4;
      const row = Array.from({ length: size }, () => {
        const own = bit--;
        const label = `bit ${own}${field === "bits" ? "" : `, ${field}`}`;
        const button = element("button", {
          type: "button",
          "aria-label": label,
          title: label,
          onclick: () => toggle(own),
        });
        buttons.set(own, button);
        return button;
      });
      left -= size;
      nibbles.push(element("span", { class: "nibble", "data-bit": bit + 1 }, ...row));
    }
    const hasName = field === "sign" || field === "exponent" || field === "significand";
    return [
      element(
        "span",
        { class: `bit-field ${field}` },
        element("span", { class: "nibbles" }, ...nibbles),
        hasName && element("span", { class: "name" }, `${field} `, element("b", { "data-field": `${lane} ${field}` })),
      ),
    ];
  });
  const title = reading.count > 1 && element("span", { class: "lane", "data-field": `${lane} lane` });
  return element("div", { class: "bit-lane" }, title, element("span", { class: "bit-fields-row" }, ...groups));
}

/** What a float is, and where its neighbours are. */
function factRows(reading: Reading, bits: bigint, lane: number, attempt: (bits: bigint) => void): HTMLElement[] {
  const { format, count } = reading;
  if (format === undefined) return [];
  const own = laneOf(reading, bits, lane);
  const { exact, hex: hexadecimal, kind, below, above, down, up } = factsOf(format, own);
  const neighbour = (to: bigint | undefined, away: string | undefined, words: string): HTMLElement | string =>
    to === undefined
      ? "none"
      : element(
          "span",
          {},
          element(
            "button",
            {
              type: "button",
              class: "link",
              title: `go to the ${words}`,
              "data-held": words,
              onclick: () => attempt(withLane(reading, bits, lane, to)),
            },
            short(reading, to),
          ),
          element(
            "span",
            { class: "faint" },
            ` ${hex(to, Math.max(reading.width, 4))}${away === undefined ? "" : `, ${away} away`}`,
          ),
        );
  const rows: (readonly [string, HTMLElement | string | undefined])[] = [
    [count > 1 ? `[${lane}] exact` : "exact", exact],
    ["hexadecimal", hexadecimal],
    ["class", kind],
    ["next above", neighbour(above, up, "next above")],
    ["next below", neighbour(below, down, "next below")],
  ];
  return rows.flatMap(([name, text]) => (text === undefined ? [] : [element("dt", {}, name), element("dd", {}, text)]));
}

function formatRows(width: number, bits: bigint, now: Reading, choose: (name: string) => void): HTMLElement[] {
  return readings(width).map((reading) => {
    const button = element(
      "button",
      {
        type: "button",
        "data-held": reading.name,
        "aria-pressed": reading.name === now.name,
        onclick: () => choose(reading.name),
      },
      reading.name,
    );
    return element("tr", {}, element("th", { scope: "row" }, button), element("td", {}, texts(reading, bits)));
  });
}
