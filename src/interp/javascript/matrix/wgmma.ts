import { elementBits, isFloatElement } from "../../../numeric/tensor/element.ts";
import { tileOf } from "../../../numeric/tensor/tile.ts";
import { type ByteRange, lineOf, type Operation } from "../../async/operation.ts";
import { constantValue } from "../../contract/constant.ts";
import { multiplicandA, warpgroupAccumulator } from "../../contract/matrix/fragment-layouts.ts";
import { descriptorOf } from "../../contract/matrix/shared-matrix.ts";
import { elements, type Operand, predicate, slot } from "../../contract/operand.ts";
import type { WarpgroupOperand } from "../../contract/plan/plan-warpgroup.ts";
import type { PlanOf } from "../../contract/plan/shape-facts.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { siteOf } from "../async/site.ts";
import { sharedReader } from "./shared-reader.ts";
import { selections } from "./sparse-select.ts";
import { judgeRegisters } from "./watch-registers.ts";
import { fragmentMover, rangesOf, readMatrix, type SharedMatrix, sharedMatrix } from "./wgmma-operands.ts";

/** Bits of an element as they lie in shared memory and in the registers of A. */
const bitsOf = (type: Parameters<typeof elementBits>[0]): 1 | 8 | 16 | 32 => elementBits(type) as 1 | 8 | 16 | 32;

/**
 * wgmma.mma_async (PTX ISA 9.7.16.5.2): a warp asks for its sixteen rows. Descriptors, metadata and scale-d are read now; memory,
 * A and D in registers when the operation happens.
 */
export function wgmma(
  { tile, sparse, operands: roles }: PlanOf<"wgmma">,
  operands: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { asynchrony, lanes, memory, program } = context;
  const given = (role: WarpgroupOperand): Operand | undefined => operands[roles.indexOf(role)];
  const literal = (role: WarpgroupOperand): number =>
    Number(BigInt.asIntN(32, constantValue(given(role), program) ?? 0n));
  const slotsOf = (operand: Operand | undefined): readonly number[] => elements(operand).map((each) => slot(each).slot);

  const { n } = tile;
  // Stored elements of a row of A, and elements of a column of B.
  const stored = tile.k;
  const whole = sparse === undefined ? stored : 2 * stored;
  const [aBits, bBits] = [bitsOf(tile.a), bitsOf(tile.b)];
  const words = tile.a === "b1" ? 32 : 1;
  const inRegisters = given("a")?.kind === "vector";
  const dSlots = slotsOf(given("d"));
  const aSlots = inRegisters ? slotsOf(given("a")) : [];
  const d = fragmentMover(warpgroupAccumulator(n, tile.d === "f16" ? 16 : 32), dSlots, lanes);
  const fragmentA = inRegisters ? fragmentMover(multiplicandA(16, stored, aBits), aSlots, lanes) : undefined;
  const [aDescriptor, bDescriptor] = [inRegisters ? undefined : slot(given("a")), slot(given("b"))];
  const [turnA, turnB] = [literal("turn a") === 1, literal("turn b") === 1];
  const [flipA, flipB] = [literal("negate a") === -1, literal("negate b") === -1];
  const scale = predicate(given("scale"));
  const e = sparse === undefined ? undefined : slot(given("e")).slot;
  const selector = literal("selector");

  const rowTile = tileOf(context.target, { ...tile, m: sparse === undefined ? 16 : 1 });
  const a = new Uint32Array((16 * stored) / words);
  const b = new Uint32Array((n * whole) / words);
  const c = new Uint32Array(16 * n);
  const row = { a: new Uint32Array(stored), b: new Uint32Array(n * stored), c: new Uint32Array(n) };
  const shape = `m64n${n}k${whole} ${tile.d}`;
  const site = siteOf(context);
  const checkRead = sharedReader(context);

  const perform = (
    warp: Warp,
    matrixA: SharedMatrix | undefined,
    matrixB: SharedMatrix,
    adds: boolean,
    at: Int32Array | undefined,
  ): void => {
    if (matrixA === undefined) fragmentA!.gather(warp, a);
    else readMatrix(matrixA, memory, a);
    readMatrix(matrixB, memory, b);
    if (flipA) negate(a, aBits);
    if (flipB) negate(b, bBits);
    if (adds) d.gather(warp, c);
    else c.fill(0);
    if (at === undefined) rowTile(a, b, c, c);
    else
      for (let i = 0; i < 16; i++) {
        row.a.set(a.subarray(i * stored, (i + 1) * stored));
        for (let column = 0; column < n; column++)
          for (let k = 0; k < stored; k++) row.b[column * stored + k] = b[column * whole + at[i * stored + k]!]!;
        row.c.set(c.subarray(i * n, (i + 1) * n));
        rowTile(row.a, row.b, row.c, row.c);
        c.set(row.c, i * n);
      }
    d.scatter(warp, c);
  };

  return (warp) => {
    needWarpgroup(warp);
    const bits = [aDescriptor, bDescriptor].map((operand) =>
      operand === undefined ? undefined : alike(warp, operand.slot * lanes, "descriptor"),
    );
    const held = scale.negated ? ~warp.p[scale.slot]! : warp.p[scale.slot]!;
    if (held >>> 0 !== 0 && held >>> 0 !== 0xffff_ffff) throw unlike(firstUnlike(held), "scale-d");
    const adds = held !== 0;
    const thread = { block: warp.block, warp: warp.index, lane: 0 };
    const here = site(warp);
    const from = 16 * (warp.index & 3);
    const [left, right] = bits;
    const matrixA =
      left === undefined
        ? undefined
        : sharedMatrix(descriptorOf(left), { kMajor: !turnA, from, rows: 16, k: stored, bits: aBits }, warp.shared);
    const matrixB = sharedMatrix(
      descriptorOf(right!),
      { kMajor: !turnB, from: 0, rows: n, k: whole, bits: bBits },
      warp.shared,
    );
    const reads: readonly ByteRange[] = [matrixA, matrixB].flatMap((each) =>
      each === undefined ? [] : rangesOf(each.places),
    );
    if (matrixA !== undefined) checkRead(warp, matrixA.places, left!, "A");
    checkRead(warp, matrixB.places, right!, "B");
    asynchrony.fences.together({ site: here, thread, given: `${left} ${right} ${adds}` });
    judgeRegisters(warp, thread, dSlots, aSlots, shape, context);
    const at = sparse === undefined ? undefined : selections(warp, e!, selector, stored, sparse, aBits as 8 | 16 | 32);
    const registers = { block: warp.block, warp: warp.index, bank: "r" } as const;
    const operation: Operation = {
      site: here,
      thread,
      what: "multiplication",
      proxy: "async",
      reads,
      writes: [],
      registers: { reads: [{ ...registers, slots: aSlots }], writes: [{ ...registers, slots: dSlots }] },
      pipeline: `wgmma ${warp.block} ${warp.index}`,
      completion: { kind: "group", line: lineOf("wgmma", thread) },
      perform: () => perform(warp, matrixA, matrixB, adds, at),
    };
    asynchrony.fences.registers.hold(thread, dSlots, aSlots, shape, asynchrony.issue(operation));
  };

  /** The sign of each element; b1 and integers have none to change. */
  function negate(values: Uint32Array, width: number): void {
    if (!isFloatElement(tile.a)) return;
    const sign = 2 ** (width - 1);
    for (let index = 0; index < values.length; index++) values[index] = (values[index]! ^ sign) >>> 0;
  }
}

/** Four warps from a multiple of four on, all of them whole (9.7.16.1). */
export function needWarpgroup({ index, ctaSync }: Warp): void {
  const first = index & ~3;
  const threads = ctaSync.threads - 32 * first;
  if (threads >= 128) return;
  const message = `needs a warpgroup of 128 threads, and this one has ${threads}`;
  throw new Fault("PTX3017", 0, message, [], undefined, ["launch blocks of a multiple of 128 threads: --block 128"]);
}

/** The value of a 64-bit register that all lanes give alike. */
function alike({ q }: Warp, from: number, what: string): bigint {
  const value = q[from]!;
  for (let lane = 1; lane < 32; lane++) if (q[from + lane] !== value) throw unlike(lane, what);
  return value;
}

const unlike = (lane: number, what: string): Fault =>
  new Fault("PTX3018", lane, `gets another ${what} than lane 0 gives, and all of a warpgroup give one`);

/** The first lane that differs from lane 0. */
const firstUnlike = (mask: number): number => 31 - Math.clz32((mask & 1 ? ~mask : mask) & -(mask & 1 ? ~mask : mask));
