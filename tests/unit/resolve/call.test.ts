import { describe, expect, it } from "vitest";
import { liveInOf } from "../../../src/resolve/body/liveness.ts";
import { header, load, wrongIn } from "./load.ts";

/** Verdicts of ptxas 13.0, each on a module of its own. */
describe("calls that ptxas takes", () => {
  it.each([
    ".func (.reg .b32 rv) f(.reg .b32 pa) { mov.b32 rv, pa; ret; } .entry k() { .reg .f32 d; call (d), f, (d); ret; }",
    ".func (.reg .f32 rv) f(.reg .f32 pa) { mov.b32 rv, pa; ret; } .entry k() { .reg .b32 a; call (a), f, (1.0); ret; }",
    ".func f(.reg .b32 pa) { ret; } .entry k() { call f, (0f3f800000); call f, (1+2); ret; }",
    ".func f(.reg .b64 pa) { ret; } .entry k() { call f, (1.0); ret; }",
    ".func f(.reg .b128 pa) { ret; } .entry k() { .reg .b128 a; call f, (a); ret; }",
    ".func f(.reg .f16x2 pa) { ret; } .entry k() { .reg .b32 a; call f, (a); ret; }",
    ".func f(.reg .v2 .b32 pa) { ret; } .entry k() { .reg .v2 .b32 a; call f, (a); ret; }",
    ".func f(.reg .b32 pa) { ret; } .entry k() { .param .b32 a; st.param.b32 [a], 1; call f, (a); ret; }",
    ".func f(.param .b32 pa) { ret; } .entry k() { .reg .f32 a; call f, (a); ret; }",
    ".func f(.param .b32 pa) { ret; } .entry k() { .param .u32 a; st.param.b32 [a], 1; call f, (a); ret; }",
    ".func f(.param .align 4 .b8 pa[]) { ret; } .entry k() { .param .align 4 .b8 a[4]; st.param.b32 [a], 1; call f, (a); ret; }",
    ".func f(.param .b32 pa, .param .align 4 .b8 pb[]) { ret; } .entry k() { call f, (1); ret; }",
    ".func (.param .b32 r) f() { ret; } .entry k() { .reg .f32 x; call (_), f; call (x), f; ret; }",
    ".func f() { ret; } .entry k() { .reg .pred p; @p call f; @!p call.uni f; call f, (); call (), f, (); ret; }",
    ".func f(); .entry k() { call f; ret; } .func f() { ret; }",
    ".func f() { call f; ret; } .entry k() { call f; ret; }",
    ".func f(.param .b32 pa) { ret; } .func g(.param .u32 x) { ret; } .entry k() { .reg .b64 fp; .reg .b32 a; P: .calltargets f, g; call fp, (a), P; ret; }",
    ".func f() { ret; } .entry k() { .reg .s32 fp; P: .callprototype _ (); call fp, (), P; ret; }",
    ".func f() { ret; } .const .u64 t[2] = {f}; .entry k() { .reg .b64 fp; ld.const.u64 fp, [t]; call fp, t; ret; }",
    ".func f() { ret; } .entry k() { .reg .b64 fp; .global .u64 t[2] = {f}; ld.global.u64 fp, [t]; call fp, t; ret; }",
    ".entry k() { ts: .branchtargets A, B; brx.idx 1, ts; A: B: ret; }",
    ".entry k() { .reg .v2 .u32 i; ts: .branchtargets A, A; { brx.idx i.x, ts; } A: ret; }",
    ".func f(.param .b32 p) { .reg .b64 a; .reg .b32 r; mov.b64 a, p; ld.local.b32 r, [a]; ld.param.b32 r, [a]; cvta.param.u64 a, p; ld.b32 r, [a]; ret; }",
    ".entry k() { .param .b32 q; .reg .b32 r; st.param::func.b32 [q], r; ld.param.b32 r, [q]; ret; }",
    ".entry j() { ret; } .entry k() { .reg .b64 fp; mov.u64 fp, j; ret; }",
  ])("%s", (text) => expect(wrongIn(text)).toEqual([]));
});

describe("calls that ptxas refuses", () => {
  it.each([
    ["PTX1422", ".func (.reg .f32 r) f() { ret; } .entry k() { .reg .u32 d; call (d), f; ret; }"],
    ["PTX1422", ".func f(.reg .f32 pa) { ret; } .entry k() { call f, (1); ret; }"],
    ["PTX1422", ".func f(.reg .u32 pa) { ret; } .entry k() { call f, (1.0); ret; }"],
    ["PTX1422", ".func f(.reg .u32 pa) { ret; } .entry k() { .reg .u16 a; call f, (a); ret; }"],
    ["PTX1422", ".func f(.reg .v2 .b32 pa) { ret; } .entry k() { .reg .b32 a,b; call f, ({a,b}); ret; }"],
    ["PTX1422", ".func f(.reg .b32 pa) { ret; } .entry k() { .reg .v2 .b32 a; call f, (a.x); ret; }"],
    ["PTX1305", ".func f(.reg .b32 pa) { ret; } .entry k() { call f, (_); ret; }"],
    ["PTX1422", ".func f(.reg .b64 pa) { ret; } .global .b32 g; .entry k() { call f, (g); ret; }"],
    ["PTX1422", ".func f(.reg .u64 pa) { ret; } .func g() {ret;} .entry k() { call f, (g); ret; }"],
    ["PTX1422", ".func f(.param .b32 pa) { ret; } .entry k() { .local .b32 a; call f, (a); ret; }"],
    ["PTX1422", ".func f(.param .u32 pa) { ret; } .entry k() { .param .f32 a; call f, (a); ret; }"],
    ["PTX1422", ".func f(.param .b32 pa) { ret; } .entry k() { .param .b64 a; call f, (a); ret; }"],
    ["PTX1422", ".func f(.param .align 4 .b8 pa[4]) { ret; } .entry k() { .param .b32 a; call f, (a); ret; }"],
    [
      "PTX1422",
      ".func f(.param .align 4 .b8 p[4]) { ret; } .entry k() { .param .align 8 .b8 a[4]; call f, (a); ret; }",
    ],
    [
      "PTX1422",
      ".func f(.param .align 4 .b8 p[8]) { ret; } .entry k() { .param .align 4 .b8 a[4]; call f, (a); ret; }",
    ],
    ["PTX1422", ".func f() { ret; } .entry k() { call f, (1); ret; }"],
    ["PTX1422", ".func (.reg .b32 r) f() { ret; } .entry k() { call f; ret; }"],
    ["PTX1325", ".func f(.param .b32 pa) { ret; } .func g(.param .b32 gp) { call f, (gp); ret; }"],
    ["PTX1325", ".func (.param .b32 r) f() { ret; } .func (.param .b32 gr) g() { call (gr), f; ret; }"],
    ["PTX1325", ".func f(.param .b32 p) { st.param.b32 [p], 1; ret; }"],
    ["PTX1325", ".func (.param .b32 p) f() { .reg .b32 r; ld.param.b32 r, [p]; ret; }"],
    ["PTX1325", ".entry k() { .reg .b64 a; .param .b32 p; mov.b64 a, p; ret; }"],
    ["PTX1421", ".entry k() { call f; ret; } .func f() { ret; }"],
    ["PTX1421", ".entry j() { ret; } .entry k() { call j; ret; }"],
    ["PTX1421", ".global .u32 g; .entry k() { call g; ret; }"],
    ["PTX1421", ".entry k() { call A; A: ret; }"],
    ["PTX1423", ".func f() { ret; } .entry k() { .reg .b64 fp; call fp, (), P; P: .callprototype _ (); ret; }"],
    ["PTX1423", ".entry k() { .reg .b64 fp; call fp; ret; }"],
    ["PTX1423", ".entry k() { .reg .b64 fp; L: call fp, (), L; ret; }"],
    ["PTX1423", ".global .u64 t[2]; .entry k() { .reg .b64 fp; ld.global.u64 fp, [t]; call fp, t; ret; }"],
    ["PTX1302", ".func f() { ret; } .entry k() { P: .callprototype _ (); call f, (), P; ret; }"],
    ["PTX1302", ".entry k() { .reg .f64 fp; P: .callprototype _ (); call fp, (), P; ret; }"],
    ["PTX1412", ".entry k() { P: .callprototype (.param .b32 _, .param .b32 _) _ (); ret; }"],
    ["PTX1412", ".entry k() { P: .callprototype (.shared .b32 _) _ (); ret; }"],
    ["PTX1414", ".entry k() { P: .callprototype (.param .b32 _) _ () .noreturn; ret; }"],
    ["PTX1312", ".func f() { ret; } .entry k() { .reg .b64 fp; mov.u64 fp, f+4; ret; }"],
    ["PTX1316", ".entry k() { .reg .u32 i; brx.idx i, ts; ts: .branchtargets A; A: ret; }"],
    ["PTX1316", ".entry k() { .reg .u32 i; brx.idx i, A; A: ret; }"],
    ["PTX1302", ".entry k() { .reg .f32 i; ts: .branchtargets A; brx.idx i, ts; A: ret; }"],
    ["PTX1301", ".func f(.reg .b32 a) { ret; } .entry k() { .reg .b32 d; call f, d; call d, f, d; ret; }"],
  ])("%s: %s", (code, text) => expect(wrongIn(text)).toContain(code));

  it.each([
    [".version 9.0\n.target sm_13\n", ".func f(.param .b32 a) { ret; }", "PTX1412"],
    [".version 2.0\n.target sm_20\n", ".entry k() { .reg .u64 d; P: .callprototype _ (); call d, P; ret; }", "PTX1509"],
    [".version 9.0\n.target sm_21\n", ".entry k() { .reg .u32 i; t: .branchtargets A; A: ret; }", "PTX1510"],
    [".version 2.0\n.target sm_20\n", ".func f() { ret; } .entry k() { .reg .u64 d; mov.u64 d, f; ret; }", "PTX1213"],
  ])("%s%s", (head, text, code) => expect(load(head + text).diagnostics.map((each) => each.code)).toContain(code));
});

const program = (text: string, name = "k") => {
  const { value, diagnostics } = load(header + text).image.kernel(name);
  if (!value) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return value;
};

describe("a program", () => {
  it("holds the functions that its kernel may come to, and no others", () => {
    const text =
      ".func a() { ret; } .func b() { call a; ret; } .func c() { ret; } .entry k() { call b; ret; } .entry j() { ret; }";
    expect(program(text).functions.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(program(text, "j").functions).toEqual([]);
  });

  it("holds everything whose address somebody takes once it calls through a register", () => {
    const text = `.func a() { ret; } .func b() { ret; } .func c() { ret; } .func d(.reg .b32 x) { ret; } .global .u64 t[2] = { a, d };
      .entry j() { .reg .b64 f; mov.u64 f, b; ret; } .entry k() { .reg .b64 f; P: .callprototype _ (); call f, P; ret; }`;
    const { functions, code } = program(text);
    expect(functions.map(({ name }) => name)).toEqual(["a", "b", "d"]);
    const call = code.find(({ plan }) => plan.shape === "call");
    expect(call?.operands[3]).toEqual({
      kind: "vector",
      items: [
        { kind: "target", pc: 0 },
        { kind: "target", pc: 1 },
      ],
    });
  });

  it("finds the parameters of functions in local memory, where only a kernel's own are in .param", () => {
    const text = `.func f(.param .b32 p) { .reg .b64 a; .reg .b32 r; cvta.param.u64 a, p; ld.param.b32 r, [p]; ret; }
      .entry k(.param .align 4 .b8 q[4]) { .reg .b64 a; .reg .b32 r; cvta.param.u64 a, q; ld.param.b32 r, [q]; call f, (r); ret; }`;
    const spaces = program(text).code.flatMap(({ plan, opcode }) =>
      "space" in plan && !opcode.startsWith("st") ? [`${opcode} ${plan.space}`] : [],
    );
    expect(spaces).toEqual([
      ...["cvta.param.u64 param", "ld.param.b32 param"],
      ...["cvta.param.u64 local", "ld.param.b32 local"],
    ]);
  });

  it("gives a stack to recursive functions and to nobody else", () => {
    const plain = program(".func f() { .local .b32 x; ret; } .entry k() { call f; ret; }");
    expect([plain.stackBytes, plain.stackSlot, plain.localBytes]).toEqual([0, undefined, 4]);
    const loop = ".func g(); .func f() { .local .b32 x; call g; ret; } .func g() { call f; ret; } .func h() { ret; }";
    const { functions, stackBytes, localBytes } = program(`${loop} .entry k() { call f; call h; ret; }`);
    expect(functions.map(({ name, recursive }) => [name, recursive?.frameBytes])).toEqual([
      ["g", 16],
      ["f", 16],
      ["h", undefined],
    ]);
    expect([stackBytes, localBytes]).toEqual([16384, 0]);
  });

  it("shows the registers of its kernel, and each function has its own", () => {
    const made = program(
      ".func f() { .reg .b32 %r<3>; add.u32 %r2, %r1, 1; ret; } .entry k() { .reg .b32 %r<3>; mov.b32 %r1, 1; call f; ret; }",
    );
    const { registers, functions } = made;
    expect(registers.map(({ name }) => name)).toEqual(["%r1"]);
    expect(functions[0]?.registers.map(({ name }) => name)).toEqual(["%r1", "%r2"]);
    expect(liveInOf(made)).toEqual([]);
  });

  it("places shared memory of kernel and functions once, and lets calls share room", () => {
    const { sharedBytes, localBytes } = program(
      `.shared .b64 s; .func f(.param .b64 a) { .shared .b32 own; .reg .b64 x; ld.shared.b64 x, [s]; ret; }
       .entry k() { .reg .b64 x; ld.shared.b64 x, [s]; { .param .b64 a; st.param.b64 [a], x; call f, (a); } { .param .b64 b; st.param.b64 [b], x; call f, (b); } ret; }`,
    );
    expect([sharedBytes, localBytes]).toEqual([12, 16]);
  });

  it("is refused for a mistake in a function that it calls, and only then", () => {
    const { image } = load(`${header}.func f() { nonsense; ret; } .entry k() { call f; ret; } .entry j() { ret; }`);
    expect(image.kernel("k").value).toBeUndefined();
    expect(image.kernel("k").diagnostics.map(({ code }) => code)).toEqual(["PTX1201"]);
    expect(image.kernel("j").value).toBeDefined();
  });
});
