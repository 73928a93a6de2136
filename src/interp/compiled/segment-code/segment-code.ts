import { sizeOf, VectorEmitter } from "../../../numeric/vector/emit.ts";
import type { VectorMaker } from "../../../numeric/vector/maker.ts";
import { isWide, type Value, type Vector } from "../../../numeric/vector/vector.ts";
import { LANES } from "../../contract/launch/lane-mask.ts";
import type { RegisterKey } from "../../contract/liveness.ts";
import { offsetOf } from "../boundary/state-layout.ts";
import { CHUNK, chunkOf, eachChunk, type Frame, firstChunk, inWidth, lanesOf, pushMask } from "../frame/frame.ts";
import { addFlags } from "../frame/row-code.ts";
import { hasRange, isChecked, type VectorAddress } from "../segment/address.ts";
import type { Input } from "../segment/inputs.ts";
import { isUniform, type LaneForms, type RegisterForms } from "../segment/lane-forms.ts";
import { wideOf } from "../segment/moves.ts";
import { formsIn } from "../segment/register-forms.ts";
import { merged } from "../segment/registers.ts";
import { type Access, type AccessGroup, type Segment, vectorsOf } from "../segment/segment.ts";
import { AccessCode } from "./access-code.ts";
import { CheckCode } from "./check-code.ts";
import { ExamineCode } from "./examine-code.ts";

/** Writes the code of one segment. */
export class SegmentCode {
  readonly #segment: Segment;
  readonly #frame: Frame;
  readonly #forms: LaneForms | undefined;

  /** `forms`: what is known of registers in a frame where all lanes execute. */
  constructor(segment: Segment, frame: Frame, forms?: RegisterForms) {
    this.#segment = segment;
    this.#frame = frame;
    this.#forms = frame.full && forms !== undefined ? formsIn(segment, forms, frame.lanes === LANES) : undefined;
  }

  /** What is known of registers behind the segment, where all lanes execute; undefined elsewhere. */
  get forms(): LaneForms | undefined {
    return this.#forms;
  }

  /**
   * Leaves an i32 on the stack: not 0 if an access may be wrong, so that the segment must not run. If there is nothing
   * to check, returns false and leaves nothing. `rangeOf` returns the range that a group has to lie in.
   */
  check(distance: number, rangeOf: (group: AccessGroup) => number): boolean {
    return inWidth(this.#frame, () => this.#check(distance, rangeOf));
  }

  #check(distance: number, rangeOf: (group: AccessGroup) => number): boolean {
    const check = new CheckCode(this.#segment, this.#frame, distance, rangeOf, this.#forms);
    const [each, ends] = [check.bad(false), check.bad(true)];
    if (each === undefined && ends === undefined) return false;
    const { code, row } = this.#frame;
    const sum = code.local("v128");
    check.begin(sum);
    if (each !== undefined)
      eachChunk(
        this.#frame,
        () => {
          const emitter = this.#emitter((input) => check.input(input));
          check.expect(emitter, each);
          emitter.push(each);
          code.get(sum).vector("v128.or").set(sum);
          check.look(emitter, sum);
        },
        { size: sizeOf([each]) },
      );
    if (ends !== undefined) {
      const end = (): void => {
        const emitter = this.#emitter((input) => check.input(input));
        emitter.expect(ends);
        emitter.push(ends);
        code.get(sum).vector("v128.or").set(sum);
      };
      eachChunk(this.#frame, end, {
        distance: check.isUniform ? row : row - chunkOf(this.#frame),
        size: sizeOf([ends]),
      });
    }
    code.get(sum).vector("v128.any_true");
    return true;
  }

  /**
   * Writes the rest of a function that returns 0 if all accesses are right although they were not known to be, and 1,
   * having changed nothing, if JavaScript has to look. `learn` writes a call for a range and an address on the stack;
   * `above` is the function of `scan-code.ts`.
   */
  examine(distance: number, rangeOf: (group: AccessGroup) => number, learn: () => void, above: number): void {
    inWidth(this.#frame, () => this.#examine(distance, rangeOf, learn, above));
  }

  #examine(distance: number, rangeOf: (group: AccessGroup) => number, learn: () => void, above: number): void {
    const { code, chunk, state, full } = this.#frame;
    const look = new ExamineCode(this.#segment, this.#frame, distance);
    const [wrong, lanes] = [code.local("v128"), code.local("i32")];
    for (const group of this.#segment.groups) {
      if (!isChecked(group.address)) continue;
      code.v128([0, 0, 0, 0]).set(wrong);
      code.i32(full && group.when === undefined ? -1 : 0).set(lanes);
      eachChunk(this.#frame, () => {
        const emitter = this.#emitter((input) => {
          throw new Error(`an address is made of what is ${input.of}`);
        });
        const vectors = look.vectors(group);
        for (const vector of [vectors.lanes, vectors.wrong]) emitter.expect(vector);
        if (vectors.mask !== undefined) emitter.expect(vectors.mask);
        code.get(state).get(chunk).scalar("i32.add");
        emitter.push(vectors.lanes);
        code.access("v128.store", offsetOf.laneWords).get(wrong);
        emitter.push(vectors.wrong);
        code.vector("v128.or").set(wrong);
        if (vectors.mask === undefined) return;
        emitter.push(vectors.mask);
        addFlags(this.#frame, lanes);
      });
      code.get(wrong).vector("v128.any_true").if().i32(1).scalar("return").end();
      if (full && areWords(group)) look.chunks(group, this.#isRow(group));
      else look.lanes(group, lanes);
      if (group.address.space === "shared") look.extend(above);
      else if (hasRange(group.address)) {
        // Bytes in a window belong to no range.
        const first = (): void => {
          code.get(state).get(lanes).scalar("i32.ctz").i32(2).scalar("i32.shl").scalar("i32.add");
          code.access("i32.load", offsetOf.laneWords);
        };
        code.get(lanes).if();
        look.known();
        first();
        code.i32(0).scalar("i32.ge_s").scalar("i32.and").if().i32(rangeOf(group));
        first();
        learn();
        code.end();
        code.end();
      }
    }
    code.i32(0);
  }

  /** Whether what the four lanes of each chunk touch lies in a row. */
  #isRow({ address, bytes, first, end }: AccessGroup): boolean {
    return end - first === bytes && this.#forms?.narrow(address.base)?.step === bytes;
  }

  /**
   * Writes the segment's loop, for all lanes that execute; registers that are not `needed` keep what they held. `mark`
   * returns where to record the lanes for which a guard held, as an offset from the warp's base; without it they are
   * not.
   */
  run(needed: (key: RegisterKey) => boolean, mark?: (pc: number) => number): void {
    inWidth(this.#frame, () => this.#run(needed, mark));
  }

  #run(needed: (key: RegisterKey) => boolean, mark?: (pc: number) => number): void {
    const frame = this.#frame;
    const { code, rowR, rowQ, bankR, row: bytes } = frame;
    const { registers, accesses, guards } = this.#segment;
    const writes = [...registers.written].filter(([key]) => needed(key));
    const marks = mark === undefined ? [] : [...guards];
    if (writes.length + marks.length === 0 && accesses.every(({ act }) => act === "load")) return;
    const sums = new Map(
      writes.filter(([key]) => key[0] === "p" || key === "carry").map(([key]) => [key, code.local("i32")]),
    );
    const noted = new Map(marks.map(([pc]) => [pc, code.local("i32")]));
    for (const sum of [...sums.values(), ...noted.values()]) code.i32(0).set(sum);
    const access = new AccessCode(this.#segment, frame, this.#forms);
    access.begin(() => this.#emitter((input) => access.input(input)));
    const size = sizeOf(writes.flatMap(([, value]) => vectorsOf(value))) + access.size;
    const chunk = (): void => {
      const emitter = this.#emitter((input) => access.input(input));
      const values = writes.map(([key, value]) => [key, this.#inActive(key, value)] as const);
      access.expect(emitter);
      for (const [, value] of values) for (const vector of vectorsOf(value)) emitter.expect(vector);
      for (const [, mask] of marks) emitter.expect(mask);
      for (const [pc, mask] of marks) {
        emitter.push(mask);
        addFlags(frame, noted.get(pc)!);
      }
      access.store();
      // All registers are read before the first of them is written.
      const rows: [local: number, row: number, offset: number, apart: number][] = [];
      for (const [key, value] of values) {
        const sum = sums.get(key);
        if (sum !== undefined) {
          emitter.push(value as Vector);
          addFlags(frame, sum);
          continue;
        }
        const slot = Number(key.slice(1));
        for (const [half, vector] of vectorsOf(value).entries()) {
          emitter.push(vector);
          const local = emitter.local();
          code.set(local);
          rows.push(
            isWide(value)
              ? [local, rowQ, slot * 2 * bytes + half * CHUNK, 2 * CHUNK]
              : [local, rowR, bankR + slot * bytes, CHUNK],
          );
        }
      }
      for (const [local, row, offset, apart] of rows) {
        code.get(row).get(local).access("v128.store", offset, apart);
        emitter.free(local);
      }
    };
    eachChunk(frame, chunk, { size });
    for (const [key, sum] of sums) this.#storeFlags(key, sum);
    for (const [pc, sum] of noted) this.#note(mark!(pc), sum);
  }

  /** A local with the place of lane 0, where all lanes are about to touch words of one space in a row, whatever registers hold; else undefined. */
  row({ group: { when, address, bytes }, offset }: Access): number | undefined {
    const form = this.#forms?.narrow(address.base);
    const { start } = address;
    if (!form?.whole || form.step !== 4 || bytes !== 4 || when !== undefined) return;
    if (start !== undefined && !isUniform(this.#forms?.narrow(start))) return;
    const { code } = this.#frame;
    const where = placesOf(address, offset, this.#segment.registers.make);
    const place = code.local("i32");
    firstChunk(this.#frame, () => {
      const emitter = this.#addresses();
      emitter.expect(where);
      emitter.push(where);
    });
    code.lane("i32x4.extract_lane", 0).set(place);
    return place;
  }

  /** Writes vectors of which addresses are made. */
  #addresses(): VectorEmitter {
    return this.#emitter((input) => {
      throw new Error(`an address is made of what is ${input.of}`);
    });
  }

  /**
   * Leaves in the state the addresses that the lanes are about to touch, all of them checked; returns a local with the
   * lanes that access. `apart`: observers need no addresses but generic ones.
   */
  locate({ group, offset }: Access, apart: boolean): number {
    const { code, state, chunk, active } = this.#frame;
    const { make } = this.#segment.registers;
    const { when, address } = group;
    const low = lowOf(address, offset, make);
    const where = placesOf(address, offset, make);
    const addresses = apart && address.space !== "generic" ? [] : wideOf(make, low, address.high);
    const lanes = code.local("i32");
    code.i32(0).set(lanes);
    eachChunk(this.#frame, () => {
      const emitter = this.#addresses();
      for (const vector of [where, ...addresses]) emitter.expect(vector);
      if (when !== undefined) emitter.expect(when);
      code.get(state).get(chunk).scalar("i32.add");
      emitter.push(where);
      code.access("v128.store", offsetOf.observedWhere);
      for (const [at, vector] of addresses.entries()) {
        code.get(state).get(chunk).i32(1).scalar("i32.shl").scalar("i32.add");
        emitter.push(vector);
        code.access("v128.store", offsetOf.observedAddresses + CHUNK * at);
      }
      if (when === undefined) return;
      emitter.push(when);
      addFlags(this.#frame, lanes);
    });
    code.get(active);
    if (when !== undefined) code.get(lanes).scalar("i32.and");
    code.set(lanes);
    return lanes;
  }

  #emitter(other: (input: Input) => void): VectorEmitter {
    const { code, functions, vectors } = this.#frame;
    return new VectorEmitter(
      code,
      {
        input: (at) => {
          const input = this.#segment.registers.inputs.at(at);
          if (!this.#input(input)) other(input);
        },
        function: (of) => functions.index(of, code.wide),
      },
      vectors,
    );
  }

  /** A register's new value in the lanes that execute, its old one in the others. Flags are merged later, as words. */
  #inActive(key: RegisterKey, value: Value): Value {
    if (this.#frame.full || key[0] === "p" || key === "carry") return value;
    const { registers } = this.#segment;
    return merged(registers.make, registers.input({ of: "active" }), value, registers.before(key));
  }

  /** Pushes an input that is the same throughout the segment; false for the others. */
  #input(input: Input): boolean {
    const frame = this.#frame;
    const { code, base, rowR, rowQ, bankR, bankP, state, active, row } = frame;
    switch (input.of) {
      case "r":
        code.get(rowR).access("v128.load", bankR + input.slot * row);
        return true;
      case "q":
        code.get(rowQ).access("v128.load", input.slot * 2 * row + input.half * CHUNK, 2 * CHUNK);
        return true;
      case "p":
        code.get(base).access("i32.load", bankP + 4 * input.slot);
        pushMask(frame);
        return true;
      case "carry":
        code.get(state).access("i32.load", offsetOf.carry);
        pushMask(frame);
        return true;
      case "active":
        code.get(active);
        pushMask(frame);
        return true;
      case "lanes":
        code.get(active).vector("i32x4.splat");
        return true;
      case "state":
        code.get(state).access("v128.load32_splat", input.offset);
        return true;
      case "local":
        code.get(frame.chunk).i32(2).scalar("i32.shr_u").vector("i32x4.splat").v128(lanesOf(frame)).vector("i32x4.add");
        code.get(state).access("v128.load32_splat", offsetOf.localStride).vector("i32x4.mul");
        code.get(state).access("v128.load32_splat", offsetOf.local).vector("i32x4.add");
        return true;
      default:
        return false;
    }
  }

  /** Adds lanes to a word of the warp. */
  #note(offset: number, lanes: number): void {
    const { code, base, active } = this.#frame;
    code.get(base).get(base).access("i32.load", offset);
    code.get(lanes).get(active).scalar("i32.and").scalar("i32.or").access("i32.store", offset);
  }

  /** Stores the word of a predicate, or of CC.CF. */
  #storeFlags(key: RegisterKey, sum: number): void {
    const { code, base, bankP, state, active, full } = this.#frame;
    const [from, offset] = key === "carry" ? [state, offsetOf.carry] : [base, bankP + 4 * Number(key.slice(1))];
    code.get(from).get(sum);
    if (!full) {
      code.get(active).scalar("i32.and").get(from).access("i32.load", offset);
      code.get(active).i32(-1).scalar("i32.xor").scalar("i32.and").scalar("i32.or");
    }
    code.access("i32.store", offset);
  }
}

/** The low words of addresses, and where in memory they are. */
const lowOf = ({ base }: VectorAddress, offset: number, make: VectorMaker): Vector =>
  offset === 0 ? base : make.op("i32x4.add", base, make.all32(offset));
const placesOf = (address: VectorAddress, offset: number, make: VectorMaker): Vector => {
  const low = lowOf(address, offset, make);
  return address.start === undefined ? low : make.op("i32x4.add", low, address.start);
};

/** Whether all lanes load or store words, none of them in a window that its address selects. */
const areWords = ({ address, act, bytes, when }: AccessGroup): boolean =>
  bytes % 4 === 0 && act !== "atomic" && when === undefined && address.anywhere === undefined;
