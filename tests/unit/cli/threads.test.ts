import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bundle } from "./bundle.ts";
import { World } from "./world.ts";

/** Each thread counts for a while and adds that to its word; from `last` on, blocks read what nobody has. */
const world = new World().write(
  "count.ptx",
  `.version 8.0
.target sm_80
.address_size 64
.visible .entry count(.param .u64 x, .param .u32 last)
{
  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [x];
  ld.param.u32 %r7, [last];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;
  mov.u32 %r5, 0;
L: mad.lo.u32 %r5, %r5, 3, %r4;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p1, %r6, 30000;
  @%p1 bra L;
  ld.global.u32 %r8, [%rd3]; add.u32 %r8, %r8, %r5; st.global.u32 [%rd3], %r8;
  setp.ge.u32 %p2, %r1, %r7;
  @%p2 ld.global.u32 %r8, [%rd1+1000000];
  ret;
}
`,
);
const launch = [
  "count.ptx",
  "--grid",
  "512",
  "--block",
  "64",
  "-a",
  "u32x32768:iota",
  "--max-steps",
  "1000M",
  "-v",
  "--json",
];

let bundle: Bundle;
beforeAll(async () => {
  bundle = await Bundle.make();
}, 120_000);
afterAll(() => {
  world.remove();
  bundle.remove();
});

describe("run --jobs", () => {
  it.each([
    ["to its end", "512", 0],
    ["to a fault", "400", 4],
  ])(
    "runs blocks on threads %s, with the result of one",
    (_, last, exit) => {
      const [one, three] = ["1", "3"].map((jobs) => bundle.run([...launch, "-a", last, "--jobs", jobs], world.folder));
      expect([one!.exit, three!.exit]).toEqual([exit, exit]);
      const { workers, ...shared } = JSON.parse(three!.out);
      expect(shared).toEqual(JSON.parse(one!.out));
      expect(workers.workers).toBe(3);
      expect(workers.blocks).toBeGreaterThan(0);
    },
    60_000,
  );
});
