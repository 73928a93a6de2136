import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { sidecarOf } from "../../../../src/cli/check/file/sidecar.ts";
import { twice, World } from "../world.ts";

const world = new World();
afterAll(() => world.remove());
const add = "add.f16 d, a, b;\n";
const schema = '"schema": "ptxrun.check-sidecar/1"';
const check = (ptx: string, json: string, ...more: string[]) =>
  world
    .write("s.ptx", ptx)
    .write("s.ptxcheck.json", json)
    .ptxrun(["check", "s.ptx", ...more]);
const directives = (...lines: string[]) => `{ ${schema}, "directives": ${JSON.stringify(lines)} }`;

describe("a sidecar", () => {
  it("says what the file's own lines would say", async () => {
    const { exit, out } = await check(
      twice,
      directives(
        "args: --block 2",
        "case one: x=f32x2:1,2 y=f32x2 n=2 -> y=2,4",
        "case two: x=f32x1:3 y=f32x1 n=1 -> y=6",
      ),
    );
    expect(out).toContain("2 passed");
    expect(exit).toBe(0);
  });

  it("adds to what the file says, and its args reach no further than itself", async () => {
    const own = `//@ args: --max-steps 1\n//@ case slow: a=1 b=1 -> fault limit\n${add}`;
    expect((await check(own, directives("case one: a=1 b=1 -> d=2"))).out).toContain("2 passed");
    expect((await check(own, directives("case slow: a=1 b=1 -> d=2"))).out).toContain("PTX7003");
  });

  it("marks lines that must be rejected", async () => {
    const marks = (line: number, code: string) => `{ ${schema}, "errors": [{ "line": ${line}, "code": "${code}" }] }`;
    expect((await check(`\n${add.replace("add", "add.rz")}`, marks(2, "PTX1203"))).exit).toBe(0);
    const { out, exit } = await check(`\n${add.replace("add", "add.rz")}`, marks(2, "PTX1201"));
    expect(out).toContain("no error PTX1201 on this line, but PTX1203");
    expect(out).toContain("s.ptxcheck.json:1:");
    expect(exit).toBe(1);
    expect((await check(add.replace("add", "add.rz"), marks(2, "PTX1203"))).out).toContain("PTX7007");
  });

  it("is where failures point, and what --update rewrites", async () => {
    const json = `{\n  ${schema},\n  "directives": [\n    "case größe: a=1 b=1 -> d=0x4001"\n  ]\n}\n`;
    const { out } = await check(add, json);
    expect(out).toContain("s.ptxcheck.json:4:29");
    expect(out).toContain("repeat: ptxrun s.ptx -r a=1 -r b=1 -d d\n");
    expect((await check(add, json, "--update")).exit).toBe(0);
    expect(readFileSync(join(world.folder, "s.ptxcheck.json"), "utf8")).toBe(json.replace("0x4001", "0x4000"));
    expect(readFileSync(join(world.folder, "s.ptx"), "utf8")).toBe(add);
  });

  it("is found in a folder, also without its file", async () => {
    const other = new World().write("x/lone.ptxcheck.json", directives("case one: -> d=2"));
    const { exit, out } = await other.ptxrun(["check", "x"]);
    expect(out).toContain("cannot read x/lone.ptx");
    expect(exit).toBe(1);
    other.remove();
  });

  it.each([
    ["[]", "a sidecar is an object"],
    ["{", "this is not JSON"],
    ["{} x", "this is not JSON"],
    ["", "this is not JSON"],
    ['{"a": tru}', "this is not JSON"],
    ['{"a": "\n"}', "this is not JSON"],
    ['{"a": 01}', "this is not JSON"],
    ['{"a": 1,}', "this is not JSON"],
    ["[".repeat(100_000), "this is not JSON"],
    ["{}", "a sidecar of no known kind"],
    [`{ ${schema}, "cases": [] }`, "a sidecar has no cases"],
    [`{ ${schema}, "directives": {} }`, "directives is not a list"],
    [`{ ${schema}, "directives": [1] }`, "a directive is a text"],
    [`{ ${schema}, "directives": ["case one: a=1\\u0020-> d=1"] }`, "a directive holds no escape"],
    [`{ ${schema}, "directives": ["cse one: a=1 -> d=1"] }`, "did you mean case?"],
    [`{ ${schema}, "errors": [{ "line": 0, "code": "PTX1203" }] }`, "a mark that cannot be read"],
    [`{ ${schema}, "errors": [{ "line": 1, "code": "1203" }] }`, "a mark that cannot be read"],
    [`{ ${schema}, "errors": [3] }`, "a mark that cannot be read"],
    [`{ ${schema} }`, "checks nothing"],
  ])("%s is refused", async (json, words) => {
    const { exit, out } = await check(add, json);
    expect(out).toContain(words);
    expect(exit).toBe(1);
  });

  it("is named after its file", () => {
    expect(sidecarOf("a/b.ptx")).toBe("a/b.ptxcheck.json");
    expect(sidecarOf("a/b.s")).toBe("a/b.s.ptxcheck.json");
  });
});
