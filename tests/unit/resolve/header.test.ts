import { describe, expect, it } from "vitest";
import { parse } from "../../../src/parser/index.ts";
import { loadModule } from "../../../src/resolve/index.ts";
import { Source } from "../../../src/source/source.ts";
import { codesOf, load } from "./load.ts";

const kernel = ".entry k(){ret;}\n";

describe("what a header may be", () => {
  it.each([
    ".version 9.0\n.target sm_100a\n",
    ...["9.1", "9.2", "9.3", "9.4"].map((version) => `.version ${version}\n.target sm_120a\n`),
    ...["sm_107", "sm_107f", "sm_107a"].map((target) => `.version 9.4\n.target ${target}\n`),
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

describe("a text without .version or .target", () => {
  const assumed = (text: string, defaults: { version?: string; target?: string } = {}) => {
    const source = new Source("paste.ptx", text);
    const { value, diagnostics } = loadModule(source, parse(source).value, defaults);
    // What ptxrun does not execute yet is another matter.
    const all = [...diagnostics, ...value.lint()].filter(({ code }) => code !== "PTX9020");
    const found = all.map(({ code, message }) => `${code} ${message}`);
    return [`${value.version} ${value.target.name}`, ...found];
  };

  it.each([
    ["94 sm_90", "ret;"],
    ["94 sm_90", ".reg .b32 a; mov.u32 a, %clusterid.x;"],
    ["94 sm_90a", "wgmma.fence.sync.aligned;"],
    ["94 sm_100a", "setmaxnreg.inc.sync.aligned.u32 240; tcgen05.fence::before_thread_sync;"],
    ["94 sm_100a", "tcgen05.fence::before_thread_sync;"],
    ["63 sm_75", ".reg .b32 a; shfl.up.b32 a, a, 1, 0;", "PTX9105 shfl.up.b32 is deprecated since PTX 6.0"],
  ])("gets %s for %s", (header, body, ...more) => {
    const [version = "", target = ""] = header.split(" ");
    const said = `PTX9010 .version ${version[0]}.${version[1]} and .target ${target} are assumed`;
    expect(assumed(`.entry k(){${body}}`)).toEqual([header, said, ...more]);
  });

  it("keeps what it states", () => {
    expect(assumed(`.version 7.0\n${kernel}`)).toEqual(["70 sm_80", "PTX9010 .target sm_80 is assumed"]);
    expect(assumed(`.target sm_61\n${kernel}`)).toEqual(["94 sm_61", "PTX9010 .version 9.4 is assumed"]);
    expect(assumed(`.target sm_61\n.entry k(){ .reg .b32 a; shfl.up.b32 a, a, 1, 0; }`)[0]).toBe("94 sm_61");
    expect(assumed(`.address_size 64\n${kernel}`)[0]).toBe("94 sm_90");
  });

  it("takes what the host says", () => {
    expect(assumed(kernel, { version: "7.8", target: "sm_80" })).toEqual(["78 sm_80"]);
    expect(assumed(kernel, { target: "sm_80" })).toEqual(["94 sm_80", "PTX9010 .version 9.4 is assumed"]);
    expect(assumed(`.version 8.0\n.target sm_70\n${kernel}`, { version: "9.0", target: "sm_80" })).toEqual([
      "80 sm_70",
    ]);
    expect(assumed(kernel, { version: "9", target: "sm_91" }).slice(1)).toEqual([
      "PTX1503 unknown PTX version 9",
      "PTX1504 unknown target sm_91",
    ]);
  });

  it("may call what it defines further down", () => {
    const text = ".entry k(){ call f; ret; }\n.func f(){ ret; }\n";
    expect(assumed(text).slice(1)).toHaveLength(1);
    expect(codesOf(`.version 9.0\n.target sm_90\n${text}`)).toEqual(["PTX1421"]);
  });
});

describe("a module of 32 bits", () => {
  it("is rejected with one message", () => {
    const text = `.version 8.0\n.target sm_80\n.address_size 32\n.entry k(.param .u32 p){ .reg .b32 r; ld.param.u32 r, [p]; st.global.u32 [r], r; }`;
    expect(load(text).diagnostics.map(({ code }) => code)).toEqual(["PTX1508"]);
  });
});

describe("what a header may not be", () => {
  it.each([
    ["PTX1501", `.target sm_90\n.version 8.0\n${kernel}`],
    ["PTX1501", `${kernel}.version 8.0\n`],
    ["PTX1502", `.version 8.0\n${kernel}.target sm_90\n`],
    ["PTX1503", `.version 7.9\n.target sm_80\n${kernel}`],
    ["PTX1503", `.version 9.10\n.target sm_80\n${kernel}`],
    ["PTX1504", `.version 9.0\n.target sm_91\n${kernel}`],
    ["PTX1504", `.version 9.0\n.target sm_90f\n${kernel}`],
    ["PTX1504", `.version 9.0\n.target sm_90, texmode_raw\n${kernel}`],
    ["PTX1505", `.version 7.8\n.target sm_90a\n${kernel}`],
    ["PTX1505", `.version 9.3\n.target sm_107\n${kernel}`],
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

  it.each([
    [".version 9.9\n.target sm_90\n", "PTX 9.9", 94, "sm_90"],
    [".version 10.0\n.target sm_90\n", "PTX 10.0", 94, "sm_90"],
    [".version 9.4\n.target sm_108\n", "sm_108", 94, "sm_107"],
    [".version 9.4\n.target sm_109f\n", "sm_109f", 94, "sm_107f"],
    [".version 9.4\n.target sm_122a\n", "sm_122a", 94, "sm_121a"],
  ])("%j is newer than ptxrun: one warning, and it runs as what is known", (header, what, version, target) => {
    const { image, diagnostics } = load(header + kernel);
    expect(diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual(["warning PTX1512"]);
    expect(diagnostics[0]?.message).toMatch(new RegExp(`^${what} is newer`));
    expect([image.version, image.target.name]).toEqual([version, target]);
  });

  it.each(["sm_102", "sm_99", "sm_130", "sm_104a", "sm_91"])("%s is of no family, or was never", (target) =>
    expect(codesOf(`.version 9.4\n.target ${target}\n${kernel}`)).toEqual(["PTX1504"]),
  );

  it("names the target that was meant", () => {
    const [diagnostic] = load(`.version 9.0\n.target sm_100aa\n${kernel}`).diagnostics;
    expect(diagnostic?.help?.[0]?.replace?.text).toBe("sm_100a");
  });
});
