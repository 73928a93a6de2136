import { type WarpOperation, warpOperands } from "../../../numeric/operation/warp.ts";
import { constantValue } from "../../contract/constant.ts";
import { LANES, lowest } from "../../contract/launch/lane-mask.ts";
import { type Operand, predicate, slot } from "../../contract/operand.ts";
import type { Program } from "../../contract/program.ts";
import { offsetOf } from "../boundary/state-layout.ts";
import { CHUNK, chunkOf, eachChunk, type Frame, pushMask } from "../frame/frame.ts";
import { addFlags, pushChunk, storeChunk, storeLanes } from "../frame/row-code.ts";
import { writeReduction } from "./reduce-code.ts";
import { knownSources, type Said, writeShuffle } from "./shuffle-code.ts";

/** A warp operation with its operands: results, what it takes, and the membermask where it has one. */
export interface AmongSite {
  readonly op: WarpOperation;
  readonly operands: readonly (Operand | undefined)[];
  readonly program: Pick<Program, "constants">;
  /** Whether a register may be read behind the operation. */
  readonly needed: (operand: Operand) => boolean;
  /** Whether somebody is told which lanes have met. */
  readonly told: boolean;
}

/**
 * Leaves an i32 on the stack: not 0 where the lanes that execute are not all lanes of one membermask, nor a full warp that shuffles
 * within segments, each with a membermask of its own. `live` pushes the lanes that have not exited; only a shuffle reads what the
 * others would have.
 */
export function writeAbsent(site: AmongSite, frame: Frame, live: () => void): void {
  const { op, operands, program } = site;
  const wanted = (): void => {
    if (op.among === "shuffle") return;
    live();
    frame.code.scalar("i32.and");
  };
  const { code, base, bankR, active, row } = frame;
  const { takes, gives } = warpOperands(op);
  const membermask = operands[takes.length + gives.length];
  if (membermask === undefined) {
    code.i32(0);
    return;
  }
  const known = constantValue(membermask, program);
  if (known !== undefined) {
    code.i32(Number(BigInt.asIntN(32, known)));
    wanted();
    code.get(active).scalar("i32.ne");
    return;
  }
  const from = slot(membermask).slot;
  const [members, other] = [code.local("i32"), code.local("v128")];
  code.get(base).get(active).scalar("i32.ctz").i32(2).scalar("i32.shl").scalar("i32.add");
  code.access("i32.load", bankR + from * row).set(members);
  code.v128([0, 0, 0, 0]).set(other);
  eachChunk(frame, () => {
    pushChunk(frame, from);
    code.get(members).vector("i32x4.splat").vector("i32x4.ne");
    if (!frame.full) {
      code.get(active);
      pushMask(frame);
      code.vector("v128.and");
    }
    code.get(other).vector("v128.or").set(other);
  });
  code.get(members);
  wanted();
  code.get(active).scalar("i32.ne").get(other).vector("v128.any_true").scalar("i32.or");
  const width = frame.full && !site.told ? segmentsOf(site) : undefined;
  // The lanes of a chunk have one membermask.
  if (width === undefined || frame.lanes !== LANES || width < chunkOf(frame) / 4) return;
  const absent = members;
  code.tee(absent).if();
  code.v128([0, 0, 0, 0]).set(other);
  eachChunk(frame, () => {
    pushChunk(frame, from);
    code
      .i32(lowest(width))
      .get(frame.chunk)
      .i32(2)
      .scalar("i32.shr_u")
      .i32(LANES - width)
      .scalar("i32.and");
    code.scalar("i32.shl").vector("i32x4.splat").vector("i32x4.ne").get(other).vector("v128.or").set(other);
  });
  code.get(other).vector("v128.any_true").set(absent).end().get(absent);
}

/** The register with the membermasks of an operation whose lanes may have several, as tiles of a warp do; undefined where they have one. */
export function groupsBy({ op, operands, program }: AmongSite): number | undefined {
  const { takes, gives } = warpOperands(op);
  const membermask = operands[takes.length + gives.length];
  return membermask === undefined || constantValue(membermask, program) !== undefined
    ? undefined
    : slot(membermask).slot;
}

/** Leaves an i32 on the stack: not 0 where the lanes of a full warp are not groups, each of all lanes of their membermask. */
export function writeNoGroups(membermasks: number, frame: Frame): void {
  const { code, base, bankR, row } = frame;
  const wrong = code.local("i32");
  code.i32(0).set(wrong);
  eachGroup(membermasks, frame, ({ active }, leader) => {
    code.get(base).get(leader).i32(2).scalar("i32.shl").scalar("i32.add");
    code
      .access("i32.load", bankR + membermasks * row)
      .get(active)
      .scalar("i32.ne");
    code.get(wrong).scalar("i32.or").set(wrong);
  });
  code.get(wrong);
}

/** Has `write` write what each group of a full warp does, the one with the lowest lane first; `leader`: a local with that lane. */
export function eachGroup(membermasks: number, frame: Frame, write: (group: Frame, leader: number) => void): void {
  const { code } = frame;
  const [rest, leader, lanes] = [0, 1, 2].map(() => code.local("i32")) as [number, number, number];
  code.i32(-1).set(rest).loop();
  code.get(rest).scalar("i32.ctz").set(leader);
  writeSame(32, membermasks, leader, lanes, frame);
  // Groups before may have had their results in the same register.
  code.get(lanes).get(rest).scalar("i32.and").set(lanes);
  write({ ...frame, full: false, active: lanes }, leader);
  code.get(rest).get(lanes).scalar("i32.xor").tee(rest).branchIf(0).end();
}

/** The lanes of each segment of a shuffle that reads no lane of another segment, so far as its text says. */
function segmentsOf({ op, operands, program }: AmongSite): number | undefined {
  const [b, c] = [constantValue(operands[3], program), constantValue(operands[4], program)];
  if (op.among !== "shuffle" || b === undefined || c === undefined) return undefined;
  const width = LANES - (Number(c >> 8n) & (LANES - 1));
  const { sources } = knownSources(op, b, c);
  const within = (width & (width - 1)) === 0 && sources.every((source, lane) => (source & -width) === (lane & -width));
  return within ? width : undefined;
}

/** Writes the operation for the lanes that execute; if no rule applies, returns false and its output is of no use. */
export function writeAmong(site: AmongSite, frame: Frame): boolean {
  const { op, operands } = site;
  const [first, second, third] = operands;
  switch (op.among) {
    case "sync":
      return true;
    case "shuffle": {
      const [b, c] = [said(operands[3], site), said(operands[4], site)];
      const p = lanesTo(second, site);
      return writeShuffle(op, { d: wordsTo(first, site), p, a: slot(third).slot, b, c }, frame);
    }
    case "vote":
      writeVote(op.mode, second, site, frame);
      return true;
    case "match":
      if (op.mode === "any") writeMatchAny(op.bits, wordsTo(first, site), slot(second).slot, frame);
      else writeMatchAll(op.bits, slot(third).slot, site, frame);
      return true;
    case "reduce":
      return writeReduction(op, wordsTo(first, site), slot(second).slot, frame);
    case "elect":
      writeElect(site, frame);
      return true;
  }
}

/** The slot of a result, if it is needed. */
function wordsTo(operand: Operand | undefined, { needed }: AmongSite): number | undefined {
  return operand?.kind === "slot" && needed(operand) ? operand.slot : undefined;
}

function lanesTo(operand: Operand | undefined, { needed }: AmongSite): number | undefined {
  return operand?.kind === "predicate" && needed(operand) ? operand.slot : undefined;
}

const said = (operand: Operand | undefined, { program }: AmongSite): Said => ({
  slot: slot(operand).slot,
  value: constantValue(operand, program),
});

function writeVote(
  mode: "all" | "any" | "uni" | "ballot",
  from: Operand | undefined,
  site: AmongSite,
  frame: Frame,
): void {
  const { code, base, bankP, active } = frame;
  const [to] = site.operands;
  const votes = code.local("i32");
  const asked = predicate(from);
  code.get(base).access("i32.load", bankP + 4 * asked.slot);
  if (asked.negated) code.i32(-1).scalar("i32.xor");
  code.get(active).scalar("i32.and").set(votes);
  if (mode === "ballot") {
    storeWord(votes, wordsTo(to, site), frame);
    return;
  }
  const p = lanesTo(to, site);
  if (p === undefined) return;
  storeLanes(frame, p, () => {
    code.i32(-1).i32(0);
    if (mode === "any") code.get(votes);
    else code.get(votes).get(active).scalar("i32.eq");
    if (mode === "uni") code.get(votes).scalar("i32.eqz").scalar("i32.or");
    code.scalar("select");
  });
}

function writeElect(site: AmongSite, frame: Frame): void {
  const { code, active } = frame;
  const [d, p] = [wordsTo(site.operands[0], site), lanesTo(site.operands[1], site)];
  const leader = code.local("i32");
  code.get(active).scalar("i32.ctz").set(leader);
  storeWord(leader, d, frame);
  if (p !== undefined) storeLanes(frame, p, () => code.i32(1).get(leader).scalar("i32.shl"));
}

/** A word that is the same in all lanes. */
function storeWord(word: number, to: number | undefined, frame: Frame): void {
  if (to === undefined) return;
  const { code } = frame;
  const all = code.local("v128");
  code.get(word).vector("i32x4.splat").set(all);
  eachChunk(frame, () => storeChunk(frame, to, () => code.get(all)));
}

/** Leaves in a local the word that a register has in all lanes that execute; `apart` writes the exit if they differ. */
export function writeUniform(operand: Operand, frame: Frame, apart: () => void): number {
  const { code, base, active, bankR, row } = frame;
  const [first, same] = [code.local("i32"), code.local("i32")];
  const from = slot(operand).slot;
  code.get(active).scalar("i32.ctz").set(first);
  writeSame(32, from, first, same, frame);
  code.get(same).get(active).scalar("i32.ne").if();
  apart();
  code.end();
  code.get(base).get(first).i32(2).scalar("i32.shl").scalar("i32.add");
  code.access("i32.load", bankR + from * row).set(first);
  return first;
}

/** Leaves in `lanes` those that hold the same as the lane `of`. */
export function writeSame(bits: 32 | 64, from: number, of: number, lanes: number, frame: Frame): void {
  const { code, base, rowQ, bankR, row: rowBytes } = frame;
  const value = code.local("v128");
  const bytes = bits / 8;
  const row = bits === 64 ? from * 2 * rowBytes : bankR + from * rowBytes;
  code.get(base).get(of).i32(bytes).scalar("i32.mul").scalar("i32.add");
  code.access(bits === 64 ? "v128.load64_splat" : "v128.load32_splat", row).set(value);
  code.i32(0).set(lanes);
  eachChunk(frame, () => {
    if (bits === 32) {
      pushChunk(frame, from);
      code.get(value).vector("i32x4.eq");
    } else {
      for (const half of [0, CHUNK])
        code
          .get(rowQ)
          .access("v128.load", row + half)
          .get(value)
          .vector("i64x2.eq");
      code.shuffle([0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]);
    }
    addFlags(frame, lanes);
  });
  if (!frame.full) code.get(lanes).get(frame.active).scalar("i32.and").set(lanes);
}

/** Value by value: all lanes that hold it get each other as a mask. */
function writeMatchAny(bits: 32 | 64, d: number | undefined, from: number, frame: Frame): void {
  if (d === undefined) return;
  const { code, active, state, chunk } = frame;
  const [rest, leader, lanes, all] = [code.local("i32"), code.local("i32"), code.local("i32"), code.local("v128")];
  code.get(active).set(rest).loop();
  code.get(rest).scalar("i32.ctz").set(leader);
  writeSame(bits, from, leader, lanes, frame);
  code.get(lanes).vector("i32x4.splat").set(all);
  eachChunk({ ...frame, full: false, active: lanes }, () => {
    code.get(state).get(chunk).scalar("i32.add").get(all);
    code.get(state).get(chunk).scalar("i32.add").access("v128.load", offsetOf.laneResults).get(lanes);
    pushMask(frame);
    code.vector("v128.bitselect").access("v128.store", offsetOf.laneResults);
  });
  code.get(rest).get(lanes).i32(-1).scalar("i32.xor").scalar("i32.and").tee(rest).branchIf(0).end();
  // All reads come before the first write.
  eachChunk(frame, () =>
    storeChunk(frame, d, () => code.get(state).get(chunk).scalar("i32.add").access("v128.load", offsetOf.laneResults)),
  );
}

function writeMatchAll(bits: 32 | 64, from: number, site: AmongSite, frame: Frame): void {
  const { code, active } = frame;
  const [d, p] = [wordsTo(site.operands[0], site), lanesTo(site.operands[1], site)];
  const [leader, lanes] = [code.local("i32"), code.local("i32")];
  code.get(active).scalar("i32.ctz").set(leader);
  writeSame(bits, from, leader, lanes, frame);
  code.get(lanes).i32(0).get(lanes).get(active).scalar("i32.eq").scalar("select").set(lanes);
  storeWord(lanes, d, frame);
  if (p !== undefined) storeLanes(frame, p, () => code.get(lanes));
}
