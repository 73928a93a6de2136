import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { World } from "./world.ts";

const world = new World()
  .write("k/bad.ptx", "add.rz.f16 %r1, %r2, %r3;\nmovv.u32 %r4, %r5;\nadd.f32.sat %f1, %f2, %f3;\n")
  .write("k/good.ptx", "add.f32 %f1, %f2, %f3;\n")
  .write("k/marked.ptx", "mo_v_.u32 %r1, %r2;\n");
afterAll(() => world.remove());
const actions = { GITHUB_ACTIONS: "true" };
const lint = (argv: readonly string[], env: Record<string, string> = {}) => world.ptxrun(["lint", ...argv], { env });
const BAD = [
  /^::error file=k\/bad\.ptx,line=1,col=4,title=PTX1203::/,
  /^::error file=k\/bad\.ptx,line=2,col=1,title=PTX1201::unknown instruction movv%0A/,
  /^::notice file=k\/bad\.ptx,line=3,col=8,title=PTX9001::/,
].map((each) => expect.stringMatching(each));

describe("lint on GitHub's runners", () => {
  it("annotates each problem at its line, folded away beside the text", async () => {
    const { out, err, exit } = await lint(["k/bad.ptx", "k/good.ptx"], actions);
    expect(out.split("\n")).toEqual([
      "::group::annotations",
      ...BAD,
      "::endgroup::",
      "2 files: 2 errors, 0 warnings, 1 note",
      "",
    ]);
    expect([err, exit]).toEqual([(await lint(["k/bad.ptx"])).err, 3]);
    expect((await lint(["k/bad.ptx", "-q"], actions)).out).not.toContain("::notice");
    expect((await lint(["k/good.ptx"], actions)).out).toBe("1 file: 0 errors, 0 warnings, 0 notes\n");
    expect((await lint(["k/bad.ptx", "--json"], actions)).out).not.toContain("::");
    expect((await lint(["k/bad.ptx"], { GITHUB_ACTIONS: "false" })).out).not.toContain("::");
  });

  it("prints annotations alone with --format github, anywhere", async () => {
    const { out, err } = await lint(["k/bad.ptx", "--format", "github"]);
    expect(out.split("\n")).toEqual([...BAD, "1 file: 2 errors, 0 warnings, 1 note", ""]);
    expect(err).toBe("");
  });

  it("adds to the step's summary, in which no text of a file is Markdown or HTML", async () => {
    const file = join(world.folder, "summary.md");
    await lint(["k/bad.ptx"], { ...actions, GITHUB_STEP_SUMMARY: file });
    await lint(["k/good.ptx"], { ...actions, GITHUB_STEP_SUMMARY: file });
    await lint(["k/marked.ptx"], { ...actions, GITHUB_STEP_SUMMARY: file });
    const text = readFileSync(file, "utf8");
    expect(text).toMatch(/^### ptxrun lint: 1 file: 2 errors.*\n\n\| code .*\n\| -.*\n\| PTX1203 \| k\/bad\.ptx:1 \| /);
    expect(text).toContain("\n\n### ptxrun lint: 1 file: 0 errors, 0 warnings, 0 notes\n\n###");
    expect(text).toContain("| k/marked.ptx:1 | unknown instruction mo&#95;v&#95; |");
  });
});
