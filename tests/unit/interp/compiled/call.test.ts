import { beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { must } from "../../../../src/host/index.ts";
import { imageOf } from "../../../../src/host/module/image.ts";
import { Module } from "../../../../src/host/module/module.ts";
import { CompiledProgram } from "../../../../src/interp/compiled/running/runner.ts";
import { compiled, type Executor, javascript } from "../../../../src/interp/index.ts";
import { Memory } from "../../../../src/interp/memory/memory.ts";
import { Source } from "../../../../src/source/source.ts";
import { fingerprint } from "../everything.ts";

/** Instructions that the module leaves to JavaScript. */
let outside: MockInstance<CompiledProgram["outside"]>;
beforeEach(() => {
  outside = vi.spyOn(CompiledProgram.prototype, "outside");
});

const program = (functions: string, body: string): string => `.version 8.7
.target sm_90
.address_size 64
${functions}
.entry k(.param .b64 out)
{
  .reg .b32 t, d, e; .reg .b16 h; .reg .b64 o, w, f; .reg .b32 g; .reg .pred p, q;
  ld.param.b64 o, [out];
  mov.u32 t, %tid.x;
  mul.wide.u32 w, t, 8;
  add.s64 o, o, w;
  mov.u32 d, t; mov.u32 e, 5; mov.b64 w, {t, e}; cvt.u16.u32 h, t;
  setp.gt.u32 p, t, 9; setp.lt.u32 q, t, 200;
  ${body}
  st.u32 [o], d; st.u32 [o+4], e;
  ret;
}`;

function launch(text: string, executor: Executor, block: number) {
  const memory = new Memory({ limit: 64 << 20 });
  const image = imageOf(new Source("calls.ptx", text)).value;
  const kernel = must(must(Module.place(image, memory)).kernel("k"));
  const out = memory.allocate({ name: "out", bytes: 8 * 96, initialised: true })!;
  return { memory, session: must(kernel.session({ block, args: [out], executor })) };
}

/** All that can be seen is the same, at the end, and wherever a launch stops that is run in parts. Gives how it ended. */
function compare(functions: string, body: string, { block = 72, parts = [1, 23, undefined] as const } = {}): string {
  const text = program(functions, body);
  let ended = "";
  for (const budget of parts) {
    const [js, wasm] = [javascript, compiled].map((executor) => launch(text, executor, block)) as [
      ReturnType<typeof launch>,
      ReturnType<typeof launch>,
    ];
    for (let count = 0; count < 60; count++) {
      const stop = js.session.run(budget === undefined ? {} : { budget });
      expect(wasm.session.run(budget === undefined ? {} : { budget })).toEqual(stop);
      expect(fingerprint(wasm.session, wasm.memory)).toBe(fingerprint(js.session, js.memory));
      expect(wasm.session.findings).toEqual(js.session.findings);
      ended = stop.reason;
      if (stop.reason !== "budget") break;
    }
  }
  return ended;
}

const twice = ".func (.reg .b32 r) twice(.reg .b32 a) { add.u32 r, a, a; ret; }";
/** Words, narrow ones, wide ones and predicates, in registers and in memory. */
const mixed = `.func (.reg .b32 r, .reg .b64 s, .reg .b16 u, .reg .pred v) mixed(.reg .b16 a, .reg .b64 b, .reg .pred c)
{ cvt.u32.u16 r, a; add.u64 s, b, 7; add.u16 u, a, 3; not.pred v, c; selp.u32 r, r, 1, c; ret; }`;
const summed = `.func (.param .b32 r) summed(.param .b8 a, .param .b16 b, .param .align 8 .b8 c[24])
{
  .reg .b32 x, y; .reg .b16 z; .reg .b64 l;
  ld.param.u8 x, [a]; ld.param.u16 z, [b]; cvt.u32.u16 y, z; add.u32 x, x, y;
  ld.param.b64 l, [c+8]; cvt.u32.u64 y, l; add.u32 x, x, y; ld.param.b32 y, [c+20]; add.u32 x, x, y;
  st.param.b32 [r], x; ret;
}`;
const ofSummed = `{ .param .b8 x; .param .b16 y; .param .align 8 .b8 z[24]; .param .b32 r;
  st.param.b8 [x], t; st.param.b16 [y], h; st.param.b64 [z+8], w; st.param.b32 [z+20], e;
  call.uni (r), summed, (x, y, z); ld.param.b32 d, [r]; }`;

const twoOfThem = `${twice} .func (.reg .b32 r) thrice(.reg .b32 a) { mul.lo.u32 r, a, 3; ret; }`;

/** Straight code, in which JavaScript executes none of the calls. */
const inPlace: readonly (readonly [string, string, string])[] = [
  ["a register", twice, "call.uni (d), twice, (t);"],
  ["registers of all kinds", mixed, "call (d, w, h, q), mixed, (h, w, p); cvt.u32.u64 e, w;"],
  ["a result that nobody wants", mixed, "call (d, _, h, _), mixed, (h, 77, p);"],
  ["memory", summed, ofSummed],
  ["a guard that holds for all", twice, "@q call (d), twice, (t); @!q call (e), twice, (t);"],
  [
    "a register through another one",
    twoOfThem,
    "one: .callprototype (.reg .b32 _) _ (.reg .b32 _); mov.u64 f, twice; @!q mov.u64 f, thrice; call (d), f, (t), one; mov.u64 f, thrice; call (e), f, (d), one;",
  ],
  [
    "a register through one of 32 bits",
    twoOfThem,
    "list: .calltargets twice, thrice; mov.u64 f, thrice; cvt.u32.u64 g, f; call (d), g, (t), list;",
  ],
  [
    "calls in calls",
    `${twice} .func (.reg .b32 r) four(.reg .b32 a) { call (r), twice, (a); call (r), twice, (r); ret; }
     .func (.reg .b32 r) eight(.reg .b32 a) { call (r), four, (a); call (r), twice, (r); ret; }`,
    "call (d), eight, (t); call (e), four, (d); call (d), eight, (e);",
  ],
];

test.each(inPlace)("a call that passes %s", (_, functions, body) => {
  expect(compare(functions, body)).toBe("exit");
  expect(compare(functions, `setp.lt.u32 p, t, 40; @p exit; ${body}`)).toBe("exit");
});

test.each(inPlace.filter(([name]) => name !== "memory"))(
  "JavaScript executes nothing of a call that passes %s",
  (_, functions, body) => {
    const { session } = launch(program(functions, body), compiled, 96);
    outside.mockClear();
    expect(session.run().reason).toBe("exit");
    expect(outside).not.toHaveBeenCalled();
  },
);

test("JavaScript does not execute a call that passes variables, be they the first ones of their function", () => {
  const { session } = launch(program(summed, ofSummed), compiled, 96);
  outside.mockClear();
  expect(session.run().reason).toBe("exit");
  expect(outside).not.toHaveBeenCalled();
});

test.each([
  ["under a guard that some pass", twice, "@p call (d), twice, (t);", "exit"],
  ["of lanes that have parted", twice, "@p bra M; call (d), twice, (e); bra E; M: call (d), twice, (t); E:", "exit"],
  [
    "in which lanes part, and return one after the other",
    `.func (.reg .b32 r) down(.reg .b32 a) { .reg .pred p; mov.u32 r, 0; and.b32 a, a, 7;
     L: setp.eq.u32 p, a, 0; @p ret; add.u32 r, r, a; sub.u32 a, a, 1; bra L; }`,
    "call (d), down, (t); call (e), down, (d);",
    "exit",
  ],
  [
    "in which lanes part and meet",
    `.func (.reg .b32 r) odd(.reg .b32 a) { .reg .pred p; .reg .b32 x; and.b32 x, a, 1; setp.eq.u32 p, x, 0; mov.u32 r, a;
     @p bra M; add.u32 r, r, 100; bra E; M: add.u32 r, r, 200; E: add.u32 r, r, 1; ret; }`,
    "call (d), odd, (t); call (e), odd, (d);",
    "exit",
  ],
  [
    "of several functions through a register",
    twoOfThem,
    "one: .callprototype (.reg .b32 _) _ (.reg .b32 _); mov.u64 f, twice; @p mov.u64 f, thrice; call (d), f, (t), one; call (e), f, (d), one;",
    "exit",
  ],
  [
    "through a register of which some lanes know nothing",
    twoOfThem,
    "one: .callprototype (.reg .b32 _) _ (.reg .b32 _); @p mov.u64 f, thrice; @!p mov.u64 f, 5; call (d), f, (t), one;",
    "trap",
  ],
  [
    "through a register that holds no function",
    twoOfThem,
    "one: .callprototype (.reg .b32 _) _ (.reg .b32 _); mov.u64 f, thrice; add.u64 f, f, 4294967296; call (d), f, (t), one;",
    "trap",
  ],
  [
    "through a register of a function that its list does not have",
    twoOfThem,
    "list: .calltargets twice; mov.u64 f, thrice; call (d), f, (t), list;",
    "trap",
  ],
  [
    "through a register of a function that calls itself, or of another one",
    `${twice} .func (.reg .b32 r) self(.reg .b32 a) { .reg .pred p; mov.u32 r, a; setp.eq.u32 p, a, 0; @p ret;
     sub.u32 a, a, 1; call (r), self, (a); add.u32 r, r, 1; ret; }`,
    "one: .callprototype (.reg .b32 _) _ (.reg .b32 _); and.b32 g, t, 3; mov.u64 f, self; call (d), f, (g), one; mov.u64 f, twice; call (e), f, (d), one;",
    "exit",
  ],
  [
    "that is longer than a turn",
    ".func (.reg .b32 r) long(.reg .b32 a) { .reg .pred p; mov.u32 r, 0; L: add.u32 r, r, 1; setp.lt.u32 p, r, 150; @p bra L; ret; }",
    "call (d), long, (t); call (e), long, (d);",
    "exit",
  ],
  [
    "with a barrier",
    `.func (.reg .b32 r) meet(.reg .b32 a) { .shared .b32 s[96]; .reg .b32 at; mov.u32 at, s; mad.lo.u32 at, a, 4, at;
     st.shared.b32 [at], a; bar.sync 0; mov.u32 at, s; ld.shared.b32 r, [at+252]; bar.sync 0; ret; }`,
    "call (d), meet, (t); call (e), meet, (t);",
    "exit",
  ],
  [
    "in which some exit",
    ".func (.reg .b32 r) go(.reg .b32 a) { .reg .pred p; setp.gt.u32 p, a, 40; @p exit; add.u32 r, a, 1; ret; }",
    "call (d), go, (t); call (e), go, (d);",
    "exit",
  ],
  [
    "in which lanes exchange",
    ".func (.reg .b32 r) ring(.reg .b32 a) { shfl.sync.idx.b32 r, a, 3, 31, -1; ret; }",
    "call (d), ring, (t); call (e), ring, (d);",
    "exit",
  ],
  [
    "that fails",
    `.func (.reg .b32 r) bad(.reg .b32 a) { .reg .b64 n; mov.u64 n, 16; ld.u32 r, [n]; ret; }
     .func (.reg .b32 r) via(.reg .b32 a) { call (r), bad, (a); ret; }`,
    "call (d), via, (t);",
    "trap",
  ],
  [
    "that reads what nobody wrote",
    ".func (.param .b32 r) lazy(.param .b32 a) { .reg .b32 x; .local .b32 m; ld.local.b32 x, [m]; st.param.b32 [r], x; ret; }",
    "{ .param .b32 x, y; st.param.b32 [x], t; call (y), lazy, (x); ld.param.b32 d, [y]; }",
    "exit",
  ],
  [
    "that calls itself beside one that does not",
    `${twice} .func (.reg .b32 r) self(.reg .b32 a) { .reg .pred p; mov.u32 r, a; setp.eq.u32 p, a, 0; @p ret;
     sub.u32 a, a, 1; call (r), self, (a); call (r), twice, (r); add.u32 r, r, 1; ret; }`,
    "and.b32 d, t, 3; call (d), self, (d); call (e), self, (e);",
    "exit",
  ],
])("a call %s", (_, functions, body, end) => {
  for (const block of [32, 72]) expect(compare(functions, body, { block })).toBe(end);
});

test("lanes that waited when compiled code was entered, and have come to a call since, do not wait twice", () => {
  const waits = ".func (.reg .b32 r) waits(.reg .b32 a) { add.u32 r, a, 1; bar.sync 1; add.u32 r, r, 1; ret; }";
  const body = `mov.u32 e, 0;
again: @p bra meet; add.u32 d, d, 1; bar.warp.sync 0x3ff; add.u32 d, d, 3; add.u32 d, d, 5;
meet: call (d), waits, (d); add.u32 e, e, 1; setp.lt.u32 q, e, 6; @q bra again;`;
  expect(compare(waits, body, { block: 64 })).toBe("exit");
});

test("what a warp does behind a call is not said to be within it when another warp has called since", () => {
  const lazy =
    ".shared .b32 none[96]; .func (.reg .b32 r) lazy(.reg .b32 a) { .local .b32 m; ld.local.b32 r, [m]; ret; }";
  const body = `call (d), lazy, (t); bar.sync 0;
mov.u32 d, none; mad.lo.u32 d, t, 4, d; setp.lt.u32 q, t, 40; @q ld.shared.b32 e, [d]; call (d), lazy, (t);`;
  expect(compare(lazy, body)).toBe("exit");
});
