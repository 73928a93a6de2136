import { describe, expect, it } from "vitest";
import { Device, type LaunchOptions } from "../../../../src/host/index.ts";
import { compiled, javascript } from "../../../../src/interp/index.ts";
import type { Executor } from "../../../../src/interp/state/executor.ts";
import { seen } from "./seen.ts";

/**
 * A loop as compilers turn it: its barrier lies before what half of the lanes execute, so that the others are there first.
 * `body`: what the half does; p holds in lanes whose turn it is, by t and i.
 */
const kernel = (body: string, barrier = "bar.sync 0;"): string => `.version 8.0
.target sm_80
.address_size 64
.func (.reg .b32 d) times(.reg .b32 s) {
  .reg .b32 c; .reg .pred q; mov.u32 c, 0; mov.u32 d, 0;
  again: add.u32 d, d, s; add.u32 c, c, 1; setp.lt.u32 q, c, 200; @q bra again; ret;
}
.func (.reg .b32 d) meets(.reg .b32 s) {
  .reg .pred q, o; setp.eq.u32 o, s, 96; setp.gt.u32 q, s, 20; bra.uni begin; meet: bar.sync 0; @q add.u32 d, s, 1; ret;
  begin: mov.u32 d, s; @q bra meet; @o ret; bra.uni meet;
}
.entry k(.param .u64 out)
{
  .reg .b32 t, i, n, a, b, c; .reg .b64 all, at; .reg .pred p, q, o;
  .shared .align 4 .b32 S[128];
  ld.param.u64 all, [out];
  mov.u32 t, %tid.x; mov.u32 i, 0; mov.u32 n, 0; mov.u32 a, S; mad.lo.u32 a, t, 4, a; st.shared.u32 [a], t;
  mad.wide.u32 at, t, 4, all;
  bra.uni begin;
meet:
  ${barrier}
  add.u32 i, i, 1;
begin:
  setp.gt.u32 o, i, 5; @o bra over;
  add.u32 b, t, i; and.b32 b, b, 3; setp.lt.u32 p, b, 2; @p bra meet;
  ${body}
  bra.uni meet;
over:
  st.global.u32 [at], n;
  ret;
}`;

const bodies: Readonly<Record<string, string>> = {
  "adds and comes": "ld.shared.u32 c, [a]; add.u32 n, n, c; st.shared.u32 [a], n;",
  "parts again": "setp.eq.u32 q, b, 2; @q bra meet; add.u32 n, n, 3;",
  "goes round a loop for several turns":
    "mov.u32 c, 0; again: add.u32 n, n, 1; add.u32 c, c, 1; setp.lt.u32 q, c, 700; @q bra again;",
  "exits in part": "setp.gt.u32 q, t, 40; @q exit; add.u32 n, n, 1;",
  exits: "exit;",
  "comes to another barrier": "setp.eq.u32 q, i, 2; @q bra there; bra.uni meet; there: bar.sync 1;",
  "arrives at another barrier": "bar.arrive 1, 64;",
  "reads beyond the end": "ld.global.u32 c, [at+4096]; add.u32 n, n, c;",
  "waits for all lanes": "shfl.sync.bfly.b32 c, n, 1, 31, -1;",
  "exchanges among those that are there": "activemask.b32 c; shfl.sync.bfly.b32 n, t, 4, 31, c;",
  "calls a function for several turns": "call.uni (c), times, (t); add.u32 n, n, c;",
  "stores where others read": "st.shared.u32 [S], t; ld.shared.u32 c, [S]; add.u32 n, n, c;",
};

const blocks = { grid: 2, block: 77 };

describe.each(Object.entries(bodies))("where half of a warp waits at a barrier and the other half %s", (_, body) => {
  it.each<[string, LaunchOptions, string?]>([
    ["blocks of three warps", {}],
    ["a full warp", { block: 32 }],
    ["race detection", { sanitize: { mem: true, init: true, race: true } }],
    ["a barrier in a register", {}, "mov.u32 c, 0; bar.sync c;"],
    ["a barrier that counts threads", {}, "bar.sync 0, 96;"],
    ["a reduction", {}, "bar.red.popc.u32 c, 0, p; add.u32 n, n, c;"],
  ])("all is alike: %s", (_, options, barrier) => {
    const text = kernel(body, barrier);
    expect(seen(text, compiled, { ...blocks, ...options })).toEqual(seen(text, javascript, { ...blocks, ...options }));
  });

  it("the next launch on the device finds nothing of it", () => {
    const again = (executor: Executor): unknown => {
      const device = new Device();
      return [body, bodies["adds and comes"]!].map((each) => seen(kernel(each), executor, blocks, device));
    };
    expect(again(compiled)).toEqual(again(javascript));
  });

  it("all is alike wherever a launch stops for its limit", () => {
    const text = kernel(body);
    for (let maxSteps = 20; maxSteps < 140; maxSteps += 11)
      expect(seen(text, compiled, { ...blocks, maxSteps })).toEqual(seen(text, javascript, { ...blocks, maxSteps }));
  });
});

it.each([
  "call.uni (n), meets, (t);",
  "mov.u32 c, t; setp.lt.u32 q, t, 9; @q mov.u32 c, 96; call.uni (n), meets, (c);",
])("where half of a warp waits at a barrier in a function: %s", (call) => {
  const text = kernel("add.u32 n, n, 1;").replace("st.global.u32 [at], n;", `${call} st.global.u32 [at], n;`);
  expect(seen(text, compiled, blocks)).toEqual(seen(text, javascript, blocks));
});
