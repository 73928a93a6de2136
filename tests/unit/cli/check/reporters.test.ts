import { afterAll, describe, expect, it } from "vitest";
import schema from "../../../../schema/check-1.json" with { type: "json" };
import sidecar from "../../../../schema/check-sidecar-1.json" with { type: "json" };
import { violations } from "../json-schema.ts";
import { looking, World } from "../world.ts";
import { type Element, readXml } from "./junit-xml.ts";
import { readTap } from "./tap-grammar.ts";

const add = "add.f16 d, a, b;\n";
/** Names and values that each format must escape. */
const nasty = '//@ case a<b>&"c" #1 \\ 50%, red: a=1 b=1 -> d=3\n';
const world = new World()
  .write("t/good.ptx", `//@ case one: a=1 b=1 -> d=2\n//@ case two: a=1 b=2 -> d=3\n${add}`)
  .write("t/bad.ptx", `//@ case one: a=1 b=1 -> d=0x4001\n//@ case fine: a=1 b=2 -> d=3\n${nasty}${add}`)
  .write("t/control.ptx", `//@ case \u001b[31mred\u009b: a=1 b=1 -> d=3\n${add}`)
  .write("t/nothing.ptx", add)
  .write("t/seeds.ptx", "//@ args: --seeds 3..9 --target sm_90\n//@ case s: a=1 -> d=2\nmov.u32 d, a;\n")
  .write("t/rejected.ptx", "add.rz.f16 d, a, b; //~ error PTX1203\nadd.rz.f16 d, a, b; //~ error PTX1201\n")
  .write("t/fault,:.ptx", "//@ case f: a=1 -> fault mem\nnot.b32 d, a;\n");
afterAll(() => world.remove());
const report = async (reporter: string, ...more: string[]) => {
  const outcome = await world.ptxrun(["check", ...(more.length > 0 ? more : ["t"]), "--reporter", reporter]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not come through
  expect(outcome.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  return outcome;
};

describe("the tap reporter", () => {
  it("follows the grammar of TAP 14, a point a case and one a file that is wrong", async () => {
    const { out, exit } = await report("tap");
    const points = readTap(out);
    expect(points.map(({ ok, description }) => [ok, description])).toEqual([
      [false, "t/bad.ptx: one"],
      [true, "t/bad.ptx: fine"],
      [false, 't/bad.ptx: a<b>&"c" #1 \\ 50%, red'],
      [false, "t/control.ptx"],
      [false, "t/fault,:.ptx: f"],
      [true, "t/good.ptx: one"],
      [true, "t/good.ptx: two"],
      [false, "t/nothing.ptx"],
      [true, "t/rejected.ptx: error PTX1203 line 1"],
      [false, "t/rejected.ptx: error PTX1201 line 2"],
      [false, "t/rejected.ptx"],
      [false, "t/seeds.ptx: s"],
    ]);
    expect(points[0]?.block).toEqual([
      'message: "case one: d is 0x4000 (2.0)"',
      "severity: fail",
      "code: PTX7005",
      'expected: "0x4001 (2.002), 1 ulp away"',
      "at:",
      '  file: "t/bad.ptx"',
      "  line: 1",
      "  column: 26",
      "mismatches:",
      '  - what: "d"',
      '    expected: "0x4001 (2.002)"',
      '    got: "0x4000 (2.0)"',
      "    ulp: 1",
      'repeat: "ptxrun t/bad.ptx -r a=1 -r b=1 -d d"',
    ]);
    expect(exit).toBe(1);
  });

  it("has a failing point when nothing was checked", async () => {
    expect(readTap((await report("tap", "t/good.ptx", "--filter", "none")).out)).toEqual([
      { ok: false, description: "nothing was checked", block: [] },
    ]);
  });
});

describe("the junit reporter", () => {
  /** What Jenkins' and GitLab's readers ask of each element. */
  const allowed: Readonly<Record<string, readonly [inside: readonly string[], needs: readonly string[]]>> = {
    testsuites: [["testsuite"], ["name", "tests", "failures", "errors", "time"]],
    testsuite: [["testcase"], ["name", "tests", "failures", "errors", "time"]],
    testcase: [
      ["failure", "error"],
      ["name", "classname", "file", "line", "time"],
    ],
    failure: [[], ["message", "type"]],
    error: [[], ["message", "type"]],
  };
  const check = (element: Element): void => {
    const [inside = [], needs = []] = allowed[element.name] ?? [];
    expect(Object.keys(allowed)).toContain(element.name);
    expect([...element.attributes.keys()]).toEqual(needs);
    for (const child of element.children) {
      expect(inside).toContain(child.name);
      check(child);
    }
  };
  const all = (element: Element, name: string): Element[] =>
    element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);

  it("is well-formed XML of JUnit's elements, with counts that agree", async () => {
    const root = readXml((await report("junit")).out);
    check(root);
    expect(root.name).toBe("testsuites");
    for (const each of [root, ...root.children]) {
      const counts = ["tests", "failures", "errors"].map((key) => Number(each.attributes.get(key)));
      expect(counts).toEqual(["testcase", "failure", "error"].map((name) => all(each, name).length));
    }
    expect(root.children.map(({ attributes }) => attributes.get("name"))).toEqual(
      ["bad", "control", "fault,:", "good", "nothing", "rejected", "seeds"].map((name) => `t/${name}.ptx`),
    );
    const failure = all(root, "failure")[0];
    expect(failure?.attributes.get("message")).toBe("case one: d is 0x4000 (2.0)");
    expect(failure?.text).toContain("repeat: ptxrun t/bad.ptx -r a=1 -r b=1 -d d\n");
    expect(all(root, "testcase").map(({ attributes }) => attributes.get("name"))).toContain('a<b>&"c" #1 \\ 50%, red');
  });

  it("has the seconds of each case, of each file with reading it, and of all", async () => {
    const now = looking(250);
    const { out } = await world.ptxrun(["check", "t/good.ptx", "t/bad.ptx", "--reporter", "junit"], { now });
    const root = readXml(out);
    const time = ({ attributes }: Element): number => {
      expect(attributes.get("time")).toMatch(/^\d+\.\d{3}$/);
      return Number(attributes.get("time"));
    };
    expect(time(root)).toBe(root.children.reduce((sum, each) => sum + time(each), 0));
    for (const suite of root.children) {
      const cases = suite.children.map(time);
      for (const each of cases) expect(each).toBeGreaterThan(0);
      expect(time(suite)).toBeGreaterThan(cases.reduce((sum, each) => sum + each, 0));
    }
  });

  it("is XML too when nothing was checked", async () => {
    expect(readXml((await report("junit", "t/good.ptx", "--filter", "none")).out).attributes.get("tests")).toBe("0");
  });
});

describe("the github reporter", () => {
  it("annotates each failure at its line, and no text of a file ends a command or begins one", async () => {
    const { out } = await report("github");
    const lines = out.trimEnd().split("\n");
    expect(lines.pop()).toBe("7 files: 4 passed, 8 failed");
    for (const line of lines) expect(line).toMatch(/^::(error|notice) (\w+=[^,:]+,){3}title=PTX\d{4}::[^\r]+$/);
    expect(lines[0]).toBe(
      "::error file=t/bad.ptx,line=1,col=26,title=PTX7005::case one: d is 0x4000 (2.0)%0Aexpected 0x4001 (2.002), 1 ulp away%0Arepeat: ptxrun t/bad.ptx -r a=1 -r b=1 -d d",
    );
    expect(out).toContain("50%25, red");
    expect(out).toContain("file=t/fault%2C%3A.ptx,");
  });

  it("annotates a case once, however much is wrong in its line, and each error of a file that is rejected once", async () => {
    world.write("g/values.ptx", '//@ case v: x=u32x4:fill=0 -> x=1,2,3,4 prints "a"\nld.global.u32 a, [x];\n');
    const cases = "//@ case w: a=1 -> d=1\n//@ case v: a=2 -> d=2\n";
    world.write("g/wrong.ptx", `${cases}movv.u32 d, a;\nadd.rz.f16 d, a, a;\n`);
    const [values = "", wrong = "", second = "", ...more] = (await report("github", "g")).out.trimEnd().split("\n");
    expect(more).toEqual(["2 files: 0 passed, 2 failed"]);
    expect(values).toMatch(
      /^::error file=g\/values.ptx,line=1,.*the first of 4 values that differ%0Aexpected 0x00000001 \(1\)/,
    );
    expect(values).toContain("%0Ax[3] is 0x00000000 (0), expected 0x00000004 (4)%0Aline 1: case v: ");
    expect(wrong).toMatch(/^::error file=g\/wrong.ptx,line=3,.*unknown instruction movv/);
    expect(second).toMatch(/^::error file=g\/wrong.ptx,line=4,.*\.rz/);
  });
});

it("lists the values that differ in the text of a junit failure", async () => {
  world.write("j/values.ptx", "//@ case v: x=u32x4:fill=0 -> x=1,2,3,4\nld.global.u32 a, [x];\n");
  expect((await report("junit", "j")).out).toContain("\n   x[3] is 0x00000000 (0), expected 0x00000004 (4)\nrepeat: ");
});

describe("the json reporter", () => {
  it("fits its schema, whatever came", async () => {
    for (const more of [[], ["t/good.ptx"], ["t/good.ptx", "--filter", "none"], ["t/nothing.ptx"]]) {
      expect(violations(JSON.parse((await report("json", ...more)).out), schema)).toEqual([]);
    }
    const document = JSON.parse((await report("json")).out);
    expect(violations({ ...document, more: 1 }, schema)).not.toEqual([]);
    expect(document.files.at(-1).cases[0]).toMatchObject({ name: "s", source: "t/seeds.ptx", line: 2, seed: 3 });
  });

  it("lists what --update wrote", async () => {
    world.write("u/u.ptx", `//@ case one: a=1 b=1 -> d=3\n//@ snapshot all: a=1 b=1\n${add}`);
    const document = JSON.parse((await report("json", "u", "--update")).out);
    expect(violations(document, schema)).toEqual([]);
    expect(document.files[0].updates).toMatchObject([
      { name: "one", file: "u/u.ptx", line: 1, before: "3", after: "2.0" },
      { name: "all", file: "u/u.all.snap", before: "" },
    ]);
    expect(document.files[0].cases.map(({ updated }: { updated?: boolean }) => updated)).toEqual([true, true]);
  });
});

describe("the schema of sidecars", () => {
  it("takes the example of its reader's page, and nothing odd", () => {
    const good = {
      schema: "ptxrun.check-sidecar/1",
      directives: ["args: --block 4", "case one: x=f32x1:1 y=f32x1 n=1 -> y=2", "snapshot"],
      errors: [{ line: 3, code: "PTX1203" }],
    };
    expect(violations(good, sidecar)).toEqual([]);
    expect(violations({ ...good, directives: ["cse"] }, sidecar)).not.toEqual([]);
    expect(violations({ ...good, more: [] }, sidecar)).not.toEqual([]);
  });
});
