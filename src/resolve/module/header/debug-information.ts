import type * as ast from "../../../parser/ast.ts";
import { asSigned, evaluate } from "../../constant/constant.ts";
import { type Report, reject } from "../../report.ts";

/** The files that `.file` names, by index (PTX ISA 11.5.2); a second one with the same index is PTX1417. */
export function readFiles(module: ast.Module, report: Report): ReadonlyMap<number, string> {
  const files = new Map<number, ast.File>();
  for (const item of module.items) {
    if (item.kind !== "file") continue;
    const first = files.get(item.index);
    if (first)
      reject(report, "PTX1417", item, `file ${item.index} is named already`, {
        related: [{ span: first, message: "here" }],
      });
    else files.set(item.index, item);
  }
  return new Map([...files].map(([index, { path }]) => [index, path.text]));
}

/** Reports what is wrong with a text of an intermediate language (PTX ISA 11.5.6). */
export function checkCodeBlock(block: ast.CodeBlock, files: ReadonlyMap<number, string>, report: Report): void {
  const { irName, file } = block;
  if (irName.text !== "TileIR")
    reject(report, "PTX1419", irName, `"${irName.text}" is not an intermediate language`, { expected: '"TileIR"' });
  if (!files.has(file))
    reject(report, "PTX1419", block, `there is no .file ${file}`, { expected: "the index of a .file" });
}

const widths: ReadonlyMap<string, number> = new Map([
  ["b8", 8],
  ["b16", 16],
  ["b32", 32],
  ["b64", 64],
]);

/** Checks the lines of a `.section` (PTX ISA 11.5.3): integers that fit, and names of labels or sections. */
export function checkSection({ lines }: ast.Section, report: Report): void {
  for (const line of lines) {
    if (line.kind === "label") continue;
    const bits = widths.get(line.type.text);
    if (bits === undefined) {
      reject(report, "PTX1419", line.type, `.${line.type.text} is not a type of debug data`, {
        expected: ".b8, .b16, .b32 or .b64",
      });
      continue;
    }
    for (const expr of line.values) checkValue(expr, bits, report);
  }
}

function checkValue(expr: ast.Expr, bits: number, report: Report): void {
  // Differences of labels and offsets into sections are left to DWARF; only plain numbers are checked here.
  if (expr.kind !== "integer" && expr.kind !== "unary") return;
  const value = evaluate(expr, report);
  if (value?.kind !== "integer") return;
  const number = value.signed ? asSigned(value.value) : value.value;
  if (number < -(1n << BigInt(bits - 1)) || number >= 1n << BigInt(bits))
    reject(report, "PTX1419", expr, `${number} does not fit in ${bits} bits`);
}
