import { afterAll, describe, expect, it } from "vitest";
import { World } from "../world.ts";

const test = (claims: string, load = "ld.acquire.gpu") => `//@ litmus mp
.global .u32 x;
.global .u32 flag;
//@ thread P0
st.weak.global.u32 [x], 1;
st.release.gpu.global.u32 [flag], 1;
//@ thread P1
${load}.global.u32 r0, [flag];
ld.weak.global.u32 r1, [x];
${claims}
`;
const bad = "P1:r0 == 1 /\\ P1:r1 == 0";
const world = new World()
  .write("right.ptx", test(`//@ never ${bad}\n//@ exists P1:r0 == 0`))
  .write("wrong.ptx", test(`//@ exists P1:r0 == 0\n//@ never ${bad}`, "ld.relaxed.gpu"))
  .write("unread.ptx", test("//@ never P2:r0 == 1"))
  .write("unheard.ptx", test(`//@ never ${bad}`, "ld.acquired.gpu"));
afterAll(() => world.remove());

describe("check of litmus tests", () => {
  it("takes each claim as a case", async () => {
    const { exit, out, err } = await world.ptxrun(["check", "right.ptx", "-v"]);
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toContain(`never ${bad}`);
    expect(out).toContain("1 file: 2 passed, 0 failed");
  });

  it("fails where a claim is not so, with its line", async () => {
    const { exit, out } = await world.ptxrun(["check", "wrong.ptx"]);
    expect(exit).toBe(1);
    expect(out).toContain("PTX7018");
    expect(out).toContain("wrong.ptx:11:11");
    expect(out).toContain("1 file: 1 passed, 1 failed");
  });

  it("takes those that a filter names", async () => {
    expect((await world.ptxrun(["check", "wrong.ptx", "--filter", "exists"])).exit).toBe(0);
    expect((await world.ptxrun(["check", "wrong.ptx", "--filter", "never"])).exit).toBe(1);
    expect((await world.ptxrun(["check", "wrong.ptx", "--filter", "nothing of the kind"])).exit).not.toBe(0);
  });

  it("fails for a test that cannot be read", async () => {
    for (const [file, code] of [
      ["unread.ptx", "PTX1902"],
      ["unheard.ptx", "PTX1"],
    ] as const) {
      const { exit, out } = await world.ptxrun(["check", file]);
      expect(exit).not.toBe(0);
      expect(out).toContain(code);
    }
  });
});

describe("lint of litmus tests", () => {
  it("reads threads, declarations and conditions", async () => {
    expect(await world.ptxrun(["lint", "right.ptx", "wrong.ptx"])).toEqual({
      exit: 0,
      out: "2 files: 0 errors, 0 warnings, 0 notes\n",
      err: "",
    });
    const { exit, err } = await world.ptxrun(["lint", "unread.ptx"]);
    expect(exit).toBe(3);
    expect(err).toContain("there is no thread P2");
  });
});
