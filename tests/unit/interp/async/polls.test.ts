import { describe, expect, it } from "vitest";
import { Device, type LaunchOptions, must } from "../../../../src/host/index.ts";
import { compiled, type Executor, javascript } from "../../../../src/interp/index.ts";

/** What each of 64 threads stores at the end, from register n, after `body`; an mbarrier object at [m] awaits `arrivals`. */
function results(body: string, executor: Executor, arrivals = 64, options: LaunchOptions = {}) {
  const text = `.version 8.0
.target sm_90
.address_size 64
.entry k(.param .u64 out)
{
  .reg .b32 t, l, n, i, c, x, m; .reg .b64 at, s, u, v; .reg .pred p, q, r;
  .shared .align 8 .b64 object;
  ld.param.u64 at, [out]; mov.u32 t, %tid.x; mov.u32 l, %laneid; mov.u32 m, object; mov.u32 n, 0;
  setp.eq.u32 p, t, 0; @p mbarrier.init.shared.b64 [m], ${arrivals}; bar.sync 0;
  ${body}
  mad.wide.u32 at, t, 4, at; st.global.u32 [at], n; ret;
}`;
  const device = new Device();
  const out = device.buffer(new Uint32Array(64));
  const loaded = must(must(device.module({ name: "k", text })).kernel("k"));
  const { stop, steps, findings } = must(loaded.launch({ block: 64, args: [out], executor, ...options }));
  const told = stop.reason === "trap" ? [stop.diagnostic, ...findings] : findings;
  return { reason: stop.reason, steps, told, values: [...new Uint32Array(out.read().buffer)] };
}

/** Arrives, and asks until all have; n counts how often. */
const poll = `mbarrier.arrive.shared.b64 s, [m];
  again: add.u32 n, n, 1; mbarrier.test_wait.shared.b64 q, [m], s; @!q bra again;`;

describe.each([
  ["javascript", javascript],
  ["compiled", compiled],
])("mbarrier.test_wait, %s", (_, executor) => {
  it("is asked once a turn by a warp that waits for others, which come to theirs", () => {
    // The second warp takes ten turns of 64 branches.
    const slow =
      "setp.lt.u32 r, t, 32; @r bra on; mov.u32 c, 0; work: add.u32 c, c, 1; setp.lt.u32 r, c, 640; @r bra work; on:";
    const { reason, values } = results(`${slow} ${poll}`, executor);
    expect(reason).toBe("exit");
    expect(values.slice(32)).toEqual(Array(32).fill(1));
    expect(new Set(values.slice(0, 32)).size).toBe(1);
    expect(values[0]).toBeGreaterThan(8);
    expect(values[0]).toBeLessThan(13);
  });

  it("takes as many steps in blocks of the module as in JavaScript", () => {
    const options = { grid: 3, readableRegisters: false };
    for (const body of [poll, `setp.gt.u32 r, l, 20; @r add.u32 n, n, 5; ${poll}`])
      expect(results(body, executor, 64, options)).toEqual(results(body, javascript, 64, options));
  });

  it("leaves a warp that finds what it asks for all of its turn", () => {
    // Each warp counts its rounds where the other one sees it; n is how far the other has come at the end.
    const loop = `mov.u32 c, 0; and.b32 x, t, 32; mov.u32 i, rounds; add.u32 x, x, i; xor.b32 i, x, 32;
      work: mbarrier.test_wait.shared.b64 q, [m], s; st.volatile.shared.u32 [x], c; @q add.u32 c, c, 1; setp.lt.u32 r, c, 500; @r bra work;
      ld.volatile.shared.u32 n, [i];`;
    const body = `.shared .align 64 .b8 rounds[64]; setp.eq.u32 r, l, 0; @r st.shared.u32 [rounds], 0; @r st.shared.u32 [rounds+32], 0;
      mbarrier.arrive.shared.b64 s, [m]; mbarrier.test_wait.shared.b64 q, [m], s; bar.sync 0; ${loop}`;
    const { values } = results(body, executor);
    // When one of them ends, the other is a turn of 64 rounds behind, or one and what its failed poll took from its first one.
    expect(Math.max(...values)).toBe(499);
    expect(Math.min(...values)).toBeLessThanOrEqual(500 - 64);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(500 - 2 * 64);
  });

  it("tells each lane of the phase for which it asks", () => {
    // s is of the first phase; the object itself is a state of the second one, which is not complete.
    const body = `mbarrier.arrive.shared.b64 s, [m]; bar.sync 0; ld.shared.b64 v, [m];
      and.b32 x, l, 1; setp.eq.u32 r, x, 0; selp.b64 v, v, s, r;
      mbarrier.test_wait.shared.b64 q, [m], v; selp.u32 n, 1, 2, q;`;
    expect(results(body, executor).values).toEqual(Array.from({ length: 64 }, (_, t) => (t % 2 === 0 ? 2 : 1)));
  });

  it("finds that a state is too old", () => {
    const phases = "mbarrier.arrive.shared.b64 u, [m]; bar.sync 0; ".repeat(2);
    const ask = "mbarrier.test_wait.shared.b64 q, [m], s; selp.u32 n, 1, 2, q;";
    const { told, values } = results(`mbarrier.arrive.shared.b64 s, [m]; bar.sync 0; ${phases} ${ask}`, executor);
    expect(told.map(({ code }) => code)).toEqual(["PTX4031"]);
    expect(values).toEqual(Array(64).fill(1));
  });

  it("says where there is no object", () => {
    const gone = "mov.b64 s, 0; @p mbarrier.inval.shared.b64 [m]; mbarrier.test_wait.shared.b64 q, [m], s;";
    const { told } = results(gone, executor);
    expect(told[0]).toMatchObject({ code: "PTX3031" });
  });
});

it("copies of a warp for which there is no room end at the first lane that has none", () => {
  // Of 1,048,575 arrivals 20 have come: so many more may be pending.
  const body = `setp.eq.u32 r, t, 0; @r mbarrier.arrive.release.cta.shared.b64 _, [m], 20; setp.lt.u32 r, t, 32;
    @r cp.async.mbarrier.arrive.shared.b64 [m];`;
  const { told } = results(body, javascript, 1_048_575, { block: 32 });
  expect(told[0]).toMatchObject({ code: "PTX3032", thread: { lane: 20 } });
});

it.each([1, 3])(
  "lanes that arrive together, %i times each, get the states of lanes that arrive one after the other",
  (times) => {
    const body = `mov.u32 i, ${times}; mbarrier.arrive.release.cta.shared.b64 s, [m], i; bar.sync 0;
    mbarrier.arrive.release.cta.shared.b64 s, [m], i; cvt.u32.u64 n, s; and.b32 n, n, 0xfffff;
    shr.u64 s, s, 61; cvt.u32.u64 x, s; shl.b32 x, x, 20; add.u32 n, n, x;`;
    const { values } = results(body, javascript, 64 * times);
    expect(values).toEqual(Array.from({ length: 64 }, (_, t) => (1 << 20) + times * (64 - t)));
  },
);
