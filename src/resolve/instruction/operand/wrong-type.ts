import type { RegisterClass } from "../../../isa/form/operands.ts";
import { match } from "../../../isa/match/match.ts";
import { typeWords } from "../../../isa/match/vocabulary.ts";
import { formsOf } from "../../../isa/table.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Span } from "../../../source/source.ts";
import type { Symbol as Named, RegisterSymbol, Scope } from "../../declaration/scope.ts";
import { reject } from "../../report.ts";
import { misfits } from "./operand-fit.ts";
import { showType, widthOf } from "./register-type.ts";
import { aValue, suitableNames } from "./undeclared.ts";

/** Reports a register of a type that its place does not take. */
export function wrongType(at: Span, symbol: RegisterSymbol, wanted: RegisterClass, scope: Scope): undefined {
  return reject(scope, "PTX1302", at, `${symbol.name} is ${showType(symbol)}`, {
    expected: listed(wanted),
    related: [{ span: symbol.span, message: "declared here" }],
    help: waysOut(symbol, wanted, scope).map((message) => ({ message })),
  });
}

/** `.f32, .b32 or a wider .b register`. */
function listed({ types, type, wider }: RegisterClass): string {
  const list = types.map((each) => `.${each}`);
  if (wider) {
    const own = type[0];
    list.push(
      own === "b" ? "any wider one" : own === "u" || own === "s" ? "a wider integer" : "wider bits such as .b64",
    );
  }
  const last = list.pop();
  return list.length === 0 ? String(last) : `${list.join(", ")} or ${last}`;
}

/** The instruction that was last told of another type, by scope: one way out is enough for all its operands. */
const told = new WeakMap<Scope, ast.Instruction>();

function waysOut(symbol: RegisterSymbol, wanted: RegisterClass, scope: Scope): readonly string[] {
  const { current } = scope;
  if (current === undefined || told.get(scope) === current) return [];
  const other = otherType(current, symbol, scope);
  told.set(scope, current);
  const takes =
    other === undefined ? [] : [`${other} takes ${current.operands.length === 1 ? "it" : "these registers"}`];
  if (wanted.access === "read") return other === undefined ? [conversion(symbol, wanted)] : takes;
  const all = aValue(wanted);
  const same = { ...all, suits: (each: Named) => each.kind === "register" && each.type === wanted.type };
  const names = suitableNames(scope, same) || suitableNames(scope, all);
  if (names !== "") return [...takes, `for its result there is ${names}`];
  return other === undefined ? [`declare a register for its result: .reg .${wanted.types[0]} NAME;`] : takes;
}

/** What makes a value of the wanted type of it. */
function conversion({ type }: RegisterSymbol, { types, bits }: RegisterClass): string {
  if (type === "pred") return "a predicate is not a number: selp turns it into one";
  const kindOf = (each: string) => (/^[bus]/.test(each) ? "integer" : "float");
  const to = types.find((each) => !each.startsWith("b")) ?? `b${bits}`;
  const from = widthOf(type);
  if (kindOf(type) === kindOf(to) && from !== bits)
    return `${from < bits ? "widen" : "narrow"} it first: cvt makes ${bits} bits of ${from}`;
  if (kindOf(type) !== kindOf(to) && from === bits)
    return `convert its value with cvt, or move its bits with mov.b${bits}, into such a register first`;
  return "convert it into such a register first, with cvt";
}

/** The instruction with another type, in which all operands would fit: `add.f32` for `add.s32` of an .f32 register. */
function otherType(
  { mnemonic, modifiers, operands }: ast.Instruction,
  symbol: RegisterSymbol,
  scope: Scope,
): string | undefined {
  const words = modifiers.map(({ text }) => text);
  const at = words.findIndex((word) => typeWords.has(word));
  if (at < 0 || words.some((word, index) => index !== at && typeWords.has(word))) return undefined;
  const written = words[at] ?? "";
  const all = formsOf(mnemonic.text).flatMap(({ modifiers: places }) => places.flatMap(({ choices }) => choices));
  // Rather the register's own type, and then one of the same kind.
  const akin = all.filter((word) => typeWords.has(word) && word[0] === written[0]);
  const types = new Set<string>([symbol.type, ...akin, ...all.filter((word) => typeWords.has(word))]);
  for (const type of types) {
    if (type === written) continue;
    const made = words.with(at, type);
    const found = match(mnemonic.text, made);
    if (found.kind !== "forms" || misfits(found.candidates, operands, scope) > 0) continue;
    if (found.candidates.every(({ since }) => since.ptx > scope.version || since.sm > scope.target.sm)) continue;
    return [mnemonic.text, ...made].join(".");
  }
  return undefined;
}
