import type { Bench } from "../bench.ts";
import type { Field, Loaded } from "../client.ts";
import { element } from "../element.ts";
import type { Panel } from "./panel.ts";

/** A field with its name, its value and what is wrong with it. */
interface Row {
  readonly field: Field;
  readonly element: HTMLElement;
  readonly input: HTMLInputElement | HTMLSelectElement;
  readonly error: HTMLElement;
}

/** How the program is launched; a change begins a new launch. */
export function inputsPanel(bench: Bench): Panel {
  const form = element("form", { class: "inputs" });
  form.addEventListener("submit", (event) => event.preventDefault());
  let rows: readonly Row[] = [];
  let made = "";
  const build = (): void => {
    const wanted = JSON.stringify([bench.loaded?.entries, bench.loaded?.demands]);
    if (wanted === made) return;
    made = wanted;
    // Whoever types in a field stays there.
    const active = document.activeElement;
    const typing = active instanceof HTMLInputElement && form.contains(active) ? active.id : undefined;
    rows = rowsOf(bench);
    const [size, values] = [
      rows.filter(({ field }) => !field.startsWith("value:")),
      rows.filter(({ field }) => field.startsWith("value:")),
    ];
    const race = element("input", { type: "checkbox", checked: bench.project.inputs.race });
    race.addEventListener("change", () => bench.input({ race: race.checked }));
    form.replaceChildren(
      element(
        "fieldset",
        {},
        element("legend", {}, "Launch"),
        ...size.map((row) => row.element),
        element("label", { class: "check" }, race, " look for races"),
      ),
      element(
        "fieldset",
        {},
        element("legend", {}, "Values"),
        ...(values.length === 0
          ? [element("p", { class: "note" }, "This program asks for none.")]
          : values.map((row) => row.element)),
        element(
          "p",
          { class: "note" },
          "A value is 1.5, 0x3c00 or 1,2 for lanes; a buffer is f32x4:1,2,3,4, u32x32:iota or f16x8:fill=1.",
        ),
      ),
    );
    if (typing !== undefined) document.getElementById(typing)?.focus();
  };
  const update = (): void => {
    build();
    const wrong = bench.loaded?.fields ?? [];
    for (const { field, input, error } of rows) {
      const own = wrong
        .filter((each) => each.field === field)
        .map(
          ({ problem }) =>
            `${problem.message}${problem.expected === undefined ? "" : `; expected ${problem.expected}`}`,
        );
      error.textContent = own.join(" ");
      error.hidden = own.length === 0;
      if (own.length > 0) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
  };
  bench.listen((change) => {
    if (change === "project") made = "";
    if (change === "loaded") update();
  });
  return {
    id: "inputs",
    title: "Inputs",
    element: element("div", {}, element("div", { class: "scroll" }, form)),
    show: update,
  };
}

function rowsOf(bench: Bench): Row[] {
  const { entries = [], demands = [] } = bench.loaded ?? ({} as Partial<Loaded>);
  const { inputs } = bench.project;
  const sizes: Row[] = [];
  if (entries.length > 1) {
    const menu = element(
      "select",
      {},
      ...entries.map((name) => element("option", { selected: name === inputs.entry }, name)),
    );
    menu.addEventListener("change", () => bench.input({ entry: menu.value }));
    sizes.push(row("entry", "Kernel", "", menu));
  }
  for (const [name, words] of [
    ["grid", "Blocks"],
    ["block", "Threads of a block"],
  ] as const)
    sizes.push(
      row(
        name,
        words,
        "x,y,z",
        typed(inputs[name], "1", (value) => bench.input({ [name]: value })),
      ),
    );
  const values = demands.map(({ name, type, example, kind }) => {
    const take = (value: string): void => bench.input({ values: { ...bench.project.inputs.values, [name]: value } });
    return row(`value:${name}`, name, `${kind} .${type}`, typed(inputs.values[name] ?? "", example, take));
  });
  return [...sizes, ...values];
}

function typed(value: string, example: string, take: (value: string) => void): HTMLInputElement {
  const input = element("input", {
    type: "text",
    value,
    placeholder: example,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
  });
  input.addEventListener("input", () => take(input.value.trim()));
  return input;
}

function row(field: Field, name: string, about: string, input: HTMLInputElement | HTMLSelectElement): Row {
  const id = `input-${field}`;
  const error = element("p", { class: "error", id: `${id}-error`, role: "alert" });
  error.hidden = true;
  input.id = id;
  input.setAttribute("aria-describedby", `${id}-error`);
  const label = element("label", { for: id }, name, " ", element("span", { class: "faint" }, about));
  return { field, input, error, element: element("div", { class: "input" }, label, input, error) };
}
