import { type ElementType, isElementType } from "../../host/index.ts";
import type { Operand } from "../../interp/contract/operand.ts";
import { isComputed, touchesOf, writtenBy } from "../../interp/contract/plan/effects.ts";
import type { Instruction, Parameter, Program } from "../../interp/contract/program.ts";

/** The registers that an operand names, as `bank slot`. */
export function slotsOf(operand: Operand | undefined): readonly string[] {
  if (operand?.kind === "slot") return [`${operand.bank}${operand.slot}`];
  if (operand?.kind === "vector") return operand.items.flatMap(slotsOf);
  return [];
}

/** The types among an opcode's words: `f32` of `ld.global.v4.f32`. */
const typesIn = (opcode: string): readonly string[] =>
  opcode.split(".").filter((word) => /^(b?f|[usb])\d+(x2)?$/.test(word));

/** 32 of `f32`, and of `f16x2`. */
function widthIn(type: string): number | undefined {
  const [, bits, pair] = /^[a-z]+(\d+)(x2)?$/.exec(type) ?? [];
  return bits === undefined ? undefined : Number(bits) * (pair === undefined ? 1 : 2);
}

/** Registers whose values make addresses, by `bank slot`: what is loaded into them says where other things are. */
export function placesIn({ code }: Program): ReadonlySet<string> {
  const places = new Set<string>();
  for (const { operands } of code)
    for (const operand of operands)
      if (operand?.kind === "address") for (const slot of slotsOf(operand.base)) places.add(slot);
  for (let before = -1; before !== places.size; ) {
    before = places.size;
    for (const { plan, operands } of code) {
      if (touchesOf(plan).length > 0) continue;
      const results = operands.slice(0, writtenBy(plan)).flatMap(slotsOf);
      if (!results.some((slot) => places.has(slot))) continue;
      for (const slot of operands.slice(writtenBy(plan)).flatMap(slotsOf)) places.add(slot);
    }
  }
  return places;
}

/** The registers that a load of these instructions writes. */
export const loadedBy = ({ plan, operands }: Instruction): readonly string[] =>
  touchesOf(plan).some(({ how }) => how === "load") ? operands.slice(0, writtenBy(plan)).flatMap(slotsOf) : [];

/** What arithmetic takes the registers to be, by `bank slot`: compilers load and store bits. */
export class RegisterTypes {
  readonly #types: Map<string, string> = new Map();
  /** By width in bits, the type of the floats that are loaded from shared memory. */
  readonly #shared: Map<number, string> = new Map();

  constructor({ code }: Program) {
    for (const instruction of code) {
      if (!isComputed(instruction.plan)) continue;
      // cvt.f32.s32: the result has the first of both types.
      const [to = ""] = typesIn(instruction.opcode);
      const from = typesIn(instruction.opcode).at(-1) ?? "";
      const [result, ...sources] = instruction.operands;
      for (const slot of slotsOf(result)) this.#note(slot, to);
      for (const slot of sources.flatMap(slotsOf)) this.#note(slot, from);
    }
    for (const { opcode, plan } of code) {
      const type = typesIn(opcode).at(-1) ?? "";
      const width = widthIn(type);
      const isShared = touchesOf(plan).some(({ how, space }) => how === "load" && space === "shared");
      if (isShared && type.startsWith("f") && width !== undefined) this.#shared.set(width, type);
    }
    for (const { opcode, operands } of code)
      if (opcode.startsWith("mma."))
        for (const [at, type] of typesIn(opcode).entries())
          for (const slot of slotsOf(operands[at])) this.#note(slot, /16$/.test(type) ? `${type}x2` : type);
    for (const { opcode, operands } of code.toReversed()) if (opcode.startsWith("mov.")) this.#moved(operands);
  }

  /** What is moved has the type of where it goes, and halves that are packed that of their lane. */
  #moved([to, from]: Instruction["operands"]): void {
    const type = slotsOf(to)
      .map((slot) => this.#types.get(slot))
      .find((each) => each !== undefined);
    if (type === undefined || to?.kind !== "slot") return;
    const lane = from?.kind === "vector" ? /^(b?f16)x2$/.exec(type)?.[1] : type;
    if (lane !== undefined) for (const slot of slotsOf(from)) this.#note(slot, lane);
  }

  /** A float wins over an integer, which registers of bits are moved through. */
  #note(slot: string, type: string): void {
    const known = this.#types.get(slot);
    if (known === undefined || (!known.includes("f") && type.includes("f"))) this.#types.set(slot, type);
  }

  /** The type of the elements that a load, store or atomic operation moves. */
  ofAccess({ opcode, operands }: Instruction): ElementType {
    const written = typesIn(opcode).at(-1) ?? "";
    const data = operands.find((operand) => operand?.kind === "slot" || operand?.kind === "vector");
    const width = widthIn(written);
    let used = slotsOf(data)
      .map((slot) => this.#types.get(slot))
      .find((type) => type !== undefined && widthIn(type) === width);
    // What is only copied to shared memory is what it is taken for there.
    if (used === undefined && width !== undefined) used = this.#shared.get(width);
    // Compilers load halves as .u16, and keep them in registers of bits.
    const isFloat = used?.includes("f") === true;
    const type = isFloat || written.startsWith("b") ? (used ?? written.replace("b", "u")) : written;
    // A copy says only how many bytes it moves.
    const [copied = "b8"] = this.#shared.values();
    return isElementType(type) ? type : isElementType(copied) ? copied : "b8";
  }

  /** Whether a parameter of up to 8 bytes is a float, by its type or by what is computed with it. */
  isFloat(program: Program, { offset, type }: Parameter): boolean {
    if (type.startsWith("f")) return true;
    return program.code.some(({ opcode, operands }) => {
      const [to, from] = operands;
      if (!opcode.startsWith("ld.param") || from?.kind !== "address" || from.base !== undefined) return false;
      if (Number(BigInt.asUintN(32, from.offset)) !== offset) return false;
      return slotsOf(to).some((slot) => this.#types.get(slot)?.includes("f") === true);
    });
  }
}

/** The instructions whose address comes from a parameter. */
function accessesBehind(program: Program, { offset }: Parameter): readonly Instruction[] {
  const leads = new Set<string>();
  for (let before = -1; before !== leads.size; ) {
    before = leads.size;
    for (const { plan, operands } of program.code) {
      const [to, from] = operands;
      const [touched] = touchesOf(plan);
      const isPointer =
        touched === undefined
          ? operands
              .slice(writtenBy(plan))
              .flatMap(slotsOf)
              .some((slot) => leads.has(slot))
          : touched.space === "param" && from?.kind === "address" && Number(BigInt.asUintN(32, from.offset)) === offset;
      // An address has 64 bits, and what is compared or cut from it is none.
      if (isPointer) for (const slot of slotsOf(to)) if (slot.startsWith("q")) leads.add(slot);
    }
  }
  return program.code.filter(({ plan, operands }) =>
    touchesOf(plan).some(({ address }) => {
      const place = operands[address];
      return place?.kind === "address" && slotsOf(place.base).some((slot) => leads.has(slot));
    }),
  );
}

/** The type of one element behind a pointer: that of the first access whose address comes from its parameter, or else `f32`. */
export function typeBehind(program: Program, parameter: Parameter): string {
  const [access] = accessesBehind(program, parameter);
  return access === undefined ? "f32" : new RegisterTypes(program).ofAccess(access).replace(/x2$/, "");
}

/**
 * What the kernel takes the elements behind a pointer for, where that is surely of another width than `given`: whoever
 * copies bytes, or loads several small integers as one word, may have meant it.
 */
export function otherType(program: Program, parameter: Parameter, given: ElementType): string | undefined {
  const width = widthIn(given.replace(/x2$/, "")) ?? 0;
  if (width <= 8) return undefined;
  const accesses = accessesBehind(program, parameter);
  const written = accesses.map(({ opcode }) => widthIn(typesIn(opcode).at(-1) ?? ""));
  if (written.length === 0 || written.some((each) => each === undefined || each <= 8 || each === width))
    return undefined;
  const types = new RegisterTypes(program);
  const used = accesses.map((each) => types.ofAccess(each).replace(/x2$/, ""));
  const [first = ""] = used;
  const isOther = (type: string): boolean => {
    const bits = widthIn(type) ?? width;
    return bits !== width && (type.includes("f") || bits < width);
  };
  return used.every(isOther) ? first : undefined;
}
