import type { VectorEmitter } from "../../../numeric/vector/emit.ts";
import type { Vector } from "../../../numeric/vector/vector.ts";
import type { LaneAccessInstruction } from "../../../wasm/instructions.ts";
import { ALLOCATED, fourfold, IN_FLIGHT_READ, INITIALISED, STORED } from "../../memory/shadow.ts";
import { offsetOf } from "../boundary/state-layout.ts";
import { type Frame, lanesOf } from "../frame/frame.ts";
import { hasRange, isChecked } from "../segment/address.ts";
import type { Input } from "../segment/inputs.ts";
import type { LaneForms } from "../segment/lane-forms.ts";
import type { AccessGroup, Segment } from "../segment/segment.ts";
import { marksOf, piecesOf } from "./examine-code.ts";

/**
 * Checks the accesses of a segment, group by group, against ranges of memory that are known to be clean. Local memory,
 * which lies elsewhere for each lane, has no such range: its shadow is read each time, four lanes at once.
 */
export class CheckCode {
  readonly #segment: Segment;
  readonly #frame: Frame;
  /** Bytes from data to shadow. */
  readonly #distance: number;
  readonly #groups: readonly AccessGroup[];
  readonly #rangeOf: (group: AccessGroup) => number;
  /** Locals, by group: the first byte of the range in all lanes, and how far behind it an access may begin. */
  readonly #starts = new Map<number, number>();
  readonly #limits = new Map<number, number>();

  readonly #forms: LaneForms | undefined;

  /** `forms`: what is known of addresses, where all lanes execute. */
  constructor(
    segment: Segment,
    frame: Frame,
    distance: number,
    rangeOf: (group: AccessGroup) => number,
    forms: LaneForms | undefined,
  ) {
    this.#forms = forms;
    this.#segment = segment;
    this.#frame = frame;
    this.#distance = distance;
    this.#rangeOf = rangeOf;
    this.#groups = segment.groups.filter(({ address }) => isChecked(address));
  }

  /**
   * Bits that are set if an access of four lanes may be wrong; undefined if there is nothing to check. With `ends` those of
   * the groups whose first and last chunk speak for those between them, else of the others.
   */
  bad(ends: boolean): Vector | undefined {
    const { make } = this.#segment.registers;
    let all: Vector | undefined;
    for (const [at, group] of this.#groups.entries()) {
      if ((this.#growth(group) !== undefined) !== ends) continue;
      const found = this.#wrong(group, at);
      const bad = group.when === undefined ? found : make.and(found, group.when);
      all = all === undefined ? bad : make.or(all, bad);
    }
    if (all === undefined || this.#frame.full) return all;
    return make.and(all, this.#segment.registers.input({ of: "active" }));
  }

  /** Whether the groups that `bad` gives with `ends` have one address in all lanes. */
  get isUniform(): boolean {
    return this.#groups.every((group) => (this.#growth(group) ?? 0) === 0);
  }

  /**
   * By how much addresses grow from lane to lane; undefined where the ends do not say whether those between are right. A
   * low word cannot leave a range and come back, since it grows by less than 2^31 in all; nor can the high word.
   */
  #growth({ address, when }: AccessGroup): number | undefined {
    if (this.#forms === undefined || when !== undefined || address.space === "local") return undefined;
    if (this.#segment.registers.supplied) return undefined;
    const [low, wide] = [this.#forms.narrow(address.base), this.#forms.wideOfHigh(address.high)];
    return low?.whole && wide?.whole ? low.step : undefined;
  }

  /** Announces what `bad(false)` and `look` will push. */
  expect(emitter: VectorEmitter, bad: Vector): void {
    emitter.expect(bad);
    for (const [at, group] of this.#groups.entries())
      if (isLookedAt(group)) for (const vector of this.#looked(group, at)) emitter.expect(vector);
  }

  /** After `bad`: makes the local `sum` not 0 if the shadow of local memory is not what it must be. */
  look(emitter: VectorEmitter, sum: number): void {
    const { code } = this.#frame;
    for (const [at, group] of this.#groups.entries()) {
      if (!isLookedAt(group)) continue;
      const [lanes, right] = this.#looked(group, at).map((vector) => {
        emitter.push(vector);
        const local = emitter.local();
        code.set(local);
        return local;
      });
      for (const [offset, bytes] of piecesOf(group, this.#segment)) {
        this.#shadow(emitter, lanes!, offset, bytes, group);
        code.get(right!).vector("v128.and").get(sum).vector("v128.or").set(sum);
      }
      for (const local of [lanes!, right!]) emitter.free(local);
    }
  }

  /** Before the loop: reads the ranges; makes `sum` not 0 if one of them is too short for any access. */
  begin(sum: number): void {
    const { code, state } = this.#frame;
    const short = code.local("i32");
    const length = code.local("i32");
    code.i32(0).set(short);
    for (const [at, group] of this.#groups.entries()) {
      if (group.address.space !== "shared" && !hasRange(group.address)) continue;
      const bytes = group.end - group.first;
      const ranged = hasRange(group.address);
      const { ranges, sharedClean } = offsetOf;
      const range = ranged ? 4 * this.#rangeOf(group) : 0;
      code
        .get(state)
        .access("i32.load", ranged ? ranges.length + range : sharedClean)
        .tee(length);
      code.i32(bytes).scalar("i32.lt_u").get(short).scalar("i32.or").set(short);
      const limit = code.local("v128");
      code.get(length).i32(bytes).scalar("i32.sub").vector("i32x4.splat").set(limit);
      this.#limits.set(at, limit);
      if (!ranged) continue;
      const start = code.local("v128");
      code
        .get(state)
        .access("v128.load32_splat", ranges.start + range)
        .set(start);
      this.#starts.set(at, start);
    }
    code.get(short).vector("i32x4.splat").set(sum);
  }

  input(input: Input): void {
    const local =
      input.of === "start"
        ? this.#starts.get(input.group)
        : input.of === "limit"
          ? this.#limits.get(input.group)
          : undefined;
    if (local === undefined) throw new Error(`an address is made of what is ${input.of}`);
    this.#frame.code.get(local);
  }

  /** Bits that are set if a group's addresses may be wrong, of all lanes, whether they access or not. */
  #wrong({ address, bytes, first, end }: AccessGroup, at: number): Vector {
    const { registers } = this.#segment;
    const { make } = registers;
    const begin = first === 0 ? address.base : make.op("i32x4.add", address.base, make.all32(first));
    let bad: Vector;
    if (address.space === "shared" || hasRange(address)) {
      const from = hasRange(address) ? make.op("i32x4.sub", begin, registers.input({ of: "start", group: at })) : begin;
      bad = make.op("i32x4.gt_u", from, registers.input({ of: "limit", group: at }));
    } else {
      const [span, size] = [make.all32(end - first), address.size!];
      bad = make.or(make.op("i32x4.gt_u", begin, make.op("i32x4.sub", size, span)), make.op("i32x4.gt_u", span, size));
    }
    if (bytes > 1) bad = make.or(bad, make.and(begin, make.all32(bytes - 1)));
    return address.outside === undefined ? bad : make.or(bad, address.outside);
  }

  /** Offsets of the lanes' bytes in the buffer, 0 for lanes without a valid access; and a mask of the valid lanes. */
  #looked(group: AccessGroup, at: number): readonly [lanes: Vector, right: Vector] {
    const { registers } = this.#segment;
    const { make } = registers;
    const { address, first, when } = group;
    let right = make.op("i32x4.eq", this.#wrong(group, at), make.all32(0));
    if (when !== undefined) right = make.and(right, when);
    if (!this.#frame.full) right = make.and(right, registers.input({ of: "active" }));
    const begin = first === 0 ? address.base : make.op("i32x4.add", address.base, make.all32(first));
    return [make.and(make.op("i32x4.add", begin, address.start!), right), right];
  }

  /** Pushes a vector that is not 0 if the shadow of some bytes is not what the access wants. */
  #shadow(emitter: VectorEmitter, lanes: number, offset: number, bytes: number, group: AccessGroup): void {
    const { code, state } = this.#frame;
    const held = emitter.local();
    code.v128([0, 0, 0, 0]).set(held);
    for (const lane of lanesOf(this.#frame)) {
      code.get(lanes).lane("i32x4.extract_lane", lane).get(held);
      code.laneAccess(gather[bytes]!, (lane * 4) / bytes, offset + this.#distance).set(held);
    }
    const cut = (word: number): readonly number[] => Array(4).fill(word & (bytes === 4 ? -1 : (1 << (8 * bytes)) - 1));
    code.get(held);
    const clean = fourfold(ALLOCATED | marksOf(group.address));
    if (group.act === "load") {
      code.v128(cut(~fourfold(IN_FLIGHT_READ | STORED))).vector("v128.and");
      code.v128(cut(clean | fourfold(INITIALISED)));
    } else {
      code.get(state).access("v128.load32_splat", offsetOf.storing).v128(cut(clean)).vector("v128.or");
      if (bytes < 4) code.v128(cut(-1)).vector("v128.and");
    }
    code.vector("i32x4.ne");
    emitter.free(held);
  }
}

const isLookedAt = ({ address }: AccessGroup): boolean => address.space === "local";

const gather: Readonly<Record<number, LaneAccessInstruction>> = {
  1: "v128.load8_lane",
  2: "v128.load16_lane",
  4: "v128.load32_lane",
};
