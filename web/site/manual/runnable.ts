import { bytesOf, isElementType } from "../../../src/host/memory/element.ts";
import type { Register } from "../../../src/interp/contract/program.ts";
import { hex, number } from "../../../src/present/value.ts";
import { encode } from "../../page/link.ts";
import type { Example, Gives } from "../example/example.ts";
import { programOf } from "../example/program.ts";
import { highlighted } from "../highlight.ts";
import { type Html, html } from "../html.ts";
import { PLAYGROUND } from "../layout.ts";

/** A register as a table shows it: the type that its bits are read as, and their number. */
type Shown = Pick<Register, "type" | "bits">;

/** A program with what goes in and what comes out, a button that runs it here, and a link that opens it in the playground. */
export async function runnable({ project, gives, types }: Example, up: string, name: string): Promise<Html> {
  const link = `${up}${PLAYGROUND}#${await encode(project)}`;
  const registers = new Map(
    programOf(project.text).registers.map(({ name, type, bits }): [string, Shown] => [
      name,
      { type: types[name] ?? type, bits },
    ]),
  );
  const { values, grid, block } = project.inputs;
  const launch = [
    grid !== "" && `${grid} blocks`,
    block !== "" && `${block} threads${grid === "" ? "" : " each"}, the values are the first one's`,
  ].filter((words) => words !== false);
  return html`<figure class="example">
<pre class="code" tabindex="0" role="group" aria-label="${name}"><code>${highlighted(project.text.trimEnd())}</code></pre>
<div class="wide" tabindex="0" role="group" aria-label="Values of ${name}"><table class="values">
<thead><tr><th scope="col">place</th><th scope="col">type</th><th scope="col">bits</th><th scope="col">value</th></tr></thead>
${
  Object.keys(values).length === 0
    ? ""
    : html`<tbody class="before"><tr class="sub"><th colspan="4" scope="rowgroup">before</th></tr>
${Object.entries(values).map(([place, text]) => given(place, text, registers.get(place) ?? elementOf(types[place])))}</tbody>
`
}<tbody class="after"><tr class="sub"><th colspan="4" scope="rowgroup">after</th></tr>
${gives.map((each) => after(each, registers))}</tbody>
</table></div>
<figcaption>${launch.length === 0 ? "" : html`<span class="faint">${launch.join(", ")}.</span> `}<button type="button" data-run hidden>Run</button> <a class="open" href="${link}">Open in the playground</a> <output></output></figcaption>
</figure>`;
}

/** A variable of one element, of a type that has a width. */
const elementOf = (type: string | undefined): Shown | undefined =>
  type !== undefined && isElementType(type) ? { type, bits: widths[bytesOf(type)] ?? 32 } : undefined;

const widths: Readonly<Record<number, Shown["bits"]>> = { 1: 8, 2: 16, 4: 32, 8: 64 };

const row = (place: string, type: string, bits: string, value: string): Html =>
  html`<tr><th scope="row">${place}</th><td>${type}</td><td>${bits}</td><td>${value}</td></tr>
`;

function given(place: string, text: string, register: Shown | undefined): Html {
  if (text.includes(":")) {
    const at = text.indexOf(":");
    return row(`[${place}]`, text.slice(0, at), "", text.slice(at + 1));
  }
  if (register === undefined) return row(place, place === "cc.cf" ? "pred" : "", text, "");
  return row(place, register.type, ...shown(BigInt(text), register));
}

function after(gives: Gives, registers: ReadonlyMap<string, Shown>): Html {
  switch (gives.kind) {
    case "carry":
      return html`<tr data-carry><th scope="row">cc.cf</th><td>pred</td><td>${gives.value}</td><td></td></tr>
`;
    case "buffer":
      return html`<tr data-buffer="${gives.name}"><th scope="row">[${gives.name}]</th><td>${gives.type}</td><td>${gives.bits.map((bits) => `0x${bits.toString(16)}`).join(" ")}</td><td>${gives.bits.map((bits) => number(bits, gives.type)).join(" ")}</td></tr>
`;
    case "register": {
      const register = registers.get(gives.name);
      if (register === undefined) throw new Error(`no register ${gives.name}`);
      const [bits, value] = shown(gives.bits, register);
      return html`<tr data-register="${gives.name}"><th scope="row">${gives.name}</th><td>${register.type}</td><td>${bits}</td><td>${value}</td></tr>
`;
    }
  }
}

/** Bits, and the number that they are, where that says more. */
function shown(bits: bigint, { type, bits: width }: Shown): [string, string] {
  return width === 1 ? [bits.toString(), bits === 0n ? "false" : "true"] : [hex(bits, width), number(bits, type)];
}
