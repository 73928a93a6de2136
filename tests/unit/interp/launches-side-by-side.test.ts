import { expect, test } from "vitest";
import { Device, must } from "../../../src/index.ts";
import { executors } from "../../../src/interp/create-session.ts";

const text = (add: number): string => `
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 by)
{
  .reg .b32 %r<5>; .reg .b64 %a<3>; .reg .pred %p;
  mov.u32 %r1, 0;
LOOP:
  ld.param.u64 %a1, [out]; ld.param.u32 %r2, [by];
  mov.u32 %r3, %tid.x; mad.wide.u32 %a2, %r3, 4, %a1;
  ld.global.u32 %r4, [%a2]; add.u32 %r4, %r4, %r2; add.u32 %r4, %r4, ${add}; st.global.u32 [%a2], %r4;
  add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, 50; @%p bra LOOP;
  ret;
}`;

test.each([...executors])("two launches on one memory may go on in turn, by %s", (_, executor) => {
  const device = new Device();
  const launches = [1, 1000].map((by) => {
    const out = device.buffer(new Uint32Array(64));
    const kernel = must(must(device.module(text(by))).kernel("k"));
    return { out, by, session: must(kernel.session({ block: 64, args: [out, 3 * by], executor }))! };
  });
  for (let budget = 1; launches.some(({ session }) => session.run({ budget }).reason === "budget"); budget += 3)
    for (const { session } of launches) session.run({ budget: 5 });
  for (const { session } of launches) expect(session.run()).toEqual({ reason: "exit" });
  for (const { out, by } of launches) {
    const words = new Uint32Array(out.read().buffer);
    expect([...words]).toEqual(Array.from({ length: 64 }, () => 50 * 4 * by));
  }
});
