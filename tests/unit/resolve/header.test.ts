import { describe, expect, it } from "vitest";
import { codesOf, load } from "./load.ts";

const kernel = ".entry k(){ret;}\n";

describe("what a header may be", () => {
  it.each([
    ".version 9.0\n.target sm_100a\n",
    ".version 9.00\n.target sm_53\n",
    ".version 7.08\n.target sm_80\n",
    ".version 1.4\n.target sm_10, map_f64_to_f32\n",
    ".version 9.0\n.target compute_80\n.address_size 64\n",
    ".version 7.8\n.target sm_80\n.target sm_90\n",
    ".version 9.0\n.target sm_80, texmode_unified, texmode_unified\n",
    ".version 9.0\n.target sm_80, debug\n.section .debug_str { .b8 0 }\n",
  ])("%j", (header) => expect(codesOf(header + kernel)).toEqual([]));

  it("is kept", () => {
    const { image } = load(`.version 8.7\n.target sm_120a\n${kernel}`);
    expect(image.version).toBe(87);
    expect(image.target).toEqual({ name: "sm_120a", sm: 120, suffix: "a" });
  });
});

describe("instructions that the table does not have", () => {
  it.each([
    ["PTX1212", ".version 9.0\n.target sm_75\n.entry k(){ .reg .u32 a; redux.sync.add.u32 a,a,a; }"],
    ["PTX1212", ".version 9.0\n.target sm_100\n.entry k(){ setmaxnreg.inc.sync.aligned.u32 240; }"],
    ["PTX1213", ".version 7.5\n.target sm_80\n.entry k(){ .reg .u32 a; bmsk.clamp.b32 a,a,a; }"],
    ["PTX1511", ".version 6.4\n.target sm_70\n.entry k(){ .reg .b32 a; shfl.up.b32 a, a, 1, 0; }"],
  ])("%s: %j", (code, text) => expect(codesOf(text)).toEqual([code]));

  it("pass where the module is new enough", () => {
    expect(codesOf(".version 6.3\n.target sm_70\n.entry k(){ .reg .b32 a; shfl.up.b32 a, a, 1, 0; }")).toEqual([]);
    expect(codesOf(".version 9.0\n.target sm_100a\n.entry k(){ setmaxnreg.inc.sync.aligned.u32 240; }")).toEqual([]);
  });
});

describe("what a header may not be", () => {
  it.each([
    ["PTX1501", `.target sm_90\n${kernel}`],
    ["PTX1502", `.version 8.0\n${kernel}`],
    ["PTX1503", `.version 7.9\n.target sm_80\n${kernel}`],
    ["PTX1503", `.version 9.1\n.target sm_80\n${kernel}`],
    ["PTX1504", `.version 9.0\n.target sm_91\n${kernel}`],
    ["PTX1504", `.version 9.0\n.target sm_90f\n${kernel}`],
    ["PTX1504", `.version 9.0\n.target sm_90, texmode_raw\n${kernel}`],
    ["PTX1505", `.version 7.8\n.target sm_90a\n${kernel}`],
    ["PTX1505", `.version 4.1\n.target sm_53\n${kernel}`],
    ["PTX1506", `.version 9.0\n.target sm_80, texmode_unified, texmode_independent\n${kernel}`],
    ["PTX1506", `.version 9.0\n.target sm_80, map_f64_to_f32\n${kernel}`],
    ["PTX1506", `.version 9.0\n.target sm_80, debug\n${kernel}`],
    ["PTX1507", `.version 9.0\n.target sm_80\n${kernel}.address_size 64\n`],
    ["PTX1507", `.version 9.0\n.target sm_80\n${kernel}.target sm_80\n`],
    ["PTX1508", `.version 9.0\n.target sm_80\n.address_size 32\n${kernel}`],
    ["PTX1508", `.version 9.0\n.target sm_80\n.address_size 16\n${kernel}`],
    ["PTX1509", `.version 2.2\n.target sm_20\n.address_size 64\n${kernel}`],
    ["PTX1509", `.version 6.3\n.target sm_70\n.extern .func a() .noreturn;\n${kernel}`],
    ["PTX1509", `.version 8.2\n.target sm_70\n.global .b128 g;\n${kernel}`],
    ["PTX1510", `.version 7.8\n.target sm_80\n.entry k() .reqnctapercluster 2 {ret;}\n`],
    ["PTX1510", `.version 8.3\n.target sm_60\n.entry k() {.reg .b128 a; ret;}\n`],
  ])("%s: %j", (code, text) => expect(codesOf(text)).toContain(code));

  it("names the target that was meant", () => {
    const [diagnostic] = load(`.version 9.0\n.target sm_100aa\n${kernel}`).diagnostics;
    expect(diagnostic?.help?.[0]?.replace?.text).toBe("sm_100a");
  });
});
