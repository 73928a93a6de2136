import { isConstant } from "../../../src/interp/contract/constant.ts";
import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import type { Operand } from "../../../src/interp/contract/operand.ts";
import { number } from "../../../src/present/value.ts";
import type { Origin, Role, Shown } from "./cause.ts";
import { strangeIn } from "./meaning.ts";
import type { Names } from "./names.ts";
import type { Past } from "./past.ts";
import { keyOf, type Moment, type Sought } from "./sought.ts";

/** A value that explains another one: where to look for its writer, or where it comes from. */
export interface Lead {
  readonly value: Shown;
  readonly role?: Role;
  readonly sought?: Sought;
  readonly before?: Moment;
  readonly origin?: Origin;
  /** Of an address: what is added to the register. */
  readonly plus?: bigint;
}

/** What an instruction did to make a value. */
export interface Made {
  readonly operands: readonly Shown[];
  /** What is worth following, the most telling first. */
  readonly leads: readonly Lead[];
  /** How many of them are followed unless more causes are asked for; all without it. */
  readonly usual?: number;
  readonly sum?: string;
  readonly note?: string;
  /** The type of the result, where the instruction says so. */
  readonly type?: string;
  /** The address of what it loaded, as a formula. */
  readonly formula?: string;
  /** The whole result, where only some of its bits are asked about. */
  readonly whole?: Shown;
}

/** The bits of a result that are asked about, and how they are read. */
export interface Asked {
  readonly low: number;
  readonly bits: number;
  readonly type: string;
  readonly value: bigint | undefined;
}

/** Reads the operands of a thread's instruction as leads. */
export class Reader {
  readonly past: Past;
  readonly names: Names;

  constructor(past: Past, names: Names) {
    this.past = past;
    this.names = names;
  }

  /** A scalar operand before a step, or some bits of it, read as a type. */
  lead(step: number, thread: ThreadId, operand: Operand, type: string, part?: { low: number; bits: number }): Lead {
    const { program } = this.past;
    if (operand.kind === "address") {
      const bits = this.past.operand(step, thread, operand)[0];
      if (operand.base === undefined)
        return { value: { name: "the address", type: "b64", bits }, origin: { kind: "constant" } };
      const { value: _, ...base } = this.lead(step, thread, operand.base, "b64");
      const value = this.shown(this.names.operand(operand.base) ?? "the address", "b64", bits);
      return { ...base, value, ...(operand.offset === 0n ? {} : { plus: operand.offset }) };
    }
    if (operand.kind !== "slot" && operand.kind !== "predicate")
      return { value: { name: "_", type, bits: undefined }, origin: { kind: "constant" } };
    const whole = this.past.operand(step, thread, operand)[0];
    const width = operand.kind === "predicate" ? 1 : operand.bits;
    const { low, bits } = part ?? { low: 0, bits: width };
    const value = whole === undefined ? undefined : BigInt.asUintN(bits, whole >> BigInt(low));
    const known = this.names.operand(operand);
    const bank = operand.kind === "predicate" ? "p" : operand.bank;
    const own = this.names.typeOf(bank, operand.slot);
    const shown = known === undefined || low > 0 || bits < width ? type : better(type, own);
    const name = known ?? (value === undefined ? "a number" : number(value, type));
    const made = this.shown(name, bank === "p" ? "pred" : shown, value);
    if (
      isConstant(operand, program) ||
      program.constants.some((each) => each.bank === bank && each.slot === operand.slot)
    )
      return { value: { ...made, name: number(value ?? 0n, type) }, origin: { kind: "constant" } };
    if (program.specials.some((each) => each.bank === bank && each.slot === operand.slot))
      return { value: made, origin: { kind: "special" } };
    return { value: made, sought: { kind: "slot", thread, bank, slot: operand.slot, low, bits }, before: { step } };
  }

  /** A value, and what it is the address of. */
  shown(name: string, type: string, bits: bigint | undefined): Shown {
    const points = this.names.pointee(type, bits);
    return { name, type, bits, ...(points === undefined ? {} : { points }) };
  }

  /** Memory before a moment. */
  memory(before: Moment, sought: Omit<Sought & { kind: "memory" }, "kind">, type: string): Lead {
    const { space, address, bytes, thread } = sought;
    const bits = this.past.memory(before.step, space, address, bytes, thread);
    return {
      value: this.shown(this.names.place(space, address), type, bits),
      sought: { kind: "memory", ...sought },
      before,
    };
  }
}

/** The type that says more: a declared one, where only bits are known. */
const better = (type: string, declared: string | undefined): string =>
  declared !== undefined && /^b\d/.test(type) && !/^b\d|^pred/.test(declared) ? declared : type;

/** The leads of an instruction that takes some values and gives one. */
export function chosenLeads(
  all: readonly Lead[],
  type: string,
  value: bigint | undefined,
  note?: string,
): Pick<Made, "leads"> {
  const known = all.filter(
    (each, at) =>
      each.origin?.kind !== "constant" &&
      (each.sought === undefined || all.findIndex(({ sought }) => keyOf(sought) === keyOf(each.sought)) === at),
  );
  const strange = strangeIn(type, value);
  const are = (what: ReturnType<typeof strangeIn>) =>
    known.filter((each) => strangeIn(each.value.type, each.value.bits) === what);
  if (strange === undefined) {
    // A NaN that has become an ordinary number explains more than the others do.
    const [nan] = are("nan");
    return { leads: nan === undefined ? known : [nan] };
  }
  const [same] = are(strange);
  if (same !== undefined && (strange === "nan" || note === undefined)) return { leads: [same] };
  const zeros = /0/.test(note ?? "")
    ? known.filter(({ value }) => value.bits !== undefined && isZero(value.bits, value.type))
    : [];
  const telling = [...are("infinity"), ...zeros];
  return { leads: telling.length > 0 ? telling : known };
}

const isZero = (bits: bigint, type: string): boolean => /^-?0\.0$/.test(number(bits, type));
