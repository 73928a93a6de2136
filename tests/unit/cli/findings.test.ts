import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterAll, describe, expect, it } from "vitest";
import type { Io } from "../../../src/environment/io.ts";
import schema from "../../data/sarif-2.1.0.json" with { type: "json" };
import { World } from "./world.ts";

const race = `.version 7.8
.target sm_80
.address_size 64
.shared .align 4 .b32 s[1];
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<3>;
  mov.u32 %r1, %tid.x;
  st.shared.u32 [s], %r1;
  ret;
}
`;
const good = "//@ case one: a=1 b=1 -> d=2\nadd.f16 d, a, b;\n";
const world = new World()
  .write("k/bad.ptx", "add.rz.f16 d, a, b;\nmovv.u32 a, b;\n.reg .b32 t;\nadd.f32.sat d, a, b;\n")
  .write("k/twice.ptx", "add.rz.f16 d, a, b;\nadd.rz.f16 d, a, b;\n")
  .write("a b/wrong.ptx", good.replace("d=2", "d=3"))
  .write("race.ptx", `//@ args: --block 32 --sanitize race\n//@ case it: out=u32x1 -> ends\n${race}`)
  .write("one.ptx", "add.f32 d, a, b;\n")
  .write("other.ptx", "mov.f32 c, a;\nsub.f32 d, c, b;\n");
afterAll(() => world.remove());

// The schema is of draft 4, of which it has nothing that draft 7 reads otherwise but the name of its id.
const { $schema: _, id: __, $comment: ___, ...draft7 } = schema;
const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false, allErrors: true }).compile(
  draft7,
);

interface Region {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}
interface Physical {
  readonly physicalLocation: { readonly artifactLocation: Readonly<Record<string, string>>; readonly region: Region };
}
interface Located {
  readonly location: Physical & { readonly message: { readonly text: string } };
}
interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly Physical[];
  readonly relatedLocations?: readonly (Physical & { readonly id: number })[];
  readonly codeFlows?: readonly { readonly threadFlows: readonly { readonly locations: readonly Located[] }[] }[];
  readonly fixes?: readonly unknown[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
}
interface Rule {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly help: { readonly markdown: string };
}

const read = (file: string): string => readFileSync(join(world.folder, file), "utf8");

/** Runs a command that writes SARIF, which must fit the schema. */
async function sarif(argv: readonly string[], io: Partial<Io> = {}) {
  const { exit, out } = await world.ptxrun([...argv, "--reporter", `sarif=${join(world.folder, "it.sarif")}`], io);
  const log = JSON.parse(read("it.sarif"));
  validate(log);
  expect(validate.errors ?? []).toEqual([]);
  const [run] = log.runs;
  const { results, automationDetails, invocations } = run;
  return {
    exit,
    out,
    results: results as readonly Result[],
    rules: run.tool.driver.rules as readonly Rule[],
    category: automationDetails.id as string,
    invocation: invocations[0],
  };
}

const where = ({ locations: [first] }: Result) => [
  first?.physicalLocation.artifactLocation["uri"],
  ...Object.values(first?.physicalLocation.region ?? {}),
];

describe("SARIF", () => {
  it("has each problem of lint at its span, with the code's page as its rule", async () => {
    const { exit, out, results, rules, category } = await sarif(["lint", "k/bad.ptx"]);
    expect([exit, out, category]).toEqual([3, "1 file: 2 errors, 0 warnings, 1 note\n", "ptxrun-lint/"]);
    expect(results.map((each) => [each.ruleId, each.level, ...where(each)])).toEqual([
      ["PTX1203", "error", "k/bad.ptx", 1, 4, 1, 7],
      ["PTX1201", "error", "k/bad.ptx", 2, 1, 2, 5],
      ["PTX9001", "note", "k/bad.ptx", 4, 8, 4, 12],
    ]);
    for (const { ruleId, ruleIndex } of results) expect(rules[ruleIndex]?.id).toBe(ruleId);
    const rule = rules.find(({ id }) => id === "PTX1203");
    const page = await world.ptxrun(["explain", "PTX1203"]);
    expect(page.out).toContain(rule?.shortDescription.text);
    expect(rule?.help.markdown).toContain("```");
  });

  it("has what a check got, and the file by its URI in the repository", async () => {
    const env = { GITHUB_WORKSPACE: world.folder };
    const { exit, results } = await sarif(["check", "wrong.ptx"], { cwd: join(world.folder, "a b"), env });
    expect([exit, results.length]).toEqual([1, 1]);
    const [only] = results as [Result];
    expect([only.ruleId, ...where(only)]).toEqual(["PTX7005", "a%20b/wrong.ptx", 1, 26, 1, 29]);
    expect(only.message.text).toMatch(/^case one: d is 0x4000 \(2\.0\)\nexpected 0x4200 \(3\.0\).*\nrepeat: ptxrun /);
  });

  it("links the other places of a finding in its message", async () => {
    const { results } = await sarif(["check", "race.ptx"]);
    const [only] = results as [Result];
    expect([only.ruleId, only.relatedLocations?.map(({ id }) => id)]).toEqual(["PTX7006", [1, 2]]);
    expect(only.relatedLocations?.[0]?.physicalLocation.region.startLine).toBe(11);
    expect(only.message.text).toMatch(/\n\[.*\]\(1\)\n\[.*\]\(2\)$/);
  });

  it("has both threads of a race, in no order", async () => {
    const one = ".reg .pred %p; setp.eq.u32 %p, %r1, 0;\n  @%p st.shared.u32 [s], %r1;\n  ld.shared.u32 %r2, [s];";
    world.write("two.ptx", read("race.ptx").replace("st.shared.u32 [s], %r1;", one));
    const { results } = await sarif(["check", "two.ptx"]);
    const flows = results.flatMap(({ codeFlows = [] }) => codeFlows);
    const told = flows.map(({ threadFlows }) =>
      threadFlows.map(({ locations: [step] }) => [
        step?.location.physicalLocation.region.startLine,
        /thread \(\d+,0,0\) of block \(0,0,0\) \w+/.exec(step?.location.message.text ?? "")?.[0],
      ]),
    );
    expect(told).toEqual([
      [
        [13, "thread (1,0,0) of block (0,0,0) reads"],
        [12, "thread (0,0,0) of block (0,0,0) writes"],
      ],
    ]);
  });

  it("has a difference at the instruction of the second program that makes it", async () => {
    const { exit, results } = await sarif(["diff", "one.ptx", "other.ptx", "-r", "a=1", "-r", "b=2", "-d", "d"]);
    expect(exit).toBe(1);
    const [only] = results as [Result];
    expect([only.ruleId, ...where(only).slice(0, 2)]).toEqual(["PTX7019", "other.ptx", 2]);
    expect(only.message.text).toMatch(/^not the results of one\.ptx\nd is 0x\w+/);
    expect(only.relatedLocations?.[0]?.physicalLocation.region.startLine).toBe(1);
  });

  it("has what lies in no file as notifications", async () => {
    const { exit, results, invocation } = await sarif(["lint", "none.ptx"]);
    expect([exit, results, invocation.executionSuccessful]).toEqual([2, [], false]);
    expect(invocation.toolExecutionNotifications[0].descriptor.id).toBe("PTX7010");
  });

  it("keeps fingerprints when lines come before, and gives each finding its own", async () => {
    const of = async () => (await sarif(["lint", "k/twice.ptx"])).results.map((each) => each.partialFingerprints);
    const before = (await of()).map(({ "ptxrunFinding/v1": print }) => print);
    world.write("k/twice.ptx", `// new\n\n${read("k/twice.ptx")}`);
    const after = (await of()).map(({ "ptxrunFinding/v1": print }) => print);
    expect([after, new Set(before).size, before.length]).toEqual([before, 2, 2]);
  });

  it("has what parts of a campaign found in files", async () => {
    const plan = { schema: "ptxrun.campaign/1", name: "few", jobs: [{ check: ["a b/wrong.ptx"] }] };
    world.write("plan.json", JSON.stringify(plan));
    expect((await world.ptxrun(["campaign", "run", "plan.json", "-o", "done"])).exit).toBe(1);
    const { exit, results } = await sarif(["campaign", "merge", "done"]);
    expect([exit, ...results.map((each) => [each.ruleId, ...where(each).slice(0, 2)])]).toEqual([
      1,
      ["PTX7005", "a%20b/wrong.ptx", 1],
    ]);
  });

  it("wants a file where standard output is something else, and says where it cannot write", async () => {
    const { exit, err } = await world.ptxrun(["lint", "one.ptx", "--reporter", "sarif"]);
    expect([exit, err]).toEqual([2, expect.stringContaining("sarif=FILE, codequality=FILE")]);
    const unwritten = await world.ptxrun(["lint", "one.ptx", "--reporter", "sarif=no/where.sarif"]);
    expect([unwritten.exit, unwritten.err]).toEqual([2, expect.stringContaining("PTX2013")]);
  });
});

describe("GitLab's code quality", () => {
  it("has an issue for each finding in a file, by the repository's path", async () => {
    const env = { CI_PROJECT_DIR: world.folder };
    const args = ["lint", "k/bad.ptx", "none.ptx", "--reporter", "codequality=gl.json"];
    expect((await world.ptxrun(args, { env })).exit).toBe(2);
    const issues = JSON.parse(read("gl.json"));
    expect(issues.map((each: { check_name: string }) => each.check_name)).toEqual(["PTX1203", "PTX1201", "PTX9001"]);
    expect(issues[0]).toEqual({
      description: expect.stringMatching(/^PTX1203: /),
      check_name: "PTX1203",
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
      severity: "critical",
      location: { path: "k/bad.ptx", lines: { begin: 1, end: 1 } },
    });
    expect(issues[2].severity).toBe("info");
    await world.ptxrun(["check", "a b/wrong.ptx", "--reporter", "codequality=gl.json"], { env });
    expect(JSON.parse(read("gl.json"))[0].location.path).toBe("a b/wrong.ptx");
  });
});

describe("GitHub's runners", () => {
  it("get annotations and a summary of a difference, too", async () => {
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(world.folder, "summary.md") };
    const argv = ["diff", "one.ptx", "other.ptx", "-r", "a=1", "-r", "b=2", "-d", "d"];
    const { out } = await world.ptxrun(argv, { env });
    expect(out).toMatch(/^::error file=other\.ptx,line=2,col=1,title=PTX7019::not the results of one\.ptx%0Ad is /m);
    expect(read("summary.md")).toMatch(/^### ptxrun diff: 1 pair: 0 equal, 1 different, 0 failed\n[\s\S]*PTX7019/);
    expect((await world.ptxrun([...argv, "--json"], { env })).out).not.toContain("::error");
  });
});
