import { grades } from "../../../src/numeric/operation/grade.ts";
import { highlighted } from "../highlight.ts";
import { html } from "../html.ts";
import { type File, page } from "../layout.ts";

const meanings: readonly (readonly [string, string])[] = [
  ["wrap.u32(x)", "the exact integer x, of which the low 32 bits are kept"],
  ["clamp.s16(x)", "the exact integer x, or the nearest value of the type where x lies outside of it (.sat)"],
  ["carry.u32(x)", "as wrap, and what is left over goes to the carry flag CC.CF"],
  [
    "round.rn.f16(x)",
    "the exact number x, rounded once: to the nearest, ties to even (rn), to zero (rz), down (rm), up (rp)",
  ],
  [
    "round.rn.ftz.sat.f32(x)",
    "and then subnormal results become zeros of their sign (ftz), and results are clamped to 0 and 1 (sat)",
  ],
  ["approx.f32(x)", "an approximation: correctly rounded here, within the manual's bounds on a GPU"],
  ["ftz(a)", "a, or a zero of its sign where a is subnormal"],
  ["bits(a)", "the bits of a float, as an unsigned integer"],
  ["a[15:8], a[7]", "a field of bits, or one bit; signed(...) reads it in two's complement"],
  ["{a, b}", "bits side by side, the first one lowest"],
  ["|a|, ~a, -a", "magnitude, all bits turned around, negated"],
  ["p ? x : y", "x where p holds, y elsewhere"],
  ["min, max", "with .NaN a NaN among the operands is the result; otherwise the other operand is"],
  ["lt, ltu", "compare; with u the comparison also holds where an operand is NaN"],
  ["2 lanes of ...", "the same for each part of a packed register"],
];

/** How the manual's pages are to be read. */
export const notationPage = (): File =>
  page({
    path: "manual/notation.html",
    title: "How to read the manual: ptxrun",
    about: "Syntax lines, meanings and grades of the manual's pages.",
    part: "manual",
    main: html`<p class="crumbs"><a href="index.html">Manual</a></p>
<h1>How to read the manual</h1>
<h2 id="syntax">Syntax lines</h2>
<p>A line such as <code>add{.rnd}{.ftz}{.sat}.f32 d, a, b</code> is as PTX’s manual writes it. What stands in braces may be left out. A word such as <code>.rnd</code> or <code>.type</code> stands for those that are listed below the line; other words stand for themselves. <code>d|p</code> is a second destination.</p>
<h2 id="meaning">Meanings</h2>
<p>A meaning is an exact expression, without overflow and without rounding, and at its outside the one place where the number becomes bits. It is not a description beside the program: what runs is made from it.</p>
<pre class="code" tabindex="0" role="group" aria-label="A meaning"><code>d = round.rn.f16(a * b + c)</code></pre>
<dl class="parts">${meanings.map(([term, text]) => html`<dt><code>${term}</code></dt><dd>${text}</dd>`)}</dl>
<h2 id="operands">Operands</h2>
<p>“to .f32 .b32” is a register that is written, of one of these types; “of” is one that is read. “or an integer” allows a constant.</p>
<h2 id="since">Since</h2>
<p>The least version of PTX and the least target that have the form; a word that needs more is listed with what it needs. <code>sm_100a</code> is for that architecture only, <code>sm_100f</code> for its family.</p>
<h2 id="sources">Where a fact comes from</h2>
<p>What follows from NVIDIA’s page alone has no remark. Otherwise the remark says who says it:</p>
<ul>${Object.values(grades).map((text) => html`<li>${text}</li>`)}</ul>
<h2 id="examples">Examples</h2>
<p>Each form has worked examples: what goes in, and what comes out. They are part of the table, and tests run all of them. <b>Run</b> runs one in the page, in your browser. The playground takes it apart step by step. On the command line:</p>
<pre class="code" tabindex="0" role="group" aria-label="A command"><code>${highlighted("ptxrun isa add.f16\nptxrun explain add.rn.f16 a=1.5 b=0x3c00")}</code></pre>`,
  });
