import { describe, expect, test } from "vitest";
import { lint } from "../../../src/host/lint.ts";
import { completions } from "../src/completion/completion.ts";
import { Document } from "../src/document.ts";
import type { Settings } from "../src/settings.ts";
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

  test("are special registers of the width that is read, behind everything else, and none for a float", () => {
    // %gridid has 64 bits since PTX 3.0, and the components of %tid may be read as 16 bits (PTX ISA 10).
    expect(labels(kernel(`${regs}\nmov.u64 %rd1, %gri|`))).toEqual(["%gridid"]);
    expect(labels(kernel(`${regs}\nmov.u32 %r1, %gri|`))).toEqual(["%gridid"]);
    expect(labels(kernel(`${regs}\nmov.u16 %h1, %ctaid|`))).toEqual(["%ctaid.x", "%ctaid.y", "%ctaid.z"]);
    expect(labels(kernel(`${regs}\nmov.u16 %h1, %lane|`))).toEqual([]);
    expect(labels(kernel(`${regs}\nmov.u64 %rd1, %tid|`))).toEqual([]);
    expect(labels(kernel(`${regs}\nmov.f32 %f1, %|`))).toEqual(["%f0", "%r0"]);
    expect(labels(kernel(`${regs}\nmov.pred %p1, %|`, { target: "sm_90" }))).toEqual(["%p0"]);
    const wide = labels(kernel(".shared .b32 zz; .reg .b64 z; mov.u64 z, |"));
    expect(wide.slice(0, 3)).toEqual(["z", "zz", "%clock64"]);
  });

  test("are registers as they were used, the last one first, then those that come, then those that nobody uses", () => {
    const body = ".reg .b32 a, b, c, d, e;\nmov.b32 a, 1; mov.b32 c, 1; mov.b32 b, 1;\nnot.b32 |\nmov.b32 e, 1;";
    expect(labels(kernel(body))).toEqual(["b", "c", "a", "e", "d"]);
    const many = Array.from({ length: 1000 }, (_, at) => `r${at}`);
    const used = `.reg .b32 ${["zz", "y", ...many].join(", ")};\n${many.map((name) => `mov.b32 ${name}, 1;`).join("")}`;
    const found = labels(kernel(`${used}\nmov.b32 zz, 1; not.b32 |`));
    expect([found[0], found[1], found[2], found.at(-1)]).toEqual(["zz", "r999", "r998", "y"]);
  });

  test("are no registers that are declared later, or elsewhere", () => {
    expect(labels(kernel(".reg .b32 a;\nnot.b32 |\n.reg .b32 later; { .reg .b32 inner; }"))).toEqual(["a"]);
    expect(labels(kernel(".reg .b32 a;\nnot.b32 |\n.reg .b32 later; mov.b32 later, 1;"))).toEqual(["a"]);
    expect(labels(kernel("{ .reg .b32 inner; mov.b32 inner, 1; } .reg .b32 a; not.b32 |"))).toEqual(["a"]);
    expect(labels(kernel(".reg .b32 a; { .reg .b32 inner; mov.b32 inner, 1; not.b32 | }"))).toEqual(["inner", "a"]);
  });

  test("are the first of a range that nobody uses, and none of one whose registers are all used", () => {
    expect(labels(kernel(".reg .b32 %r<2>; mov.b32 %r0, 1; not.b32 |"))).toEqual(["%r0", "%r1"]);
    expect(labels(kernel(".reg .b32 %r<2>; mov.b32 %r1, 1; not.b32 |"))).toEqual(["%r1", "%r0"]);
    expect(labels(kernel(".reg .b32 %r<2>; mov.b32 %r0, %r1; not.b32 |"))).toEqual(["%r1", "%r0"]);
  });

  test("are in a snippet what it names itself", () => {
    expect(labels("mov.u32 a, %tid.x; add.u32 b, a, 1;\nnot.b32 |")).toEqual(["a", "b"]);
  });

  const module = (statement: string) =>
    labels(
      `${header("8.6", "sm_100a")}.global .texref tx;\n.global .surfref sf;\n.global .b32 g;\n.const .b32 c;\n.func f() { ret; }\n` +
        `.entry k() { .reg .b16 h; .reg .b32 r; .reg .b64 q; .reg .pred p; .local .b32 l; .shared .b32 s; .param .b32 ap;\n` +
        `ts: .branchtargets L;\ncs: .calltargets f;\nproto: .callprototype _ ();\nL: ${statement}; }`,
    );
  test.each<[statement: string, expected: readonly string[]]>([
    ["call f, (|", ["h", "q", "r", "ap"]],
    ["call (|", ["h", "q", "r", "ap"]],
    ["call q, (r), |", ["cs", "proto", "ts"]],
    ["brx.idx r, |", ["cs", "ts"]],
    ["bra |", ["L"]],
    ["txq.width.b32 r, [|", ["tx"]],
    ["suq.width.b32 r, [|", ["sf"]],
    ["ld.global.b32 r, [|", ["q", "g", "sf", "tx"]],
    ["ld.const.b32 r, [|", ["q", "r", "c"]],
    ["ld.param.b32 r, [|", ["ap"]],
    ["mov.b64 {|", ["h", "r"]],
    ["setp.eq.u32 p, |", ["r"]],
    ["selp.b32 r, r, r, |", ["p"]],
    ["not.b32 [|", []],
    ["ld.global.b32 |", ["q", "r"]],
    ["ld.global.b32 r, |", []],
    ["add.u32 r, r, r, |", []],
    ["nothing.u32 |", []],
    ["tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [|", ["q", "r", "s"]],
  ])("of %j are %j", (statement, expected) => expect(module(statement)).toEqual(expected));

  test("are predicates on both sides of a | where an instruction writes two", () => {
    const whole = kernel(".reg .pred p; .reg .b32 r; shfl.sync.up.b32 r| ,r, 1, 0, -1;");
    const at = whole.indexOf("| ,") + 1;
    expect(completions(new Document("text.ptx", whole), at).map(({ label }) => label)).toEqual(["p"]);
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
    // PTX ISA 11.1.2: sm_86 since 7.1, sm_87 since 7.4, sm_89 since 7.8.
    expect(labels(".version 7.3\n.target sm_87|\n")).toEqual([]);
    expect(labels(".version 7.4\n.target sm_87|\n")).toEqual(["sm_87"]);
    expect(labels(".version 7.4\n.target sm_86|\n")).toEqual(["sm_86"]);
    expect(labels(".target sm_89|\n.version 7.8\n")).toEqual(["sm_89"]);
    expect(labels(".version 1.|\n")).toEqual(["1.0", "1.1", "1.2", "1.3", "1.4", "1.5"]);
    expect(labels(".version 2.|\n")).toEqual(["2.0", "2.1", "2.2", "2.3"]);
  });

  test("of golden checks stand in comments", () => {
    expect(labels(`//@|\n${kernel("ret;")}`)).toEqual(["args", "case", "launch", "snapshot"]);
    expect(labels(`//@ launch |\n${kernel("ret;")}`)).toEqual(["k"]);
    expect(labels(`//@ case a: |\n${kernel("ret;")}`)).toEqual(["n", "p"]);
    expect(labels(kernel("// ad|"))).toEqual([]);
  });
});

test("an item says what takes the place of what, and a few words beside it", () => {
  const items = (text: string) => {
    const { document, offset } = marked(text);
    return completions(document, offset).map(({ rank: _, replace, ...item }) => ({
      ...item,
      old: document.text.slice(replace.start, replace.end),
    }));
  };
  const module = (line: string) => `${line}\n${header()}.entry k(.param .u32 num) { ret; }`;
  expect(items(module("//@ ca|"))).toEqual([
    { kind: "directive", label: "args", insert: "args: ", detail: "options of the cases below", old: "ca" },
    { kind: "directive", label: "case", insert: "case ", detail: "case NAME: INPUTS -> EXPECTATIONS", old: "ca" },
    { kind: "directive", label: "launch", insert: "launch ", detail: "launch KERNEL OPTIONS: ARGUMENTS", old: "ca" },
    { kind: "directive", label: "snapshot", insert: "snapshot", detail: "compare with NAME.snap", old: "ca" },
  ]);
  expect(items(module("//@|"))[0]).toMatchObject({ old: "" });
  expect(items(module("//@ launch k|"))).toEqual([{ kind: "function", label: "k", insert: "k", old: "k" }]);
  expect(items(module("//@ case a: x=1 nu|"))).toEqual([
    { kind: "parameter", label: "num", insert: "num=", old: "nu" },
  ]);
  expect(items(module("//@ case a nu|"))).toEqual([]);
  expect(items(kernel(".reg .b32 a; mov.b32 a, %lanei|d;"))).toEqual([
    { kind: "special register", label: "%laneid", insert: "%laneid", detail: ".u32", old: "%laneid" },
  ]);
  expect(items(kernel(".reg .b32 a; not.b32 |;"))).toEqual([
    { kind: "register", label: "a", insert: "a", detail: ".b32", old: "" },
  ]);
  expect(items(kernel(".shared .b8 s[4]; st.shared.b8 [s|], 1;"))).toEqual([
    { kind: "variable", label: "s", insert: "s", detail: ".shared .b8", old: "s" },
  ]);
  expect(items(kernel("L: bra L|;"))).toEqual([{ kind: "label", label: "L", insert: "L", old: "L" }]);
  expect(items("not.b32 a, a;\nnot.b32 |")).toEqual([{ kind: "register", label: "a", insert: "a", old: "" }]);
  expect(items(kernel("mul.wide.|"))).toContainEqual(
    expect.objectContaining({ kind: "suffix", label: ".u16", old: ".", detail: expect.stringMatching(/^mul\.wide/) }),
  );
  expect(items(kernel("add.|")).find(({ label }) => label === ".f32")?.detail).toMatch(/^add/);
  expect(items(kernel("add.|")).find(({ label }) => label === ".sat")?.detail).toMatch(/^\d+ forms$/);
});

test("a component is one of those that a vector or a special register has", () => {
  const body = ".reg .v2 .f32 two; .reg .v4 .f32 four; .reg .b32 one, %ctaid2; .reg .v2 .b32 %tid;";
  for (const [name, expected] of [
    ["two.", [".x", ".y"]],
    ["four.", [".w", ".x", ".y", ".z"]],
    ["four.z", [".z"]],
    ["one.", []],
    ["%ctaid.", [".x", ".y", ".z"]],
    ["%laneid.", []],
    ["ctaid.", []],
    // What a text declares hides what the machine has.
    ["%tid.", [".x", ".y"]],
    ["two .", []],
  ] as const)
    expect(labels(kernel(`${body}\nmov.b32 one, ${name}|`)), name).toEqual(expected);
});

test("a mnemonic stands where an instruction begins, a suffix against what it belongs to, an operand behind a blank", () => {
  expect(labels(kernel("tan|h"))).toEqual(["tanh"]);
  expect(labels(kernel("L: tan|"))).toEqual(["tanh"]);
  expect(labels(kernel("@!p tan|"))).toEqual(["tanh"]);
  expect(labels(kernel("@p .re|"))).toEqual([]);
  expect(labels(kernel("add.u32 .f|"))).toEqual([]);
  expect(labels(kernel("add .f|"))).toEqual([]);
  expect(labels(kernel(".reg .b32 r; not|"))).toEqual(["not"]);
  expect(labels(kernel(".reg .b32 r; not.b32|"))).toEqual([".b32"]);
  expect(labels('.version 3.8\n.kernel "k"\n|')).toEqual([]);
});

describe("a snippet", () => {
  const offered = (text: string, settings: Settings) => {
    const { document, offset } = marked(text, settings);
    return completions(document, offset).map(({ label }) => label);
  };
  test("may use what the newest version and sm_100a have, unless it is told", () => {
    // tcgen05 is sm_100a's; .f32x2 came with PTX 8.6 and sm_100.
    expect(offered("tcgen05|", {})).toEqual(["tcgen05"]);
    expect(offered("tcgen05|", { target: "none" })).toEqual(["tcgen05"]);
    expect(offered("tcgen05|", { target: "sm_100" })).toEqual([]);
    expect(offered("add.rn.f32x|", { target: "none" })).toEqual([".f32x2"]);
    expect(offered("add.rn.f32x|", { target: "sm_100", version: "8.6" })).toEqual([".f32x2"]);
    expect(offered("add.rn.f32x|", { target: "sm_100", version: "8.5" })).toEqual([]);
    expect(offered("add.rn.f32x|", { target: "sm_90", version: "8.6" })).toEqual([]);
    expect(offered("add.rn.f32x|", { target: "sm_100", version: "new" })).toEqual([".f32x2"]);
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
