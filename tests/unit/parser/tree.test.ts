import { describe, expect, test } from "vitest";
import { isModule, parse, parseBody, printExpr } from "../../../src/parser/index.ts";
import { Source } from "../../../src/source/source.ts";
import { bare, HEADER, readModule, readSnippet } from "./read.ts";

const first = (text: string) => {
  const { value, diagnostics } = readSnippet(text);
  expect(diagnostics).toEqual([]);
  return value.statements[0];
};
const operands = (text: string) => {
  const statement = first(`op ${text};`);
  return statement?.kind === "instruction" ? (bare(statement.operands) as unknown[]) : [];
};
const name = (text: string) => ({ kind: "name", name: { text } });
const integer = (text: string) => ({ kind: "integer", text });
const symbol = (text: string) => ({ kind: "symbol", name: { text } });

describe("instructions", () => {
  test("spans run from the guard to behind the semicolon, suffixes with their dots", () => {
    const text = "  @!%p1 add.rn.f16x2  %r1 ;  ";
    const found = readSnippet(text).value.statements[0];
    expect(found).toEqual({
      kind: "instruction",
      guard: { negated: true, predicate: { text: "%p1", start: 4, end: 7 }, start: 2, end: 7 },
      mnemonic: { text: "add", start: 8, end: 11 },
      modifiers: [
        { text: "rn", start: 11, end: 14 },
        { text: "f16x2", start: 14, end: 20 },
      ],
      operands: [{ kind: "name", name: { text: "%r1", start: 22, end: 25 }, start: 22, end: 25 }],
      start: 2,
      end: 27,
    });
  });

  test("a suffix may be detached and may look like a directive", () => {
    expect(bare(first("ld .weak .global\n.u32 a, [b];"))).toMatchObject({
      mnemonic: { text: "ld" },
      modifiers: [{ text: "weak" }, { text: "global" }, { text: "u32" }],
    });
    expect(bare(first("mbarrier.arrive.release::x.cta /**/ .shared::cta.b64 _, [a];"))).toMatchObject({
      modifiers: [
        { text: "arrive" },
        { text: "release::x" },
        { text: "cta" },
        { text: "shared::cta" },
        { text: "b64" },
      ],
    });
  });

  test("labels may follow each other and end a block", () => {
    expect(readSnippet("{ a: b : ret; c: }").value.statements[0]).toMatchObject({
      statements: [
        { kind: "label", name: { text: "a" } },
        { kind: "label" },
        { kind: "instruction" },
        { kind: "label" },
      ],
    });
  });

  test("names of JavaScript's own are names", () => {
    expect(operands("__proto__, constructor")).toEqual([name("__proto__"), name("constructor")]);
  });
});

describe("operands", () => {
  test("names and components", () => {
    expect(operands("%r1, _, v.x, v .y, %tid.x")).toEqual([
      name("%r1"),
      name("_"),
      { ...name("v"), component: { text: "x" } },
      { ...name("v"), component: { text: "y" } },
      { ...name("%tid"), component: { text: "x" } },
    ]);
  });

  test("negated names stand alone", () => {
    expect(operands("!p, -a, - b")).toEqual([
      { kind: "expr", value: { kind: "unary", operator: "!", operand: symbol("p") } },
      { kind: "expr", value: { kind: "unary", operator: "-", operand: symbol("a") } },
      { kind: "expr", value: { kind: "unary", operator: "-", operand: symbol("b") } },
    ]);
    expect(readSnippet("op -a+1;").diagnostics).toHaveLength(1);
    expect(readSnippet("op 1+-a;").diagnostics).toHaveLength(1);
    expect(readSnippet("op -(a);").diagnostics).toHaveLength(1);
    expect(readSnippet("op +a;").diagnostics).toHaveLength(1);
  });

  test("a name takes all of the constant behind its plus", () => {
    const sum = { kind: "binary", operator: "+", left: integer("4"), right: integer("8") };
    expect(operands("a+4+8, [a+4+8], [4+8]")).toEqual([
      { kind: "expr", value: { kind: "binary", operator: "+", left: symbol("a"), right: sum } },
      {
        kind: "address",
        base: { kind: "expr", value: { kind: "binary", operator: "+", left: symbol("a"), right: sum } },
        more: [],
      },
      { kind: "address", base: { kind: "expr", value: sum }, more: [] },
    ]);
  });

  test("elements of arrays", () => {
    const element = (index: unknown) => ({ kind: "element", array: { text: "t" }, index });
    const sum = { kind: "binary", operator: "+", left: symbol("i"), right: integer("1") };
    expect(operands("t[2], t[i], t [i+1]")).toEqual([
      element({ kind: "expr", value: integer("2") }),
      element(name("i")),
      element({ kind: "expr", value: sum }),
    ]);
    for (const text of ["t[]", "t[1][2]", "t[1].x", "t.x[1]", "t[1]+4"])
      expect(readSnippet(`op ${text};`).diagnostics).toHaveLength(1);
  });

  test("addresses of textures", () => {
    expect(operands("{a, b}|p, [t, s, {x, y}]")).toEqual([
      { kind: "pair", first: { kind: "vector", items: [name("a"), name("b")] }, second: name("p") },
      { kind: "address", base: name("t"), more: [name("s"), { kind: "vector", items: [name("x"), name("y")] }] },
    ]);
  });

  test("pairs", () => {
    expect(operands("p|q, _ | q")).toEqual([
      { kind: "pair", first: name("p"), second: name("q") },
      { kind: "pair", first: name("_"), second: name("q") },
    ]);
  });

  test("argument lists, and constants in parentheses", () => {
    expect(operands("(r), f, (a, 1), proto")).toEqual([
      { kind: "list", items: [name("r")] },
      name("f"),
      { kind: "list", items: [name("a"), { kind: "expr", value: integer("1") }] },
      name("proto"),
    ]);
    expect(operands("(), (1), (1, 2), (1)+2")).toEqual([
      { kind: "list", items: [] },
      { kind: "expr", value: integer("1") },
      {
        kind: "list",
        items: [
          { kind: "expr", value: integer("1") },
          { kind: "expr", value: integer("2") },
        ],
      },
      { kind: "expr", value: { kind: "binary", operator: "+", left: integer("1"), right: integer("2") } },
    ]);
  });
});

/** Parenthesised in full, so that the shape shows. */
const shape = (text: string): string => {
  const statement = first(`op ${text};`);
  const operand = statement?.kind === "instruction" ? statement.operands[0] : undefined;
  const full = (expr: Parameters<typeof printExpr>[0]): string => {
    switch (expr.kind) {
      case "unary":
        return `${expr.operator}(${full(expr.operand)})`;
      case "binary":
        return `(${full(expr.left)}${expr.operator}${full(expr.right)})`;
      case "conditional":
        return `(${full(expr.test)}?${full(expr.then)}:${full(expr.otherwise)})`;
      case "cast":
        return `(.${expr.type.text})(${full(expr.operand)})`;
      default:
        return printExpr(expr);
    }
  };
  return operand?.kind === "expr" ? full(operand.value) : "";
};

describe("constant expressions follow C", () => {
  test.each([
    ["1+2*3", "(1+(2*3))"],
    ["10-4-3", "((10-4)-3)"],
    ["100/10/5", "((100/10)/5)"],
    ["7 % 4*2", "((7%4)*2)"],
    ["1<<2+3", "(1<<(2+3))"],
    ["1|2&3", "(1|(2&3))"],
    ["1^3&2", "(1^(3&2))"],
    ["1|2^3", "(1|(2^3))"],
    ["1<2==3>4", "((1<2)==(3>4))"],
    ["1<2<3", "((1<2)<3)"],
    ["1&2==2", "(1&(2==2))"],
    ["1||2&&3", "(1||(2&&3))"],
    ["1?2:0?3:4", "(1?2:(0?3:4))"],
    ["1?0?2:3:4", "(1?(0?2:3):4)"],
    ["1||0?2+3:4", "((1||0)?(2+3):4)"],
    ["~0+1", "(~(0)+1)"],
    ["-1>>31", "(-(1)>>31)"],
    ["--1", "-(-(1))"],
    ["+-1", "+(-(1))"],
    ["(1+2)*3", "((1+2)*3)"],
    ["((1))", "1"],
    ["(.s64)-1+2", "((.s64)(-(1))+2)"],
    ["WARP_SZ*2", "(WARP_SZ*2)"],
    ["-(0f3F800000)", "-(0f3F800000)"],
    ["1?2:3+4?5:6", "(1?2:((3+4)?5:6))"],
  ])("%s is %s", (text, expected) => {
    expect(shape(text)).toBe(expected);
  });
});

describe("declarations", () => {
  const declaration = (text: string) => bare(first(text));

  test("registers", () => {
    expect(declaration(".reg .v4 .f32 %v<0x10>, x;")).toEqual({
      kind: "declaration",
      space: { text: "reg" },
      attributes: [],
      align: [],
      vector: { text: "v4" },
      type: { text: "f32" },
      variables: [
        { name: { text: "%v" }, count: integer("0x10"), dimensions: [] },
        { name: { text: "x" }, dimensions: [] },
      ],
    });
  });

  test("arrays and initialisers", () => {
    expect(declaration(".global .align 8 .align 4 .u8 t[][2] = {{0xFF(a), generic(b)+4}, {a+1, c}};")).toMatchObject({
      align: [integer("8"), integer("4")],
      variables: [
        {
          dimensions: [undefined, integer("2")],
          initial: {
            kind: "list",
            items: [
              {
                kind: "list",
                items: [
                  { value: { kind: "apply", callee: integer("0xFF"), argument: symbol("a") } },
                  {
                    value: {
                      operator: "+",
                      left: { kind: "apply", callee: symbol("generic"), argument: symbol("b") },
                      right: integer("4"),
                    },
                  },
                ],
              },
              { kind: "list", items: [{ value: { operator: "+", left: symbol("a") } }, { value: symbol("c") }] },
            ],
          },
        },
      ],
    });
  });

  test("samplers, banks and attributes", () => {
    expect(declaration(".global .samplerref s = { addr_mode_0 = wrap, filter_mode = linear };")).toMatchObject({
      variables: [
        {
          initial: {
            kind: "fields",
            fields: [
              { name: { text: "addr_mode_0" }, value: symbol("wrap") },
              { name: { text: "filter_mode" }, value: symbol("linear") },
            ],
          },
        },
      ],
    });
    expect(declaration(".const[2] .attribute(.managed, .unified(1, 2)) .u32 c;")).toMatchObject({
      bank: integer("2"),
      attributes: [
        { name: { text: "managed" }, arguments: [] },
        { name: { text: "unified" }, arguments: [integer("1"), integer("2")] },
      ],
    });
  });

  test("targets of branches and calls, and prototypes", () => {
    expect(
      first(
        "{ t: .branchtargets a, b; c: .calltargets f; p: .callprototype (.reg .u32 _) _ (.param .b8 _[4]) .noreturn; }",
      ),
    ).toMatchObject({
      statements: [
        { kind: "label" },
        { kind: "branchtargets", names: [{ text: "a" }, { text: "b" }] },
        { kind: "label" },
        { kind: "calltargets", names: [{ text: "f" }] },
        { kind: "label" },
        {
          kind: "callprototype",
          returns: [{ space: { text: "reg" }, name: { text: "_" } }],
          parameters: [{ type: { text: "b8" }, dimensions: [{ text: "4" }] }],
          directives: [{ name: { text: "noreturn" } }],
        },
      ],
    });
  });
});

describe("modules", () => {
  test("the header", () => {
    expect(bare(readModule(".version 8.7\n.target sm_90a, texmode_independent\n.address_size 64").value.items)).toEqual(
      [
        { kind: "version", major: 8, minor: 7 },
        { kind: "target", names: [{ text: "sm_90a" }, { text: "texmode_independent" }] },
        { kind: "addressSize", bits: 64 },
      ],
    );
  });

  test("kernels", () => {
    const text = `.visible .entry k(.param .u64 .ptr .global .align 16 a, .param .align 8 .b8 s[24])
.maxntid 256, 1, 1 .minnctapersm 2 .pragma "nounroll"; { ret; }`;
    expect(bare(readModule(text).value.items[0])).toMatchObject({
      kind: "function",
      linkage: { text: "visible" },
      entry: true,
      name: { text: "k" },
      returns: [],
      parameters: [
        {
          space: { text: "param" },
          type: { text: "u64" },
          pointer: { space: { text: "global" }, align: integer("16") },
          name: { text: "a" },
        },
        { align: [integer("8")], name: { text: "s" }, dimensions: [integer("24")] },
      ],
      directives: [
        { name: { text: "maxntid" }, values: [integer("256"), integer("1"), integer("1")] },
        { name: { text: "minnctapersm" }, values: [integer("2")] },
        { name: { text: "pragma" }, texts: [{ text: "nounroll" }] },
      ],
      block: { statements: [{ kind: "instruction" }] },
    });
  });

  test("functions and aliases", () => {
    expect(
      readModule(".extern .func (.param .b32 r) f(.reg .u32 a);\n.alias g, f;\n.func h { ret; }").value.items,
    ).toMatchObject([
      {
        linkage: { text: "extern" },
        entry: false,
        returns: [{ name: { text: "r" } }],
        parameters: [{ name: { text: "a" } }],
      },
      { kind: "alias", alias: { text: "g" }, aliasee: { text: "f" } },
      { name: { text: "h" }, parameters: [] },
    ]);
  });

  test("files, locations and sections of debuggers", () => {
    const text = `.file 1 "a b.cu", 1700000000, 812
.section .debug_info { $L: .b32 .debug_abbrev .b64 $L, 2 .b32 $L+1, -1 }
.entry k() { .loc 1 12 5, function_name $L+4, inlined_at 1 40 3
ret; }`;
    expect(bare(readModule(text).value.items)).toMatchObject([
      { kind: "file", index: 1, path: { text: "a b.cu" }, timestamp: 1700000000n, size: 812n },
      {
        kind: "section",
        name: { text: "debug_info" },
        lines: [
          { kind: "label", name: { text: "$L" } },
          { type: { text: "b32" }, values: [symbol(".debug_abbrev")] },
          { type: { text: "b64" }, values: [symbol("$L"), integer("2")] },
          { values: [{ kind: "binary" }, { kind: "unary" }] },
        ],
      },
      {
        block: {
          statements: [
            {
              kind: "loc",
              file: 1,
              line: 12,
              column: 5,
              functionName: { symbol: { text: "$L" }, offset: integer("4") },
              inlinedAt: { file: 1, line: 40, column: 3 },
            },
            { kind: "instruction" },
          ],
        },
      },
    ]);
  });

  test("an index leaves bodies alone, and they can be read one by one", () => {
    const source = new Source("t", `${HEADER}.entry a() { mistake mistake mistake; }\n.entry b() { ret; }`);
    const { value, diagnostics } = parse(source, { bodies: "index" });
    expect(diagnostics).toEqual([]);
    const functions = value.items.filter((item) => item.kind === "function");
    expect(functions.map(({ body }) => source.text.slice(body?.start, body?.end))).toEqual([
      "{ mistake mistake mistake; }",
      "{ ret; }",
    ]);
    const [a, b] = functions.map((func) => parseBody(source, func));
    expect(a?.diagnostics).toMatchObject([{ code: "PTX1103", span: { start: source.text.lastIndexOf("mistake") } }]);
    expect(b?.value.statements).toMatchObject([{ kind: "instruction", start: source.text.lastIndexOf("ret") }]);
  });

  test("a declaration has no body to read", () => {
    const source = new Source("t", ".func f();");
    const [func] = parse(source).value.items;
    expect(func?.kind === "function" && parseBody(source, func).value.statements).toEqual([]);
  });
});

test("a text is a module when it says so outside of comments and strings", () => {
  expect(isModule("// c\n.version 9.0\n")).toBe(true);
  expect(isModule("add.u32 a, b, c;")).toBe(false);
  expect(isModule('// .entry\n/* .func */ .pragma ".version"; ret;')).toBe(false);
  expect(isModule(".visible .entry k() {}")).toBe(true);
  expect(isModule(".func f;")).toBe(true);
  expect(isModule(".versions")).toBe(false);
  expect(isModule(`/*${"/*".repeat(100_000)}`)).toBe(false);
});
