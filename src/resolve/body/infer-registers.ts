import type {
  AddressClass,
  OperandClass,
  PredicateClass,
  RegisterClass,
  RegisterType,
  VectorClass,
} from "../../isa/form/operands.ts";
import { match } from "../../isa/match/match.ts";
import type * as ast from "../../parser/ast.ts";
import type { Span } from "../../source/source.ts";
import { type BlockNames, spanOf } from "../declaration/block-names.ts";
import { bitsOf, isRegisterType, typeNames } from "../declaration/fundamental-types.ts";
import type { Symbol as Named, RegisterSymbol } from "../declaration/scope.ts";
import { bestShape } from "../instruction/best-form.ts";
import { splitOperand } from "../instruction/operand-choices.ts";
import { fits } from "../instruction/register.ts";
import { isSpecial } from "../instruction/special-register.ts";
import { type Report, reject } from "../report.ts";

type SymbolType = RegisterSymbol["type"];

/** One place where an undeclared name is used, and which types of register the instruction takes there. */
interface Use {
  readonly types: readonly SymbolType[];
  /** The float type that the instruction asks for, where it asks for one. */
  readonly float: SymbolType | undefined;
  /** The integer type that it asks for. */
  readonly integer?: SymbolType | undefined;
  readonly elements: RegisterSymbol["elements"];
  readonly span: Span;
  readonly opcode: string;
}

/**
 * Declares, in `into`, the registers that a snippet uses without declaring them. A register gets the width that its
 * uses agree on; a float type where one of them asks for it and all allow it, a signed type where all ask for it, else
 * a bit type. Uses that do not agree are PTX1430. `namesByBlock` holds the blocks' own names, which are looked up
 * first.
 */
export function inferRegisters(
  body: ast.Block,
  namesByBlock: ReadonlyMap<ast.Block, BlockNames>,
  into: BlockNames,
  report: Report,
): ReadonlySet<number> {
  const uses = new Map<string, Use[]>();
  gather(body, namesByBlock, uses);
  const disputed = new Set<number>();
  for (const [name, list] of uses) {
    const agreed = agree(name, list, report);
    const [first] = list;
    if (agreed && first) into.declare({ kind: "register", name, ...agreed, span: first.span });
    else for (const { span } of list) disputed.add(span.start);
  }
  return disputed;
}

function gather(block: ast.Block, namesByBlock: ReadonlyMap<ast.Block, BlockNames>, uses: Map<string, Use[]>): void {
  for (const statement of block.statements) {
    if (statement.kind === "block") gather(statement, namesByBlock, uses);
    if (statement.kind === "instruction") new UseReader(statement, namesByBlock.get(block), uses).read();
  }
}

/** Reads what one instruction says about the names in it. */
class UseReader {
  readonly #instruction: ast.Instruction;
  readonly #blockNames: BlockNames | undefined;
  readonly #uses: Map<string, Use[]>;
  readonly #opcode: string;

  constructor(instruction: ast.Instruction, blockNames: BlockNames | undefined, uses: Map<string, Use[]>) {
    this.#instruction = instruction;
    this.#blockNames = blockNames;
    this.#uses = uses;
    this.#opcode = [instruction.mnemonic, ...instruction.modifiers].map(({ text }) => text).join(".");
  }

  read(): void {
    const { mnemonic, modifiers, operands, guard } = this.#instruction;
    if (guard) this.#use(guard.predicate, { types: ["pred"], float: undefined, elements: 1 });
    const found = match(
      mnemonic.text,
      modifiers.map(({ text }) => text),
    );
    if (found.kind !== "forms") return;
    const lookup = (name: string): Named | undefined => this.#blockNames?.find(name, this.#instruction.start);
    const { form, classes } = bestShape(found.candidates, operands, { lookup });
    for (const [index, slot] of form.slots.entries()) {
      const { name, second } = slot;
      const written = operands[index];
      const operand = written && splitOperand(written, slot).operand;
      if (operand?.kind === "pair" && second) {
        this.#operand(operand.first, classes[name]);
        this.#operand(operand.second, classes[second.name]);
      } else if (operand) this.#operand(operand, classes[name]);
    }
  }

  #operand(operand: ast.Operand, wanted: OperandClass | undefined): void {
    switch (wanted?.kind) {
      case "register":
        this.#register(operand, wanted, 1);
        break;
      case "predicate":
        this.#predicate(operand, wanted);
        break;
      case "vector":
        this.#vector(operand, wanted);
        break;
      case "address":
        this.#address(operand, wanted);
    }
  }

  #register(operand: ast.Operand, wanted: RegisterClass, elements: RegisterSymbol["elements"]): void {
    if (operand.kind === "expr") {
      // PTX has no such operand, but the name in it is still a register; the resolver reports the mistake.
      const name = leftmost(operand.value);
      if (name) this.#use(name, { ...asked(wanted), elements });
    }
    if (operand.kind !== "name") return;
    const { name, component } = operand;
    const wide = component ? (/^[zwba]$/.test(component.text) ? 4 : 2) : elements;
    this.#use(name, { ...asked(wanted), elements: wide });
  }

  #predicate(operand: ast.Operand, _wanted: PredicateClass): void {
    const name =
      operand.kind === "name"
        ? operand.name
        : operand.kind === "expr" && operand.value.kind === "unary" && operand.value.operand.kind === "symbol"
          ? operand.value.operand.name
          : undefined;
    if (name) this.#use(name, { types: ["pred"], float: undefined, elements: 1 });
  }

  #vector(operand: ast.Operand, { count, of }: VectorClass): void {
    if (operand.kind === "vector") for (const item of operand.items) this.#register(item, of, 1);
    else if (count !== 8) this.#register(operand, of, count);
  }

  #address(operand: ast.Operand, _wanted: AddressClass): void {
    if (operand.kind !== "address") return;
    const { base } = operand;
    const types: readonly SymbolType[] = ["b64", "u64", "s64"];
    if (base.kind === "name") this.#use(base.name, { types, float: undefined, elements: 1 });
    if (base.kind !== "expr") return;
    const name = leftmost(base.value);
    if (name) this.#use(name, { types, float: undefined, elements: 1 });
  }

  #use(name: ast.Name, use: Omit<Use, "span" | "opcode">): void {
    const { text } = name;
    // A name that is declared further down is used too early, which the resolver reports.
    if (text === "_" || text === "WARP_SZ" || isSpecial(text)) return;
    if (this.#blockNames?.find(text, Number.POSITIVE_INFINITY)) return;
    const made = { ...use, span: spanOf(name), opcode: this.#opcode };
    const list = this.#uses.get(text);
    if (list) list.push(made);
    else this.#uses.set(text, [made]);
  }
}

/** The name that an expression such as `-a` or `a+1` begins with. */
function leftmost(expr: ast.Expr): ast.Name | undefined {
  let first = expr;
  while (first.kind === "binary" || first.kind === "unary")
    first = first.kind === "binary" ? first.left : first.operand;
  return first.kind === "symbol" ? first.name : undefined;
}

const registerTypes: readonly SymbolType[] = typeNames.filter(isRegisterType);
const memo = new WeakMap<RegisterClass, readonly SymbolType[]>();

/** Types of register that an operand position takes, wider ones included where they pass. */
function typesFor(wanted: RegisterClass): readonly SymbolType[] {
  const known = memo.get(wanted);
  if (known) return known;
  const types = registerTypes.filter((type) => type !== "pred" && fits(type, wanted));
  memo.set(wanted, types);
  return types;
}

const asked = (wanted: RegisterClass): Pick<Use, "types" | "float" | "integer"> => ({
  types: typesFor(wanted),
  float: floatOf(wanted),
  integer: wanted.types.find((type) => /^[us]/.test(type) && type === wanted.types[0]),
});

/** The float type of a class without integers, such as that of `add.f16`; that of `mov.b16` takes anything. */
function floatOf({ types }: RegisterClass): RegisterType | undefined {
  if (types.some((type) => /^[us]/.test(type))) return undefined;
  return types.find((type) => type.startsWith("f"));
}

function agree(
  name: string,
  uses: readonly Use[],
  report: Report,
): Pick<RegisterSymbol, "type" | "elements"> | undefined {
  let left: readonly SymbolType[] = registerTypes;
  for (const use of uses) {
    const both = left.filter((type) => use.types.includes(type));
    if (both.length === 0) return conflict(name, uses, use, report);
    left = both;
  }
  const least = Math.min(...left.map((type) => bitsOf(type) ?? 1));
  const fitting = left.filter((type) => bitsOf(type) === least);
  const float = uses.map((use) => use.float).find((type) => type !== undefined && fitting.includes(type));
  const type = float ?? signedBy(uses, fitting) ?? fitting.find((each) => each.startsWith("b")) ?? fitting[0];
  const wide = (count: 2 | 4): boolean => uses.some(({ elements }) => elements === count);
  const elements = wide(4) ? 4 : wide(2) ? 2 : 1;
  return type && { type, elements };
}

/** A signed type where every use of an integer type asks for that one, so that -1 is shown as -1. */
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
