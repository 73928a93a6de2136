import { afterAll, describe, expect, it } from "vitest";
import { Device } from "../../../src/host/index.ts";
import { World } from "./world.ts";

const kernel = (target: string, name = "k"): string =>
  `.version 8.0\n.target ${target}\n.address_size 64\n.entry ${name}() { .reg .b32 a; .reg .f16 h; tanh.approx.f16 h, h; ret; }\n`;
const world = new World()
  .write("new.ptx", kernel("sm_80"))
  .write("old.ptx", kernel("sm_50"))
  .write("both.ptx", kernel("sm_75") + kernel("sm_80", "other"));
afterAll(() => world.remove());

describe("--target for a text with a .target", () => {
  it("counts in its place, and a note says so", async () => {
    expect((await world.ptxrun(["new.ptx"])).err).not.toContain("PTX9021");
    const { exit, err } = await world.ptxrun(["new.ptx", "--target", "sm_70"]);
    expect([exit, err]).toEqual([3, expect.stringContaining("PTX9021: sm_70 is used instead of sm_80")]);
    expect((await world.ptxrun(["old.ptx"])).exit).toBe(3);
    for (const target of ["sm_80", "sm_120"])
      expect((await world.ptxrun(["old.ptx", "--target", target])).exit).toBe(0);
    expect((await world.ptxrun(["lint", "new.ptx", "--target", "sm_70"])).exit).toBe(3);
  });

  it("says nothing where it is the same", async () => {
    expect(await world.ptxrun(["new.ptx", "--target", "sm_80", "-d", "none", "-q"])).toEqual({
      exit: 0,
      out: "",
      err: "",
    });
  });

  it("chooses among several modules, and changes none", async () => {
    const { exit, err } = await world.ptxrun(["both.ptx", "--target", "sm_80", "--entry", "k"]);
    expect([exit, err]).toEqual([0, expect.not.stringContaining("PTX9021")]);
  });

  it("is a default alone for programs", () => {
    const { value, diagnostics } = new Device().module(kernel("sm_80"), { target: "sm_70" });
    expect([value?.kernel("k").diagnostics, diagnostics]).toEqual([[], []]);
  });
});
