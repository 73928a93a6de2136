import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bundle } from "./bundle.ts";
import { counting, countingWorld } from "./counting.ts";

/** From `last` on, blocks read what nobody has. */
const world = countingWorld(
  ".param .u32 last",
  "ld.param.u32 %r7, [last];",
  "setp.ge.u32 %p2, %r1, %r7; @%p2 ld.global.u32 %r8, [%rd1+1000000];",
);

let bundle: Bundle;
beforeAll(async () => {
  bundle = await Bundle.make();
});
afterAll(() => {
  world.remove();
  bundle.remove();
});

describe("run --jobs", () => {
  it.each([
    ["to its end", "512", 0],
    ["to a fault", "400", 4],
  ])("runs blocks on threads %s, with the result of one", (_, last, exit) => {
    const [one, three] = ["1", "3"].map((jobs) => bundle.run([...counting, "-a", last, "--jobs", jobs], world.folder));
    expect([one!.exit, three!.exit]).toEqual([exit, exit]);
    const { workers, ...shared } = JSON.parse(three!.out);
    const { workers: alone, ...wanted } = JSON.parse(one!.out);
    expect(shared).toEqual(wanted);
    expect(alone).toMatchObject({ workers: 1, alone: "--jobs 1" });
    expect(workers.workers).toBe(3);
    expect(workers.blocks).toBeGreaterThan(0);
  });
});
