import type { InstructionType } from "../../isa/form/instruction-type.ts";
import type { Width } from "../../numeric/operation/type.ts";
import type { Span } from "../../source/source.ts";
import { bitsOf, isRegisterType, typeNames } from "../declaration/fundamental-types.ts";
import type { RegisterSymbol } from "../declaration/scope.ts";
import { type Report, reject } from "../report.ts";

export type SymbolType = RegisterSymbol["type"];

export const registerTypes: readonly SymbolType[] = typeNames.filter(isRegisterType);

/** One use of an undeclared name, and the register types that the instruction accepts there. */
export interface Use {
  readonly types: readonly SymbolType[];
  /** The float type that the instruction requires, if any. */
  readonly float: SymbolType | undefined;
  /** What it reads or writes there, where no register has that type: `bf16`. */
  readonly meaning?: InstructionType | undefined;
  /** The integer type that it requires. */
  readonly integer?: SymbolType | undefined;
  readonly elements: RegisterSymbol["elements"];
  /** The width that is most likely where no other use decides; only where several are allowed. */
  readonly usual?: 32 | 64;
  /** The instruction writes it. */
  readonly written?: boolean;
  readonly span: Span;
  readonly opcode: string;
}

/** The type and width that all uses of a name agree on; undefined after PTX1430. */
export function typeOfUses(
  name: string,
  uses: readonly Use[],
  report: Report,
): Pick<RegisterSymbol, "type" | "elements" | "meaning"> | undefined {
  let left: readonly SymbolType[] = registerTypes;
  for (const use of uses) {
    const both = left.filter((type) => use.types.includes(type));
    if (both.length === 0) return conflict(name, uses, use, report);
    left = both;
  }
  const named = typeByName(name);
  const widths = left.map((type) => bitsOf(type) ?? 1);
  const bits =
    [bitsOf(named ?? ""), usualOf(uses)].find((each) => each && widths.includes(each)) ?? Math.min(...widths);
  const fitting = left.filter((type) => bitsOf(type) === bits);
  const float = [...uses.map((use) => use.float), named].find(
    (type) => type?.startsWith("f") && fitting.includes(type),
  );
  const type = float ?? signedBy(uses, fitting) ?? fitting.find((each) => each.startsWith("b")) ?? fitting[0];
  const wide = (count: 2 | 4): boolean => uses.some(({ elements }) => elements === count);
  const elements = wide(4) ? 4 : wide(2) ? 2 : 1;
  const meaning = type?.startsWith("b") ? meaningOf(uses) : undefined;
  return type && { type, elements, ...(meaning && { meaning }) };
}

/** What every use takes it for that takes it for more than bits. */
function meaningOf(uses: readonly Use[]): InstructionType | undefined {
  const meanings = new Set(uses.map(({ meaning, float, integer }) => meaning ?? float ?? integer));
  meanings.delete(undefined);
  const [only] = meanings;
  return meanings.size !== 1 || only === undefined || isRegisterType(only) ? undefined : only;
}

/** The width of a name that no use decides on. */
function usualOf(uses: readonly Use[]): Width | undefined {
  const usual = uses.flatMap((use) => use.usual ?? []);
  return usual.length === uses.length ? (Math.min(...usual) as Width) : undefined;
}

/** The types that nvcc, clang and Triton give to registers by these names. */
const types: ReadonlyMap<string, SymbolType> = new Map([
  ["%p", "pred"],
  ["%rs", "b16"],
  ["%rh", "b16"],
  ["%r", "b32"],
  ["%rd", "b64"],
  ["%rl", "b64"],
  ["%rq", "b128"],
  ["%h", "f16"],
  ["%hh", "f16x2"],
  ["%f", "f32"],
  ["%fd", "f64"],
  ["%fl", "f64"],
]);

/** `%rd` of `%rd12`; a name without a number is its own stem. */
export function stemOf(name: string): string {
  let end = name.length;
  while (end > 0 && name.charCodeAt(end - 1) >= 48 && name.charCodeAt(end - 1) <= 57) end--;
  return name.slice(0, end);
}

/** `b64` for `%rd12`; undefined for a name that follows no compiler's convention. */
export const typeByName = (name: string): SymbolType | undefined =>
  stemOf(name) === name ? undefined : types.get(stemOf(name));

/** A signed type where every use of an integer type requires that one, so that -1 is shown as -1. */
function signedBy(uses: readonly Use[], fitting: readonly SymbolType[]): SymbolType | undefined {
  const integers = new Set(uses.map(({ integer }) => integer).filter((type) => type !== undefined));
  const [only] = integers;
  return integers.size === 1 && only?.startsWith("s") && fitting.includes(only) ? only : undefined;
}

function conflict(name: string, uses: readonly Use[], use: Use, report: Report): undefined {
  const other =
    uses.find((before) => before !== use && !before.types.some((type) => use.types.includes(type))) ?? uses[0];
  return reject(
    report,
    "PTX1430",
    use.span,
    `${name} is ${show(use)} for ${use.opcode}, and ${show(other)} elsewhere`,
    {
      ...(other && { related: [{ span: other.span, message: `${show(other)} for ${other.opcode}` }] }),
      help: [{ message: "use two names, or declare the register with .reg" }],
    },
  );
}

function show(use: Use | undefined): string {
  const [first = "pred"] = use?.types ?? [];
  return first === "pred"
    ? "a predicate"
    : `${use?.types.some((type) => bitsOf(type) !== bitsOf(first)) ? "at least " : ""}${bitsOf(first)} bits`;
}
