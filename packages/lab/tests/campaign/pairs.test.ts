import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Source } from "../../../../src/source/source.ts";
import { World } from "../../../../tests/unit/cli/world.ts";
import { readPlan } from "../../campaign/plan.ts";

const world = new World();
afterAll(() => world.remove());

const root = resolve(import.meta.dirname, "../../../..");
const folder = join(root, "campaigns");
const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
const read = (path: string): string => readFileSync(path, "utf8");

it("the plans for all pairs are what tests/campaign/pairs.js makes", () => {
  execFileSync(process.execPath, [join(root, "tests/campaign/pairs.js"), world.folder]);
  expect(readdirSync(world.folder).sort()).toEqual(names.sort());
  for (const name of names) expect(read(join(world.folder, name))).toBe(read(join(folder, name)));
});

/** One form in six, by the gate in eighteen; all with PAIRS=all. */
const EVERY = process.env["PAIRS"] === "all" ? 1 : process.env["PTXRUN_TESTS"] === "rest" ? 18 : 6;

describe.each(names)("%s", (name) => {
  const { value: plan } = readPlan(new Source(name, read(join(folder, name))));
  const some = plan!.jobs.filter((_, at) => at % EVERY === 0);

  it.each(some.map(({ name, words }) => [name, words] as const))("%s agrees with its second way", async (_, words) => {
    expect(words.at(-1)).toBe("--all");
    const { out, exit } = await world.ptxrun(["sweep", ...words.slice(0, -1), "--count", "5K", "--json"]);
    const { cases, total, differ, inputs } = JSON.parse(out);
    expect([exit, cases, total, differ, inputs]).toEqual([0, 5000, 5000, 0, "random"]);
    const all = await world.ptxrun(["sweep", ...words, "--shard", "77777/999999", "--json"]);
    expect(JSON.parse(all.out)).toMatchObject({ inputs: "all", total: 2 ** 32, differ: 0 });
  });
});
