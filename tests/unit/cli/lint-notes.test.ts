import { afterAll, describe, expect, it } from "vitest";
import { World } from "./world.ts";

const kernel = (body: string) =>
  `.version 9.0\n.target sm_90\n.address_size 64\n.entry k() {\n.reg .b32 a, b;\n.reg .u32 u;\n.reg .s32 s;\n.reg .f32 f;\n.reg .b64 d;\n${body}\nret;\n}\n`;
const world = new World();
afterAll(() => world.remove());
const lint = async (body: string) => {
  const { exit, out } = await world.ptxrun(["lint", "-", "--json"], { stdin: kernel(body) });
  const { diagnostics } = JSON.parse(out) as { diagnostics: { code: string; severity: string; message: string }[] };
  return { exit, said: diagnostics.map(({ code, severity, message }) => `${severity} ${code}: ${message}`) };
};

describe("lint says which instructions are not implemented", () => {
  const move = "mov.b32 a, t[b];";
  const table = ".shared .b32 t[4];";
  it("once for each spelling, with its count, and exits 0", async () => {
    expect(await lint(`${table}${move}\n${move}\nmov.b64 d, t[b];`)).toEqual({
      exit: 0,
      said: [
        "note PTX9020: mov.b32 is not implemented (2 times in this file)",
        "note PTX9020: mov.b64 is not implemented",
      ],
    });
  });
  it("in a snippet too", async () => {
    const { exit, err } = await world.ptxrun(["lint", "-"], { stdin: `.reg .b32 a, b; ${table} ${move}` });
    expect(exit).toBe(0);
    expect(err).toContain("note PTX9020: mov.b32 is not implemented\n");
  });
});

describe("an unusual order of modifiers", () => {
  it.each([
    ["add.f32.sat f, f, f;", ["note PTX9001: .sat is after the type"]],
    // As libcu++ writes it, and the manual's own examples.
    ["atom.add.release.gpu.u32 a, [d], b;", []],
    ["atom.global.acquire.gpu.cas.b32 a, [d], b, a;", []],
    [".reg .b16 h; sub.rz.f32.f16.sat f, h, f;", []],
  ])("%s", async (body, said) => {
    const target = body.includes(".f16") ? "sm_100" : "sm_90";
    const { out } = await world.ptxrun(["lint", "-", "--json"], { stdin: kernel(body).replace("sm_90", target) });
    const { diagnostics } = JSON.parse(out) as { diagnostics: { code: string; severity: string; message: string }[] };
    // The instructions stand alone: nothing writes what they read.
    const rest = diagnostics.filter(({ code }) => code !== "PTX9108");
    expect(rest.map(({ code, severity, message }) => `${severity} ${code}: ${message}`)).toEqual(said);
  });
});

describe("registers in braces are of one kind, as for ptxas 13.0", () => {
  it.each([
    ["mov.b64 d, {u, s};", true],
    ["mov.b64 d, {f, b};", true],
    ["mov.b64 d, {u, b};", true],
    ["mov.b64 d, {u, f};", false],
    ["mov.b64 {f, s}, d;", false],
    ["ld.global.v2.b32 {f, u}, [d];", false],
    ["ld.global.v4.b32 {u, b, f, b}, [d];", true],
    ["st.global.v2.b32 [d], {u, f};", false],
  ])("%s", async (body, taken) => {
    const { exit, said } = await lint(body);
    expect(exit).toBe(taken ? 0 : 3);
    if (!taken)
      expect(said).toEqual([expect.stringMatching(/^error PTX1307: \w is \.\w32, and \w beside it is \.\w32$/)]);
  });
});
