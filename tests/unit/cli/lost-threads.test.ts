import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { sample } from "../../share.ts";
import { Bundle } from "./bundle.ts";
import { counting, countingWorld } from "./counting.ts";

/** Each thread adds what it has counted to one sum, too; enough for workers to be worth it on any machine. */
const world = countingWorld(".param .u64 sum", "ld.param.u64 %rd4, [sum];", "red.global.add.u32 [%rd4], %r5;", 60_000);
const launch = [...counting, "-a", "u32x1:fill=0"];

let bundle: Bundle;
let wanted: unknown;
beforeAll(async () => {
  bundle = await Bundle.make();
  const { workers: _, ...alone } = JSON.parse((await world.ptxrun([...launch, "--jobs", "1"])).out);
  wanted = alone;
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(() => {
  world.remove();
  bundle.remove();
});

/** Worker code that serves as usual but does something else when it gets its range number `at`. */
const atRange = (at: number, does: string): string =>
  `let ranges = 0;
  require("worker_threads").parentPort.on("message", ({ kind }) => { if (kind === "range" && ++ranges === ${at}) { ${does} } });
  require("./start.cjs").poolMember();`;

/** The same, when it would wait for the given time for what becomes of its blocks. */
const atVerdict = (at: number, does: string): string =>
  `let waits = 0; const { wait } = Atomics;
  Atomics.wait = (...given) => { if (++waits === ${at}) { ${does} } return wait(...given); };
  require("./start.cjs").poolMember();`;

const filled = "const kept = []; for (;;) kept.push(new Array(1e5).fill({}));";

describe("a launch whose threads are lost", () => {
  const losses = [
    ["throws at once", "throw new Error('no luck')", /no luck/],
    ["throws nothing that is an error", "throw undefined", /a worker ended: /],
    ["leaves in a round", atRange(3, "process.exit(7)"), /it left with code 7/],
    ["runs out of memory in a round", atRange(2, filled), /memory|heap/],
    ["throws when its blocks are done", atVerdict(1, "throw new Error('when done')"), /when done/],
  ] as const;
  it.each(sample(losses, 8))("goes on by itself where one %s", (_, code, why) => {
    writeFileSync(join(dirname(bundle.entry), "pool-worker.cjs"), code);
    vi.stubEnv("NODE_OPTIONS", "--max-old-space-size=64");
    const { exit, out, err } = bundle.run([...launch, "--jobs", "2"], world.folder);
    expect([exit, err]).toEqual([0, ""]);
    const { workers, ...shared } = JSON.parse(out);
    expect(shared).toEqual(wanted);
    expect(workers.alone).toMatch(why);
  });
});
