import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { World } from "./world.ts";

const world = new World();
afterAll(() => world.remove());

const mp = (load: string) => `PTX mp
{ x = 0; flag = 0; }
 P0@cta 0,gpu 0         | P1@cta 1,gpu 0 ;
 st.weak x, 1           | ${load} r0, flag ;
 st.release.gpu flag, 1 | ld.weak r1, x ;
~exists (P1:r0 == 1 /\\ P1:r1 == 0)
`;
world
  .write("right.litmus", mp("ld.acquire.gpu"))
  .write("wrong.litmus", mp("ld.relaxed.gpu"))
  .write("bad.litmus", mp("ld.acquired"))
  .write("tests/a.litmus", mp("ld.acquire.gpu"))
  .write("tests/b.litmus", mp("ld.relaxed.gpu"));

const litmus = (...words: string[]) => world.ptxrun(["litmus", ...words]);

describe("litmus", () => {
  it("prints the final states, and exits with what is claimed of them", async () => {
    const { exit, out, err } = await litmus("right.litmus");
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out.split("\n")).toEqual([
      "mp  3 final states of 3 executions",
      "    P1:r0  P1:r1",
      "        0      0  1 execution",
      "        0      1  1 execution",
      "        1      1  1 execution",
      "never (P1:r0 == 1 /\\ P1:r1 == 0): as stated",
      expect.stringContaining("data race"),
      "",
    ]);
    const wrong = await litmus("wrong.litmus");
    expect(wrong.exit).toBe(1);
    expect(wrong.out).toContain("  *     1      0  1 execution");
    expect(wrong.err).toContain("PTX7018");
    expect(wrong.err).toContain("wrong.litmus:6:9");
  });

  it("says why: the axiom with its cycle, or the weakest change", async () => {
    expect((await litmus("right.litmus", "--why")).out).toContain("Forbidden: Causality (PTX ISA 8.10.6)");
    expect((await litmus("wrong.litmus", "--why")).out).toContain("P1: .acquire.gpu at `ld.relaxed.gpu r0, flag`");
  });

  it("draws, and gives JSON", async () => {
    expect((await litmus("right.litmus", "--why", "--svg", "one.svg")).exit).toBe(0);
    expect(readFileSync(join(world.folder, "one.svg"), "utf8")).toContain("Causality");
    await litmus("wrong.litmus", "--svg", "state-{}.svg");
    for (const number of [1, 2, 3, 4])
      expect(readFileSync(join(world.folder, `state-${number}.svg`), "utf8")).toMatch(/^<svg|^<\?xml/);
    const { tests, schema } = JSON.parse((await litmus("wrong.litmus", "--json", "--why")).out);
    expect(schema).toBe("ptxrun.litmus/1");
    expect(tests[0]).toMatchObject({ name: "mp", holds: false, executions: 4, complete: true, race: true });
    expect(tests[0].states).toContainEqual({ values: { "P1:r0": "1", "P1:r1": "0" }, executions: 1, meant: true });
    expect(tests[0].claims[0].why.mendedBy).toEqual(["P1: .acquire.gpu at `ld.relaxed.gpu r0, flag`"]);
  });

  it("runs folders, a line for each test", async () => {
    const { exit, out } = await litmus("tests");
    expect(exit).toBe(1);
    expect(out).toContain("ok   mp  tests/a.litmus: 3 final states of 3 executions");
    expect(out).toContain("no   mp  tests/b.litmus: 4 final states of 4 executions");
    expect(out).toContain("2 tests: 1 as stated, 1 not so");
    expect((await litmus("tests", "-q")).out).not.toContain("a.litmus");
  });

  it("stops at bounds, and refuses what it cannot read", async () => {
    const { exit, err } = await litmus("right.litmus", "--max-executions", "1");
    expect(exit).toBe(6);
    expect(err).toContain("PTX6008");
    const bad = await litmus("bad.litmus");
    expect(bad.exit).toBe(3);
    expect(bad.err).toContain("PTX1914");
    expect((await litmus("nowhere.litmus")).exit).toBe(2);
    expect((await litmus("right.litmus", "--bound", "0")).exit).toBe(2);
  });
});
