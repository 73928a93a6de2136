import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readLitmus } from "../../packages/memory-model/litmus/ptx/read-litmus.ts";
import { judge, prepare } from "../../packages/memory-model/litmus/verdict.ts";
import { usualBounds } from "../../packages/memory-model/model/enumerate.ts";
import { Device, type Diagnostic, must } from "../../src/index.ts";
import { Source } from "../../src/source/source.ts";

/** What is found in a launch of a kernel whose arguments are buffers of zeros. */
function found(
  text: string,
  kernel: string,
  grid: number,
  block: number,
  args = 0,
  seed?: number,
): readonly Diagnostic[] {
  const device = new Device();
  const { stop, findings } = must(
    must(must(device.module(text)).kernel(kernel)).launch({
      grid,
      block,
      args: Array.from({ length: args }, () => device.buffer(new Int32Array(512))),
      cooperative: true,
      sanitize: { mem: true, init: false, race: true },
      ...(seed === undefined ? {} : { schedule: { seed } }),
    }),
  );
  expect(stop.reason).toBe("exit");
  return findings;
}

/** The advice of a finding, without the litmus test that ends it. */
const advice = ({ help = [] }: Diagnostic): string[] => help.slice(0, -1).map(({ message }) => message);
const litmusOf = ({ help = [] }: Diagnostic): string => help.at(-1)!.message.split("\n").slice(1).join("\n");

function verdict(text: string) {
  const { value, diagnostics } = readLitmus(new Source("race.ptx", `${text}\n`));
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  const { ready } = prepare(value);
  return judge(ready!, usualBounds);
}

const idiom = (name: string): string =>
  readFileSync(new URL(`../../examples/gallery/order/${name}.ptx`, import.meta.url), "utf8");

const launches: Readonly<Record<string, readonly [grid: number, block: number, args: number]>> = {
  fences: [4, 32, 3],
  lastblock: [3, 32, 3],
  lock: [4, 1, 2],
  flag: [2, 1, 3],
  streamk: [4, 64, 4],
  gridwide: [3, 32, 2],
};

const releases = (how: string, opcode: string): string =>
  `the writer of the flag needs ${how}.release.gpu in place of ${opcode}, or a fence.acq_rel.gpu before it`;
const acquires = (how: string, opcode: string): string =>
  `the reader of the flag needs ${how}.acquire.gpu in place of ${opcode}, or a fence.acq_rel.gpu after it`;

/** What the last finding of each wrong kernel says. */
const wrong: readonly (readonly [file: string, kernel: string, ...advice: string[]])[] = [
  ["fences", "unreleased", releases("atom", "atom.global.add.u32")],
  ["fences", "unacquired", acquires("atom", "atom.global.add.u32")],
  ["lastblock", "relaxed", releases("atom", "atom.add.relaxed.gpu.u32"), acquires("atom", "atom.add.relaxed.gpu.u32")],
  [
    "lastblock",
    "narrow",
    "the writer of the flag needs the scope .gpu in atom.add.acq_rel.cta.u32, which releases no further than its own",
    "the reader of the flag needs the scope .gpu in atom.add.acq_rel.cta.u32",
  ],
  ["lock", "unfenced", releases("atom", "atom.global.exch.b32"), acquires("atom", "atom.global.cas.b32")],
  ["lock", "unacquired", acquires("atom", "atom.global.cas.b32")],
  ["lock", "unreleased", releases("atom", "atom.global.exch.b32")],
  ["flag", "unacquired", acquires("ld", "ld.relaxed.gpu.b32")],
  ["flag", "unreleased", releases("st", "st.relaxed.gpu.b32")],
  [
    "flag",
    "narrow",
    "the writer of the flag needs the scope .gpu in st.release.cta.b32, which releases no further than its own",
    "the reader of the flag needs the scope .gpu in ld.acquire.cta.b32",
  ],
  ["streamk", "unfenced", releases("atom", "atom.global.exch.b32"), acquires("atom", "atom.global.add.u32")],
  [
    "gridwide",
    "narrow",
    "no barrier orders two blocks: they need a flag that one stores with .release.gpu and the other loads with .acquire.gpu",
  ],
];

describe.each(wrong)("%s: %s", (file, kernel, ...words) => {
  const findings = found(idiom(file), kernel, ...launches[file]!);

  it("says what order is missing", () => {
    expect(advice(findings.at(-1)!)).toEqual(words);
  });

  it("shows the bad outcome in a litmus test that the memory model allows", () => {
    for (const finding of findings) expect(verdict(litmusOf(finding)).holds).toBe(true);
  });

  it("is found with every seed", () => {
    for (let seed = 0; seed < 8; seed++)
      expect(found(idiom(file), kernel, ...launches[file]!, seed).length).toBeGreaterThan(0);
  });
});

it.each(Object.keys(launches))("%s, done right, has no race with any seed", (file) => {
  for (let seed = 0; seed < 8; seed++) expect(found(idiom(file), "right", ...launches[file]!, seed)).toEqual([]);
});

/** One word of data, and a flag between block 0 (or its first warp) and another. */
const passing = (write: string, read: string, blocks = true): string => `.version 9.0
.target sm_90
.address_size 64
.global .u32 data;
.global .u32 flag;
.visible .entry k() {
  .reg .pred %p; .reg .b32 %r<4>;
  mov.u32 %r0, ${blocks ? "%ctaid.x" : "%tid.x"};
  setp.ge.u32 %p, %r0, ${blocks ? 1 : 32};
  @%p bra READ;
  ${write}
  ret;
READ:
  ${read}
  ret;
}`;
const wait = "WAIT: ld.relaxed.gpu.global.u32 %r1, [flag]; setp.eq.u32 %p, %r1, 0; @%p bra WAIT;";

describe("a fence", () => {
  const raise = "st.relaxed.gpu.global.u32 [flag], 1;";
  const pass = (before: string, after: string) =>
    found(
      passing(`st.global.u32 [data], 1; ${before} ${raise}`, `${wait} ${after} ld.global.u32 %r2, [data];`),
      "k",
      2,
      1,
    );

  it("with .release releases, with .acquire acquires, and neither does the other's part", () => {
    expect(pass("fence.release.gpu;", "fence.acquire.gpu;")).toEqual([]);
    expect(pass("fence.acq_rel.gpu;", "fence.sc.gpu;")).toEqual([]);
    expect(advice(pass("fence.acquire.gpu;", "fence.acquire.gpu;")[0]!)).toEqual([
      releases("st", "st.relaxed.gpu.global.u32"),
    ]);
    expect(advice(pass("fence.release.gpu;", "fence.release.gpu;")[0]!)).toEqual([
      acquires("ld", "ld.relaxed.gpu.global.u32"),
    ]);
  });

  it("that reaches no further than the block is named", () => {
    const [race] = pass("fence.acq_rel.cta;", "fence.acq_rel.cta;");
    expect(advice(race!)).toEqual([
      "the writer of the flag needs the scope .gpu in fence.acq_rel.cta, which releases no further than its own",
      "the reader of the flag needs the scope .gpu in fence.acq_rel.cta, which acquires no further than its own",
    ]);
    const small = litmusOf(race!);
    expect(small).toContain("fence.acq_rel.cta;");
    expect(verdict(small).holds).toBe(true);
    // With the scope that the report asks for, the outcome is gone.
    expect(verdict(small.replaceAll(".cta;", ".gpu;")).holds).toBe(false);
  });
});

it("says of warps of a block what would order them", () => {
  const store = "mov.u32 %r0, %tid.x;";
  const warps = found(passing("st.global.u32 [data], 1;", `${store} st.global.u32 [data], 2;`, false), "k", 1, 64);
  expect(advice(warps[0]!)).toEqual([
    "they are in two warps of one block: put bar.sync 0 between them, where all its threads reach it, or order them by a flag that one stores with .release.cta and the other loads with .acquire.cta",
  ]);
  expect(litmusOf(warps[0]!)).toContain("//@ thread P1 cta 0 cluster 0");
  expect(verdict(litmusOf(warps[0]!)).holds).toBe(true);
});

describe("the device heap", () => {
  const text = `.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b64 retval) malloc(.param .b64 size);
.extern .func free(.param .b64 pointer);
.visible .entry k() {
  .reg .b64 %rd1; .param .b64 size, at, retval;
  st.param.b64 [size], 16;
  call.uni (retval), malloc, (size);
  ld.param.b64 %rd1, [retval];
  st.u32 [%rd1], 1; st.u8 [%rd1+9], 2;
  FREE
  ret;
}`;

  it("gives a thread what another has freed, without a race between them", () => {
    const freed = text.replace("FREE", "st.param.b64 [at], %rd1; call.uni free, (at);");
    expect(found(freed, "k", 3, 1)).toEqual([]);
    // Nobody is given what another still has.
    expect(found(text.replace("FREE", ""), "k", 3, 1)).toEqual([]);
  });
});
