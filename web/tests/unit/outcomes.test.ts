import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Inputs, Loaded } from "../../page/client.ts";
import * as debugging from "../../worker/debugging.ts";
import { litmusProblems, outcomeDetail } from "../../worker/outcomes.ts";

const file = (path: string): string => readFileSync(`examples/${path}`, "utf8");
/** Warp instructions that a launch runs by itself. */
const STEPS = 10_000;
const load = (name: string, text: string, given: Partial<Inputs> = {}): Promise<Loaded> => {
  const inputs = { entry: "", grid: "", block: "", values: {}, race: false, ...given };
  return debugging.load({ name, text, inputs }, STEPS);
};

const claims = "//@ exists P1:r0 == 1 /\\ P1:r1 == 0\n";
const test = `//@ litmus mp
.global .u32 data;
.global .u32 flag;
//@ thread P0
st.relaxed.gpu.global.u32 [data], 1;
st.relaxed.gpu.global.u32 [flag], 1;
//@ thread P1
ld.relaxed.gpu.global.u32 r0, [flag];
ld.relaxed.gpu.global.u32 r1, [data];
${claims}`;

describe("a litmus test", () => {
  it("has all its final states, and what it claims of them is judged", async () => {
    const { state, problems, outcomes } = await load("mp.ptx", test);
    expect([state, problems]).toEqual([undefined, []]);
    expect(outcomes?.title).toBe("mp: 4 final states of 4 executions");
    expect(outcomes?.columns).toEqual(["P1:r0", "P1:r1"]);
    expect(outcomes?.rows.map(({ cells, marked }) => [...cells, marked])).toEqual([
      ["0", "0", false],
      ["0", "1", false],
      ["1", "0", true],
      ["1", "1", false],
    ]);
    expect(outcomes?.claims.map(({ text, holds }) => [text, holds])).toEqual([
      ["exists P1:r0 == 1 /\\ P1:r1 == 0", true],
    ]);
    // What is looked at has its execution, and the fences that forbid it.
    expect(outcomeDetail(2)).toContain("What would forbid it:\n  P0: .release.gpu at `st.relaxed");
    expect(outcomeDetail(4)).toBeUndefined();
  });

  it("says which axiom forbids what it claims", async () => {
    const ordered = test.replace("st.relaxed.gpu.global.u32 [flag]", "st.release.gpu.global.u32 [flag]");
    const never = ordered.replace("ld.relaxed.gpu.global.u32 r0", "ld.acquire.gpu.global.u32 r0");
    const { outcomes } = await load("mp.ptx", never);
    expect(outcomes?.claims.map(({ holds }) => holds)).toEqual([false]);
    expect(outcomes?.claims[0]?.why).toContain("8.10");
    expect(outcomes?.rows.map(({ cells }) => cells.join(""))).toEqual(["00", "01", "11"]);
  });

  it("is read as it is published, too", async () => {
    const { outcomes } = await load("mp.litmus", file("litmus/introduction/mp.litmus"));
    expect(outcomes?.claims.map(({ holds }) => holds)).toEqual([false]);
    expect(outcomes?.rows.length).toBe(4);
  });

  it("has the problems of its text where they are", async () => {
    expect(litmusProblems({ name: "mp.ptx", text: test })).toEqual([]);
    const text = test.replace("P1:r1", "P1:r7");
    const [wrong] = litmusProblems({ name: "mp.ptx", text });
    expect([wrong?.code, text.slice(wrong?.from, wrong?.to)]).toEqual(["PTX1902", "P1:r7"]);
    const { outcomes, problems } = await load("mp.ptx", text);
    expect([outcomes?.title, problems.length]).toEqual(["", 1]);
  });
});

describe("a launch", () => {
  // All that goes between the blocks is relaxed, which is no race.
  const flag = file("checks/flag.ptx")
    .replace("st.global.u32 [%rd1]", "st.relaxed.gpu.global.u32 [%rd1]")
    .replace("ld.global.u32 %r3", "ld.relaxed.gpu.global.u32 %r3");
  const values = { data: "u32x1", flag: "u32x1", seen: "u32x2" };

  it("with relaxed loads has more outcomes than the run shows, and which one that was", async () => {
    const { state } = await load("flag.ptx", flag, { grid: "2", block: "1", values });
    expect([state?.findings, state?.relaxed]).toEqual([[], true]);
    const { title, columns, rows, problems } = debugging.outcomes();
    expect([title, columns, problems]).toEqual(["4 outcomes of 4 executions", ["data", "flag", "seen"], []]);
    expect(rows.map(({ cells, marked }) => [cells[2], marked])).toEqual([
      ["0, 0", false],
      ["0, 42", false],
      ["1, 0", false],
      ["1, 42", true],
    ]);
    expect(outcomeDetail(2)).toContain("What would forbid it:\n  B0T0: .release.gpu");
  });

  it("that is too large says how large it may be", async () => {
    await load("flag.ptx", flag, { grid: "2", block: "32", values });
    const { rows, problems } = debugging.outcomes();
    expect(rows).toEqual([]);
    expect(problems.map(({ code, expected }) => [code, expected])).toEqual([
      ["PTX6009", "8 threads at most, by --grid and --block"],
    ]);
  });

  it("without relaxed loads is not said to have others", async () => {
    const { state } = await load("a.ptx", "mov.u32 i, %tid.x;\n", { block: "32" });
    expect(state?.relaxed).toBe(false);
  });
});
