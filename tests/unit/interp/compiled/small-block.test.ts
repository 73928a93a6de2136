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

/** A thread adds up all that `body` leaves in `d`, `e` and `q`, and stores it as a word of its own. */
const program = (body: string): string => `.version 8.8
.target sm_100f
.address_size 64
.func (.reg .b32 r, .reg .b64 s) twice(.reg .b32 a, .reg .b64 b) { add.u32 r, a, a; add.u64 s, b, b; ret; }
.entry k(.param .b64 out)
{
  .reg .b32 t, a, b, c, d, e, m; .reg .b64 o, w, v; .reg .f32 f; .reg .pred p, q, x;
  .shared .align 4 .b32 s[32]; .local .align 8 .b8 l[16];
  ld.param.b64 o, [out];
  mov.u32 t, %tid.x; mov.u32 b, %ntid.x; mov.u32 c, %ctaid.x; mad.lo.u32 t, c, b, t;
  mul.wide.u32 w, t, 4; add.s64 w, o, w;
  mov.u32 t, %tid.x; mad.lo.u32 a, t, 40503, 77; and.b32 b, t, 5; mov.u32 d, 5; mov.u32 e, 9; activemask.b32 m;
  setp.gt.u32 p, t, 2; setp.eq.u32 q, b, 1; mul.wide.u32 v, a, 65537;
  ${body}
  selp.u32 c, 1000, 2000, q; add.u32 d, d, c; xor.b32 d, d, e;
  st.global.u32 [w+256], d;
  ret;
}`;

function launch(text: string, block: number, executor: Executor, memory: Memory = new Memory({ limit: 64 << 20 })) {
  const image = imageOf(new Source("small.ptx", text)).value;
  const kernel = must(must(Module.place(image, memory)).kernel("k"));
  const out = memory.allocate({ name: "out", bytes: 512, initialised: true })!;
  return { memory, session: must(kernel.session({ grid: 2, block, args: [out], executor })) };
}

/** Few and many of a row of lanes, which are 4, 8, ... 32; all of them and not. */
const blocks = [1, 3, 8, 20, 31];

/** What nobody but compiled code executes. */
const inPlace: readonly (readonly [string, string])[] = [
  ["words, wide ones and predicates", "mad.lo.u32 d, a, b, t; add.u64 v, v, v; cvt.u32.u64 e, v; @p add.u32 e, e, 1;"],
  ["a loop that lanes leave", "L: add.u32 d, d, a; sub.u32 b, b, 1; setp.gt.s32 q, b, 0; @q bra L;"],
  ["lanes that diverge and reconverge", "@p bra M; add.u32 d, d, 7; bra E; M: add.u32 d, d, 70; E: add.u32 d, d, t;"],
  ["lanes that exit", "@p exit; add.u32 d, d, a;"],
  ["flags of carry", "add.cc.u32 d, a, 0xfffffff0; addc.u32 e, e, 0;"],
  [
    "shared memory at a barrier",
    "mov.u32 m, s; mad.lo.u32 m, t, 4, m; st.shared.u32 [m], a; bar.sync 0; ld.shared.u32 d, [s];",
  ],
  ["local memory", "st.local.u32 [l+4], a; ld.local.u32 d, [l+4];"],
  ["an atomic operation", "atom.global.add.u32 d, [o], a; bar.sync 0;"],
  ["a shuffle by one in the text", "shfl.sync.down.b32 d|q, a, 1, 31, m;"],
  ["a shuffle by more than there are", "shfl.sync.down.b32 d|q, a, 6, 31, m; shfl.sync.bfly.b32 e|x, a, 16, 31, m;"],
  ["a shuffle by registers", "shfl.sync.idx.b32 d|q, a, b, 0x1c1f, m; shfl.sync.down.b32 e, a, t, 31, m;"],
  [
    "a shuffle after others",
    "add.u32 d, a, 1; shfl.sync.down.b32 e|q, d, 4, 31, m; shfl.sync.down.b32 d, a, 4, 31, m;",
  ],
  [
    "votes",
    "vote.sync.ballot.b32 d, !q, m; vote.sync.all.pred x, p, m; selp.u32 e, 3, 4, x; vote.sync.any.pred q, !p, m;",
  ],
  ["a match of any", "match.any.sync.b32 d, b, m;"],
  ["a match of all", "match.all.sync.b64 d|q, v, m;"],
  ["sums", "redux.sync.add.u32 d, a, m; redux.sync.min.s32 e, a, m;"],
  ["a sum of floats", "cvt.rn.f32.u32 f, a; redux.sync.max.f32 f, f, m; mov.b32 d, f;"],
  ["the first lane", "elect.sync d|q, m;"],
  ["a call", "call (d, v), twice, (a, v); cvt.u32.u64 e, v;"],
];

test.each(inPlace)("a small block is compiled: %s", (_, body) => {
  const text = program(body);
  for (const block of blocks) {
    const [js, wasm] = [launch(text, block, javascript), launch(text, block, compiled)];
    expect(js.session.run().reason).toBe("exit");
    outside.mockClear();
    expect(wasm.session.run().reason).toBe("exit");
    expect(outside).not.toHaveBeenCalled();
    expect({ block, seen: fingerprint(wasm.session, wasm.memory) }).toEqual({
      block,
      seen: fingerprint(js.session, js.memory),
    });
  }
});

test.each(inPlace)("a small block is the same wherever it stops: %s", (_, body) => {
  const text = program(body);
  const [js, wasm] = [launch(text, 5, javascript), launch(text, 5, compiled)];
  for (let stop = js.session.run({ budget: 5 }); ; stop = js.session.run({ budget: 5 })) {
    expect(wasm.session.run({ budget: 5 })).toEqual(stop);
    expect(fingerprint(wasm.session, wasm.memory)).toBe(fingerprint(js.session, js.memory));
    if (stop.reason !== "budget") break;
  }
});

test("lanes that a small block does not have read as 0", () => {
  const body =
    "add.u32 d, a, 1; shfl.sync.down.b32 e, d, 4, 31, m; shfl.sync.down.b32 d, a, 4, 31, m; setp.eq.u32 q, t, t;";
  // A launch before has left words of 32 lanes where lanes tell each other what they hold.
  const before = launch(program(`setp.eq.u32 q, t, 3; @q exit; ${body}`), 32, compiled);
  before.session.run();
  before.session.close();
  const { session, memory } = launch(program(body), 8, compiled, before.memory);
  expect(session.run().reason).toBe("exit");
  const { start } = memory.allocations.live.findLast(({ name }) => name === "out")!;
  const held = [4, 5, 6, 7].map((lane) => lane * 40503 + 77);
  const expected = [...held.map((a) => (a + 1000) ^ (a + 1)), 1000, 1000, 1000, 1000];
  expect([...new Uint32Array(memory.data.u8.buffer, start + 256, 8)]).toEqual(expected);
});
