import { describe, expect, it } from "vitest";
import type { Program } from "../../../src/interp/contract/program.ts";
import { liveInOf } from "../../../src/resolve/body/liveness.ts";
import { draws } from "../../share.ts";
import { header, load } from "./load.ts";

function program(statements: string, items = ""): Program {
  const { image, diagnostics } = load(`${header}${items}\n.entry k(.param .b64 kp)\n{\n${statements}\n}\n`);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const { value } = image.kernel("k");
  if (!value) throw new Error("no program");
  return value;
}

const targetsOf = ({ code }: Program) =>
  code.flatMap(({ operands }) => operands.flatMap((operand) => (operand?.kind === "target" ? [operand.pc] : [])));

describe("code", () => {
  it("has its branches patched, forwards and backwards", () => {
    const made = program(
      ".reg .pred p; .reg .u32 a;\nmov.u32 a, 1;\nL: add.u32 a, a, 1;\nsetp.eq.u32 p, a, 9;\n@p bra E;\nbra L;\nE: exit;",
    );
    expect(targetsOf(made)).toEqual([5, 1]);
    expect(made.code[3]?.guard).toEqual({ slot: 0, negated: false });
  });

  it("ends with an exit of its own where it could run off its end", () => {
    expect(program("ret;").code.map(({ plan }) => plan.shape)).toEqual(["return"]);
    expect(program("").code.map(({ plan }) => plan.shape)).toEqual(["exit"]);
    const made = program("bra L; exit; L:");
    expect(made.code.map(({ plan }) => plan.shape)).toEqual(["branch", "exit", "exit"]);
    expect(targetsOf(made)).toEqual([2]);
  });

  it("takes the nearest label of a name", () => {
    const made = program("L: { bra L; exit; L: exit; } exit;");
    expect(targetsOf(made)).toEqual([2]);
  });

  it("knows the line it was compiled from", () => {
    const made = program(".loc 1 5 3\nret;", '.file 1 "a.cu"');
    expect(made.code[0]?.location).toEqual({ file: "a.cu", line: 5, column: 3 });
  });

  it("knows where functions that were inlined into one another were called", () => {
    const lines = [
      ".loc 1 5 3",
      ".loc 2 80 1, function_name F, inlined_at 1 5 3",
      ".loc 3 9 2, function_name F, inlined_at 2 80 1",
    ];
    const files = '.section .debug_str { F: .b8 97, 0 }\n.file 1 "a.cu"\n.file 2 "a.h"\n.file 3 "b.h"';
    const made = program(`${lines.join("\n")}\nret;`, files);
    const inlinedAt = { file: "a.cu", line: 5, column: 3 };
    expect(made.code[0]?.location).toEqual({ file: "b.h", line: 9, column: 2, inlinedAt });
  });

  it("keeps arguments of calls in local memory, and functions behind the kernel", () => {
    const made = program(
      ".reg .b32 a; mov.b32 a, 1; { .param .b32 x; st.param.b32 [x], a; call f, (x); } ret;",
      ".func f(.param .b32 x){ret;}",
    );
    expect(made.code.map(({ plan }) => plan.shape)).toEqual(["move", "store", "call", "return", "return"]);
    expect(made.code[1]?.plan).toMatchObject({ space: "local" });
    expect(made.functions.map(({ name, entry }) => [name, entry])).toEqual([["f", 4]]);
  });
});

describe("slots", () => {
  it("are given to registers at their first use and to each constant once", () => {
    const made = program(
      ".reg .b32 %r<2000000000>; .reg .b64 q; .reg .b16 h; mov.b32 %r1999999999, 7; mov.b32 %r3, 7; mov.b64 q, 7; mov.b16 h, 7; ret;",
    );
    expect(made.registers.map(({ name, bank }) => [name, bank])).toEqual([
      ["%r3", "r"],
      ["%r1999999999", "r"],
      ["q", "q"],
      ["h", "r"],
    ]);
    expect(made.constants.map(({ bank, value }) => [bank, value])).toEqual([
      ["r", 7n],
      ["q", 7n],
    ]);
    expect(made.banks).toEqual({ p: 0, r: 4, q: 2 });
  });

  it("hold a vector one element each, a 128-bit register in two", () => {
    const made = program(".reg .v4 .f32 v; .reg .b128 w; .reg .b64 a; mov.f32 v.w, 1.0; mov.b128 w, {a, a}; ret;");
    expect(made.registers.map(({ name, elements, bits }) => [name, elements, bits])).toEqual([
      ["v", 4, 32],
      ["w", 1, 128],
      ["a", 1, 64],
    ]);
    expect(made.banks).toEqual({ p: 0, r: 5, q: 3 });
  });

  it("of registers with one name are told apart by their line", () => {
    const made = program("{ .reg .b32 t; mov.b32 t, 1; }\n{ .reg .b32 t; mov.b32 t, 2; }\nret;");
    expect(made.registers.map(({ name }) => name)).toEqual(["t", "t@8"]);
  });
});

describe("memory of a block", () => {
  it("lays shared variables out by alignment, only those of the module that are mentioned", () => {
    const made = program(
      ".reg .b32 a; .shared .b8 c; .shared .align 8 .b8 d[8]; ld.shared.b32 a, [used]; ret;",
      ".shared .b32 unused[1000]; .shared .b32 used; .extern .shared .align 16 .b8 dyn[];",
    );
    expect(made.variables).toEqual([
      { name: "used", space: "shared", type: "b32", offset: 0, bytes: 4 },
      { name: "c", space: "shared", type: "b8", offset: 4, bytes: 1 },
      { name: "d", space: "shared", type: "b8", offset: 8, bytes: 8 },
    ]);
    expect(made.sharedBytes).toBe(16);
  });

  it("begins dynamic shared memory behind what is static, aligned", () => {
    const made = program(
      ".reg .b32 a; .shared .b8 c; ld.shared.b32 a, [dyn+4]; ret;",
      ".extern .shared .align 16 .b8 dyn[];",
    );
    expect(made.dynamicShared).toBe(16);
    expect(made.code[0]?.operands[1]).toEqual({ kind: "address", offset: 20n });
  });

  it("gives each thread its local variables", () => {
    const made = program(".local .b8 a; .local .align 8 .b64 b; ret;");
    expect(made.localBytes).toBe(16);
  });
});

describe("registers that may be read before they are written", () => {
  const names = (statements: string) => liveInOf(program(statements)).map(({ register }) => register.name);
  const regs = ".reg .pred p, q; .reg .b32 a, b, c, d;";

  it("are those that some path reads first", () => {
    expect(names(`${regs} add.u32 a, b, 1; add.u32 c, a, d; ret;`)).toEqual(["b", "d"]);
  });

  it("are not hidden by a write under a predicate", () => {
    expect(names(`${regs} setp.eq.u32 p, 1, 1; @p mov.b32 a, 1; mov.b32 b, a; ret;`)).toEqual(["a"]);
  });

  it("are hidden when both ways write", () => {
    const both = "setp.eq.u32 p, 1, 1; @p bra T; mov.b32 a, 1; bra J; T: mov.b32 a, 2; J: mov.b32 b, a; ret;";
    expect(names(`${regs} ${both}`)).toEqual([]);
    const one = "setp.eq.u32 p, 1, 1; @p bra T; mov.b32 a, 1; bra J; T: mov.b32 c, 2; J: mov.b32 b, a; ret;";
    expect(names(`${regs} ${one}`)).toEqual(["a"]);
  });

  it("are found through loops", () => {
    expect(names(`${regs} L: add.u32 a, a, 1; setp.lt.u32 p, a, 9; @p bra L; ret;`)).toEqual(["a"]);
    expect(names(`${regs} mov.b32 a, 0; L: add.u32 a, a, 1; setp.lt.u32 p, a, 9; @p bra L; ret;`)).toEqual([]);
  });

  it("count guards and address bases, and not code that nothing reaches", () => {
    expect(names(`${regs} .reg .b64 x; @q mov.b32 a, 1; ld.global.b32 b, [x]; ret;`)).toEqual(["q", "x"]);
    expect(names(`${regs} ret; mov.b32 a, b;`)).toEqual([]);
  });

  it("count many more than one word of them", () => {
    const many = Array.from({ length: 70 }, (_, at) => `add.u32 %r${at + 100}, %r${at}, 1;`).join(" ");
    expect(names(`.reg .b32 %r<200>; ${many} ret;`)).toEqual(Array.from({ length: 70 }, (_, at) => `%r${at}`));
  });
});

describe("hostile modules", () => {
  it("may name things as JavaScript does", () => {
    const { image, diagnostics } = load(
      `${header}.global .u32 toString;\n.entry __proto__(.param .u32 hasOwnProperty){ .reg .b32 constructor; mov.b32 constructor, 1; bra valueOf; valueOf: ret; }\n`,
    );
    expect(diagnostics).toEqual([]);
    expect(image.entries).toEqual(["__proto__"]);
    expect(image.kernel("__proto__").value?.registers[0]?.name).toBe("constructor");
    expect(image.kernel("constructor").value).toBeUndefined();
  });

  it("may have thousands of labels, and as many registers live through them", () => {
    const count = draws(3000, 20_000);
    const lines = Array.from(
      { length: count },
      (_, at) => `L${at}: add.u32 %r${at}, %r${at + 1}, 1; @p bra L${count - 1 - at};`,
    );
    const made = program(`.reg .pred p; .reg .b32 %r<${count + 1}>; setp.eq.u32 p, 1, 1;\n${lines.join("\n")}\nret;`);
    expect(made.code).toHaveLength(2 * count + 2);
    expect(liveInOf(made).length).toBeGreaterThan(0);
  });
});
