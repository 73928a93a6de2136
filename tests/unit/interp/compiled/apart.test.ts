import { expect, it, vi } from "vitest";
import { Device, must } from "../../../../src/host/index.ts";
import { CompiledProgram } from "../../../../src/interp/compiled/running/runner.ts";
import { compiled } from "../../../../src/interp/index.ts";

/** Each lane goes round 100 times and more, the upper ones longer, in a loop of their own. */
const text = `.version 8.0
.target sm_80
.address_size 64
.entry k()
{
  .reg .b32 t, i; .reg .pred p, again;
  mov.u32 t, %laneid; mov.u32 i, 0; setp.lt.u32 p, t, 9;
  @p bra low;
high:
  add.u32 i, i, 1; setp.lt.u32 again, i, 200; @again bra high;
  bra on;
low:
  add.u32 i, i, 1; setp.lt.u32 again, i, 100; @again bra low;
on:
  add.u32 i, i, t;
  ret;
}`;

it("a launch that stops while lanes are apart goes on in the module", () => {
  const kernel = must(must(new Device().module({ name: "k", text })).kernel("k"));
  const session = must(kernel.session({ block: 32, executor: compiled }));
  expect(session.run({ budget: 150 }).reason).toBe("budget");
  const outside = vi.spyOn(CompiledProgram.prototype, "outside");
  expect(session.run().reason).toBe("exit");
  expect(outside.mock.calls.length).toBeLessThan(3);
  const i = (lane: number) => session.registers({ block: 0, warp: 0, lane }).find(({ name }) => name === "i")?.bits;
  expect([i(8), i(9)]).toEqual([[108n], [209n]]);
});
