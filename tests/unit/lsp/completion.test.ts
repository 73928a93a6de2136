import { describe, expect, test } from "vitest";
import { lint } from "../../../src/host/lint.ts";
import { completions } from "../../../src/lsp/completion/completion.ts";
import { header, kernel, marked } from "./texts.ts";

const labels = (text: string) => {
  const { document, offset } = marked(text);
  return completions(document, offset).map(({ label }) => label);
};
const regs = ".reg .pred %p<3>; .reg .b16 %h<2>; .reg .b32 %r<4>; .reg .b64 %rd<3>; .reg .f32 %f<3>; .reg .v2 .f32 %v;";

describe("mnemonics", () => {
  test("are those of the version and the target", () => {
    expect(labels(kernel("|"))).toContain("add");
    expect(labels(kernel("wg|"))).toEqual([]);
    expect(labels(kernel("wg|", { target: "sm_90a" }))).toEqual(["wgmma"]);
    expect(labels(kernel("tanh|", { target: "sm_70" }))).toEqual([]);
    expect(labels(kernel("@%p tan|"))).toEqual(["tanh"]);
  });

  test("come in a snippet, too", () => {
    expect(labels("add.u32 d, a, b;\nsu|")).toEqual(["sub", "subc", "suld", "suq", "sured", "sust"]);
  });
});

describe("suffixes", () => {
  test("are those behind what is written", () => {
    expect(labels(kernel("add.rn.|"))).toEqual([".f16", ".f16x2", ".f32", ".f64", ".ftz", ".sat"]);
    expect(labels(kernel("add.rn.f|"))).toEqual([".f16", ".f16x2", ".f32", ".f64", ".ftz"]);
  });

  test("are those of the version and the target", () => {
    expect(labels(kernel("add.rn.|", { target: "sm_100", version: "8.6" }))).toContain(".f32x2");
    expect(labels(kernel("add.rn.|"))).not.toContain(".f32x2");
    expect(labels(kernel("add.rn.|", { target: "sm_50" }))).toEqual([".f32", ".f64", ".ftz", ".sat"]);
  });

  test("do not offer what excludes a word that is written", () => {
    expect(labels(kernel("fma.rn.relu.|"))).not.toContain(".sat");
  });

  test("are none behind a whole spelling", () => {
    expect(labels(kernel("add.u32.|"))).toEqual([]);
    expect(labels(kernel("nothing.|"))).toEqual([]);
  });
});

describe("operands", () => {
  test("are registers of the types that fit, the nearest first", () => {
    expect(labels(kernel(`${regs}\nmov.b32 %r2, 1;\nadd.f32 |`))).toEqual(["%r2", "%f0", "%r0"]);
    expect(labels(kernel(`${regs}\nmov.b32 %r2, 1; add.u32 %r1, |`))).toEqual(["%r2", "%r0"]);
    expect(labels(kernel(`${regs}\nadd.f16 |`))).toEqual(["%h0"]);
  });

  test("are predicates behind @ and where one is written", () => {
    expect(labels(kernel(`${regs}\n@|`))).toEqual(["%p0"]);
    expect(labels(kernel(`${regs}\n@!%|`))).toEqual(["%p0"]);
    expect(labels(kernel(`${regs}\nsetp.eq.u32 |`))).toEqual(["%p0"]);
  });

  test("are special registers for mov alone, of its width", () => {
    expect(labels(kernel(`${regs}\nmov.u32 %r1, %ti|`))).toEqual(["%tid.x", "%tid.y", "%tid.z"]);
    expect(labels(kernel(`${regs}\nmov.u64 %rd1, %clo|`))).toEqual(["%clock64"]);
    expect(labels(kernel(`${regs}\nadd.u32 %r1, %r1, %ti|`))).toEqual([]);
    expect(labels(kernel(`${regs}\nmov.u32 %r1, %cluster_ctar|`))).toEqual([]);
    expect(labels(kernel(`${regs}\nmov.u32 %r1, %tid.|`))).toEqual([".x", ".y", ".z"]);
    expect(labels(kernel(`${regs}\nmov.f32 %f1, %v.|`))).toEqual([".x", ".y"]);
  });

  test("are labels and functions where one is meant", () => {
    expect(labels(kernel("start: add.u32 %r1, %r1, 1;\nbra |\nnext: ret;"))).toEqual(["next", "start"]);
    const call = `${header()}.func twice(.reg .b32 x) { ret; }\n.entry k() { call |; }`;
    expect(labels(call)).toEqual(["twice"]);
  });

  test("are addresses within brackets: registers, parameters, variables of the space", () => {
    expect(labels(kernel(`${regs}\nld.param.u64 %rd1, [|];`))).toEqual(["n", "p"]);
    expect(labels(kernel(`.shared .b32 tile[32];\n${regs}\nst.shared.b32 [|`))).toEqual(["%r0", "%rd0", "tile"]);
    expect(labels(kernel(`.shared .b32 tile[32];\n${regs}\nst.global.b32 [|`))).toEqual(["%rd0"]);
  });

  test("see no name of another block", () => {
    expect(labels(kernel(`{ .reg .b32 inner; } .reg .b32 outer; not.b32 |`))).toEqual(["outer"]);
  });
});

describe("directives", () => {
  test("stand where they may", () => {
    expect(labels(".ver|")).toEqual([".version"]);
    expect(labels(`${header()}.vis|`)).toEqual([".visible"]);
    expect(labels(`${header()}.visible .|`)).toEqual([".const", ".entry", ".func", ".global", ".shared"]);
    expect(labels(kernel(".reg .f|"))).toEqual([".f16", ".f16x2", ".f32", ".f64"]);
    expect(labels(kernel(".sha|"))).toEqual([".shared"]);
    expect(labels(`${header()}.entry k() .req|`)).toEqual([".reqntid"]);
    expect(labels(`${header("8.0", "sm_90")}.entry k() .req|`)).toEqual([".reqnctapercluster", ".reqntid"]);
  });

  test("know versions and the targets of a version", () => {
    expect(labels(".version 7.|\n.target sm_80")).toContain("7.8");
    expect(labels(".version 7.0\n.target sm_8|\n")).toEqual(["sm_80"]);
  });

  test("of golden checks stand in comments", () => {
    expect(labels(`//@|\n${kernel("ret;")}`)).toEqual(["args", "case", "launch", "snapshot"]);
    expect(labels(`//@ launch |\n${kernel("ret;")}`)).toEqual(["k"]);
    expect(labels(`//@ case a: |\n${kernel("ret;")}`)).toEqual(["n", "p"]);
    expect(labels(kernel("// ad|"))).toEqual([]);
  });
});

test("a chain of suffixes leads to what lint takes", () => {
  for (const [version, target] of [
    ["7.0", "sm_70"],
    ["9.0", "sm_100a"],
  ] as const)
    for (const mnemonic of ["add", "fma", "cvt", "ld", "atom", "mma", "setp", "shfl", "red", "cp", "bar", "vadd"]) {
      let spelling = mnemonic;
      for (let turn = 0; turn < 12; turn++) {
        const { document, offset } = marked(kernel(`${spelling}.|`, { version, target }));
        const next = completions(document, offset);
        const [first] = next;
        if (first === undefined && turn === 0) spelling = "";
        if (first === undefined) break;
        spelling += (next[turn % next.length] ?? first).label;
      }
      // The version and the target have no form of it.
      if (spelling === "") continue;
      const said = lint(kernel(`${spelling};`, { version, target })).map(({ code }) => code);
      // The operands are missing, and nothing else.
      expect(
        said.filter((code) => code.startsWith("PTX12") || code.startsWith("PTX15")),
        spelling,
      ).toEqual([]);
    }
});
