import { isCollective } from "../../../src/interp/contract/plan/effects.ts";
import type { OperandClass, RegisterClass } from "../../../src/isa/form/operands.ts";
import type { Form, ModifierValues, OperandCheck } from "../../../src/isa/index.ts";
import { spelling } from "../../../src/present/form.ts";
import { type Example, type Gives, hex, noInputs } from "./example.ts";
import { languageOf, textOf } from "./text.ts";

/** Bytes at an address operand of an example. */
const CELL = 64;

/** One instruction with its operands in registers that are declared above it. */
export function operandExample(form: Form, check: OperandCheck): Example {
  const chosen = check.with ?? [];
  const opcode = spelling(form, chosen);
  const mods = wordsOf(form, chosen);
  const classes = form.operands(mods);
  const plan = form.plan(mods);
  const operands = new Operands(classes, plan.shape === "load");
  const written: string[] = [];
  for (const { name, second } of form.slots) {
    const value = check.operands[name];
    if (value === undefined) continue;
    const text = operands.text(name, classes[name], value);
    const other = second && check.operands[second.name];
    written.push(
      second === undefined || other === undefined
        ? text
        : `${text}|${operands.text(second.name, classes[second.name], other)}`,
    );
  }
  if (check.carryIn !== undefined) operands.values["cc.cf"] = String(check.carryIn);
  const lines = [...operands.declarations, `${opcode} ${written.join(", ")};`];
  return {
    project: {
      name: "example.ptx",
      text: textOf(lines, { language: languageOf(form.since(mods), form.until) }),
      inputs: { ...noInputs, values: operands.values, block: isCollective(plan) ? "32" : "" },
    },
    types: operands.types,
    gives: [
      ...operands.gives,
      ...(check.carryOut === undefined ? [] : [{ kind: "carry", value: check.carryOut } as const]),
    ],
  };
}

/** The words of a form with some picked, as the values of its placeholders. */
function wordsOf({ modifiers }: Form, chosen: readonly string[]): ModifierValues {
  const left = [...chosen];
  const values: Record<string, string | boolean | undefined> = {};
  for (const { name, choices, optional, flag } of modifiers) {
    const at = left.findIndex((word) => choices.includes(word));
    const word = at >= 0 ? left.splice(at, 1)[0] : optional ? undefined : choices[0];
    values[name] = flag ? word !== undefined : word;
  }
  return values;
}

type Value = OperandCheck["operands"][string];
const listOf = (value: Value): readonly bigint[] => (typeof value === "object" ? value.map(BigInt) : [BigInt(value)]);

/** Collects what the operands of one instruction need: declarations, inputs and results. */
class Operands {
  readonly values: Record<string, string> = {};
  readonly gives: Gives[] = [];
  readonly types: Record<string, string> = {};
  readonly #classes: Readonly<Record<string, OperandClass>>;
  readonly #loads: boolean;
  /** Registers by type, in the order of their first use. */
  readonly #registers = new Map<string, string[]>();

  constructor(classes: Readonly<Record<string, OperandClass>>, loads: boolean) {
    this.#classes = classes;
    this.#loads = loads;
  }

  get declarations(): readonly string[] {
    return [...this.#registers].map(([type, names]) => `.reg .${type} ${names.join(", ")};`);
  }

  /** An operand as the instruction has it. */
  text(name: string, wants: OperandClass | undefined, value: Value): string {
    const [first = 0n] = listOf(value);
    switch (wants?.kind) {
      case "register":
        return this.#register(name, wants, first);
      case "predicate":
        return this.#declare(name, "pred", wants.access, first);
      case "vector": {
        const each = listOf(value).map((bits, at) => {
          const own = wants.each?.[at] ?? wants.of;
          return own.least === undefined ? this.#register(`${name}${at}`, own, bits) : String(bits);
        });
        return `{${each.join(", ")}}`;
      }
      case "literal":
        return String(first);
      case "address":
        return `[${this.#address(name, listOf(value))}]`;
      default:
        throw new Error(`no example of ${name}, ${wants?.kind ?? "which is not there"}`);
    }
  }

  #register(name: string, { access, type, types }: RegisterClass, bits: bigint): string {
    this.types[name] = type;
    const declared = types.find((each) => each === type) ?? types[0] ?? "b32";
    return this.#declare(name, declared, access, bits);
  }

  #declare(name: string, type: string, access: "read" | "write", bits: bigint): string {
    const names = this.#registers.get(type);
    if (names === undefined) this.#registers.set(type, [name]);
    else names.push(name);
    if (access === "read") this.values[name] = type === "pred" ? String(bits) : hex(bits);
    else this.gives.push({ kind: "register", name, bits });
    return name;
  }

  #address(name: string, bits: readonly bigint[]): string {
    const bytes = this.#elementBytes();
    const type = `u${8 * bytes}`;
    const names = this.#registers.get("b64") ?? [];
    this.#registers.set("b64", [...names, name]);
    this.values[name] = this.#loads
      ? `${type}x${bits.length}:${bits.map(hex).join(",")}`
      : `${type}x${CELL / bytes}:fill=0`;
    if (!this.#loads) this.gives.push({ kind: "buffer", name, type, bits });
    return name;
  }

  /** Bytes of one element in memory: as wide as the first value that the form moves. */
  #elementBytes(): number {
    for (const wants of Object.values(this.#classes)) {
      if (wants.kind === "register") return wants.bits / 8;
      if (wants.kind === "vector") return wants.of.bits / 8;
    }
    return 8;
  }
}
