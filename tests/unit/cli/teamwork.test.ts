import { afterAll, describe, expect, it } from "vitest";
import { teamworkText } from "../../../src/cli/run/command.ts";
import { workerPoolFor } from "../../../src/system/node-worker-pool.ts";
import { World } from "./world.ts";

const world = new World().write(
  "store.ptx",
  `.version 8.0
.target sm_90
.address_size 64
.visible .entry store(.param .u64 x)
{
  .reg .b32 %r<3>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [x];
  mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r1;
  ret;
}
`,
);
afterAll(() => world.remove());

const launch = ["store.ptx", "--grid", "4", "-a", "u32x4:fill=0", "--dump", "none"];
/** A worker pool that never comes to anything: the launch is too short. */
const some = { poolWorker: "/nowhere.cjs" };
const last = (text: string): string | undefined => text.trimEnd().split("\n").at(-1);

describe("what a run says of its threads", () => {
  it.each([
    [["--stats"], "--stats listens to its instructions"],
    [["--stats", "--jobs", "2"], "--stats listens to its instructions"],
    [["--stats", "--jobs", "1"], "--jobs 1"],
    [["-v", "--jobs", "2", "--sanitize", "race"], "--sanitize race listens to its instructions"],
    [["--stats", "--jobs", "2", "--sanitize", "mem,race"], "--stats and --sanitize race listen to its instructions"],
    [["-v", "--jobs", "2", "--sanitize", "init"], "accesses are not checked (--sanitize without mem)"],
    [["-v", "--jobs", "2", "--schedule", "random:7"], "its order is drawn by a seed (--schedule)"],
    [["-v", "--jobs", "2", "--seeds", "1..2"], "its order is drawn by a seed (--seeds)"],
    [["-v", "--jobs", "2", "--cooperative"], "it is cooperative (--cooperative)"],
    [["-v", "--jobs", "2", "--cluster", "2"], "its blocks form clusters"],
    [["-v", "--jobs", "2", "--async", "random:3"], "asynchronous data move at other times (--async)"],
    [["-v", "--jobs", "2"], "it was done before workers were worth it"],
    [["-v", "--jobs", "2", "--grid", "1"], "it has one block"],
  ])("with %j: %s", async (options, why) => {
    const { exit, err } = await world.ptxrun(["run", ...launch, ...options], some);
    expect([exit, last(err)]).toEqual([0, `run by one thread: ${why}`]);
    const json = await world.ptxrun(["run", ...launch, ...options, "--json"], some);
    expect(JSON.parse(json.out).workers).toMatchObject({ rounds: 0, blocks: 0, alone: why });
  });

  it("nothing unless somebody counts or asks", async () => {
    const { err, out } = await world.ptxrun(["run", ...launch, "--jobs", "2", "--json"], some);
    expect(err).toBe("");
    expect(JSON.parse(out).workers).toBeUndefined();
  });

  it("why there are no others", () => {
    const io = { ...some, now: () => 0 };
    expect(workerPoolFor("auto", io, 1)).toEqual({ alone: "there is one processor" });
    expect(workerPoolFor("auto", { now: () => 0 }, 8).alone).toBe("there are no others");
    expect(
      [workerPoolFor("auto", io, 8), workerPoolFor("auto", io, 99), workerPoolFor(64, io, 1)].map(
        ({ workerPool }) => workerPool?.size,
      ),
    ).toEqual([8, 16, 64]);
  });

  it("how many blocks they ran, and in how many rounds", () => {
    const work = { workers: 2, blocks: 10, rounds: 3 };
    expect(teamworkText({ ...work, alone: "" })).toBe("run by 2 threads: 10 blocks in 3 rounds\n");
    expect(teamworkText({ ...work, alone: "a block prints" })).toBe(
      "run by 2 threads: 10 blocks in 3 rounds, the rest by one: a block prints\n",
    );
  });
});
