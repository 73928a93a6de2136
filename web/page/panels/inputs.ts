import type { Bench } from "../bench.ts";
import type { Field, Inputs, Loaded } from "../client.ts";
import { element } from "../element.ts";
import { shorten } from "../names.ts";
import type { Panel } from "./panel.ts";

/** A field with its name, its value, where that comes from, and what is wrong with it. */
interface Row {
  readonly field: Field;
  readonly element: HTMLElement;
  readonly input: HTMLInputElement | HTMLSelectElement;
  readonly origin: HTMLElement;
  readonly error: HTMLElement;
}

/** How the program is launched; a change begins a new launch. */
export function inputsPanel(bench: Bench): Panel {
  const form = element("form", { class: "inputs" });
  form.addEventListener("submit", (event) => event.preventDefault());
  let rows: readonly Row[] = [];
  let made = "";
  const build = (): void => {
    const wanted = JSON.stringify([bench.loaded?.entries, bench.loaded?.demands, hasDynamic(bench)]);
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
        element("label", { class: "check" }, race, " look for races in long runs, too"),
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
          "A value is 1.5, 0x3c00 or 1,2 for lanes; a buffer is 1,2,3,4, f32x4:1,2,3,4, u32x32:iota or f16x8:fill=1. What is inferred was found by trying; type over it.",
        ),
      ),
    );
    if (typing !== undefined) document.getElementById(typing)?.focus();
  };
  const update = (): void => {
    build();
    const wrong = bench.loaded?.fields ?? [];
    for (const { field, input, origin, error } of rows) {
      const { text, from } = contentOf(bench, field);
      if (input instanceof HTMLInputElement && (document.activeElement !== input || from === "typed"))
        input.value = text;
      origin.textContent = from === "typed" ? "" : from;
      origin.className = from === "▲ no value" ? "origin missing" : "origin";
      const own = wrong
        .filter((each) => each.field === field)
        .map(({ problem: { message, expected, help } }) => {
          // On the command line a name stands before what is to be written.
          const ways = help.map((each) => `; ${each.message.replace(`write ${field.slice(6)}=`, "write ")}`);
          return `${message}${expected === undefined ? "" : `; expected ${expected}`}${ways.join("")}`;
        });
      error.textContent = own.join(" ");
      error.hidden = own.length === 0;
      if (own.length > 0) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
  };
  form.addEventListener("focusout", () => setTimeout(update));
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
  const fields = [
    ["grid", "Blocks", "x,y,z", "1"],
    ["block", "Threads of a block", "x,y,z", "1"],
    ["smem", "Dynamic shared memory", "bytes", "0"],
  ] as const;
  for (const [name, words, about, example] of fields.slice(0, hasDynamic(bench) ? 3 : 2))
    sizes.push(
      row(
        name,
        words,
        about,
        typed(example, (value) => bench.input({ [name]: value })),
      ),
    );
  const values = demands.map(({ name, type, example, kind }) => {
    const take = (value: string): void => bench.input({ values: { ...bench.project.inputs.values, [name]: value } });
    const pointed = /^([a-z]+\d+(?:x2)?)x\d+:/.exec(example)?.[1];
    const about = `${kind === "parameter" ? "" : `${kind} `}.${type}${pointed === undefined || kind === "variable" ? "" : ` to .${pointed}`}`;
    return row(`value:${name}`, shorten(name, bench.loaded), about, typed(example, take));
  });
  return [...sizes, ...values];
}

/** Whether the launch has memory whose size it says itself. */
const hasDynamic = ({ loaded, project }: Bench): boolean =>
  (loaded?.inferred?.smem ?? "") !== "" || (project.inputs.smem ?? "") !== "";

/** What stands in a field, and where that comes from. */
function contentOf(
  { loaded, project, missing, held }: Bench,
  field: Field,
): { readonly text: string; readonly from: "typed" | "" | "inferred" | "▲ no value" } {
  const own = (all: Partial<Inputs>): string =>
    (field.startsWith("value:") ? all.values?.[field.slice(6)] : all[field as "grid"]) ?? "";
  const text = own(project.inputs);
  if (text !== "") return { text, from: held.has(field as "grid") ? "inferred" : "typed" };
  const inferred = own(loaded?.inferred ?? {});
  if (inferred !== "") return { text: inferred, from: "inferred" };
  return { text: "", from: missing.includes(field.slice(6)) ? "▲ no value" : "" };
}

function typed(example: string, take: (value: string) => void): HTMLInputElement {
  const input = element("input", {
    type: "text",
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
  const origin = element("span", { class: "origin" });
  const label = element(
    "label",
    { for: id, title: field.replace("value:", "") },
    name,
    " ",
    element("span", { class: "faint" }, about),
    " ",
    origin,
  );
  return { field, input, origin, error, element: element("div", { class: "input" }, label, input, error) };
}
