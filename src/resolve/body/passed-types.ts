import type * as ast from "../../parser/ast.ts";
import { bitsOf, isRegisterType } from "../declaration/fundamental-types.ts";
import type { FunctionParameter } from "../module/names/signature.ts";

/** The elements of an array: one element for a scalar. */
export interface ArrayElements {
  readonly type: string;
  readonly count: number;
}

/**
 * The elements of a function's result. Compilers declare bits, and a struct as an array of bytes; where all stores
 * of the body to it have one width, the result consists of the stored elements.
 */
export function elementsOf(
  {
    name,
    type,
    count = 1,
    bytes = 0,
  }: Pick<FunctionParameter, "type" | "count" | "bytes"> & { readonly name?: string },
  body: ast.Block,
): ArrayElements {
  const stored = name && /^b\d+$/.test(type) ? moved("st", name, body) : [];
  const [first] = stored;
  const width = first === undefined ? 0 : (bitsOf(first) ?? 0) / 8;
  if (width === 0 || bytes % width !== 0 || stored.some((each) => bitsOf(each) !== width * 8)) return { type, count };
  return { type: commonType(stored), count: bytes / width };
}

/** The type of a parameter: where bits are declared and all of them are loaded as another type, that one. */
export function loadedType({ name, type }: FunctionParameter, body: ast.Block): string {
  const loaded = name && /^b\d+$/.test(type) ? moved("ld", name.text, body) : [];
  return loaded.length > 0 && loaded.every((each) => bitsOf(each) === bitsOf(type)) ? commonType(loaded) : type;
}

/** The types of `ld.param` from a name, or of `st.param` to it. */
function moved(mnemonic: "ld" | "st", name: string, block: ast.Block): readonly string[] {
  return block.statements.flatMap((statement): readonly string[] => {
    if (statement.kind === "block") return moved(mnemonic, name, statement);
    if (statement.kind !== "instruction" || statement.mnemonic.text !== mnemonic) return [];
    const type = statement.modifiers.at(-1)?.text ?? "";
    const at = statement.operands.find(({ kind }) => kind === "address");
    return at?.kind === "address" && isRegisterType(type) && baseOf(at.base) === name ? [type] : [];
  });
}

/** `r` of `[r+4]`. */
function baseOf(operand: ast.Operand): string | undefined {
  if (operand.kind === "name") return operand.name.text;
  if (operand.kind !== "expr") return undefined;
  let first = operand.value;
  while (first.kind === "binary") first = first.left;
  return first.kind === "symbol" ? first.name.text : undefined;
}

/** Of types of one width, the most specific one; bits where they contradict each other. */
export function commonType(types: readonly string[]): string {
  const [one = "b64", two] = new Set(types.filter((type) => !type.startsWith("b")));
  const float = types.find((type) => type.startsWith("f"));
  if (float !== undefined) return float;
  if (types.every((type) => type.startsWith("b"))) return types[0] ?? one;
  return two === undefined ? one : `b${one.slice(1)}`;
}
