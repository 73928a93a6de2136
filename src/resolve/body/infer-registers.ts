import { factsOf } from "../../interp/contract/space.ts";
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
import { type BlockNames, spanOf } from "../declaration/block-names.ts";
import { bitsOf, isRegisterType } from "../declaration/fundamental-types.ts";
import type { Symbol as Named, RegisterSymbol } from "../declaration/scope.ts";
import { fits as passes } from "../instruction/call-argument.ts";
import { fits } from "../instruction/operand/register-type.ts";
import { isSpecial } from "../instruction/operand/special-register.ts";
import { bestShape } from "../instruction/spelling/best-form.ts";
import type { Signature } from "../module/names/signature.ts";
import type { Report } from "../report.ts";
import { classed } from "./operand-classes.ts";
import { registerTypes, type SymbolType, typeOfUses, type Use } from "./type-of-uses.ts";

/** What a body's module knows about names that the body does not declare; a snippet has no module. */
export interface Surroundings {
  /** True where `name`, which no block declares, is to be a register; `written` says whether an instruction writes it. */
  infers(name: string, written: boolean): boolean;
  /** The parameters and results of a function; undefined for any other name. */
  signature(name: string): Signature | undefined;
}

const alone: Surroundings = { infers: () => true, signature: () => undefined };

/**
 * Declares, in `into`, the registers that a body uses without declaring them. A register gets the width that its uses
 * agree on, and where they leave it open, the one that compilers give to its name; a float type where one use asks for
 * it and all allow it, a signed type where all ask for it, else a bit type. Uses that do not agree are PTX1430; the
 * result holds where they start. `namesByBlock` holds the blocks' own names, which are looked up first.
 */
export function inferRegisters(
  body: ast.Block,
  namesByBlock: ReadonlyMap<ast.Block, BlockNames>,
  into: BlockNames,
  report: Report,
  around: Surroundings = alone,
): ReadonlySet<number> {
  const uses = new Map<string, Use[]>();
  gather(body, namesByBlock, uses, around);
  const disputed = new Set<number>();
  for (const [name, list] of uses) {
    const written = list.some((use) => use.written);
    if (!around.infers(name, written)) continue;
    const agreed = typeOfUses(name, list, report);
    const [first] = list;
    if (agreed && first) into.declare({ kind: "register", name, ...agreed, span: first.span });
    else for (const { span } of list) disputed.add(span.start);
  }
  return disputed;
}

function gather(
  block: ast.Block,
  namesByBlock: ReadonlyMap<ast.Block, BlockNames>,
  uses: Map<string, Use[]>,
  around: Surroundings,
): void {
  for (const statement of block.statements) {
    if (statement.kind === "block") gather(statement, namesByBlock, uses, around);
    if (statement.kind === "instruction") new UseReader(statement, namesByBlock.get(block), uses, around).read();
  }
}

/** Derives constraints on the names in one instruction. */
class UseReader {
  readonly #instruction: ast.Instruction;
  readonly #blockNames: BlockNames | undefined;
  readonly #uses: Map<string, Use[]>;
  readonly #around: Surroundings;
  readonly #opcode: string;

  constructor(
    instruction: ast.Instruction,
    blockNames: BlockNames | undefined,
    uses: Map<string, Use[]>,
    around: Surroundings,
  ) {
    this.#instruction = instruction;
    this.#blockNames = blockNames;
    this.#uses = uses;
    this.#around = around;
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
    const candidate = bestShape(found.candidates, operands, { lookup });
    if (candidate.classes["f"]?.kind === "callee") this.#call(operands);
    else for (const { operand, wanted } of classed(candidate, operands)) this.#operand(operand, wanted);
  }

  #operand(operand: ast.Operand, wanted: OperandClass): void {
    switch (wanted.kind) {
      case "register":
        this.#register(operand, wanted, 1);
        break;
      case "predicate":
        this.#predicate(operand, wanted);
        break;
      case "vector":
        this.#vector(operand, wanted);
        break;
      case "tuple":
        if (operand.kind === "vector")
          for (const [at, item] of operand.items.entries()) this.#register(item, wanted.of[at] ?? wanted.of[0], 1);
        else this.#register(operand, wanted.of.at(-1) ?? wanted.of[0], wanted.bare ? 1 : elementsOf(wanted.of.length));
        break;
      case "handle": {
        const handle = wanted.bracketed && operand.kind === "address" ? operand.base : operand;
        if (handle.kind === "name") this.#use(handle.name, { types: addresses, float: undefined, elements: 1 });
        break;
      }
      case "address":
        this.#address(operand, wanted);
    }
  }

  /** `call (r), f, (a), list`: the function's signature gives the types of the arguments. */
  #call(operands: readonly ast.Operand[]): void {
    const [first, ...others] = operands;
    const results = first?.kind === "list" ? first : undefined;
    const [callee, passed] = results ? others : operands;
    if (callee?.kind !== "name") return;
    const signature = this.#around.signature(callee.name.text);
    if (signature === undefined) this.#use(callee.name, { types: addresses, float: undefined, elements: 1 });
    this.#passed(results, signature?.results ?? [], true);
    this.#passed(passed, signature?.parameters ?? [], false);
  }

  #passed(list: ast.Operand | undefined, formals: Signature["parameters"], written: boolean): void {
    if (list?.kind !== "list") return;
    for (const [index, operand] of list.items.entries()) {
      const formal = formals[index];
      if (operand.kind !== "name" || operand.component || formal === undefined) continue;
      const types = formal.type === "pred" ? ["pred" as const] : registerTypes.filter((type) => passes(type, formal));
      const float = types.find((type) => type === formal.type && type.startsWith("f"));
      this.#use(operand.name, { types, float, elements: formal.elements, written });
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
    this.#use(name, { ...asked(wanted), elements: component ? elementsUpTo(component) : elements });
  }

  #predicate(operand: ast.Operand, { access }: PredicateClass): void {
    const name =
      operand.kind === "name"
        ? operand.name
        : operand.kind === "expr" && operand.value.kind === "unary" && operand.value.operand.kind === "symbol"
          ? operand.value.operand.name
          : undefined;
    if (name) this.#use(name, { types: ["pred"], float: undefined, elements: 1, written: access === "write" });
  }

  #vector(operand: ast.Operand, { count, of }: VectorClass): void {
    if (operand.kind === "vector") for (const item of operand.items) this.#register(item, of, 1);
    else if (count === 2 || count === 4) this.#register(operand, of, count);
  }

  #address(operand: ast.Operand, { space }: AddressClass): void {
    if (operand.kind === "element") {
      const { index } = operand;
      const name = index.kind === "name" ? index.name : index.kind === "expr" ? leftmost(index.value) : undefined;
      if (name) this.#use(name, { types: offsets, float: undefined, elements: 1, usual: 32 });
    }
    if (operand.kind !== "address") return;
    const { base } = operand;
    const name = base.kind === "name" ? base.name : base.kind === "expr" ? leftmost(base.value) : undefined;
    if (!name) return;
    const elements = base.kind === "name" && base.component ? elementsUpTo(base.component) : 1;
    // All but global and generic memory lies within 4 GiB, and the register may have 32 bits; in shared memory it mostly has.
    const wide = space === "generic" || !factsOf(space).near;
    const use = wide
      ? { types: addresses }
      : { types: offsets, usual: space === "shared" ? (32 as const) : (64 as const) };
    this.#use(name, { ...use, float: undefined, elements });
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

const addresses: readonly SymbolType[] = ["b64", "u64", "s64"];
/** The integer types that can represent an address in a separate space. */
const offsets: readonly SymbolType[] = ["b32", "u32", "s32", ...addresses];

/** The least vector that has so many elements. */
const elementsOf = (count: number): 2 | 4 => (count <= 2 ? 2 : 4);

/** How many elements a vector has at least, of which one is named. */
const elementsUpTo = ({ text }: ast.Name): 2 | 4 => (/^[zwba]$/.test(text) ? 4 : 2);

const memo = new WeakMap<RegisterClass, readonly SymbolType[]>();

/** Register types that an operand position accepts, wider ones included where allowed. */
function typesFor(wanted: RegisterClass): readonly SymbolType[] {
  const known = memo.get(wanted);
  if (known) return known;
  const types = registerTypes.filter((type) => type !== "pred" && fits(type, wanted));
  memo.set(wanted, types);
  return types;
}

const asked = (wanted: RegisterClass): Omit<Use, "elements" | "span" | "opcode"> => ({
  written: wanted.access === "write",
  types: typesFor(wanted),
  float: floatOf(wanted),
  meaning: isRegisterType(wanted.type) ? undefined : wanted.type,
  integer: wanted.types.find((type) => /^[us]/.test(type) && type === wanted.types[0]),
  // isspacep takes an address of either width.
  ...(wanted.bits === 64 && wanted.types.some((type) => bitsOf(type) === 32) && { usual: 64 as const }),
});

/**
 * The float type of a class without integers, such as that of `add.f16`; that of `mov.b16` takes anything. A coordinate of a
 * texture is a float although any register of 32 bits may hold it.
 */
function floatOf({ type, types }: RegisterClass): RegisterType | undefined {
  if (type === "f32" && types[0] === "f32") return type;
  if (types.some((type) => /^[us]/.test(type))) return undefined;
  return types.find((type) => type.startsWith("f"));
}
