import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import schema from "../../../schema/litmus-1.json" with { type: "json" };
import { violations } from "./json-schema.ts";
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

const spin = mp("ld.acquire.gpu")
  .replace("ld.acquire.gpu r0, flag", "LC00: ld.acquire.gpu r0, flag")
  .replace("| ld.weak r1, x ;", "| bne r0, 1, LC00 ;\n | ld.weak r1, x ;");
world.write("spin.litmus", spin).write("impossible.litmus", mp("ld.acquire.gpu").replace("P1:r1 == 0", "P1:r1 == 7"));

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

  it("hints at strong accesses that carry a message without order", async () => {
    const { out } = await litmus("wrong.litmus", "--why");
    expect(out).toContain("hint: `ld.relaxed.gpu r0, flag` of P1 returns what `st.release.gpu flag, 1` of P0 wrote");
    const { tests } = JSON.parse((await litmus("wrong.litmus", "--json", "--why")).out);
    expect(tests[0].claims[0].why.hints).toHaveLength(1);
    expect((await litmus("right.litmus", "--why")).out).not.toContain("hint");
  });

  it("shows a loop that goes on for ever: in words, drawn, and as JSON", async () => {
    const text = spin.replace("st.release.gpu flag, 1", "st.relaxed.gpu flag, 2");
    world.write("lost.litmus", text.replace(/~exists.*/, "exists nontermination"));
    const { exit, out } = await litmus("lost.litmus", "--why", "--svg", "lasso.dot");
    expect(exit).toBe(0);
    expect(out).toContain("0 final states and 1 endless loop of");
    expect(out).toContain("P1 loops for ever");
    expect(out).toContain("repeats for ever: ld.acquire.gpu r0, flag");
    expect(readFileSync(join(world.folder, "lasso.dot"), "utf8")).toContain("repeats for ever");
    const json = JSON.parse((await litmus("lost.litmus", "--json", "--why")).out);
    expect(violations(json, schema)).toEqual([]);
    const repeats = [{ text: "ld.acquire.gpu r0, flag", location: "flag", reads: "2" }];
    expect(json.tests[0].states[0]).toMatchObject({ looping: ["P1"], rounds: [{ thread: "P1", repeats }] });
    world.write("seen.litmus", spin.replace(/~exists.*/, "forall terminated"));
    expect((await litmus("seen.litmus", "--why")).exit).toBe(0);
  });

  it("runs folders, a line for each test", async () => {
    const { exit, out } = await litmus("tests");
    expect(exit).toBe(1);
    expect(out).toContain("ok   mp  tests/a.litmus: 3 final states of 3 executions");
    expect(out).toContain("no   mp  tests/b.litmus: 4 final states of 4 executions");
    expect(out).toContain("2 tests: 1 as stated, 1 not as stated");
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

  it.each([
    ["tests that are as stated and not", ["tests", "--why"], 1],
    ["a bound", ["right.litmus", "--max-executions", "1", "--why"], 6],
    ["a loop", ["spin.litmus", "--why"], 0],
    ["what nothing writes", ["impossible.litmus", "--why"], 0],
    ["a test that cannot be read, beside one that can", ["bad.litmus", "right.litmus"], 3],
    ["a file that is not there", ["nowhere.litmus"], 2],
  ])("gives JSON of %s that fits schema/litmus-1.json", async (_, words, code) => {
    const { exit, out } = await litmus(...words, "--json");
    expect(exit).toBe(code);
    const value = JSON.parse(out);
    expect(violations(value, schema)).toEqual([]);
    expect(violations({ ...value, more: 1 }, schema)).not.toEqual([]);
    for (const test of value.tests)
      expect(violations({ ...value, tests: [{ ...test, holds: "yes" }] }, schema)).not.toEqual([]);
  });

  it("says of JSON's reasons what the text says", async () => {
    const why = async (file: string) => JSON.parse((await litmus(file, "--json", "--why")).out).tests[0].claims[0].why;
    expect(await why("impossible.litmus")).toEqual({ kind: "impossible", never: ["P1:r1 == 7"] });
    expect(await why("right.litmus")).toMatchObject({ kind: "forbidden", axiom: "Causality", section: "8.10.6" });
    const { cycle } = await why("right.litmus");
    for (const [at, { to }] of cycle.entries()) expect(to).toBe(cycle[(at + 1) % cycle.length].from);
    expect(cycle).toContainEqual({ from: "P0: st.release.gpu flag, 1", to: "P1: ld.acquire.gpu r0, flag", by: "sw" });
  });

  it("says within which bound of loops", async () => {
    expect((await litmus("spin.litmus")).out).toContain("as stated, within 4 rounds of each loop");
    const { out } = await litmus("spin.litmus", "--bound", "1", "--json");
    expect(JSON.parse(out).tests[0]).toMatchObject({ bound: 1, holds: true, executions: 1 });
  });

  it("shows an execution for each final state", async () => {
    const { out } = await litmus("wrong.litmus", "--executions");
    expect(out.match(/^P1:r0 = \d, P1:r1 = \d$/gm)).toHaveLength(4);
    expect(out.match(/^initially {2}/gm)).toHaveLength(4);
  });

  it("says nothing with -q but what is wrong", async () => {
    expect(await litmus("right.litmus", "-q")).toEqual({ exit: 0, out: "", err: "" });
    const { exit, out, err } = await litmus("wrong.litmus", "-q");
    expect([exit, out]).toEqual([1, ""]);
    expect(err).toContain("PTX7018");
  });

  it("draws the execution that a claim is about, or one for each final state, and says where it cannot", async () => {
    const drawn = (name: string) => readFileSync(join(world.folder, name), "utf8");
    await litmus("wrong.litmus", "--svg", "meant.svg");
    expect(drawn("meant.svg")).toContain("r0 = 1, r1 = 0");
    await litmus("wrong.litmus", "--svg", "each-{}.svg");
    const ends = [1, 2, 3, 4].map((number) => /r0 = \d, r1 = \d/.exec(drawn(`each-${number}.svg`))?.[0]);
    expect(new Set(ends).size).toBe(4);
    await litmus("right.litmus", "--why", "--svg", "why.svg");
    expect(drawn("why.svg")).toContain("Forbidden by Causality (PTX ISA 8.10.6)");
    await litmus("right.litmus", "--why", "--svg", "why.dot");
    expect(drawn("why.dot")).toMatch(/^digraph execution \{.*Forbidden by Causality \(PTX ISA 8\.10\.6\).*\}\n$/s);
    const { exit, err } = await litmus("right.litmus", "--svg", "no/such/folder.svg");
    expect(exit).toBe(2);
    expect(err).toContain("no/such/folder.svg");
  });

  it("reads standard input, and of a folder only what is a litmus test", async () => {
    const { exit, out } = await world.ptxrun(["litmus", "-"], { stdin: mp("ld.acquire.gpu") });
    expect(exit).toBe(0);
    expect(out).toContain("mp  3 final states");
    world.write("mixed/kernel.ptx", "add.u32 c, a, b;\n").write("mixed/a.litmus", mp("ld.acquire.gpu"));
    const mixed = await litmus("mixed");
    expect([mixed.exit, mixed.err]).toEqual([0, ""]);
    expect(mixed.out).toContain("1 as stated");
  });

  it("names those who wait for ever", async () => {
    world.write(
      "waits.litmus",
      "PTX waits\n{ x = 0; }\nP0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\nbar.cta.sync 1, 96 | bar.cta.sync 1, 96 ;\nexists (x == 0)\nforall deadlock\n",
    );
    const { exit, out } = await litmus("waits.litmus");
    expect(exit).toBe(1);
    expect(out).toContain("0 final states and 1 deadlock of 1 execution");
    expect(out).toContain("1 execution, P0 and P1 wait for ever");
    expect(out).toContain("exists (x == 0): not as stated");
    expect(out).toContain("forall deadlock: as stated");
    const { out: json } = await litmus("waits.litmus", "--json");
    expect(violations(JSON.parse(json), schema)).toEqual([]);
    expect(JSON.parse(json).tests[0].states[0].waiting).toEqual(["P0", "P1"]);
  });

  it("tells of each test of a folder as it ends", async () => {
    const printed: string[] = [];
    await world.ptxrun(["litmus", "tests"], { out: (text) => printed.push(text) });
    expect(printed.filter((text) => /^(?:ok|no) /.test(text)).length).toBe(2);
  });
});
