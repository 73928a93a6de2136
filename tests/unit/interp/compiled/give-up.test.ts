import { expect, it } from "vitest";
import { Device, must } from "../../../../src/host/index.ts";
import { compiled, javascript } from "../../../../src/interp/index.ts";

/** Warps arrive once each at an mbarrier object that never counts `count` of them in its last phase. */
const waits = (count: number, once: string, often: string): string => `.version 8.0
.target sm_90
.address_size 64
.entry k()
{
  .reg .b32 t, o, m, dead; .reg .b64 a; .reg .pred first, done;
  .shared .align 8 .b8 M[8];
  mov.u32 t, %tid.x; mov.u32 m, M; mov.u32 o, 0; mov.u32 dead, 0;
again:
  setp.eq.u32 first, t, 0;
  @first mbarrier.init.shared.b64 [m], ${count};
  ${once}
  mbarrier.arrive.shared.b64 a, [m];
wait:
  ${often}
  mbarrier.try_wait.shared.b64 done, [m], a;
  @!done bra wait;
  setp.lt.u32 first, o, 2;
  @first bra again;
}`;

const registers = {
  "was set before, and is read no more": ["setp.eq.u32 done, t, 0;", ""],
  "changes in each round, and is never read": ["", "mov.u32 dead, %clock;"],
} as const;

it.each(Object.entries(registers))(
  "a wait without an end is told after as many steps by either executor, whatever a register holds that %s",
  (_, [once, often]) => {
    for (const [threads, count] of [
      [96, 96],
      [32, 64],
    ] as const) {
      const [left, right] = [javascript, compiled].map((executor) => {
        const text = waits(count, once, often);
        const device = new Device();
        // Registers come to lie where a buffer has been.
        device.buffer(new Uint8Array(65536).fill(1)).free();
        const kernel = must(must(device.module({ name: "k", text })).kernel("k"));
        const { stop, session } = must(kernel.launch({ block: [threads], executor, maxSteps: 10_000 }));
        return { stop, steps: session.steps };
      });
      expect(right).toEqual(left);
      expect(left!.stop).toMatchObject({ reason: "trap", diagnostic: { code: "PTX3034" } });
    }
  },
);
