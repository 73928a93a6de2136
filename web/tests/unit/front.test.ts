import { afterAll, expect, it } from "vitest";
import { share } from "../../../tests/share.ts";
import { World } from "../../../tests/unit/cli/world.ts";
import { uses } from "../../site/front.ts";
import { recorded } from "../../site/recorded.ts";

it("shows a run that comes to what the program means", async () => {
  const { lanes, steps, changes } = await recorded();
  expect(changes).toHaveLength(steps.length);
  const values = [0, 1, 2].map(() => Array.from({ length: lanes }, () => 0));
  for (const change of changes) for (const [column, lane, value] of change) (values[column] as number[])[lane] = value;
  // Steps from 1, 2 … 8 to 1.
  const expected = [0, 1, 7, 2, 5, 8, 16, 3];
  expect(values).toEqual([expected.map(() => 1), expected, expected]);
});

const world = new World();
afterAll(() => world.remove());

it.each(share(uses, 10).map(({ who, command }) => [who, command] as const))(
  "%s begin with a command that runs",
  async (_, command) => {
    const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");
    const { exit, err } = await world.ptxrun(words.slice(1), { cwd: process.cwd() });
    // 1 says that there is a difference, or that something is wrong with the kernel: that is what they are for.
    expect([err, exit]).toEqual(["", /diff|doctor|sweep/.test(command) ? 1 : 0]);
  },
);
