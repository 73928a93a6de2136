import { expect, it, vi } from "vitest";
import { Device, must } from "../../../../src/index.ts";
import { Fallback } from "../../../../src/interp/compiled/running/fallback.ts";
import { compiled, type Executor, javascript } from "../../../../src/interp/index.ts";

const entered = vi.spyOn(Fallback.prototype, "begin");
const steps = vi.spyOn(Fallback.prototype, "step");

/** Each thread of a block leaves a word of its own in shared memory, from where a bulk copy takes them; `fence` stands before the barrier. */
const program = (fence: string): string => `.version 8.8
.target sm_90
.address_size 64
.entry k(.param .b64 out)
{
  .reg .b32 t, x, y, s, i; .reg .b64 o; .reg .pred p, q;
  .shared .align 128 .b8 tile[512];
  ld.param.b64 o, [out]; cvta.to.global.u64 o, o;
  mov.u32 t, %tid.x; mov.u32 s, tile; mad.lo.u32 s, t, 4, s; mov.u32 x, t; mov.u32 i, 0;
LOOP:
  mad.lo.u32 x, x, 3, t; shfl.sync.bfly.b32 y, x, 1, 31, -1; xor.b32 x, x, y; add.u32 x, x, t;
  add.u32 i, i, 1; setp.lt.u32 q, i, 20; @q bra LOOP;
  st.shared.u32 [s], x;
  ${fence}
  bar.sync 0;
  setp.eq.u32 p, t, 0; mov.u32 s, tile;
  @p cp.async.bulk.global.shared::cta.bulk_group [o], [s], 512;
  @p cp.async.bulk.commit_group;
  @p cp.async.bulk.wait_group 0;
  ret;
}`;

function results(text: string, executor: Executor) {
  const device = new Device();
  const kernel = must(must(device.module(text)).kernel("k"));
  const out = device.buffer(new Uint8Array(512));
  const session = must(kernel.session({ grid: 2, block: 128, args: [out], executor }))!;
  const { reason } = session.run();
  const findings = session.findings.map(({ code, span, related }) => [
    code,
    span,
    related?.map((each) => each.message),
  ]);
  session.close();
  return { reason, steps: session.steps, findings, out: [...new Uint32Array(out.read().buffer)] };
}

it.each([
  ["fence.proxy.async.shared::cta;", []],
  ["", ["PTX4025"]],
  ["@p fence.proxy.async.shared::cta;", ["PTX4025"]],
])("a program with readers in the async proxy is compiled, but for what it writes for them: %s", (fence, codes) => {
  const expected = results(program(fence), javascript);
  entered.mockClear();
  steps.mockClear();
  const found = results(program(fence), compiled);
  expect(found).toEqual(expected);
  // As the loop's text has it.
  let words = Array.from({ length: 128 }, (_, t) => t);
  for (let round = 0; round < 20; round++) {
    const own = words.map((x, t) => (Math.imul(x, 3) + t) >>> 0);
    words = own.map((x, t) => ((x ^ own[t ^ 1]!) + t) >>> 0);
  }
  expect(found.out).toEqual(words);
  expect([...new Set(found.findings.map(([code]) => code))]).toEqual(codes);
  // The loop is the module's; the store, whose writer is noted, is not.
  expect(entered).toHaveBeenCalled();
  const left = new Set(steps.mock.calls.map(([pc]) => pc));
  expect(left.size).toBeGreaterThan(0);
  expect(left.size).toBeLessThan(8);
});
