import { afterAll, describe, expect, it } from "vitest";
import { quoted } from "../../../../src/environment/quoted.ts";
import { Source } from "../../../../src/source/source.ts";
import { World } from "../../../../tests/unit/cli/world.ts";
import { engineNames } from "../../campaign/names.ts";
import { readWantedShard, shardHere } from "../../campaign/place.ts";
import { planText, readPlan } from "../../campaign/plan.ts";
import { unitsIn, unitsOf, wordsOf } from "../../campaign/unit.ts";

const world = new World();
afterAll(() => world.remove());

const jobs = [
  { name: "a", sweep: ["add.f16", "--all"], parts: 5 },
  { name: "b", run: ["k.ptx"], seeds: "5..24", parts: 3 },
  { name: "c", command: ["./fuzz", "--from={first}", "{last}", "{part}/{parts}"], seeds: "0..9", parts: 4 },
  { check: ["x", "--filter", "y"], seeds: "0..9" },
];
const text = (more: object = {}): string => JSON.stringify({ schema: "ptxrun.campaign/1", name: "n", jobs, ...more });
const read = (written: string) => readPlan(new Source("p.json", written));
const plan = read(text()).value!;

describe("a plan", () => {
  it("gives each part its command line", () => {
    const words = [...unitsIn(plan, { index: 1, count: 1 })].map((unit) => wordsOf(unit).join(" "));
    expect(words).toEqual([
      ...[1, 2, 3, 4, 5].map((part) => `sweep add.f16 --all --shard ${part}/5 --json`),
      "run k.ptx --seeds 5..10",
      "run k.ptx --seeds 11..17",
      "run k.ptx --seeds 18..24",
      "./fuzz --from=0 1 1/4",
      "./fuzz --from=2 4 2/4",
      "./fuzz --from=5 6 3/4",
      "./fuzz --from=7 9 4/4",
      "check x --filter y --seeds 0..9 --reporter json",
    ]);
  });

  it("has each part in exactly one shard, for any number of shards", () => {
    const all = Array.from({ length: unitsOf(plan) }, (_, at) => at);
    for (let count = 1; count <= 20; count++) {
      const numbers = Array.from({ length: count }, (_, at) => [...unitsIn(plan, { index: at + 1, count })]).flat();
      expect(numbers.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(all);
      const sizes = Array.from({ length: count }, (_, at) => [...unitsIn(plan, { index: at + 1, count })].length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }
  });

  it("is the same whatever its blanks, and another for another word", () => {
    expect(read(JSON.stringify(JSON.parse(text()), null, 7)).value!.hash).toBe(plan.hash);
    expect(read(planText(plan)).value).toEqual(plan);
    expect(read(text({ name: "m" })).value!.hash).not.toBe(plan.hash);
  });

  const job = (more: object): string => text({ jobs: [more] });
  it.each([
    ["no JSON", "{", "this is not JSON"],
    ["another kind", "[]", "a plan is an object"],
    ["no schema", '{"name":"n","jobs":[]}', "the plan's schema is missing"],
    ["another key", text({ shards: 3 }), "a plan has no shards"],
    ["no jobs", text({ jobs: [] }), "a plan has a job at least"],
    ["no name", text({ name: "" }), "a plan's name is a text"],
    ["two things", job({ sweep: ["x"], check: ["y"] }), "a job does one thing"],
    ["nothing", job({ parts: 3 }), "a job does one thing"],
    ["another key of a job", job({ sweep: ["x"], part: 3 }), "a job has no part"],
    ["a key twice", '{"schema":"ptxrun.campaign/1","name":"a","name":"b","jobs":[]}', "name is given twice"],
    ["a text for words", job({ sweep: "add.f16" }), "sweep takes the words of a command line"],
    ["a number as a word", job({ sweep: [1] }), "a word is a text"],
    ["parts of nothing", job({ sweep: ["x"], parts: 0 }), "parts that cannot be"],
    ["half a part", job({ sweep: ["x"], parts: 1.5 }), "parts that cannot be"],
    ["more parts than seeds", job({ run: ["x"], seeds: "0..3", parts: 5 }), "parts that cannot be"],
    ["too many parts", text({ jobs: [1, 2].map((at) => ({ sweep: [`${at}`], parts: 9e6 })) }), "18000000 parts"],
    ["run without seeds", job({ run: ["x"] }), "run has seeds to share out"],
    ["seeds of a sweep", job({ sweep: ["x"], seeds: "0..3" }), "sweep has no seeds"],
    ["seeds in words", job({ run: ["x"], seeds: "a..b" }), "seeds that cannot be read"],
    ["its own option", job({ sweep: ["x", "--shard", "1/2"] }), "--shard is given by the campaign"],
    ["its own option with a value", job({ check: ["x", "--reporter=tap"] }), "--reporter is given by the campaign"],
    ["two jobs of one name", text({ jobs: [jobs[0], jobs[0]] }), "two jobs are a"],
  ])("says where %s is wrong", (_, written, message) => {
    const { value, diagnostics } = read(written);
    expect(value).toBeUndefined();
    expect(diagnostics.map((each) => each.code)).toContain("PTX2501");
    const found = diagnostics.find((each) => each.message.includes(message));
    expect(found?.message).toContain(message);
    expect(found!.span.start).toBeLessThanOrEqual(found!.span.end);
  });
});

describe("--shard", () => {
  const shard = (wanted: string, env: object = {}) => shardHere(readWantedShard(wanted)!, env);
  it.each([
    ["auto", { SLURM_ARRAY_TASK_ID: "7", SLURM_ARRAY_TASK_MIN: "5", SLURM_ARRAY_TASK_COUNT: "9" }, 3, 9],
    ["auto", { JOB_COMPLETION_INDEX: "0", PTXRUN_SHARDS: "4" }, 1, 4],
    ["auto/6", { JOB_COMPLETION_INDEX: "5" }, 6, 6],
    ["auto", { CI_NODE_INDEX: "2", CI_NODE_TOTAL: "3" }, 2, 3],
    ["auto", { CIRCLE_NODE_INDEX: "2", CIRCLE_NODE_TOTAL: "3" }, 3, 3],
    ["auto", { BUILDKITE_PARALLEL_JOB: "0", BUILDKITE_PARALLEL_JOB_COUNT: "3" }, 1, 3],
    ["auto/9", { PARALLEL_SEQ: "9" }, 9, 9],
    ["auto", { PTXRUN_SHARD: "2", PTXRUN_SHARDS: "2" }, 2, 2],
    ["3/8", { SLURM_ARRAY_TASK_ID: "1" }, 3, 8],
  ])("%s in %j", (wanted, env, index, count) => {
    expect(shard(wanted, env)).toEqual({ index, count });
  });

  it.each([
    ["auto", {}, "nothing says which shard this is"],
    [
      "auto",
      { JOB_COMPLETION_INDEX: "0" },
      "Kubernetes says JOB_COMPLETION_INDEX=0, and not how many shards there are",
    ],
    ["auto", { PARALLEL_SEQ: "x" }, "nothing says"],
    ["auto/3", { PARALLEL_SEQ: "4" }, "GNU parallel says PARALLEL_SEQ=4, and there are 3 shards"],
    ["auto/3", { JOB_COMPLETION_INDEX: "3" }, "Kubernetes says JOB_COMPLETION_INDEX=3, and there are 3 shards"],
    ["auto/3", { SLURM_ARRAY_TASK_ID: "0" }, "Slurm says SLURM_ARRAY_TASK_ID=0, and there are 3 shards"],
  ])("%s in %j cannot be known", (wanted, env, message) => {
    expect(shard(wanted, env)).toMatchObject({ code: "PTX2502", message: expect.stringContaining(message) });
  });

  it.each(["auto/0", "auto/", "auto/x", "0/3", "4/3", "", "1"])("is not %j", (wanted) => {
    expect(readWantedShard(wanted)).toBeUndefined();
  });
});

describe("campaign plan", () => {
  world.write("it's a plan.json", text({ name: "Half & more" }));
  const planned = (...words: string[]) => world.ptxrun(["campaign", "plan", "it's a plan.json", ...words]);

  it("counts parts", async () => {
    const { out, exit } = await planned();
    expect([out, exit]).toEqual([
      `Half & more: 4 jobs, 13 parts, plan ${read(text({ name: "Half & more" })).value!.hash.slice(0, 12)}\n` +
        "  a: sweep, 5 parts\n  b: run, 3 parts\n" +
        "  c: command, 4 parts: ./fuzz '--from={first}' '{last}' '{part}/{parts}'\n" +
        "  check x --filter y: check, 1 part\n",
      0,
    ]);
  });

  it("shows names and other commands so that they move and hide nothing", async () => {
    const jobs = [{ name: "a\n  b: sweep, 1 part\u001b[2K", command: ["sh", "-c", "rm -rf \u202e x\n# harmless"] }];
    world.write("odd.json", text({ name: "n\u001b[1A", jobs }));
    const { out } = await world.ptxrun(["campaign", "plan", "odd.json"]);
    expect(out.split("\n")).toEqual([
      expect.stringMatching(/^n\\x1b\[1A: 1 jobs, 1 parts, plan /),
      "  a\\n  b: sweep, 1 part\\x1b[2K: command, 1 part: sh -c 'rm -rf \\u{202e} x\\n# harmless'",
      "",
    ]);
  });

  it("refuses more shards than parts, and more jobs than GitHub starts", async () => {
    expect((await planned("--shards", "14")).err).toContain("14 shards for 13 parts");
    world.write("big.json", text({ jobs: [{ sweep: ["x"], parts: 300 }] }));
    const many = await world.ptxrun(["campaign", "plan", "big.json", "--github", "--shards", "257"]);
    expect([many.exit, many.err]).toEqual([2, expect.stringContaining("256 jobs of a matrix at most")]);
  });

  it.each(engineNames)("writes a job file for %s that names plan, folder and number of shards", async (engine) => {
    const { out, exit } = await planned(`--${engine}`, "--shards", "5", "--output", "far out");
    expect(exit).toBe(0);
    expect(out).toContain("half-more");
    expect(out).toMatch(/far out/);
    expect(out).toMatch(/plan\.json/);
    expect(out).toMatch(engine === "github" ? /\[1, 2, 3, 4, 5\]/ : /5/);
  });

  it("writes paths into a workflow as they are, whatever is in them", async () => {
    const begin = "\u0024{{";
    const folder = `a #b: ${begin} secrets.KEY }} 'c"\\`;
    const { out } = await planned("--github", "--shards", "2", "--output", folder);
    // As YAML 1.2 has it, a string of JSON is the same string.
    const strings = (word: RegExp): string[] => [...out.matchAll(word)].map(([, said]) => JSON.parse(said ?? ""));
    const literal = folder.replace(begin, () => `${begin} '${begin}' }}`);
    expect(strings(/^ +path: (".*far.*"|".*secrets.*")$/gm)).toEqual([literal, literal]);
    const runs = strings(/^ +- run: (.*)$/gm);
    // An expression of GitHub's is evaluated before a shell reads the line.
    const evaluated = runs.map((line) =>
      line.replace(`${begin} '${begin}' }}`, () => begin).replace(`${begin} matrix.shard }}`, "1"),
    );
    expect(evaluated).toEqual([
      expect.stringContaining(` campaign run ${quoted("it's a plan.json")} --shard 1/2 --output ${quoted(folder)}`),
      expect.stringContaining(` campaign merge ${quoted(folder)} --reporter text`),
    ]);
  });

  it("keeps a folder's lines out of what a shell runs", async () => {
    const { out } = await planned("--slurm", "--output", "a\nrm b");
    expect(out).toContain("#   ptxrun campaign merge 'a\\nrm b'\n");
  });
});
