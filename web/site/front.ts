import { renderDiagnostics } from "../../src/present/diagnostic.ts";
import { hex, number } from "../../src/present/value.ts";
import type { Project } from "../page/client.ts";
import { encode } from "../page/link.ts";
import { demo } from "./demo.ts";
import { noInputs } from "./example/example.ts";
import { highlighted } from "./highlight.ts";
import { type Html, html } from "./html.ts";
import { type File, PLAYGROUND, page } from "./layout.ts";
import { ran } from "./ran.ts";
import { recorded } from "./recorded.ts";

/** One rounding against two, with values for which they differ. */
export const exact: Project = {
  name: "fma.ptx",
  text: `fma.rn.f16 once, a, b, c;   // one rounding

mul.rn.f16 product, a, b;   // two roundings
add.rn.f16 twice, product, c;
`,
  inputs: { ...noInputs, values: { a: "0x3e94", b: "0x134c", c: "0x3e22" } },
};

/** A kernel whose last thread stores behind the end of its buffer. */
export const fault: Project = {
  name: "fill.ptx",
  text: `.version 8.0
.target sm_70
.address_size 64

.visible .entry fill(.param .u64 out, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r2, [n];
  mov.u32 %r1, %tid.x;
  setp.gt.u32 %p1, %r1, %r2;   // meant: setp.ge
  @%p1 ret;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], 7;
  ret;
}
`,
  inputs: { ...noInputs, block: "32", values: { out: "u32x16", n: "16" } },
};

/** Who uses it, and the command with which they begin. A test runs each of them. */
export const uses = [
  {
    who: "Compiler writers",
    what: "Two builds of one kernel must do the same. Where they do not, the instruction that parts them is named.",
    command: "ptxrun diff examples/miscompile/O0/mix.ptx examples/miscompile/O3/mix.ptx --random 20",
    path: "docs/diff.html",
  },
  {
    who: "Kernel authors",
    what: "Doctor makes up a launch, runs it in many ways, and says what is wrong and how to see it again.",
    command: "ptxrun doctor examples/tour/race.ptx",
    path: "docs/doctor.html",
  },
  {
    who: "Tests in CI",
    what: "PTX files carry their inputs and what must come out; one command compares bits, on any machine.",
    command: "ptxrun check examples/kernels",
    path: "docs/ci.html",
  },
  {
    who: "Numerics",
    what: "All values of a half, or millions of floats: where two ways to compute differ, and by how much.",
    command: "ptxrun sweep fma.rn.f16 --against 'mul;add'",
    path: "docs/numbers.html",
  },
  {
    who: "Learners",
    what: "Every instruction in words and worked through with its values, in the page or in a debugger that goes back.",
    command: "ptxrun explain fma.rn.f16 a=1.5 b=2 c=0.1",
    path: "docs/repl.html",
  },
] as const;

/** The site's first page: what ptxrun promises, each promise with something that runs. */
export async function frontPage(): Promise<File> {
  const recording = await recorded();
  return page({
    path: "index.html",
    title: "ptxrun: NVIDIA PTX without a GPU, bit for bit",
    about:
      "ptxrun runs NVIDIA PTX without a GPU: bit for bit, one instruction at a time, in the browser and on any machine with Node.",
    part: undefined,
    script: "front.js",
    main: html`<div class="hero">
<div class="hero-text">
<h1>Run NVIDIA PTX without a GPU, bit for bit</h1>
<p class="lead">ptxrun executes PTX one instruction at a time, forward and back, and names the thread and the instruction that go wrong.</p>
<p class="actions"><a class="button" href="${PLAYGROUND}">Open the playground</a> <a class="button second" href="${PLAYGROUND}#tour">Take the tour</a></p>
</div>
${demo(recording, Math.round(recording.steps.length / 4))}
<div class="hero-install">
<p class="label" id="install">Install, with Node 20.19 or newer, in a copy of the repository</p>
<pre class="code" tabindex="0" role="group" aria-labelledby="install"><code>npm ci &amp;&amp; npm link</code></pre>
</div>
</div>
<section class="promise" aria-labelledby="who">
<h2 id="who">What is it for?</h2>
<ul class="uses">${uses.map(
      ({ who, what, command, path }) => html`
<li><h3><a href="${path}">${who}</a></h3><p>${what}</p><pre class="code" tabindex="0" role="group" aria-label="Command: ${who}"><code>${command}</code></pre></li>`,
    )}
</ul>
</section>
<section class="promise" aria-labelledby="exact">
<h2 id="exact">Exact</h2>
<p>Every operation computes an exact value and rounds it once. A fused multiply-add in half precision is not a product and a sum, and the last bit shows it. Change the values and run it here.</p>
${await exactLive()}
</section>
<section class="promise" aria-labelledby="mistakes">
<h2 id="mistakes">Mistakes have names</h2>
<p>An access out of bounds, a misaligned one, a deadlock, a data race, memory that nobody wrote: the run stops, and the message names the thread, the instruction and the address. <a href="messages/index.html">Each code has a page</a>.</p>
${await faultLive()}
</section>
<section class="promise" aria-labelledby="all">
<h2 id="all">All of PTX</h2>
<ul class="cards">
<li><a href="manual/index.html">Every instruction of the manual</a><p>With its syntax, its meaning as a formula, types, versions and targets, and examples that run in the page.</p></li>
<li><a href="docs/tensor-cores.html">Tensor cores</a><p><code>wmma</code>, <code>mma</code>, <code>wgmma</code> and <code>tcgen05</code> compute as those of the GPU that <code>.target</code> names.</p></li>
<li><a href="docs/asynchrony.html">Asynchronous copies</a><p>They happen late, early or at random, and a missing wait is found.</p></li>
<li><a href="docs/repl.html">A debugger that goes back</a><p>Step, break, watch, and ask what wrote a register last.</p></li>
<li><a href="docs/clients.html">From C and Python</a><p>A function call, a driver library, a runtime: programs that use CUDA run without it.</p></li>
<li><a href="docs/ci.html">In CI</a><p>PTX files carry their own checks, and <code>ptxrun check</code> compares bits.</p></li>
</ul>
</section>`,
  });
}

async function exactLive(): Promise<Html> {
  const { result } = await ran(exact);
  const rows = result?.state.threads[0]?.registers ?? [];
  const shown = rows.filter(({ name }) => name === "once" || name === "twice");
  return html`<figure class="example live">
<pre class="code" tabindex="0" role="group" aria-label="Program"><code>${highlighted(exact.text.trimEnd())}</code></pre>
<div class="fields">${Object.entries(exact.inputs.values).map(([name, value]) => html`<label><span>${name}</span> <input name="${name}" value="${value}" spellcheck="false" autocomplete="off" disabled></label>`)}</div>
<div class="wide" tabindex="0" role="group" aria-label="Results"><table class="values"><thead><tr><th scope="col">register</th><th scope="col">type</th><th scope="col">bits</th><th scope="col">value</th></tr></thead>
<tbody class="after">${shown.map(({ name, type, bits, width }) => html`<tr data-register="${name}"><th scope="row">${name}</th><td>${type}</td><td>${hex(bits, width)}</td><td>${number(bits, type)}</td></tr>`)}</tbody></table></div>
<figcaption><button type="button" data-run hidden>Run</button> <a class="open" href="${PLAYGROUND}#${await encode(exact)}">Open in the playground</a> <output></output></figcaption>
</figure>`;
}

async function faultLive(): Promise<Html> {
  const { diagnostics } = await ran(fault);
  const found = diagnostics.filter(({ severity }) => severity === "error");
  return html`<figure class="example live">
<pre class="code" tabindex="0" role="group" aria-label="Program"><code>${highlighted(fault.text.trimEnd())}</code></pre>
<pre class="said" tabindex="0" role="group" aria-label="What ptxrun says"><code>${renderDiagnostics(found).trimEnd()}</code></pre>
<figcaption><button type="button" data-run hidden>Run</button> <a class="open" href="${PLAYGROUND}#${await encode(fault)}">Open in the playground</a> <output></output></figcaption>
</figure>`;
}
