import fc from "fast-check";
import { expect, test } from "vitest";
import { type Expr, parseSnippet, printExpr } from "../../src/parser/index.ts";
import { Source } from "../../src/source/source.ts";
import { bare } from "../unit/parser/read.ts";

type Kind<K extends Expr["kind"]> = Extract<Expr, { kind: K }>;
const at = { start: 0, end: 0 };

/** Any constant expression that PTX can spell. */
const { expr } = fc.letrec<{ expr: Expr }>((tie) => ({
  expr: fc.oneof(
    { maxDepth: 6, depthSize: "large" },
    fc.constantFrom("0", "17", "0x1F", "0b101", "017", "42U").map((text): Expr => ({ kind: "integer", text, ...at })),
    fc
      .constantFrom("1.5", ".5", "1e-3", "0f3F800000", "0d3FF0000000000000")
      .map((text): Expr => ({ kind: "float", text, ...at })),
    fc.constant<Expr>({ kind: "symbol", name: { text: "WARP_SZ", ...at }, ...at }),
    fc
      .tuple(fc.constantFrom<Kind<"unary">["operator"][]>("+", "-", "!", "~"), tie("expr"))
      .map(([operator, operand]): Expr => ({ kind: "unary", operator, operand, ...at })),
    fc
      .tuple(
        fc.constantFrom<Kind<"binary">["operator"][]>(
          ..."* / % + - << >> < <= > >= == != & ^ | && ||".split(" ").map((text) => text as Kind<"binary">["operator"]),
        ),
        tie("expr"),
        tie("expr"),
      )
      .map(([operator, left, right]): Expr => ({ kind: "binary", operator, left, right, ...at })),
    fc
      .tuple(tie("expr"), tie("expr"), tie("expr"))
      .map(([test, then, otherwise]): Expr => ({ kind: "conditional", test, then, otherwise, ...at })),
    fc
      .tuple(fc.constantFrom("s64", "u64"), tie("expr"))
      .map(([text, operand]): Expr => ({ kind: "cast", type: { text, ...at }, operand, ...at })),
  ),
}));

test("a printed expression parses back to itself, alone and behind a name's plus", () => {
  fc.assert(
    fc.property(expr, (value) => {
      const text = printExpr(value);
      const { value: block, diagnostics } = parseSnippet(new Source("t", `op ${text}, [a+${text}];`));
      expect(diagnostics.map(({ message }) => `${message} in ${text}`)).toEqual([]);
      const [statement] = block.statements;
      const [alone, address] = statement?.kind === "instruction" ? statement.operands : [];
      expect(alone?.kind === "expr" && bare(alone.value)).toEqual(bare(value));
      const sum = address?.kind === "address" && address.base.kind === "expr" && address.base.value;
      expect(sum && sum.kind === "binary" && bare(sum.right)).toEqual(bare(value));
    }),
    { numRuns: 500 },
  );
});

test("no text makes the parser throw, and every span lies inside the text", () => {
  const piece = fc.constantFrom(
    ..."add.u32|.reg|.b32|%r1|a|,|;|{|}|[|]|(|)|+|-|!|~|?|:|=|<|>|@|.|\"|'|#|1|0x|0f3F800000|1.5|//|/*|*/|\n| |.entry|.func|.version|9.0|.target|sm_90|.global|.param|.section|.loc|.pragma|.align|.visible|WARP_SZ|_|é|\0|%|$|\\".split(
      "|",
    ),
    "|",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      for (const separator of ["", " "]) {
        const text = pieces.join(separator);
        const { diagnostics } = parseSnippet(new Source("t", text));
        for (const { span } of diagnostics) {
          expect(span.start).toBeGreaterThanOrEqual(0);
          expect(span.end).toBeGreaterThanOrEqual(span.start);
          expect(span.end).toBeLessThanOrEqual(text.length);
        }
      }
    }),
    { numRuns: 1000 },
  );
});
