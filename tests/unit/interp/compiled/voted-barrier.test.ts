import { beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { Device, type LaunchOptions, must } from "../../../../src/host/index.ts";
import { imageOf } from "../../../../src/host/module/image.ts";
import { Module } from "../../../../src/host/module/module.ts";
import { RoundRobin } from "../../../../src/interp/compiled/running/round-robin.ts";
import { CompiledProgram } from "../../../../src/interp/compiled/running/runner.ts";
import { compiled, type Executor, javascript, MachineView } from "../../../../src/interp/index.ts";
import type { Session } from "../../../../src/interp/machine/session.ts";
import { Memory } from "../../../../src/interp/memory/memory.ts";
import { Source } from "../../../../src/source/source.ts";
import { draws } from "../../../share.ts";
import { fingerprint } from "../everything.ts";
import { seen } from "./seen.ts";

/** Instructions that the module leaves to JavaScript. */
let outside: MockInstance<CompiledProgram["outside"]>;
beforeEach(() => {
  outside = vi.spyOn(CompiledProgram.prototype, "outside").mockClear();
});

/** Rounds in which all threads vote; n gathers what they are told. `body`: what else happens in a round. */
const kernel = (votes: string, body = ""): string => `.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 out)
{
  .reg .b32 t, i, n, c, d, e, f, z; .reg .b64 at, w; .reg .pred p, q, r, s, u;
  ld.param.u64 at, [out]; mov.u32 t, %tid.x; mov.u32 c, %ctaid.x; mov.u32 z, %ntid.x;
  mad.lo.u32 c, c, 128, t; mad.wide.u32 at, c, 4, at;
  mov.u32 i, 0; mov.u32 n, 1; setp.ne.u32 p, t, t; mov.u32 d, 0;
round:
  add.u32 e, t, i; and.b32 e, e, 7; setp.lt.u32 q, e, 3; setp.lt.u32 u, i, 2; setp.eq.u32 s, i, 2;
  ${body}
  ${votes}
  mad.lo.u32 n, n, 3, d; @p add.u32 n, n, 7; @r add.u32 n, n, 11;
  add.u32 i, i, 1; setp.lt.u32 s, i, 6; @s bra round;
  st.global.u32 [at], n;
  ret;
}`;

const votes: Readonly<Record<string, string>> = {
  "count those that are for it": "bar.red.popc.u32 d, 0, q;",
  "count those that are against it": "barrier.cta.red.popc.aligned.u32 d, 3, !q;",
  "ask whether all are for it": "bar.red.and.pred p, 1, u; bar.red.and.pred r, 1, q;",
  "ask whether any is for it": "bar.red.or.pred p, 0, q; bar.red.or.pred r, 0, !u;",
  "give their vote where the result goes":
    "setp.lt.u32 p, e, i; barrier.red.or.pred p, 15, !p; bar.red.and.pred p, 2, p;",
  "vote under a guard that all pass": "setp.eq.u32 s, t, t; @s bar.red.popc.u32 f, 0, q; mov.u32 d, f;",
  "vote, meet without a vote, and vote again": "bar.red.popc.u32 d, 0, q; bar.sync 0; bar.red.or.pred r, 0, s;",
};

const blocks = { grid: 3, block: 96 };

/** Three blocks whose last warp is not full, ready to run; all registers may be read. */
function launch(text: string, executor: Executor) {
  const memory = new Memory({ limit: 64 << 20 });
  const image = imageOf(new Source("votes.ptx", text)).value;
  const loaded = must(must(Module.place(image, memory)).kernel("k"));
  const out = memory.allocate({ name: "out", bytes: 4 * 128 * 3, initialised: true })!;
  return { memory, session: must(loaded.session({ grid: 3, block: 77, args: [out], executor })) };
}

/** What a thread of each warp holds, and what of that has been written. */
const registers = (session: Session): unknown =>
  new MachineView(session).warps().map(({ block, warp }) => session.registers({ block, warp, lane: 3 }));

describe.each(Object.entries(votes))("threads of a block that %s", (_, voting) => {
  const text = kernel(voting);

  it("get the result in the module", () => {
    expect(seen(text, compiled, blocks)).toEqual(seen(text, javascript, blocks));
    expect(outside.mock.calls).toHaveLength(0);
  });

  it.each<[string, LaunchOptions]>([
    ["blocks of one warp", { block: 32 }],
    ["a last warp that is not full", { block: 77 }],
    ["blocks of fewer threads than a warp", { block: 9 }],
    ["race detection", { sanitize: { mem: true, init: true, race: true } }],
    ["registers that may be read", { readableRegisters: true }],
  ])("get the same with %s", (_, options) => {
    expect(seen(text, compiled, { ...blocks, ...options })).toEqual(seen(text, javascript, { ...blocks, ...options }));
  });

  it.each(
    Object.entries({
      "a warp parts before it": "setp.gt.u32 p, t, 70; @p bra on; add.u32 n, n, 1; on: setp.ne.u32 p, t, t;",
      "lanes come from two places":
        "setp.gt.u32 p, t, 70; @p bra round2; add.u32 n, n, 1; round2: setp.ne.u32 p, t, t;",
      "a warp has left": "setp.gt.u32 p, t, 63; @p exit;",
      "lanes have left": "setp.gt.u32 p, t, 70; @p exit;",
      "a warp goes round a loop for several turns":
        "setp.gt.u32 p, t, 63; @!p bra on; mov.u32 c, 0; again: add.u32 c, c, 1; setp.lt.u32 p, c, 700; @p bra again; on: setp.ne.u32 p, t, t;",
      "a warp waits at the barrier for no vote":
        "setp.gt.u32 p, t, 63; @!p bra on; bar.sync 0; on: setp.ne.u32 p, t, t;",
      "a warp waits at another one": "setp.lt.u32 p, t, 32; @!p bra on; bar.sync 7, 32; on: setp.ne.u32 p, t, t;",
      "a warp arrives at it": "setp.lt.u32 p, t, 32; @!p bra on; bar.arrive 0, 96; on: setp.ne.u32 p, t, t;",
      "nobody takes part in half of the rounds": "@u bra over;",
    }),
  )("get the same where %s", (_, body) => {
    const strange = kernel(voting, body).replace("mad.lo.u32 n, n, 3, d;", "over: mad.lo.u32 n, n, 3, d;");
    expect(seen(strange, compiled, blocks)).toEqual(seen(strange, javascript, blocks));
    const limits = { ...blocks, maxSteps: 150 };
    expect(seen(strange, compiled, limits)).toEqual(seen(strange, javascript, limits));
  });

  it("are heard of alike", () => {
    const heard = (executor: Executor): unknown => {
      const { session } = launch(text, executor);
      const all: unknown[] = [];
      session.observe({ apart: true, barrier: (...barrier) => void all.push(barrier.map(String)) });
      expect(session.run().reason).toBe("exit");
      return all;
    };
    expect(heard(compiled)).toEqual(heard(javascript));
  });

  it("have the same registers wherever a launch stops", () => {
    const [js, wasm] = [launch(text, javascript), launch(text, compiled)];
    const budget = draws(29, 5);
    for (let stop = js.session.run({ budget }); ; stop = js.session.run({ budget })) {
      expect(wasm.session.run({ budget })).toEqual(stop);
      expect(fingerprint(wasm.session, wasm.memory)).toBe(fingerprint(js.session, js.memory));
      expect(registers(wasm.session)).toEqual(registers(js.session));
      if (stop.reason !== "budget") break;
    }
  });
});

it.each([
  ["that a register names, and a block has not", "bar.red.popc.u32 d, z, q;"],
  [
    "into a register that held another number in each thread",
    "shl.b32 d, t, 2; bar.red.popc.u32 d, 0, q; cvt.u64.u32 w, d; add.u64 w, w, at; st.global.u32 [w], t;",
  ],
  ["with a count of threads", "bar.red.popc.u32 d, 1, 96, q;"],
  ["for some of the lanes of each warp", "@q bar.red.popc.u32 d, 1, q;"],
  ["for none", "setp.ne.u32 p, t, t; @p bar.red.popc.u32 d, 1, q;"],
])("votes at a barrier %s give the same", (_, voting) => {
  const text = kernel(voting);
  expect(seen(text, compiled, blocks)).toEqual(seen(text, javascript, blocks));
});

it.each<[string, (i: number, votes: readonly boolean[]) => { d?: number; p?: boolean; r?: boolean }]>([
  ["count those that are for it", (_, votes) => ({ d: votes.filter((vote) => vote).length })],
  ["ask whether all are for it", (i, votes) => ({ p: i < 2, r: votes.every((vote) => vote) })],
  ["ask whether any is for it", (i, votes) => ({ p: votes.some((vote) => vote), r: i >= 2 })],
])("threads that %s get what arithmetic gives", (voting, told) => {
  let n = 1;
  for (let i = 0; i < 6; i++) {
    const {
      d = 0,
      p,
      r,
    } = told(
      i,
      Array.from({ length: 96 }, (_, t) => ((t + i) & 7) < 3),
    );
    n = 3 * n + d + (p ? 7 : 0) + (r ? 11 : 0);
  }
  const { words } = seen(kernel(votes[voting]!), compiled, blocks);
  expect(words).toEqual(Array.from({ length: 384 }, (_, at) => (at % 128 < 96 ? n : 0)));
});

it("leaves lanes that a block has not what they had", () => {
  const held = (executor: Executor): unknown => {
    const { session } = launch(kernel("bar.red.and.pred p, 1, !p; bar.red.popc.u32 d, 0, q;"), executor);
    session.run();
    return session.state!.scheduler.slots[0]!.warps.map(({ p, r }) => [[...p], [...r]]);
  };
  expect(held(compiled)).toEqual(held(javascript));
});

it("a program without votes stays in the module as long where one with votes ran before", () => {
  const runs = vi.spyOn(RoundRobin.prototype, "run");
  const after = (...texts: readonly string[]): number => {
    const device = new Device();
    const out = device.buffer(new Uint32Array(128 * 3));
    for (const text of texts) {
      runs.mockClear();
      const loaded = must(must(device.module({ name: "k", text })).kernel("k"));
      must(loaded.launch({ grid: 3, block: 96, args: [out], executor: compiled, readableRegisters: false }));
    }
    return runs.mock.calls.length;
  };
  const late =
    "setp.gt.u32 p, t, 63; @!p bra on; mov.u32 c, 0; again: add.u32 c, c, 1; setp.lt.u32 p, c, 700; @p bra again; on:";
  const other = kernel(`${late} bar.sync 0; setp.ne.u32 p, t, t;`);
  expect(after(kernel("bar.red.popc.u32 d, 0, q;"), other)).toBe(after(other));
});
