import type { Fragment } from "../../../src/interp/contract/matrix/fragment.ts";
import { fragmentsOf } from "../../../src/interp/contract/matrix/matrix-fragments.ts";
import type { Form } from "../../../src/isa/index.ts";
import { matchForm } from "../../../src/isa/match/match-form.ts";
import { type FormWords, formWords, spelling } from "../../../src/present/form.ts";
import { fragmentHeader, matrixLines } from "../../../src/present/fragment.ts";
import { exampleOf } from "../example/check-example.ts";
import { type Html, html, joined, nothing } from "../html.ts";
import { nvidia } from "./names.ts";
import { runnable } from "./runnable.ts";

/** Examples of a form that are shown at once; the others unfold. */
const SHOWN_EXAMPLES = 1;

/** Words of a placeholder that are listed at once. */
const WORDS = 24;

/** Forms whose matrices lie as shown, by what is shown: another form with the same leads there. */
export type Layouts = Map<string, { readonly id: string; readonly syntax: string }>;

/** All that the table says of a form: its line, what it means, what may stand where, since when, and examples. */
export async function formArticle(form: Form, id: string, up: string, layouts: Layouts): Promise<Html> {
  const words = formWords(form);
  const examples = await Promise.all(
    form.check.map((check, at) => {
      const example = exampleOf(form, check);
      const name = `example ${at + 1} of ${form.syntax}`;
      return example === undefined
        ? html`<pre class="code"><code>${words.checks[at]}</code></pre>`
        : runnable(example, up, name);
    }),
  );
  return html`<article class="form" aria-labelledby="${id}">
<h3 id="${id}"><a class="self" href="#${id}"><code>${syntaxText(form.syntax)}</code></a></h3>
${badges(words)}
${meaning(form, words)}
${parts(words)}
${since(form, words)}
${facts(words)}
${holders(form, id, layouts)}
${examples.slice(0, SHOWN_EXAMPLES)}
${
  examples.length > SHOWN_EXAMPLES
    ? html`<details class="more"><summary>${examples.length - SHOWN_EXAMPLES === 1 ? "One more example" : `${examples.length - SHOWN_EXAMPLES} more examples`}</summary>
${examples.slice(SHOWN_EXAMPLES)}
</details>
`
    : nothing
}<p class="faint">NVIDIA’s manual: <a href="${nvidia(words.manual)}">${words.manual}</a></p>
</article>
`;
}

/** A syntax line with places to break it. */
function syntaxText(syntax: string): Html {
  return html`${syntax.split(/(?=\{)|(?<!\{)(?=\.)/).map((part, at) => (at === 0 ? part : html`<wbr>${part}`))}`;
}

const badges = ({ executable, undocumented }: FormWords): Html =>
  executable && !undocumented
    ? nothing
    : html`<p class="badges">${executable ? nothing : html`<strong class="badge no">Checked only: running it ends with <a href="../messages/PTX50.html#PTX5001">PTX5001</a></strong> `}${undocumented ? html`<span class="badge">Not in NVIDIA’s manual; ptxas takes it</span>` : nothing}</p>`;

/** What it computes, as its data says it, with the words of the shortest spelling. */
function meaning(form: Form, { does }: FormWords): Html {
  if (does.length === 0) return nothing;
  const least = spelling(form, []);
  const isFormula = does.some((line) => line.includes(" = "));
  if (!isFormula) return html`<p class="meaning">${capital(does.join(" "))}.</p>`;
  return html`<div class="meaning"><p class="label">${least === form.mnemonic ? "Means" : html`<code>${least}</code> means`} <a class="faint" href="notation.html">how to read it</a></p>
<pre tabindex="0" role="group" aria-label="Meaning of ${least}"><code>${does.join("\n")}</code></pre></div>`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Words and operands, by name. */
function parts({ where, operands }: FormWords): Html {
  const rows = [
    ...where.map(({ name, words, more }) => [`.${name}`, wordList(words, more)] as const),
    ...operands.map(({ name, takes }) => [name, html`${takes}`] as const),
  ];
  if (rows.length === 0) return nothing;
  return html`<dl class="parts">${rows.map(([name, text]) => html`<dt><code>${name}</code></dt><dd>${text}</dd>`)}</dl>`;
}

function wordList(words: readonly string[], more = 0): Html {
  const listed = (each: readonly string[]) =>
    joined(
      each.map((word) => html`<code>.${word}</code>`),
      " ",
    );
  const rest = more === 0 ? "" : ` and ${more} more`;
  if (words.length <= WORDS) return html`${listed(words)}${rest}`;
  return html`<details><summary>${words.length + more} words: <code>.${words[0]}</code> …</summary>${listed(words)}${rest}</details>`;
}

/** The least version and target, the words that ask for more, and when it was dropped. */
function since({ until }: Form, { since: needs }: FormWords): Html {
  const [first, ...others] = needs;
  const list = others.map(({ with: word, needs: more }) => html`<li><code>${word}</code> from ${more}</li>`);
  return html`<p class="since"><span class="label">Since</span> ${first?.needs}${until === undefined ? "" : `; dropped by PTX ${Math.floor(until.ptx / 10)}.${until.ptx % 10} for sm_${until.sm} and later`}</p>
${
  list.length === 0
    ? nothing
    : list.length <= 6
      ? html`<ul class="since">${list}</ul>`
      : html`<details class="since"><summary>${list.length} words came later</summary><ul>${list}</ul></details>`
}`;
}

/** Facts of one form that are read without being asked for. */
const SHOWN_FACTS = 2;

/** What does not follow from the manual's page, by who says so. */
function facts({ facts: all }: FormWords): Html {
  if (all.length === 0) return nothing;
  const told = new Map<string, Set<string>>();
  for (const { source, says } of all) told.set(source, (told.get(source) ?? new Set()).add(says));
  const list = html`<ul class="facts">${[...told].map(([source, those]) => html`<li><span class="faint">${capital(source)}:</span> ${[...those].join("; ")}.</li>`)}</ul>`;
  if (all.length <= SHOWN_FACTS) return list;
  return html`<details class="more"><summary>What the manual leaves open, and who says what: ${all.length} facts</summary>
${list}
</details>`;
}

/** Which lane holds which element of the matrices that a form multiplies, in its shortest spelling. */
function holders(form: Form, id: string, layouts: Layouts): Html {
  const words = form.executable ? spelling(form, []) : "";
  const plan = form.executable ? form.plan(matchForm(form, words.split(".").slice(1)).mods) : undefined;
  if (plan?.shape !== "multiply") return nothing;
  const found = fragmentsOf(plan.op);
  const drawn = (["a", "b", "c", "d"] as const)
    .map((role) => [...fragmentHeader(found[role], plan.op[role]), ...drawing(found[role])].join("\n"))
    .join("\n\n");
  const known = layouts.get(drawn);
  if (known !== undefined)
    return html`<p class="faint">Lanes hold its elements as those of <a href="#${known.id}"><code>${known.syntax}</code></a>.</p>`;
  layouts.set(drawn, { id, syntax: words });
  return html`<details class="more"><summary>Which lane holds which element${form.modifiers.some(({ name }) => name === "shape") ? html` of <code>${words}</code>` : nothing}</summary>
<p>By rows and columns, lane:element; Explain in the playground answers for any element of an instruction that is executed next.</p>
<pre class="code" tabindex="0" role="group" aria-label="Lanes and elements of ${words}"><code>${drawn}</code></pre>
</details>`;
}

/** Elements of a matrix that are drawn; of a larger one its layout is said alone. */
const MOST_DRAWN = 256;

const drawing = (fragment: Fragment): readonly string[] =>
  fragment.rows * fragment.columns > MOST_DRAWN
    ? []
    : matrixLines(fragment, ({ lane, i }) => `${lane}:${i}`).map((line) => `  ${line}`);
