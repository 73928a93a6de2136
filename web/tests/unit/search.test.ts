import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { table } from "../../../src/isa/index.ts";
import { documentPages } from "../../site/documents.ts";
import { entriesOf } from "../../site/search/entries.ts";
import { find } from "../../site/search/find.ts";

const guides = readdirSync("docs").filter((name) => name.endsWith(".md"));
const documents = ["README.md", ...guides.map((name) => `docs/${name}`)];
const entries = entriesOf(table, documentPages(documents.map((path) => ({ path, text: readFileSync(path, "utf8") }))));

/** What somebody types, and what must be among the first three. */
const queries: readonly (readonly [query: string, wanted: RegExp])[] = [
  ["missing barrier", /#tour=race$/],
  ["bank conflict", /docs\/report/],
  ["bf16", /#example=kernels-dot_bf16$/],
  ["__syncthreads", /synchronization\.html#bar(?:rier)?$/],
  ["__syncwarp", /#bar/],
  ["__shfl_xor_sync", /#shfl/],
  ["__ballot_sync", /#vote|gallery-ballot/],
  ["atomicAdd", /#(?:atom|red)$/],
  ["atomicCAS", /#atom|gallery-accumulate/],
  ["__threadfence", /#(?:membar|fence)/],
  ["__popc", /#popc$/],
  ["__byte_perm", /#prmt$/],
  ["__ldg", /#ld/],
  ["half2", /axpy_half2/],
  ["bfloat16", /bf16/],
  ["fp8", /#cvt|e4m3|tensor-cores/],
  ["data race", /PTX4002|tour=race/],
  ["race condition", /PTX4002|tour=race/],
  ["deadlock", /PTX3011|tour=deadlock/],
  ["my kernel hangs", /PTX3011|tour=deadlock/],
  ["out of bounds", /PTX3002|tour=off-by-one/],
  ["off by one", /tour=off-by-one/],
  ["misaligned address", /PTX300\d/],
  ["uninitialized memory", /PTX4001/],
  ["NaN", /tour=nan/],
  ["rounding error", /tour=rounding|precision/],
  ["wrong mask", /tour=wrong-mask/],
  ["memory fence", /#fence|#membar|tour=missing-fence/],
  ["memory model", /memory-model/],
  ["tensor cores", /tensor-cores/],
  ["mma fragment layout", /tour=mma-layout/],
  ["wmma", /#wmma/],
  ["TMA", /tensor-maps|bulk-box/],
  ["cp.async", /#cp|asynchrony/],
  ["matrix multiplication", /gallery-matmul/],
  ["warp shuffle", /gallery-reduce|#shfl/],
  ["reduction", /gallery-reduce/],
  ["histogram", /gallery-histogram/],
  ["softmax", /basics-softmax/],
  ["saxpy", /basics-saxpy/],
  ["printf", /golden-hello/],
  ["github actions", /docs\/ci/],
  ["vscode", /docs\/editors/],
  ["python", /docs\/clients/],
  ["breakpoint", /docs\/repl/],
  ["step back", /docs\/repl/],
  ["compiler bug", /miscompiles|hunt/],
  ["texture", /docs\/textures|texture-surface/],
  ["install", /readme\.html#install/],
  ["where does a value come from", /docs\/why/],
  ["who wrote", /docs\/why/],
  ["sm_90a", /wgmma|setmaxnreg|matrix/],
];

it("shows the guide about it first, and no page many times", () => {
  const [first] = find("where does a value come from", entries);
  expect(first?.[1]).toMatch(/^docs\/why\.html/);
  for (const query of ["bank conflict", "memory model", "race"]) {
    const found = find(query, entries);
    const texts = found.map(([title, path]) => `${title} ${path.replace(/#.*/, "")}`);
    const guides = texts.filter((text) => text.includes("docs/"));
    expect(new Set(guides).size).toBe(guides.length);
  }
});

it("says in a sentence what each result is about", () => {
  const [race] = find("PTX4002", entries);
  expect(race?.[4]).toMatch(/^\p{Lu}.{20,}/u);
});

it("puts what is written for developers last", () => {
  const path = "web/README.md";
  const pages = documentPages([...documents, path].map((each) => ({ path: each, text: readFileSync(each, "utf8") })));
  const found = find("page", entriesOf(table, pages));
  expect(found[0]?.[1]).toMatch(/^docs\/page\.html/);
});

it.each(queries)("%s", (query, wanted) => {
  const found = find(query, entries).slice(0, 3);
  expect(found.map(([title, path]) => `${title}  ${path}`).join("\n")).toMatch(new RegExp(wanted.source, "m"));
});
