import { amongLanes } from "../../../numeric/lower/warp.ts";
import type { WarpOperation } from "../../../numeric/operation/warp.ts";
import { vectorOf } from "../../../numeric/vector/lower.ts";
import { VectorMaker } from "../../../numeric/vector/maker.ts";
import type { Vector } from "../../../numeric/vector/vector.ts";
import { LANES } from "../../contract/launch/lane-mask.ts";
import { offsetOf } from "../boundary/state-layout.ts";
import { CHUNK, eachChunk, type Frame, pushMask } from "../frame/frame.ts";
import { addFlags, pushChunk, pushVector, storeChunk, storeLanes } from "../frame/row-code.ts";

type Shuffle = WarpOperation & { readonly among: "shuffle" };

/** An operand that selects source lanes: its slot, and its value if the program's text has it. */
export interface Said {
  readonly slot: number;
  readonly value: bigint | undefined;
}

/** What a shuffle reads and writes, by slot; undefined for a result that is not needed. */
export interface ShuffleOperands {
  readonly d: number | undefined;
  readonly p: number | undefined;
  readonly a: number;
  readonly b: Said;
  readonly c: Said;
}

/** Writes a shuffle; if no rule applies, returns false and writes nothing. */
export function writeShuffle(op: Shuffle, operands: ShuffleOperands, frame: Frame): boolean {
  const { b, c } = operands;
  if (b.value === undefined || c.value === undefined) return writeComputed(op, operands, frame);
  writeKnown(op, operands, frame);
  return true;
}

/** Writes a shuffle whose source lanes are known when the code is written. */
function writeKnown(op: Shuffle, { d, p, a, b, c }: ShuffleOperands, frame: Frame): void {
  const { code, base } = frame;
  const { sources, reaches } = knownSources(op, b.value!, c.value!);
  if (p !== undefined) storeLanes(frame, p, () => code.i32(reaches | 0));
  if (d === undefined) return;
  const [place, from] = words(a, frame);
  const chunks = Array.from({ length: frame.lanes / 4 }, (_, at) => {
    pushPicked([...sources.subarray(4 * at, 4 * at + 4)], place, from, frame);
    const local = frame.vectors.pop() ?? code.local("v128");
    code.set(local);
    return local;
  });
  for (const [at, local] of chunks.entries()) {
    code.i32(at * CHUNK).set(frame.chunk);
    code.get(base).get(frame.chunk).scalar("i32.add").set(frame.rowR);
    storeChunk(frame, d, () => code.get(local));
    frame.vectors.push(local);
  }
}

/** The lane that each lane of a full warp reads, and a mask of those whose source is in range (PTX ISA, shfl.sync). */
export function knownSources(
  op: Shuffle,
  b: bigint,
  c: bigint,
): { readonly sources: Uint32Array; readonly reaches: number } {
  const sources = new Uint32Array(LANES);
  const reaches = new Uint32Array(1);
  // Lanes that hold their own numbers get those of the lanes that they read.
  const all = (value: bigint): Uint32Array => new Uint32Array(LANES).fill(Number(value & 0xffff_ffffn));
  amongLanes(op)([sources, reaches], [all(0n).map((_, lane) => lane), all(b), all(c)], -1 >>> 0, LANES);
  return { sources, reaches: reaches[0]! };
}

/** Pushes four words of a row, by number. */
function pushPicked(words: readonly number[], place: number, from: number, { code }: Frame): void {
  const rows = [...new Set(words.map((word) => word >> 2))];
  const [first, second = first] = rows;
  if (words.every((word) => word === words[0])) {
    code.get(place).access("v128.load32_splat", from + 4 * words[0]!);
    return;
  }
  if (rows.length > 2) {
    code.v128([0, 0, 0, 0]);
    const local = code.local("v128");
    code.set(local);
    for (const [lane, word] of words.entries())
      code
        .get(place)
        .get(local)
        .laneAccess("v128.load32_lane", lane, from + 4 * word)
        .set(local);
    code.get(local);
    return;
  }
  const load = (row: number): void => {
    code.get(place).access("v128.load", from + row * CHUNK);
  };
  load(first!);
  if (rows.length === 1 && words.every((word, lane) => (word & 3) === lane)) return;
  load(second!);
  code.shuffle(
    words.flatMap((word) => {
      const byte = 4 * (word & 3) + (word >> 2 === first ? 0 : CHUNK);
      return [byte, byte + 1, byte + 2, byte + 3];
    }),
  );
}

/** The address of a register's 32 words, with 0 for lanes that do not execute: a local and an offset from it. */
function words(slot: number, frame: Frame): readonly [place: number, from: number] {
  const { base, bankR, row, full, lanes, state } = frame;
  if (full && lanes === LANES) return [base, bankR + slot * row];
  hideOthers(slot, frame);
  return [state, offsetOf.laneWords];
}

/** Copies a register to the state, with 0 in the lanes that do not execute. */
function hideOthers(slot: number, frame: Frame): void {
  const { code, state, active, row } = frame;
  eachLane(frame, () => {
    code.get(state).get(frame.chunk).scalar("i32.add");
    pushChunk(frame, slot);
    code.get(active);
    pushMask(frame);
    code.vector("v128.and").access("v128.store", offsetOf.laneWords);
  });
  for (let at = row; at < 4 * LANES; at += CHUNK)
    code
      .get(state)
      .v128([0, 0, 0, 0])
      .access("v128.store", offsetOf.laneWords + at);
}

/** All chunks, also those in which no lane executes. */
const eachLane = (frame: Frame, body: () => void): void => eachChunk({ ...frame, full: true }, body);

/** Writes a shuffle in which every lane computes its source lane. */
function writeComputed(op: Shuffle, { d, p, a, b, c }: ShuffleOperands, frame: Frame): boolean {
  const { code, state, chunk } = frame;
  const { laneResults } = offsetOf;
  const make = new VectorMaker();
  const [lane, givenB, givenC] = [0, 1, 2].map((at) => make.input(at)) as [Vector, Vector, Vector];
  const five = make.all32(31);
  const clamp = make.and(givenC, five);
  const segment = make.and(make.shift("i32x4.shr_u", givenC, 8), five);
  const bound = make.or(make.and(lane, segment), make.op("v128.andnot", clamp, segment));
  const takes = [lane, make.and(givenB, five), bound, segment];
  const [j, reaches] = [op.source, op.inRange].map((each) => vectorOf(each, takes, make) as Vector | undefined);
  if (j === undefined || reaches === undefined) return false;
  const [place, from] = words(a, frame);
  const inputs = [0, 1, 2].map(() => code.local("v128"));
  const [source, result, range] = [code.local("v128"), code.local("v128"), code.local("i32")];
  code.i32(0).set(range);
  eachChunk(frame, () => {
    code.get(chunk).i32(2).scalar("i32.shr_u").vector("i32x4.splat").v128([0, 1, 2, 3]).vector("i32x4.add");
    code.set(inputs[0]!);
    for (const [at, { slot }] of [b, c].entries()) {
      pushChunk(frame, slot);
      code.set(inputs[at + 1]!);
    }
    pushVector(frame, reaches, inputs);
    code.set(result).get(result);
    addFlags(frame, range);
    if (d === undefined) return;
    pushVector(frame, j, inputs);
    code.get(inputs[0]!).get(result).vector("v128.bitselect");
    code.i32(2).vector("i32x4.shl").get(place).vector("i32x4.splat").vector("i32x4.add").set(source);
    code.v128([0, 0, 0, 0]).set(result);
    for (let at = 0; at < 4; at++) {
      code.get(source).lane("i32x4.extract_lane", at).get(result);
      code.laneAccess("v128.load32_lane", at, from).set(result);
    }
    code.get(state).get(chunk).scalar("i32.add").get(result).access("v128.store", laneResults);
  });
  // All reads come before the first write: `d` may be the register that lanes read, or one that selects source lanes.
  if (d !== undefined)
    eachChunk(frame, () =>
      storeChunk(frame, d, () => code.get(state).get(chunk).scalar("i32.add").access("v128.load", laneResults)),
    );
  if (p !== undefined) storeLanes(frame, p, () => code.get(range));
  return true;
}
