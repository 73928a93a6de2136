import type { Bench } from "../bench.ts";
import type { Explanation, WorkingRow } from "../client.ts";
import { element } from "../element.ts";
import { type BitField, fieldsOf } from "../views.ts";
import { nothing } from "./focus.ts";
import { type Asked, fragmentsView } from "./fragments.ts";
import type { Panel } from "./panel.ts";

/** The instruction under the cursor, or the next one, worked through with the thread's values. */
export function explainPanel(bench: Bench): Panel {
  const content = element("div", { class: "explain" });
  const empty = nothing();
  let asked = 0;
  const wanted: Asked = { name: "d", row: 0, column: 0 };
  let known: { readonly state: unknown; readonly subject: number | undefined } | undefined;
  const update = (): void => {
    const { state, subject } = bench;
    empty.show(state === undefined, bench);
    content.hidden = state === undefined;
    if (state === undefined) return;
    if (known?.state === state && known.subject === subject) return;
    known = { state, subject };
    const mine = ++asked;
    bench.look(bench.client.explain(subject), (found) => {
      if (mine === asked)
        content.replaceChildren(
          ...(found === undefined ? [missing(subject)] : parts(bench, found, subject !== undefined, wanted)),
        );
    });
  };
  return {
    id: "explain",
    title: "Explain",
    show: update,
    element: element(
      "div",
      {},
      element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Explain" }, content, empty.element),
    ),
  };
}

const missing = (line: number | undefined): HTMLElement =>
  element(
    "p",
    { class: "nothing" },
    line === undefined
      ? "This thread has ended. Step back, or put the cursor on an instruction."
      : `Line ${line} has no instruction.`,
  );

function parts(
  bench: Bench,
  { text, line, syntax, does, since, rows, memory, fragments, last }: Explanation,
  chosen: boolean,
  asked: Asked,
): HTMLElement[] {
  const facts = [
    ["syntax", syntax],
    // The working says it with the names of the registers.
    ["does", rows.some(({ label }) => label === "does") ? undefined : does],
    ["since", since],
  ] as const;
  const shown = facts.filter((each): each is readonly [(typeof facts)[number][0], string] => each[1] !== undefined);
  return [
    element(
      "h2",
      {},
      element("span", { class: "faint" }, `${chosen ? "Line" : "Next: line"} ${line} `),
      element("code", {}, text),
    ),
    element(
      "dl",
      { class: "facts" },
      ...shown.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, element("code", {}, value))]),
    ),
    ...(fragments.length === 0 ? [] : [fragmentsView(bench, fragments, asked)]),
    ...(rows.length === 0 ? [] : [element("h3", {}, "With this thread's values"), working([...rows, ...memory])]),
    ...(last === undefined
      ? []
      : [
          element(
            "button",
            { type: "button", onclick: () => void back(bench, last, line) },
            `Back to step ${last.toLocaleString("en")}, when it last came here`,
          ),
        ]),
  ];
}

/** Goes to a position, and goes on explaining the line. */
async function back(bench: Bench, position: number, line: number): Promise<void> {
  await bench.goTo(position);
  bench.explain(line);
}

function working(rows: readonly WorkingRow[]): HTMLElement {
  return element(
    "dl",
    { class: "working" },
    ...rows.flatMap(({ label, text, inner, value }) => [
      element("dt", {}, label),
      element(
        "dd",
        {},
        ...withoutFields(text).map((line) => element("div", {}, line)),
        value !== undefined && value.width > 1 && picture(value),
        inner && working(inner),
      ),
    ]),
  );
}

/** Lines of text, without the fields at their ends, which the picture shows. */
const withoutFields = (text: string): readonly string[] =>
  text.split("\n").map((line) => {
    const at = line.lastIndexOf(" ");
    return line.includes("|", at) ? line.slice(0, at).trimEnd() : line;
  });

const signs = { sign: "sign", exponent: "exponent", fraction: "fraction", bits: "bits" } as const;

/** Bits in a row, the fields of a float apart from each other and named. */
function picture({ type, bits, width }: NonNullable<WorkingRow["value"]>): HTMLElement {
  const numbers = fieldsOf(type, bits, width).map(({ lane, fields, value }) =>
    element(
      "span",
      { class: "number", title: value },
      lane !== undefined && element("span", { class: "lane" }, `[${lane}] ${value}`),
      element(
        "span",
        { class: "fields" },
        ...fields.map(({ name, bits: digits }) =>
          element(
            "span",
            { class: `field ${name}` },
            element("span", { class: "digits" }, spaced(name, digits)),
            name !== "bits" && element("span", { class: "name" }, signs[name]),
          ),
        ),
      ),
    ),
  );
  return element(
    "div",
    { class: "bits", role: "img", "aria-label": `the bits of ${type}: ${spoken(type, bits, width)}` },
    ...numbers,
  );
}

/** In groups of four: whole numbers from their ends, fractions from the point. */
function spaced(name: BitField["name"], digits: string): string {
  if (name === "exponent" || name === "sign") return digits;
  const first = name === "bits" ? digits.length % 4 || 4 : 4;
  const groups = [digits.slice(0, first)];
  for (let at = first; at < digits.length; at += 4) groups.push(digits.slice(at, at + 4));
  return groups.join(" ");
}

const spoken = (type: string, bits: bigint, width: number): string =>
  fieldsOf(type, bits, width)
    .map(({ fields }) => fields.map(({ name, bits: digits }) => `${signs[name]} ${digits}`).join(", "))
    .join("; ");
