import { sizeOf, type VectorEmitter } from "../../../numeric/vector/emit.ts";
import { isWide, type Value, type Vector } from "../../../numeric/vector/vector.ts";
import type { Code } from "../../../wasm/code.ts";
import type { VectorAccessInstruction } from "../../../wasm/instructions.ts";
import { type Frame, firstChunk, lanesOf, slotOf } from "../frame/frame.ts";
import { loadLane, storeLane } from "../frame/lane-access.ts";
import type { Input } from "../segment/inputs.ts";
import { isUniform, type LaneForm, type LaneForms } from "../segment/lane-forms.ts";
import { type Access, type AccessGroup, type Segment, vectorsOf } from "../segment/segment.ts";
import { type Cells, transpositionOf } from "./row-cells.ts";

/** The addresses of a group's accesses, in the current chunk. */
type Place =
  | {
      /** Locals: the offsets of four lanes in the buffer, and the first lane's. */
      readonly lanes: number;
      readonly first: number;
      /** Local: how the four addresses relate, as one of the constants below. */
      readonly order: number;
    }
  /** The offset of the first lane, and by how much it grows from lane to lane. */
  | { readonly first: number; readonly step: number };

/** How four addresses relate: consecutive, all equal, or arbitrary. */
const IN_ROW = 0;
const TOGETHER = 1;
const APART = 2;

/** Moves four lanes between registers and memory, after all checks. Each loop over chunks has one; `begin` is called before it. */
export class AccessCode {
  readonly #segment: Segment;
  readonly #frame: Frame;
  #places = new Map<AccessGroup, Place>();
  /** Locals with the offset of lane 0, of groups whose addresses grow evenly in all of the warp. */
  readonly #origins = new Map<AccessGroup, number>();
  /** Locals that hold what an access has loaded, of the chunk; and of those that are the same in all chunks. */
  #loaded = new Map<number, readonly number[]>();
  #common: ReadonlyMap<number, readonly number[]> = new Map();
  readonly #forms: LaneForms | undefined;
  #emitter: VectorEmitter | undefined;

  /** `forms`: what is known of addresses, where all lanes execute. */
  constructor(segment: Segment, frame: Frame, forms: LaneForms | undefined) {
    this.#segment = segment;
    this.#frame = frame;
    this.#forms = forms;
  }

  /** Computes what is the same for all chunks, and loads what all lanes load from one place. */
  begin(emitterOf: () => VectorEmitter): void {
    const { code } = this.#frame;
    const even = this.#segment.groups.filter((group) => this.#formOf(group)?.whole);
    if (even.length === 0) return;
    firstChunk(this.#frame, () => {
      this.#emitter = emitterOf();
      for (const group of even) this.#emitter.expect(this.#lanesOf(group));
      for (const group of even) {
        const origin = code.local("i32");
        this.#emitter.push(this.#lanesOf(group));
        code.lane("i32x4.extract_lane", 0).set(origin);
        this.#origins.set(group, origin);
      }
      for (const [at, { act, group }] of this.#segment.accesses.entries())
        if (act === "load" && even.includes(group) && this.#formOf(group)!.step === 0) this.#once(at);
    });
    this.#common = this.#loaded;
  }

  /** About how many vectors its code has for a chunk. */
  get size(): number {
    const { accesses } = this.#segment;
    const sizes = accesses.map(({ act, group, parts, values, cell }) => {
      const form = this.#formOf(group);
      if (act === "load" && form?.step === 0) return 0;
      const many = Math.max(parts.length, values.length) * (cell.bits / 32);
      return sizeOf(values.flatMap(vectorsOf)) + (form?.step === group.bytes ? many : 16 * many);
    });
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Begins a chunk: announces all that `store` and `input` will push. */
  expect(emitter: VectorEmitter): void {
    this.#emitter = emitter;
    this.#places = new Map();
    this.#loaded = new Map(this.#common);
    for (const group of this.#segment.groups) if (!this.#origins.has(group)) emitter.expect(this.#lanesOf(group));
    for (const { values, group } of this.#stores()) {
      for (const value of values) for (const vector of isWide(value) ? value : [value]) emitter.expect(vector);
      const mask = this.#maskOf(group);
      if (mask !== undefined) emitter.expect(mask);
    }
  }

  /** Pushes what an access has loaded. */
  input(input: Input): void {
    if (input.of !== "loaded") throw new Error(`nobody knows the input ${input.of}`);
    this.#frame.code.get(this.#once(input.access)[input.vector]!);
  }

  /** Writes the store or the atomic operation, if the segment has one. */
  store(): void {
    for (const [at, access] of this.#segment.accesses.entries()) {
      if (access.act === "store") this.#store(access);
      if (access.act === "atomic") this.#once(at);
    }
  }

  /** Writes the load or the atomic operation on first use; returns the locals that hold what was loaded. */
  #once(at: number): readonly number[] {
    const access = this.#segment.accesses[at]!;
    const locals = this.#loaded.get(at) ?? (access.act === "atomic" ? this.#atomic(access) : this.#load(access));
    this.#loaded.set(at, locals);
    return locals;
  }

  #stores(): readonly Access[] {
    return this.#segment.accesses.filter(({ act }) => act !== "load");
  }

  /** One lane after the other: each reads what the lane before has left in memory. */
  #atomic({ cell: { bits }, values, update, group, offset }: Access): readonly number[] {
    const { code, functions } = this.#frame;
    const given = values.map((value) => this.#locals(value));
    const place = this.#place(group);
    const mask = this.#maskOf(group);
    const maskLocal = mask === undefined ? undefined : this.#locals(mask)[0]!;
    const run = functions.index(update!, code.wide);
    const results = (bits === 64 ? [0, 2] : [0]).map(() => code.local("v128"));
    const [held, where] = [code.local("v128"), code.local("i32")];
    for (const result of results) code.v128([0, 0, 0, 0]).set(result);
    const [extract, splat, replace] =
      bits === 64
        ? (["i64x2.extract_lane", "i64x2.splat", "i64x2.replace_lane"] as const)
        : (["i32x4.extract_lane", "i32x4.splat", "i32x4.replace_lane"] as const);
    for (const lane of lanesOf(this.#frame)) {
      const [half, slot] = bits === 64 ? slotOf(lane) : [0, lane];
      if (maskLocal !== undefined) code.get(maskLocal).lane("i32x4.extract_lane", lane).if();
      const at = pushLane(code, place, lane, offset - group.first);
      code.tee(where);
      if (bits === 16 || code.wide)
        code
          .v128([0, 0, 0, 0])
          .laneAccess(loadLane[bits as 16], 0, at)
          .set(held);
      else code.access(bits === 64 ? "v128.load64_zero" : "v128.load32_zero", at).set(held);
      code.get(where).get(held);
      for (const locals of given) code.get(locals[half]!).lane(extract, slot).vector(splat);
      code.call(run).laneAccess(storeLane[bits as 16], 0, at);
      code.get(results[half]!).get(held).lane(extract, 0).lane(replace, slot).set(results[half]!);
      if (maskLocal !== undefined) code.end();
    }
    return results;
  }

  /** Locals that hold a value, a vector each. */
  #locals(value: Value): readonly number[] {
    return (isWide(value) ? value : [value]).map((vector) => {
      this.#emitter!.push(vector);
      const local = this.#emitter!.local();
      this.#frame.code.set(local);
      return local;
    });
  }

  /** The lanes that access; undefined if all do. */
  #maskOf({ when }: AccessGroup): Vector | undefined {
    const { registers } = this.#segment;
    if (this.#frame.full) return when;
    const active = registers.input({ of: "active" });
    return when === undefined ? active : registers.make.and(when, active);
  }

  /** Offsets in the buffer of the group's first byte; lanes that do not access get 0, where it does no harm. */
  #lanesOf(group: AccessGroup): Vector {
    const { make } = this.#segment.registers;
    const { base, start } = group.address;
    const behind = group.first === 0 ? base : make.op("i32x4.add", base, make.all32(group.first));
    const at = start === undefined ? behind : make.op("i32x4.add", behind, start);
    const mask = this.#maskOf(group);
    return mask === undefined ? at : make.and(at, mask);
  }

  /** How a group's addresses grow from lane to lane, where that is known. */
  #formOf({ address, when }: AccessGroup): LaneForm | undefined {
    const form = when === undefined ? this.#forms?.narrow(address.base) : undefined;
    const begins = address.start === undefined || isUniform(this.#forms?.narrow(address.start));
    return form !== undefined && form.step >= 0 && begins ? form : undefined;
  }

  #place(group: AccessGroup): Place {
    const known = this.#places.get(group);
    if (known !== undefined) return known;
    const place = this.#found(group, this.#formOf(group));
    this.#places.set(group, place);
    return place;
  }

  #found(group: AccessGroup, form: LaneForm | undefined): Place {
    const { code, chunk } = this.#frame;
    const origin = this.#origins.get(group);
    if (form !== undefined && origin !== undefined) {
      if (form.step === 0) return { first: origin, step: 0 };
      const first = code.local("i32");
      // The chunk counts in fours of lanes.
      code.get(chunk).i32(form.step).scalar("i32.mul").i32(2).scalar("i32.shr_u");
      code.get(origin).scalar("i32.add").set(first);
      return { first, step: form.step };
    }
    if (form !== undefined) {
      const first = code.local("i32");
      this.#emitter!.push(this.#lanesOf(group));
      code.lane("i32x4.extract_lane", 0).set(first);
      return { first, step: form.step };
    }
    const lanes = this.#emitter!.local();
    const place = { lanes, first: code.local("i32"), order: code.local("i32") };
    this.#emitter!.push(this.#lanesOf(group));
    code.tee(lanes).lane("i32x4.extract_lane", 0).set(place.first);
    const steps = lanesOf(this.#frame).map((lane) => lane * group.bytes);
    const apart = this.#emitter!.local();
    code.get(lanes).get(place.first).vector("i32x4.splat").vector("i32x4.sub").set(apart);
    code.i32(IN_ROW).i32(TOGETHER).i32(APART);
    code.get(apart).vector("v128.any_true").scalar("i32.eqz").scalar("select");
    code.get(apart).v128(steps).vector("i32x4.eq").vector("i32x4.all_true").scalar("select").set(place.order);
    this.#emitter!.free(apart);
    return place;
  }

  /** Loads an access, a local for each vector: of cells up to 32 bits one an element, zero-extended, else two. */
  #load({ cell, parts, group, offset }: Access): readonly number[] {
    const place = this.#place(group);
    const bytes = cell.bits / 8;
    const together = isStep(place, 0) ? undefined : transpositionOf(cell.bits, parts.length);
    if (together !== undefined) return together.load(this.#cells(place, offset - group.first));
    return parts.flatMap((_, element) => {
      const at = offset - group.first + element * bytes;
      if (cell.bits === 64) return [0, 2].map((lane) => this.#loadWide(place, at, lane, parts.length === 1));
      return [this.#loadNarrow(place, at, cell.bits as 8 | 16 | 32, parts.length === 1)];
    });
  }

  #cells(place: Place, at: number): Cells {
    const { code } = this.#frame;
    const lanes = lanesOf(this.#frame);
    return { code, lanes, push: (lane) => pushLane(code, place, lane, at), local: () => code.local("v128") };
  }

  /**
   * Loads into a new local as the four addresses relate: all together, in a row, which is `undefined` for a part of a
   * vector, or apart. What is known needs no test.
   */
  #loadOrdered(
    place: Place,
    size: number,
    together: () => void,
    row: (() => void) | undefined,
    apart: () => void,
  ): void {
    const { code } = this.#frame;
    if ("step" in place) {
      if (place.step === 0) together();
      else if (place.step === size && row !== undefined) row();
      else apart();
      return;
    }
    code.get(place.order).i32(TOGETHER).scalar("i32.eq").if();
    together();
    code.else();
    if (row !== undefined) {
      code.get(place.order).scalar("i32.eqz").if();
      row();
      code.else();
    }
    apart();
    if (row !== undefined) code.end();
    code.end();
  }

  #loadNarrow(place: Place, at: number, bits: 8 | 16 | 32, alone: boolean): number {
    const { code } = this.#frame;
    const { first } = place;
    const local = code.local("v128");
    const together = (): void => {
      code.get(first).access(narrowAll[bits], at);
      if (bits < 32) code.v128(fourTimes((1 << bits) - 1)).vector("v128.and");
      code.set(local);
    };
    const row = (): void => {
      code.get(first).access(narrowRow[bits], at, bits / 2);
      if (bits === 8) code.vector("i16x8.extend_low_i8x16_u").vector("i32x4.extend_low_i16x8_u");
      code.set(local);
    };
    const apart = (): void => {
      code.v128([0, 0, 0, 0]).set(local);
      for (const lane of lanesOf(this.#frame)) {
        const there = pushLane(code, place, lane, at);
        code
          .get(local)
          .laneAccess(loadLane[bits], (lane * 32) / bits, there)
          .set(local);
      }
    };
    this.#loadOrdered(place, bits / 8, together, alone ? row : undefined, apart);
    return local;
  }

  #loadWide(place: Place, at: number, lane: number, alone: boolean): number {
    const { code } = this.#frame;
    const { first } = place;
    const local = code.local("v128");
    const together = (): void => void code.get(first).access("v128.load64_splat", at).set(local);
    const row = (): void =>
      void code
        .get(first)
        .access("v128.load", at + 8 * lane, 32)
        .set(local);
    const apart = (): void => {
      code.access("v128.load64_zero", pushLane(code, place, lane, at), 0).set(local);
      for (const each of lanesOf(this.#frame)) {
        const [half, slot] = slotOf(each);
        if (2 * half !== lane || slot === 0) continue;
        const there = pushLane(code, place, each, at);
        code.get(local).laneAccess("v128.load64_lane", slot, there).set(local);
      }
    };
    this.#loadOrdered(place, 8, together, alone ? row : undefined, apart);
    return local;
  }

  /** Stores the low bits of four lanes in a row. */
  #storeNarrow(first: number, value: number, bits: 8 | 16, at: number): void {
    const { code } = this.#frame;
    const row = code.local("v128");
    code.get(value).get(value).shuffle(narrowed[bits]).set(row);
    const [store, high] = bits === 8 ? (["v128.store32_lane", 4] as const) : (["v128.store64_lane", 2] as const);
    code.get(first).get(row).laneAccess(store, 0, at);
    if (code.wide)
      code
        .get(first)
        .get(row)
        .laneAccess(store, high, at + bits / 2);
  }

  #store({ cell, values, group, offset }: Access): void {
    const { code } = this.#frame;
    const vectors = values.map((value) => this.#locals(value));
    const place = this.#place(group);
    const mask = this.#maskOf(group);
    const maskLocal = mask === undefined ? undefined : this.#locals(mask)[0]!;
    const bytes = cell.bits / 8;
    const at = offset - group.first;
    const row = (): void => {
      if (cell.bits < 32) this.#storeNarrow(place.first, vectors[0]![0]!, cell.bits as 8 | 16, at);
      else
        for (const [half, local] of vectors[0]!.entries())
          code
            .get(place.first)
            .get(local)
            .access("v128.store", at + 16 * half, cell.bits / 2);
    };
    const alone = values.length === 1;
    if (alone && isStep(place, bytes)) {
      row();
      return;
    }
    const inRow = alone && !("step" in place);
    if (inRow) {
      code.get(place.order).scalar("i32.eqz");
      if (maskLocal !== undefined) code.get(maskLocal).vector("i32x4.all_true").scalar("i32.and");
      code.if();
      row();
      code.else();
    }
    const together = transpositionOf(cell.bits, values.length);
    const cells = this.#cells(place, at);
    const rows = together?.rows(cells, vectors);
    // In order of lane, so that the last of several lanes at one address wins; all elements of a lane before the next.
    for (const lane of lanesOf(this.#frame)) {
      if (maskLocal !== undefined) code.get(maskLocal).lane("i32x4.extract_lane", lane).if();
      if (rows !== undefined) together!.storeLane(cells, rows, lane);
      for (const [element, locals] of rows === undefined ? vectors.entries() : []) {
        const where = pushLane(code, place, lane, at + element * bytes);
        const [half, slot] = cell.bits === 64 ? slotOf(lane) : [0, (lane * 32) / cell.bits];
        code.get(locals[half]!).laneAccess(storeLane[cell.bits as 16], slot, where);
      }
      if (maskLocal !== undefined) code.end();
    }
    if (inRow) code.end();
  }
}

/** The bytes of four cells in words, side by side. */
const narrowed: Readonly<Record<8 | 16, readonly number[]>> = {
  8: [0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12],
  16: [0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13],
};

const isStep = (place: Place, step: number): boolean => "step" in place && place.step === step;

/** Pushes the offset of a lane in the buffer; returns what has to be added to it besides, for an access at `at`. */
function pushLane(code: Code, place: Place, lane: number, at: number): number {
  if ("step" in place) {
    code.get(place.first);
    return at + lane * place.step;
  }
  code.get(place.lanes).lane("i32x4.extract_lane", lane);
  return at;
}

const narrowAll: Readonly<Record<8 | 16 | 32, VectorAccessInstruction>> = {
  8: "v128.load8_splat",
  16: "v128.load16_splat",
  32: "v128.load32_splat",
};
/** Four cells in a row; those of 16 bits are extended at once. */
const narrowRow: Readonly<Record<8 | 16 | 32, VectorAccessInstruction>> = {
  8: "v128.load32_zero",
  16: "v128.load16x4_u",
  32: "v128.load",
};
const fourTimes = (word: number): readonly [number, number, number, number] => [word, word, word, word];
