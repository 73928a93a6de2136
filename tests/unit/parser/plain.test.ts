import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Block, Func, Operand, Statement } from "../../../src/parser/ast.ts";
import { PlainInstruction, parse, parseBody, printOperand, readBody } from "../../../src/parser/index.ts";
import { ABOVE, ADDRESS, LIST, NOT, VECTOR, WHAT, WORD } from "../../../src/parser/plain/instruction.ts";
import { Source } from "../../../src/source/source.ts";
import { share } from "../../share.ts";
import { data, HEADER } from "./read.ts";

const functions = (source: Source): readonly Func[] =>
  parse(source, { bodies: "index" }).value.items.flatMap((each) =>
    each.kind === "function" && each.body ? [each] : [],
  );

/** A block with the trees of its plain instructions in their places. */
const whole = (block: Block): Block => ({
  ...block,
  statements: block.statements.map((each) =>
    each.kind === "block" ? whole(each) : each instanceof PlainInstruction ? each.tree : each,
  ),
});

/** What a plain instruction's numbers say, as its text. */
function said({ body, at }: PlainInstruction): string {
  const { stream, words, opcodes } = body;
  const word = (number: number): string => words.texts[number] ?? "?";
  const guard = stream[at + 1] ?? 0;
  let next = at + 3;
  const operand = (): string => {
    const code = stream[next++] ?? 0;
    const value = code >> ABOVE;
    switch (code & WHAT) {
      case WORD:
        return word(value);
      case NOT:
        return `!${word(value)}`;
      case ADDRESS: {
        const offset = stream[next++] ?? 0;
        return `[${word(value)}${offset === 0 ? "" : `+${word(offset - 1)}`}]`;
      }
      case VECTOR:
        return `{${Array.from({ length: value }, operand).join(", ")}}`;
      case LIST:
        return `(${Array.from({ length: value }, operand).join(", ")})`;
      default:
        return `${operand()}|${operand()}`;
    }
  };
  const written = Array.from({ length: stream[at + 2] ?? 0 }, operand).join(", ");
  const condition = guard === 0 ? "" : `@${guard & 1 ? "!" : ""}${word((guard >> 1) - 1)} `;
  return `${condition}${opcodes.texts[stream[at] ?? 0]} ${written}`;
}

function told({ guard, mnemonic, modifiers, operands }: PlainInstruction): string {
  const condition = guard === undefined ? "" : `@${guard.negated ? "!" : ""}${guard.predicate.text} `;
  const opcode = [mnemonic, ...modifiers].map(({ text }) => text).join(".");
  return `${condition}${opcode} ${operands.map((each: Operand) => printOperand(each)).join(", ")}`;
}

function* plainIn({ statements }: Block): Iterable<PlainInstruction> {
  for (const each of statements as readonly Statement[])
    if (each.kind === "block") yield* plainIn(each);
    else if (each instanceof PlainInstruction) yield each;
}

const folders = ["kernels", "nvcc", "fuzz", "bench"] as const;
const texts = folders.flatMap((folder) =>
  readdirSync(new URL(`../../data/${folder}`, import.meta.url))
    .filter((name) => name.endsWith(".ptx.gz") && !/sm_(?!80\.G|103a)/.test(name))
    .map((name) => `${folder}/${name}`),
);

describe("bodies that compilers write", () => {
  test.each(share(texts, 12))("%s reads as the grammar reads it", (name) => {
    const source = new Source(name, data(name));
    let plain = 0;
    let all = 0;
    for (const func of functions(source)) {
      const { value, diagnostics } = readBody(source, func);
      const expected = parseBody(source, func);
      expect(diagnostics).toEqual(expected.diagnostics);
      expect(whole(value)).toEqual(expected.value);
      for (const each of plainIn(value)) {
        plain++;
        expect(said(each)).toBe(told(each));
      }
      all += source.text.slice(func.body?.start, func.body?.end).split(";").length;
    }
    expect([name, plain / all > 0.5]).toEqual([name, true]);
  });
});

const bodyOf = (statements: string) => {
  const source = new Source("t.ptx", `${HEADER}.entry k() {\n${statements}\n}`);
  const [func] = functions(source);
  if (func === undefined) throw new Error("no function");
  return { read: readBody(source, func), expected: parseBody(source, func) };
};

describe("what is unusual is left to the grammar", () => {
  test.each([
    "add .u32 a, b, c;", "ld.global.u32 a, [16];", "mov.u32 a, 1+2;", "mov.u32 a, WARP_SZ;", "tex.2d.v4.f32.f32 {a,b,c,d}, [t, {x, y}];",
    "mov.u32 a, - 5;", "mov.u32 a, 017;", "mov.u32 a, 0x1fU;", "mov.f32 a, 1.5;", "mov.f64 a, -1e-3;", "mov.f32 a, .5;", "vadd a.b0, -b;",
    "setp.eq.u32 p | q, a, b;", "@ ! p bra L;\nL :", "ret ;", "call (r), f, (a, b);", "call f;", "call.uni (r ) ,\n f, // f\n ( a , b.x );", "call f, (a, 5);", "call f, (1);", "call (r), f, ();", "call (r), %rd1, (a), L;", "@!p call f, (a);", "/* ; */ add /* , */ a, b; // }", "{ }", "{ { ret; } }",
    ".reg .b32 a<4>;", ".reg .pred p, q<2>,  %r ;", ".reg .b32 a<4>, b<0x4>;", ".reg .v2 .f32 v;", ".param .b64 x; .param .align 8 .b8 y[16];", ".loc 1 2 3", ".loc 1 2 3, function_name $L, inlined_at 1 2 3", ".loc 1 2 3, function_name f+4, inlined_at 4 5 6\nret;",
    '.pragma "no;unroll";', '.pragma "a", "b";', "L: .branchtargets A, B;\nA:\nB:", "ld.shared::cta.u32 a, [b+-4];", "st.u32 [b + 0x10], {a, _};", "mov.b64 {a, b}, c;", "a$b %r, $x, _;",
  ])("%s", (text) => {
    const { read, expected } = bodyOf(text);
    expect(expected.diagnostics).toEqual([]);
    expect(whole(read.value)).toEqual(expected.value);
    for (const each of plainIn(read.value)) expect(said(each)).toBe(told(each));
  }); // biome-ignore format: one list
});

describe("of mistakes the grammar speaks", () => {
  test.each([
    "call (r), f, (!p);", "call (r), f, (a, !p);", "call (r), f, (a,);", "call (r, f;", "call (a|b), f;", "add.u32 a, b", "add.u32 a,, b;", "add.u32 a, b,;", "add..u32 a;", "add.u32. a;", "mov.f32 a, -0f3f800000;", "mov.u32 a, 12ab;", "mov.u32 a, 0x;", "x.y: ret;",
    "{ ret;", "}", "ret; }", "add.u32 {a, {b}}, c;", "add.u32 a b;", "L:: ret;", "@p; ret;", "@p.x ret;", "@p @q ret;", "[a];", "ld.u32 a, [b;", "ld.u32 a, [b+c];",
    "st.u32 [a+1.5], b;", "mov.u32 % , a;", ".reg .b32 _;", ".reg .b32 a<>;", ".reg .b32 a b;", ".reg .b32 a,;", ".reg .b32 a.b;", ".loc 1 2", ".loc 1 2 3 4", "/* ", "\"", "add.u32 a, b; #", "mov.u32 a, b|c|d;", ".loc 01 8 9",
  ])("%s", (text) => {
    const { read, expected } = bodyOf(text);
    expect(read.diagnostics).toEqual(expected.diagnostics);
    expect(whole(read.value)).toEqual(expected.value);
  }); // biome-ignore format: one list
});
