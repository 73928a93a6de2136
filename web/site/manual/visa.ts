import { forms } from "../../../packages/visa/src/isa/table.ts";
import { visaWords } from "../../../src/present/visa.ts";
import { visaExample } from "../example/visa-example.ts";
import { type Html, html, nothing } from "../html.ts";
import { contents, type File, page, upFrom } from "../layout.ts";
import { runnable } from "./runnable.ts";
import { visaIds } from "./visa-ids.ts";

const PATH = "manual/visa.html";

/** The page of vISA's table. */
export const visaPage = async (): Promise<File> =>
  page({
    path: PATH,
    title: "Intel vISA: the instructions that ptxrun runs",
    about: "The instructions of Intel's virtual ISA that ptxrun executes: syntax, meaning, operands, examples.",
    part: "manual",
    beside: contents(
      "Instructions",
      forms.map(({ mnemonic }, at) => ({ id: visaIds[at] ?? "", name: html`<code>${mnemonic}</code>` })),
    ),
    main: html`<p class="crumbs"><a href="index.html">Manual</a></p>
<h1>Intel vISA</h1>
<p>The second front end on the same machine: a thread of vISA is one warp, a channel is a lane. These ${forms.length} instructions run. <a href="../docs/index.html">What else ptxrun does</a>.</p>
${await Promise.all(forms.map(formPart))}`,
  });

async function formPart(form: (typeof forms)[number], at: number): Promise<Html> {
  const { syntax, mnemonic, about, relations, operands } = form;
  const { means, opcode, modifiers } = visaWords(form);
  const rows = [
    ...(relations.length === 0 ? [] : [["rel", relations.join(" ")] as const]),
    ...operands.map(({ name, kinds }) => [name, kinds.join(", ")] as const),
    ...(modifiers === "" ? [] : [["modifiers", modifiers] as const]),
    ["opcode", opcode] as const,
  ];
  const examples = await Promise.all(
    form.check.map((check, at) => {
      const example = visaExample(form, check);
      return example && runnable(example, upFrom(PATH), `example ${at + 1} of ${mnemonic}`);
    }),
  );
  const shown = examples.filter((example) => example !== undefined);
  const id = visaIds[at] ?? "";
  return html`<section class="mnemonic" aria-labelledby="${id}">
<h2 id="${id}"><a class="self" href="#${id}">${mnemonic}</a></h2>
<p><code>${syntax}</code></p>
<p class="meaning">${about}</p>
${means.length === 0 ? nothing : html`<div class="meaning"><p class="label">Means <a class="faint" href="notation.html">how to read it</a></p><pre tabindex="0" role="group" aria-label="Meaning of ${mnemonic}"><code>${means.join("\n")}</code></pre></div>`}
<dl class="parts">${rows.map(([name, text]) => html`<dt><code>${name}</code></dt><dd>${text}</dd>`)}</dl>
${shown.slice(0, 1)}
${
  shown.length > 1
    ? html`<details class="more"><summary>${shown.length === 2 ? "One more example" : `${shown.length - 1} more examples`}</summary>
${shown.slice(1)}
</details>`
    : nothing
}
</section>
`;
}
