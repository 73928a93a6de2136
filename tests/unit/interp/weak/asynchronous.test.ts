import { describe, expect, it } from "vitest";
import { everyOutcome } from "../../../../packages/memory-model/litmus/kernel/outcomes.ts";
import { threadsOf } from "../../../../packages/memory-model/litmus/kernel/threads.ts";
import { usualBounds } from "../../../../packages/memory-model/model/enumerate.ts";
import { Device, must } from "../../../../src/index.ts";

const head = `.version 8.6 .target sm_90 .address_size 64
  .global .align 16 .b32 x[4] = {7, 8, 9, 10}; .global .align 16 .b32 y[4]; .global .align 4 .b32 out[2];
  .shared .align 16 .b32 s[4]; .shared .align 8 .b64 bar; .shared .align 4 .b32 d;`;
const begin =
  ".reg .b64 %q; .reg .b32 %r<9>; .reg .pred %p<4>; mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; mov.u32 %r5, 9;";
const init = (count: number): string => `@!%p1 mbarrier.init.shared.b64 [bar], ${count}; bar.sync 0;`;
const wait = "mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0; selp.u32 %r4, 1, 0, %p2;";
/** What thread 1 leaves: whether the phase was complete, and what it read then or before. */
const leave = "st.global.u32 [out], %r4; st.global.u32 [out+4], %r5;";

/** Two threads of one warp: what they do together, the first by itself, and the second. */
const kernel = (before: string, first: string, second: string): string =>
  `${head} .entry k() { ${begin} ${before} @%p1 bra SECOND; ${first} ret; SECOND: ${second} ${leave} ret; }`;

/** What `out` and `y` hold at the end of each execution that the model allows. */
function allowed(text: string): Set<string> {
  const make = () => {
    const module = must(new Device({ maxMemory: 1 << 20 }).module(text));
    const inputs = { args: [], buffers: [] } as never;
    return { value: { kernel: must(module.kernel("k")), module, inputs }, diagnostics: [] };
  };
  const launched = must(threadsOf(make, { grid: [1, 1, 1], block: [2, 1, 1], smem: 0 }, 4));
  const { all } = everyOutcome(launched, usualBounds);
  return new Set(all.map(({ memory }) => [...memory.get("out")!, memory.get("y")![0]].join()));
}

/** The same of weak runs, data moving at random, or early. */
function drawn(text: string): Set<string> {
  const found = new Set<string>();
  for (let seed = 0; seed < 60; seed++) {
    const module = must(new Device({ maxMemory: 1 << 20 }).module(text));
    const async = seed % 2 === 0 ? ({ when: "random", seed } as const) : ({ when: "early" } as const);
    const how = {
      block: 2,
      weak: { seed },
      schedule: { seed },
      async,
      sanitize: { mem: false, init: false, sync: false },
    };
    const { stop } = must(must(module.kernel("k")).launch(how));
    expect(stop.reason).toBe("exit");
    const words = (name: string): number[] => [...new Uint32Array(module.variable(name)!.read().slice().buffer)];
    found.add([...words("out"), words("y")[0]].join());
  }
  return found;
}

describe("asynchronous operations under weak memory", () => {
  const copy = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [x], 16, [bar];";
  /** With what the axioms allow, and what is never drawn: the lanes of a warp that have parted run in one order. */
  const cases: Readonly<Record<string, readonly [text: string, among: readonly string[], never?: readonly string[]]>> =
    {
      "an arrival that releases": [
        kernel(
          init(1),
          "st.shared.u32 [d], 1; mbarrier.arrive.shared.b64 %q, [bar];",
          `${wait} ld.shared.u32 %r5, [d];`,
        ),
        ["0,0,0", "0,1,0", "1,1,0"],
        ["0,0,0", "0,1,0"],
      ],
      "a relaxed arrival": [
        kernel(
          init(1),
          "st.shared.u32 [d], 1; mbarrier.arrive.relaxed.cta.shared.b64 %q, [bar];",
          `${wait} ld.shared.u32 %r5, [d];`,
        ),
        ["0,0,0", "0,1,0", "1,0,0", "1,1,0"],
        ["0,0,0", "0,1,0"],
      ],
      "a copy that an mbarrier object is told of": [
        kernel(
          init(1),
          `mbarrier.arrive.expect_tx.shared.b64 %q, [bar], 16; ${copy}`,
          `${wait} @%p2 ld.shared.u32 %r5, [s];`,
        ),
        ["0,9,0", "1,7,0"],
      ],
      "a store before a copy, which its end does not release": [
        kernel(
          init(1),
          `mbarrier.arrive.expect_tx.shared.b64 %q, [bar], 16; st.shared.u32 [d], 1; ${copy}`,
          `${wait} @%p2 ld.shared.u32 %r5, [d];`,
        ),
        ["0,9,0", "1,0,0", "1,1,0"],
      ],
      "an arrival behind copies": [
        kernel(
          init(1),
          "cp.async.ca.shared.global [s], [x], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [bar];",
          `${wait} @%p2 ld.shared.u32 %r5, [s];`,
        ),
        ["0,9,0", "1,7,0"],
      ],
      "a group that is waited for": [
        kernel(
          "",
          "cp.async.ca.shared.global [s], [x], 4; cp.async.wait_all; ld.shared.u32 %r2, [s]; st.global.u32 [y], %r2;",
          "mov.u32 %r4, 0;",
        ),
        ["0,9,7"],
      ],
    };

  it.each(Object.keys(cases))("%s: is drawn as the axioms allow it", (name) => {
    const [text, among, never = []] = cases[name]!;
    const [some, all] = [drawn(text), allowed(text)];
    expect([...all].sort()).toEqual([...among].sort());
    expect([...some].sort()).toEqual(among.filter((each) => !never.includes(each)).sort());
  });
});
