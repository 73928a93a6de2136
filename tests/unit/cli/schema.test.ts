import { afterAll, describe, expect, it } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import schema from "../../../schema/run-1.json" with { type: "json" };
import { violations } from "./json-schema.ts";
import { twice, World } from "./world.ts";

const printf = `.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);
.global .align 1 .b8 text[4] = {104, 105, 10, 0};
.visible .entry says()
{
  .reg .b64 %rd<3>;
  mov.u64 %rd1, text;
  cvta.global.u64 %rd2, %rd1;
  { .param .b64 f; .param .b64 v; .param .b32 r;
    st.param.b64 [f], %rd2; st.param.b64 [v], 0;
    call.uni (r), vprintf, (f, v); }
  ret;
}
`;
const world = new World().write("twice.ptx", twice).write("says.ptx", printf);
afterAll(() => world.remove());

const two = ["twice.ptx", "--block", "2", "-a", "x=f32x2:1,3", "-a", "y=f32x2", "-a", "n=2"];

describe("run --json", () => {
  it.each([
    ["a snippet", ["-e", ".reg .pred p; setp.eq.u32 p, a, b; add.cc.u32 d, a, b;", "-r", "a=1"], 0],
    ["a module with buffers", [...two, "-d", "regs", "-d", "x", "--thread", "all"], 0],
    ["numbers", [...two, "--stats"], 0],
    ["lost digits", ["-e", "add.f32 d, a, b; sub.f32 e, d, a;", "-r", "a=1e8", "-r", "b=1.5", "--precision"], 0],
    [
      "lost range",
      [
        "-e",
        "mul.f32 d, a, a; sqrt.rn.f32 e, d; setp.lt.f32 p, e, a; add.s32 s, t, t; cvt.s64.s32 u, s;",
        "-r",
        "a=1e30",
        "-r",
        "t=2000000000",
        "--precision",
      ],
      0,
    ],
    ["text that was printed", ["says.ptx"], 0],
    ["why a value is so", [...two, "--why", "y[1]", "--why", "y[0]/1", "--why", "first"], 0],
    [
      "why it failed",
      ["twice.ptx", "--block", "2", "-a", "x=f32x2:1,3", "-a", "y=f32x1", "-a", "n=2", "--why", "first"],
      4,
    ],
    ["several seeds", [...two, "--seeds", "1..2"], 0],
    ["rejected PTX", ["-e", "add.rz.f16 d, a, b;"], 3],
    ["a fault", ["-e", "trap;"], 4],
    ["a limit", ["-e", "L: bra L;", "--max-steps", "10"], 6],
    ["a finding", ["-e", ".shared .b32 s; ld.shared.u32 a, [s];"], 7],
    ["an option that is wrong", ["-e", "not.b32 d, a;", "-r", "a=x"], 2],
  ])("of %s fits schema/run-1.json", async (_, argv, code) => {
    const { exit, out } = await world.ptxrun([...argv, "--json"]);
    expect(exit).toBe(code);
    const value = JSON.parse(out);
    expect(violations(value, schema)).toEqual([]);
    expect(violations({ ...value, exit: 70 }, schema)).not.toEqual([]);
    expect(violations({ ...value, more: 1 }, schema)).not.toEqual([]);
  });
});

describe("the schemas", () => {
  it("are part of the package", () => expect(manifest.files).toContain("schema"));
});

describe("the validator", () => {
  it("refuses keywords that it does not know", () => {
    expect(() => violations(1, { multipleOff: 2 })).toThrow("multipleOff");
  });
});
