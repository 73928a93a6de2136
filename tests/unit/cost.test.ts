import { expect, it } from "vitest";
import { cost, growth, LINEAR } from "../cost.ts";

let sum = 0;
const rounds = (count: number): void => {
  for (let at = 0; at < count; at++) sum = (Math.imul(sum, 31) + at) | 0;
};

it.each([
  ["the same for all sizes", () => rounds(1e5), 0, LINEAR],
  ["linear", (n: number) => rounds(300 * n), 0, LINEAR],
  ["n log n", (n: number) => rounds(50 * n * Math.log2(n)), 0, LINEAR],
  ["quadratic", (n: number) => rounds(2 * n * n), LINEAR, 3],
  ["cubic", (n: number) => rounds(n ** 3 / 500), LINEAR, 4],
])("the power of work that is %s", async (_, work, least, most) => {
  const power = await growth(work, [100, 1000]);
  expect(power).toBeGreaterThan(least - 0.5);
  expect(power).toBeLessThan(most);
  if (least === LINEAR) expect(power).toBeGreaterThan(LINEAR);
});

it("waits for what comes later", async () => {
  const later = async (n: number): Promise<void> => {
    await new Promise((done) => setImmediate(done));
    rounds(2 * n * n);
  };
  expect(await growth(later, [100, 1000])).toBeGreaterThan(LINEAR);
});

it("work is compared with a loop of this process, and done again where it is more than it may be", async () => {
  let times = 0;
  const work = (): void => {
    times++;
    rounds(2e6);
  };
  expect(await cost(work, 1e6)).toBeLessThan(1e6);
  expect(times).toBe(1);
  expect(await cost(work, 0.01)).toBeGreaterThan(0.01);
  expect(times).toBeGreaterThan(3);
});
