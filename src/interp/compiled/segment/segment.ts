import { partsOf } from "../../../numeric/vector/emit.ts";
import { constant32, VectorMaker } from "../../../numeric/vector/maker.ts";
import { isWide, type Value, type Vector, type VectorFunction } from "../../../numeric/vector/vector.ts";
import { elements, type Operand, type SlotOperand } from "../../contract/operand.ts";
import { fenceOf, touchesOf } from "../../contract/plan/effects.ts";
import type { Plan } from "../../contract/plan/plan.ts";
import { reductionOf } from "../../contract/plan/reduction.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Instruction, Program } from "../../contract/program.ts";
import type { Cell } from "../../contract/space.ts";
import { markOf } from "../../memory/reduction-mark.ts";
import { addressOf, isChecked, onlyGlobal, type VectorAddress } from "./address.ts";
import { pureWrites } from "./pure.ts";
import { type ConstantSlots, SegmentRegisters } from "./registers.ts";
import { updateOf } from "./update.ts";
import type { Write } from "./write.ts";

/**
 * Instructions that run in one loop over the warp's chunks of four lanes: any that touch only registers, and with them
 * loads or one store. All accesses are checked for all lanes before the loop begins, so that if one fails, nothing has
 * been done yet, and the steps in JavaScript execute the segment and report errors. Memory changes in the order of
 * instructions, as if all lanes executed each before the next one begins.
 */
export interface Segment {
  readonly kind: "loop";
  readonly from: number;
  to: number;
  readonly registers: SegmentRegisters;
  readonly accesses: Access[];
  readonly groups: AccessGroup[];
  /** By pc: the lanes for which the guard held. */
  readonly guards: Map<number, Vector>;
}

/** One instruction that only its step in JavaScript can execute. */
export interface StepSegment {
  readonly kind: "step";
  readonly from: number;
  readonly to: number;
}

/** What an access does; "atomic" loads, computes and stores, one lane after the other. */
export type Act = "load" | "store" | "atomic";

/** One access of all lanes. */
export interface Access {
  readonly pc: number;
  readonly act: Act;
  readonly cell: Cell;
  /** Registers that are loaded, holes included. */
  readonly parts: readonly (SlotOperand | undefined)[];
  /** What is stored, or the operands of an atomic operation besides memory. */
  readonly values: readonly Value[];
  /** Computes an atomic operation, from memory and the values, for one lane: the lowest of the vectors. */
  readonly update?: VectorFunction;
  readonly group: AccessGroup;
  /** Bytes from the group's base. */
  readonly offset: number;
}

/** Accesses with the same base: they are checked together, from the first byte to the last. */
export interface AccessGroup {
  readonly address: VectorAddress;
  readonly act: Act;
  /** Lanes that access, if there is a guard. */
  readonly when: Vector | undefined;
  /** The mark of the cells of a reduction on an overlay, see `markOf`. */
  readonly reduces?: number | undefined;
  /** Bytes of one access, and what the address must be a multiple of. */
  readonly bytes: number;
  /** The first byte from the base, and the one behind the last. */
  first: number;
  end: number;
}

/** The most bytes of a group, first access to last: lanes that do not access read that far behind the state. */
const MOST_BYTES = 1 << 15;

/** What observers of a launch may see. */
export interface Audience {
  /** An observer may look at registers and at what has been executed. */
  readonly observable: boolean;
  /** Observers are notified of accesses to memory, and of warp operations. */
  readonly observed: boolean;
  /** No observer needs more than `Observer.apart` says. */
  readonly apart?: boolean;
  /** They may be notified of accesses late, of those of several loads before any of these is executed. */
  readonly late?: boolean;
  /** The launch can reach a supplier's memory. */
  readonly supplied?: boolean;
  /** By pc: whether JavaScript's step does more than its plan says (`javascript/watched-steps.ts`). */
  readonly watched?: (pc: number) => boolean;
  /** What executes the code rounds a * b + c once where it is asked to (`wasm/fused.ts`; C compilers do). */
  readonly fused: boolean;
}

/**
 * Cuts the instructions `[from, to)` of a basic block into segments. If accesses are observed, each ends its segment, unless
 * observers are notified of it late; and JavaScript executes other observed instructions.
 */
export function segmentsOf(
  program: Program,
  constants: ConstantSlots,
  from: number,
  to: number,
  audience: Audience,
): readonly (Segment | StepSegment)[] {
  const { observed, watched } = audience;
  const segments: (Segment | StepSegment)[] = [];
  let builder: SegmentBuilder | undefined;
  for (let pc = from; pc < to; pc++) {
    const instruction = program.code[pc]!;
    const known = !watched?.(pc) && (!observed || isObserved(instruction.plan));
    if (known && builder && mayGoOn(builder.segment, instruction.plan, audience) && builder.add(instruction, pc))
      continue;
    const fresh = new SegmentBuilder(program, constants, pc, audience);
    if (known && fresh.add(instruction, pc)) {
      builder = fresh;
      segments.push(fresh.segment);
    } else {
      builder = undefined;
      segments.push({ kind: "step", from: pc, to: pc + 1 });
    }
  }
  return segments;
}

/** The accesses that observers are notified of. */
export const toldOf = ({ accesses }: Segment, { observed, apart }: Audience): readonly Access[] =>
  observed ? accesses.filter(({ group }) => !(apart && isPrivate(group.address))) : [];

/** Whether all of them may wait before the segment is executed. */
export const mayWait = (told: readonly Access[], { late = false }: Audience): boolean =>
  late && told.every(({ act, group: { address } }) => act === "load" && address.space !== "generic");

/** Whether another instruction may be part of a segment as far as observers are concerned. */
function mayGoOn(segment: Segment, plan: Plan, audience: Audience): boolean {
  const told = toldOf(segment, audience);
  if (told.length === 0) return true;
  return mayWait(told, audience) && touchesOf(plan).every(({ space }) => space !== "generic");
}

/** Whether an address reaches memory of one thread alone, or memory that nobody writes. */
const isPrivate = ({ space }: VectorAddress): boolean => space === "local" || space === "param" || space === "const";

/** Whether compiled code can notify observers: the instruction accesses memory by lane, or does nothing observable. */
function isObserved(plan: Plan): boolean {
  if (plan.shape === "load" || plan.shape === "store" || plan.shape === "atomic") return true;
  return fenceOf(plan) === undefined && touchesOf(plan).length === 0;
}

class SegmentBuilder {
  readonly segment: Segment;
  readonly #program: Program;
  readonly #observable: boolean;
  readonly #dependent = new Map<Vector, boolean>();

  constructor(
    program: Program,
    constants: ConstantSlots,
    from: number,
    { observable, fused, supplied = false }: Audience,
  ) {
    this.#program = program;
    this.#observable = observable;
    const registers = new SegmentRegisters(new VectorMaker({ fused }), constants, supplied);
    this.segment = { kind: "loop", from, to: from, registers, accesses: [], groups: [], guards: new Map() };
  }

  /** False where the instruction cannot be part of this segment. */
  add(instruction: Instruction, pc: number): boolean {
    const { registers } = this.segment;
    const { guard, plan } = instruction;
    const when = guard && registers.mask(guard);
    if (plan.shape === "load" || plan.shape === "store") {
      if (!this.#access(instruction as Instruction & { plan: typeof plan }, pc, when)) return false;
    } else if (plan.shape === "atomic") {
      if (!this.#atomic(instruction as Instruction & { plan: typeof plan }, pc, when)) return false;
    } else {
      const writes = pureWrites(instruction, registers);
      if (writes === undefined) return false;
      for (const write of writes) this.#write(write, when);
    }
    if (when !== undefined) this.segment.guards.set(pc, when);
    this.segment.to = pc + 1;
    return true;
  }

  #write({ to, value, width, extend, carry }: Write, when: Vector | undefined): void {
    const { registers } = this.segment;
    if (carry) registers.set("carry", value, when);
    else registers.write(to, value, width, extend, when);
  }

  #access(
    { plan, operands }: Instruction & { plan: PlanOf<"load" | "store"> },
    pc: number,
    when: Vector | undefined,
  ): boolean {
    const { segment } = this;
    const { registers, accesses } = segment;
    const act = plan.shape;
    const [first, second] = operands;
    const [where, data] = act === "load" ? [second, first] : [first, second];
    // JavaScript's step reports an access beyond its variable.
    if (plan.beyond !== undefined || !this.#joins(act)) return false;
    const address = addressOf(where, plan.space, registers, this.#program.parameterBytes);
    const parts = partsOfData(data, plan.cell);
    if (address === undefined || parts === undefined) return false;
    if (!this.#isKnown(address, when)) return false;
    const bytes = (plan.cell.bits / 8) * parts.length;
    if (address.space === "param" && !this.#isParameter(plan, address, bytes)) return false;
    if (address.space === "const" && act === "store") return false;
    const values: Value[] = [];
    for (const part of act === "load" ? [] : parts) {
      const value = part && registers.read(part, plan.cell.bits);
      if (value === undefined) return false;
      values.push(value);
    }
    const group = this.#group(address, act, when, bytes);
    const number = accesses.push({ pc, act, cell: plan.cell, parts, values, group, offset: address.offset }) - 1;
    if (act === "load") this.#take(number, parts, plan.cell, when);
    return true;
  }

  /** Adds an atomic operation on one element that vectors can compute; JavaScript executes all others. */
  #atomic({ plan, operands }: Instruction & { plan: PlanOf<"atomic"> }, pc: number, when: Vector | undefined): boolean {
    const { registers, accesses } = this.segment;
    const [d, a, ...given] = plan.gives ? operands : [undefined, ...operands];
    const { space, bits } = plan;
    if (!this.#joins("atomic") || space === "const" || space === "param" || bits === 128) return false;
    const isCell = (part: Operand | undefined): part is SlotOperand =>
      part?.kind === "slot" && part.bits !== 128 && (part.bank === "q") === (bits === 64);
    if (d !== undefined && d.kind !== "sink" && !isCell(d)) return false;
    const op = space === "shared" ? (plan.shared ?? plan.op) : plan.op;
    const found = addressOf(a, space, registers, 0);
    const address = found && (plan.shared === undefined ? found : onlyGlobal(found));
    if (address === undefined || !this.#isKnown(address, when)) return false;
    const values: Value[] = [];
    for (const part of given.slice(0, op.takes.length - 1)) {
      const value = isCell(part) ? registers.read(part, bits) : undefined;
      if (value === undefined) return false;
      values.push(value);
    }
    const update = values.length === op.takes.length - 1 ? updateOf(op, registers.make) : undefined;
    if (update === undefined) return false;
    const cell: Cell = { bits, signed: false };
    const parts = [isCell(d) ? d : undefined];
    const reduction = reductionOf({ plan, operands }, this.#program, this.#observable);
    const group = this.#group(address, "atomic", when, bits / 8, reduction && markOf(reduction));
    accesses.push({ pc, act: "atomic", cell, parts, values, update, group, offset: address.offset });
    if (parts[0] !== undefined) this.#take(accesses.length - 1, parts, cell, when);
    return true;
  }

  /** Whether an access may join the segment's: loads join loads; a store or atomic operation must be alone. */
  #joins(act: Act): boolean {
    return this.segment.accesses.every((access) => access.act === "load" && act === "load");
  }

  /** Whether an address, and the lanes that access it, can be computed before anything is loaded. */
  #isKnown({ base, outside }: VectorAddress, when: Vector | undefined): boolean {
    return ![base, outside, when].some((vector) => vector !== undefined && this.#loaded(vector));
  }

  /** Whether the access loads only parameters; the bytes between them are not initialised, which JavaScript reports. */
  #isParameter({ shape }: { readonly shape: "load" | "store" }, address: VectorAddress, bytes: number): boolean {
    if (shape === "store") return false;
    const { parameters, parameterBytes } = this.#program;
    const { offset } = address;
    const [first, last] = isChecked(address) ? [0, parameterBytes] : [offset, offset + bytes];
    if (!isChecked(address) && offset % bytes !== 0) return false;
    for (let at = first; at < last; ) {
      const holder = parameters.find((each) => each.offset <= at && at < each.offset + each.bytes);
      if (holder === undefined) return false;
      at = holder.offset + holder.bytes;
    }
    return true;
  }

  #group(address: VectorAddress, act: Act, when: Vector | undefined, bytes: number, reduces?: number): AccessGroup {
    const { groups } = this.segment;
    const { offset } = address;
    const known = groups.find(
      (group) =>
        group.address.space === address.space &&
        group.address.base === address.base &&
        group.when === when &&
        group.address.outside === address.outside &&
        group.bytes === bytes &&
        (group.first - offset) % bytes === 0 &&
        Math.max(group.end, offset + bytes) - Math.min(group.first, offset) <= MOST_BYTES,
    );
    if (known === undefined) {
      const made = { address, act, when, reduces, bytes, first: offset, end: offset + bytes };
      groups.push(made);
      return made;
    }
    known.first = Math.min(known.first, offset);
    known.end = Math.max(known.end, offset + bytes);
    return known;
  }

  /** Puts what a load reads into its registers. */
  #take(access: number, parts: Access["parts"], cell: Cell, when: Vector | undefined): void {
    const { registers } = this.segment;
    let vector = 0;
    for (const part of parts) {
      const loaded = (): Vector => registers.input({ of: "loaded", access, vector: vector++ });
      const value: Value = cell.bits === 64 ? [loaded(), loaded()] : loaded();
      registers.write(part, value, cell.bits, cell.signed ? "sign" : "zero", when);
    }
  }

  /** Whether a vector depends on what the segment itself loads. */
  #loaded(of: Vector): boolean {
    const known = this.#dependent.get(of);
    if (known !== undefined) return known;
    const found =
      of.node === "input"
        ? this.segment.registers.inputs.at(of.at).of === "loaded"
        : partsOf(of).some((part) => this.#loaded(part));
    this.#dependent.set(of, found);
    return found;
  }
}

/** Whether an access reads memory that nothing changes while a kernel runs, at one place for all lanes. */
export const loadsParameter = ({ act, group: { address } }: Access): boolean =>
  act === "load" && (address.space === "param" || address.space === "const") && constant32(address.base) !== undefined;

/** The registers of an access; undefined if compiled code cannot move one of them. */
function partsOfData(data: Operand | undefined, { bits }: Cell): readonly (SlotOperand | undefined)[] | undefined {
  if (bits === 128) return undefined;
  const parts: (SlotOperand | undefined)[] = [];
  for (const part of elements(data)) {
    if (part.kind === "sink") parts.push(undefined);
    else if (part.kind === "slot" && part.bits !== 128 && (bits < 64 || part.bank === "q")) parts.push(part);
    else return undefined;
  }
  return parts;
}

/** The vectors of a value. */
export const vectorsOf = (value: Value): readonly Vector[] => (isWide(value) ? value : [value]);
