import { beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { must } from "../../../../src/host/index.ts";
import { imageOf } from "../../../../src/host/module/image.ts";
import { Module } from "../../../../src/host/module/module.ts";
import { CompiledProgram } from "../../../../src/interp/compiled/running/runner.ts";
import { compiled, type Executor, javascript } from "../../../../src/interp/index.ts";
import { Memory } from "../../../../src/interp/memory/memory.ts";
import { Source } from "../../../../src/source/source.ts";
import { draws } from "../../../share.ts";
import { fingerprint } from "../everything.ts";

/** Instructions that the module leaves to JavaScript. */
let outside: MockInstance<CompiledProgram["outside"]>;
beforeEach(() => {
  outside = vi.spyOn(CompiledProgram.prototype, "outside");
});

/** How barriers and counts are named: by numbers in the text, by registers, or with a register that says how many. */
const ways = {
  "in the text": (base: number) => [`@p bar.OP ${base}, 96; @!p bar.OP ${base + 1}, 96;`, ""],
  "in registers": (base: number) => [`add.u32 id, s, ${base}; bar.OP id, n;`, "mov.u32 n, 96;"],
  "in registers of the whole block": (base: number) => [
    `add.u32 id, s, ${base}; barrier.OP id, n;`,
    "mov.u32 n, %ntid.x;",
  ],
} as const;

/**
 * The last of three warps fills two places in turn, the others add up what it has put there: each waits where the other
 * has only to arrive.
 */
function specialised(way: (base: number) => readonly string[], rounds = 5): string {
  const at = (act: string, base: number): string => way(base)[0]!.replaceAll("OP", act);
  return `.version 8.7
.target sm_90
.address_size 64
.entry k(.param .b64 out)
{
  .reg .b32 t, l, i, s, d, x, a, id, n; .reg .b64 o, w; .reg .pred p, q, last;
  .shared .align 4 .b32 ring[64];
  ld.param.b64 o, [out]; mov.u32 t, %tid.x; mov.u32 l, %laneid; mov.u32 i, 0; mov.u32 d, 0;
  mul.wide.u32 w, t, 4; add.s64 o, o, w; setp.ge.u32 q, t, 64;
  ${way(1)[1]}
again:
  and.b32 s, i, 1; setp.eq.u32 p, s, 0; mad.lo.u32 a, s, 32, l; mov.u32 x, ring; mad.lo.u32 a, a, 4, x;
  setp.eq.u32 last, i, ${rounds - 1};
  @q bra produce;
  ${at("sync", 1)}
  ld.shared.b32 x, [a]; add.u32 d, d, x;
  ${at("arrive", 3)}
  bra on;
produce:
  setp.lt.u32 p, i, 2; @p bra fill;
  setp.eq.u32 p, s, 0;
  ${at("sync", 3)}
fill:
  setp.eq.u32 p, s, 0;
  mad.lo.u32 x, i, 100, l; st.shared.b32 [a], x;
  ${at("arrive", 1)}
on:
  add.u32 i, i, 1;
  @!last bra again;
  st.global.b32 [o], d;
  ret;
}`;
}

function launch(text: string, executor: Executor) {
  const memory = new Memory({ limit: 64 << 20 });
  const image = imageOf(new Source("barriers.ptx", text)).value;
  const kernel = must(must(Module.place(image, memory)).kernel("k"));
  const out = memory.allocate({ name: "out", bytes: 4 * 96, initialised: true })!;
  const session = must(kernel.session({ block: 96, args: [out], executor }));
  const words = (): number[] => [...new Uint32Array(memory.data.u8.buffer, Number(out & 0xffff_ffffn), 96)];
  return { memory, session, words };
}

const executors = { javascript, compiled };

for (const [named, way] of Object.entries(ways))
  for (const [name, executor] of Object.entries(executors))
    test(`warps that produce and warps that consume meet at barriers ${named}: ${name}`, () => {
      const { session, words } = launch(specialised(way), executor);
      expect(session.run()).toEqual({ reason: "exit" });
      expect(session.findings).toEqual([]);
      expect(words()).toEqual(Array.from({ length: 96 }, (_, t) => (t < 64 ? 1000 + 5 * (t % 32) : 0)));
    });

test.each(Object.entries(ways))("JavaScript executes no barrier but the last ones, %s", (_, way) => {
  // Whoever exits while others may wait leaves the module.
  const { session } = launch(specialised(way, 40), compiled);
  outside.mockClear();
  expect(session.run().reason).toBe("exit");
  expect(outside.mock.calls.length).toBeLessThan(10);
});

test.each(Object.entries(ways))("executors stop alike at barriers %s", (_, way) => {
  const text = specialised(way);
  const [js, wasm] = [launch(text, javascript), launch(text, compiled)];
  const budget = draws(23, 7);
  for (let stop = js.session.run({ budget }); ; stop = js.session.run({ budget })) {
    expect(wasm.session.run({ budget })).toEqual(stop);
    expect(fingerprint(wasm.session, wasm.memory)).toBe(fingerprint(js.session, js.memory));
    if (stop.reason !== "budget") break;
  }
});

/** Spends so many backward branches that the turn of its warp ends before it has arrived. */
const long = "mov.u32 x, 0; spend: add.u32 x, x, 1; setp.lt.u32 last, x, 300; @last bra spend;";

test.each([
  ["with counts in the text", specialised(ways["in the text"], 2)],
  ["with counts in registers", specialised(ways["in registers"], 2)],
  ["of the whole block", specialised(ways["in the text"], 2).replaceAll(/bar\.\w+ \d, 96/g, "bar.sync 4")],
])("warps that wait at barriers %s when a launch stops wait on when it goes on in the module", (_, text) => {
  const slow = text.replace("fill:", `fill: ${long} setp.eq.u32 last, i, 1;`);
  const whole = launch(slow, javascript);
  expect(whole.session.run()).toEqual({ reason: "exit" });
  for (let at = 1; at < 20; at += draws(4, 1)) {
    const { session, words } = launch(slow, compiled);
    session.run({ budget: Math.round((whole.session.steps * at) / 20) });
    // Some wait while the last warp is on its way.
    expect(session.run({ budget: 100_000 }), `after ${at} of 20`).toEqual({ reason: "exit" });
    expect([session.steps, ...words()], `after ${at} of 20`).toEqual([whole.session.steps, ...whole.words()]);
  }
});

test.each(Object.entries(ways))("observers hear of each barrier once, %s", (_, way) => {
  const { session } = launch(specialised(way), javascript);
  const heard: string[] = [];
  session.observe({
    barrier: (_block, id, arrived) => void heard.push(`${id}: ${[...arrived].every((mask) => mask === 0xffff_ffff)}`),
  });
  session.run();
  const each = [1, 2, 3, 4].map((id) => heard.filter((one) => one === `${id}: true`).length);
  expect([...each, heard.length]).toEqual([3, 2, 2, 1, 8]);
});

/** Odd and even lanes come to a barrier by ways of their own, then each reads what its neighbour has put there. */
const apart = (sync: string): string => `.version 8.7
.target sm_90
.address_size 64
.entry k(.param .b64 out)
{
  .reg .b32 t, i, s, d, x, a; .reg .b64 o, w; .reg .pred p, last;
  .shared .align 4 .b32 ring[96];
  ld.param.b64 o, [out]; mov.u32 t, %tid.x; mul.wide.u32 w, t, 4; add.s64 o, o, w; mov.u32 i, 0; mov.u32 d, 0;
  and.b32 x, t, 1; setp.eq.u32 p, x, 1; mov.u32 s, ring; mad.lo.u32 a, t, 4, s; xor.b32 s, a, 4;
again:
  mad.lo.u32 x, i, 100, t;
  st.shared.b32 [a], x;
  @p bra odd;
  ${sync}
  ld.shared.b32 x, [s]; add.u32 d, d, x;
  bra on;
odd:
  ${sync}
  ld.shared.b32 x, [s]; sub.u32 d, d, x;
on:
  bar.sync 0;
  add.u32 i, i, 1; setp.lt.u32 last, i, 4; @last bra again;
  st.global.b32 [o], d;
  ret;
}`;

test.each(["barrier.sync 1, 96;", "barrier.sync 1;"])("executors stop alike where lanes come to %s apart", (sync) => {
  for (const budget of [5, 23, 100_000]) {
    const [js, wasm] = [launch(apart(sync), javascript), launch(apart(sync), compiled)];
    for (;;) {
      const stop = js.session.run({ budget });
      expect(wasm.session.run({ budget })).toEqual(stop);
      expect(fingerprint(wasm.session, wasm.memory)).toBe(fingerprint(js.session, js.memory));
      if (stop.reason !== "budget") break;
    }
    expect([js.session.findings, ...wasm.words()]).toEqual([[], ...js.words()]);
    expect(js.words().slice(0, 2)).toEqual([604, -600 >>> 0]);
  }
});

test.each([
  ["a warp", "setp.ge.u32 p, t, 64;"],
  ["the first warp", "setp.lt.u32 p, t, 32;"],
  ["lanes of each warp", "and.b32 x, t, 1; setp.eq.u32 p, x, 1;"],
])("executors say the same of a barrier before which %s has exited", (_, who) => {
  for (const sync of ["bar.sync 0;", "barrier.sync 0;", "bar.sync 1, 64;"]) {
    const text = apart(sync).replace("and.b32 x, t, 1; setp.eq.u32 p, x, 1;", `${who} @p exit;`);
    const [js, wasm] = [launch(text, javascript), launch(text, compiled)];
    expect(wasm.session.run()).toEqual(js.session.run());
    expect([wasm.session.findings, wasm.session.steps]).toEqual([js.session.findings, js.session.steps]);
    expect(fingerprint(wasm.session, wasm.memory)).toBe(fingerprint(js.session, js.memory));
  }
});

test.each(Object.entries(executors))("a warp that arrives twice is told so: %s", (_, executor) => {
  const twice = specialised(ways["in registers"]).replace("bra on;", "bar.arrive id, n; bra on;");
  const stop = launch(twice, executor).session.run();
  if (stop.reason !== "trap") throw new Error(stop.reason);
  expect(stop.diagnostic.code).toBe("PTX3012");
  expect(stop.diagnostic.message).toContain("arrives at barrier 3 again before the others have completed it");
});

test.each(Object.entries(executors))("lanes of a warp may name barriers of their own: %s", (_, executor) => {
  // Lanes of one half of each warp meet at barrier 5, the others at 6.
  const text = specialised(ways["in registers"]).replace(
    "again:",
    "shr.u32 id, l, 4; add.u32 id, id, 5; barrier.sync id, n; mov.u32 d, 0;\nagain:",
  );
  const { session, words } = launch(text, executor);
  const stop = session.run();
  // A warp counts for a barrier when all of it has come there, which never happens.
  expect(stop.reason).toBe("trap");
  expect(words().every((word) => word === 0)).toBe(true);
});
