import { expect, test } from "vitest";
import { Device, type LaunchOptions, lint, must } from "../../../src/index.ts";
import { executors } from "../../../src/interp/create-session.ts";

const header = ".version 8.0\n.target sm_80\n.address_size 64\n";
const checks = { mem: true, init: true, sync: true };

/** What a kernel reports: its severity, the access and the declaration as they are written, and the words. */
function found(text: string, options: LaunchOptions): string[] {
  const { stop, findings } = must(must(must(new Device().module(header + text)).kernel("k")).launch(options));
  expect(stop).toEqual({ reason: "exit" });
  return findings.map(({ code, severity, span, source, related = [], message }) => {
    const places = [span, ...related.slice(0, 1).map((each) => each.span)];
    const written = places.map(({ start, end }) => source.text.slice(start, end));
    return [code, severity, ...written, message.replace(/, in thread.*/, "")].join(" | ");
  });
}

const kernel = (parameters: string, body: string): string =>
  `.entry k(${parameters}) { .reg .b16 %h<3>; .reg .b32 %r<5>; .reg .b64 %d<3>; ${body} ret; }`;
const narrow = kernel(".param .u8 a, .param .u8 b", "ld.param.u16 %h1, [a];");
const two = ".param .u32 a, .param .u32 b";
const passing = "{ .param .b16 x; .param .b32 y; mov.b16 %h1, 5; st.param.b16 [x], %h1; call (y), f, (x); }";

const wrong: readonly (readonly [text: string, args: readonly number[], said: string])[] = [
  [narrow, [1, 2], "ld.param.u16 %h1, [a]; | a | ld.param.u16 reads 2 bytes at a, which has 1"],
  [
    kernel(two, "ld.param.v2.u32 {%r1, %r2}, [a];"),
    [1, 2],
    "ld.param.v2.u32 {%r1, %r2}, [a]; | a | ld.param.v2.u32 reads 8 bytes at a, which has 4",
  ],
  // Spelt like one that stays within, and like each other.
  [
    kernel(two, "ld.param.u32 %r1, [a];\nld.param.u32 %r1, [a+4];"),
    [1, 2],
    "ld.param.u32 %r1, [a+4]; | a | ld.param.u32 reads 4 bytes 4 into a, which has 4",
  ],
  [
    kernel(two, "ld.param.u32 %r1, [b+-4];"),
    [1, 2],
    "ld.param.u32 %r1, [b+-4]; | b | ld.param.u32 reads 4 bytes 4 before b, which has 4",
  ],
  [
    kernel("", "{ .param .b8 x; .param .b32 y; mov.b32 %r1, 5; st.param.b32 [x], %r1; }"),
    [],
    "st.param.b32 [x], %r1; | x | st.param.b32 writes 4 bytes at x, which has 1",
  ],
  [
    `.func (.param .b32 r) f(.param .b16 a) { .reg .b32 %r<2>; .local .b32 l[4]; ld.param.b32 %r1, [a]; st.param.b32 [r], %r1; ret; }${kernel("", passing)}`,
    [],
    "ld.param.b32 %r1, [a]; | a | ld.param.b32 reads 4 bytes at a, which has 2",
  ],
];

test("what reaches beyond a parameter that it names is a finding at both places", () => {
  for (const executor of executors.values())
    for (const [text, args, said] of wrong)
      expect(found(text, { args, executor, sanitize: checks })).toEqual([`PTX4051 | error | ${said}`]);
});

test("lint warns of it, once and without a run", () => {
  for (const [text, , said] of wrong) {
    const all = lint(header + text).filter(({ severity }) => severity !== "note");
    expect(all).toMatchObject([{ code: "PTX4051", severity: "warning", message: said.split(" | ").at(-1) }]);
  }
});

test("nothing is said where no check of memory runs along, or nothing executes it", () => {
  const args = [1, 2];
  expect(found(narrow, { args, sanitize: { mem: false, init: false } })).toEqual([]);
  const jumped = kernel(".param .u8 a, .param .u8 b", "bra L; ld.param.u16 %h1, [a]; L:");
  expect(found(jumped, { args })).toEqual([]);
});

test("padding between parameters is memory that nobody has written", () => {
  const zero = "mov.u32 %r1, %tid.x; cvt.u64.u32 %d2, %r1; add.u64 %d1, %d1, %d2;";
  for (const executor of executors.values())
    for (const add of ["", zero]) {
      const text = kernel(".param .u8 a, .param .u32 b", `mov.b64 %d1, a; ${add} ld.param.u32 %r1, [%d1];`);
      const [first, ...others] = found(text, { args: [1, 2], executor });
      expect(first).toMatch(/^PTX4001 \| error .*reads 4 bytes .*, which nothing has written/);
      expect(others).toEqual([]);
    }
});

test("up to the last bytes of a parameter all is well", () => {
  const array = ".param .align 8 .b8 s[12], .param .u8 b";
  const body = "ld.param.v2.u32 {%r1, %r2}, [s]; ld.param.u32 %r3, [s+8]; ld.param.u8 %h1, [b];";
  expect(found(kernel(array, body), { args: [new Uint8Array(12), 1] })).toEqual([]);
});

const neighbours = kernel(
  "",
  ".shared .align 8 .b32 s; .shared .b32 t; .local .align 8 .b32 l[2]; .local .b32 m[2]; mov.b32 %r1, 5; " +
    "st.shared.v2.b32 [s], {%r1, %r1}; ld.shared.b32 %r2, [t]; st.local.b32 [l+8], %r1;",
);

test("a neighbour in another space is touched in silence, and noted with --sanitize bounds", () => {
  for (const executor of executors.values()) {
    expect(found(neighbours, { executor, sanitize: checks })).toEqual([]);
    expect(found(neighbours, { executor, sanitize: { ...checks, bounds: true } })).toEqual([
      "PTX4051 | note | st.shared.v2.b32 [s], {%r1, %r1}; | s | st.shared.v2.b32 writes 8 bytes at s, which has 4",
      "PTX4051 | note | st.local.b32 [l+8], %r1; | l[2] | st.local.b32 writes 4 bytes 8 into l, which has 8",
    ]);
  }
});
