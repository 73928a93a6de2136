import { meantBy } from "../../isa/match/other-assemblers.ts";
import type * as ast from "../../parser/ast.ts";
import type { Span } from "../../source/source.ts";
import { evaluateInteger } from "../constant/constant.ts";
import { requireFeature } from "../module/header/feature.ts";
import type { Header } from "../module/header/header.ts";
import { nearest } from "../nearest.ts";
import { type Report, reject } from "../report.ts";
import { bitsOf, isInstructionType, isOpaque, typeNames } from "./fundamental-types.ts";

/** The element in a declaration: its type, vector length, size and alignment. */
export interface DeclaredElement {
  /** Without the dot: `b32`, `texref`. */
  readonly type: string;
  readonly vector: 1 | 2 | 4;
  /** Of the complete element, vector included. */
  readonly bytes: number;
  /** From `.align`, else as many bytes as the element has. */
  readonly align: number;
}

/** An array's shape: lengths from the outside in, `undefined` for `[]`. */
export type Dimensions = readonly (number | undefined)[];

/** The limit on a variable's bytes: beyond 2^53 no address arithmetic is exact in a JavaScript number. */
const mostBytes = 2n ** 53n;

/** The element of a declaration or parameter in memory; undefined after a diagnostic (PTX1402, 1403, 1405). */
export function readElement(
  node: { readonly type: ast.Name; readonly vector?: ast.Name; readonly align: readonly ast.Expr[] },
  header: Header,
  report: Report,
): DeclaredElement | undefined {
  const align = readAlign(node.align, report);
  const type = readType(node.type, header, report);
  if (type === undefined) return undefined;
  if (type === "pred")
    return reject(report, "PTX1403", node.type, "a predicate lives only in a register", { expected: ".reg .pred" });
  const bytes = isOpaque(type) ? 8 : (bitsOf(type) ?? 8) / 8;
  const vector = readVector(node.vector, bytes * 8, report);
  if (vector === undefined) return undefined;
  return { type, vector, bytes: bytes * vector, align: align ?? bytes * vector };
}

/** A type's name, checked to be a type of variables and registers. */
export function readType(name: ast.Name, header: Header, report: Report): string | undefined {
  if (isInstructionType(name.text))
    return reject(report, "PTX1402", name, `.${name.text} is a type for instructions only`, {
      expected: "a bit type as wide, such as .b16 or .b32",
      manual: "restricted-use-of-sub-word-sizes",
    });
  if (bitsOf(name.text) === undefined && !isOpaque(name.text)) {
    const near = meantBy(name.text).find((type) => bitsOf(type) !== undefined) ?? nearest(name.text, typeNames);
    return reject(report, "PTX1402", name, `unknown type .${name.text}`, {
      expected: ".b32, .u32, .s32, .f32, .pred and the like",
      ...(near && {
        help: [
          {
            message: `did you mean .${near}?`,
            replace: { span: { start: name.start, end: name.end }, text: `.${near}` },
          },
        ],
      }),
      manual: "fundamental-types",
    });
  }
  requireFeature(`.${name.text}`, name, header, report);
  return name.text;
}

/** Elements of `.v2` or `.v4`, 1 without; vectors have at most 128 bits (PTX ISA 5.4.2). */
export function readVector(name: ast.Name | undefined, bits: number, report: Report): 1 | 2 | 4 | undefined {
  if (!name) return 1;
  const count = name.text === "v2" ? 2 : name.text === "v4" ? 4 : undefined;
  if (count === undefined)
    return reject(report, "PTX1403", name, `no variable can be declared .${name.text}`, { expected: ".v2 or .v4" });
  if (count * bits > 128)
    return reject(report, "PTX1403", name, `a vector of ${count} times ${bits} bits is too wide`, {
      expected: "at most 128 bits",
      manual: "vectors",
    });
  return count;
}

/** The largest `.align` given; undefined when there is none. */
export function readAlign(exprs: readonly ast.Expr[], report: Report): number | undefined {
  let most: number | undefined;
  for (const expr of exprs) {
    const value = evaluateInteger(expr, report);
    if (value === undefined) continue;
    if (value === 0n || (value & (value - 1n)) !== 0n || value >= 2n ** 32n)
      reject(report, "PTX1405", expr, `${value} is not an alignment`, { expected: "a power of two" });
    else most = Math.max(most ?? 1, Number(value));
  }
  return most;
}

/** Lengths of an array. Only the first may be left open; `[0]` is as open as `[]` to ptxas. */
export function readDimensions(
  exprs: readonly (ast.Expr | undefined)[],
  at: Span,
  report: Report,
): Dimensions | undefined {
  let total = 1n;
  let sound = true;
  const lengths = exprs.map((expr, index) => {
    if (expr === undefined) {
      if (index > 0) {
        reject(report, "PTX1406", at, "only the first dimension may be left open");
        sound = false;
      }
      return undefined;
    }
    const length = evaluateInteger(expr, report);
    if (length === undefined) sound = false;
    else total *= length;
    return Number(length ?? 1n) || undefined;
  });
  if (!sound) return undefined;
  if (total <= mostBytes) return lengths;
  return reject(report, "PTX1407", at, "this array is larger than any memory", { expected: "at most 2^53 elements" });
}

/** Elements in an array of these lengths; undefined while one is open. */
export const countOf = (dimensions: Dimensions): number | undefined =>
  dimensions.reduce<number | undefined>((all, length) => all && length && all * length, 1);
