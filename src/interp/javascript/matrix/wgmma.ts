import { elementBits, isFloatElement } from "../../../numeric/tensor/element.ts";
import { tileOf } from "../../../numeric/tensor/tile.ts";
import { type ByteRange, lineOf, type Operation } from "../../async/operation.ts";
import { constantValue } from "../../contract/constant.ts";
import { positionsOf } from "../../contract/matrix/fragment.ts";
import { metadata, multiplicandA, warpgroupAccumulator } from "../../contract/matrix/fragment-layouts.ts";
import { chunkAddresses, descriptorOf, type MatrixDescriptor } from "../../contract/matrix/shared-matrix.ts";
import { elements, type Operand, predicate, slot } from "../../contract/operand.ts";
import type { WarpgroupOperand } from "../../contract/plan/plan-warpgroup.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Memory } from "../../memory/memory.ts";
import { ALLOCATED, fourfold, INITIALISED } from "../../memory/shadow.ts";
import type { Context } from "../../state/context.ts";
import { Fault, report } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { siteOf } from "../async/site.ts";
import { gather, scatter } from "./gather.ts";
import { judgeRegisters } from "./watch-registers.ts";

/** A matrix in shared memory: where its 16-byte chunks lie in memory's buffer, and how elements lie in them. */
interface SharedMatrix {
  /** By `major * chunks + chunk`. */
  readonly places: Int32Array;
  readonly kMajor: boolean;
  /** The same bytes as ranges that do not touch each other. */
  readonly ranges: readonly ByteRange[];
  /** Rows of A or columns of B, and elements along K. */
  readonly rows: number;
  readonly k: number;
  readonly bits: 1 | 8 | 16 | 32;
}

/**
 * The matrix of a descriptor: `rows` rows from `from` on, `k` elements each. `shared` is where the block's shared
 * memory begins in the buffer.
 */
function sharedMatrix(
  descriptor: MatrixDescriptor,
  { kMajor, from, rows, k, bits }: Omit<SharedMatrix, "places" | "ranges"> & { readonly from: number },
  shared: number,
): SharedMatrix {
  const per = 128 / bits;
  const chunks = (kMajor ? k : rows) / per;
  const inShared = chunkAddresses(descriptor, kMajor, kMajor ? from : from / per, kMajor ? rows : k, chunks);
  const places = inShared.map((at) => at + shared);
  return { places, ranges: rangesOf(places), kMajor, rows, k, bits };
}

/** Matrices at most that are remembered: a loop goes round a few tiles. */
const REMEMBERED = 256;

/** Makes the matrix of a descriptor, once as long as there are few. */
function remembering(
  make: (descriptor: bigint, from: number, shared: number) => SharedMatrix,
): (descriptor: bigint, from: number, shared: number) => SharedMatrix {
  const known = new Map<string, SharedMatrix>();
  return (descriptor, from, shared) => {
    const key = `${descriptor} ${from} ${shared}`;
    const matrix = known.get(key) ?? make(descriptor, from, shared);
    if (known.size >= REMEMBERED) known.clear();
    known.set(key, matrix);
    return matrix;
  };
}

/** Reads all elements: row by row, `k` of each; elements of one bit as words of 32. */
function readMatrix({ places, kMajor, rows, k, bits }: SharedMatrix, memory: Memory, into: Uint32Array): void {
  const { u8, u16, u32 } = memory.data;
  const per = 128 / Math.max(bits, 8);
  const width = bits === 1 ? 8 : bits;
  const view = width === 8 ? u8 : width === 16 ? u16 : u32;
  const shift = width === 8 ? 0 : width === 16 ? 1 : 2;
  if (bits === 1) {
    for (let at = 0; at < places.length; at++)
      for (let word = 0; word < 4; word++) into[4 * at + word] = u32[(places[at]! >>> 2) + word]!;
    return;
  }
  if (kMajor) {
    for (let at = 0; at < places.length; at++) {
      const first = places[at]! >>> shift;
      for (let i = 0; i < per; i++) into[at * per + i] = view[first + i]!;
    }
    return;
  }
  const chunks = rows / per;
  for (let at = 0; at < places.length; at++) {
    const first = places[at]! >>> shift;
    const row = (at % chunks) * per;
    const column = Math.floor(at / chunks);
    for (let i = 0; i < per; i++) into[(row + i) * k + column] = view[first + i]!;
  }
}

/** The bytes of a matrix as ranges that do not touch each other. */
function rangesOf(places: Int32Array): readonly { start: number; bytes: number }[] {
  const sorted = Int32Array.from(places).sort();
  const found: { start: number; bytes: number }[] = [];
  let last: { start: number; bytes: number } | undefined;
  for (const start of sorted) {
    if (last !== undefined && start <= last.start + last.bytes)
      last.bytes = Math.max(last.bytes, start + 16 - last.start);
    else {
      last = { start, bytes: 16 };
      found.push(last);
    }
  }
  return found;
}

/**
 * The positions along K of the stored elements of a sparse A (PTX ISA, Sparse matrix storage), of sixteen rows of
 * `stored` elements: by `row * stored + element`. The metadata lie in register `slot` of the lanes that the selector
 * names.
 */
function selections(
  warp: Warp,
  slot: number,
  selector: number,
  stored: number,
  chunk: 2 | 4,
  bits: 8 | 16 | 32,
): Int32Array {
  const chunks = (2 * stored) / chunk;
  // Four bits select one of two elements for tf32, and two of four elements for other types.
  const fragment = metadata(chunks, bits);
  const positions = positionsOf(fragment);
  const threads = fragment.holders?.threads ?? 4;
  const found = new Int32Array(16 * stored);
  const perChunk = chunk / 2;
  for (let lane = 0; lane < 32; lane++) {
    if (lane % 4 >= threads) continue;
    const word = warp.r[slot * warp.lanes + lane + selector * threads]!;
    for (let i = 0; i < 8; i++) {
      const at = positions[lane * 8 + i]!;
      const [row, column] = [Math.floor(at / chunks), at % chunks];
      const nibble = (word >>> (4 * i)) & 15;
      const to = row * stored + column * perChunk;
      if (chunk === 2) found[to] = 2 * column + (nibble === 0b1110 ? 1 : 0);
      else {
        found[to] = 4 * column + (nibble & 3);
        found[to + 1] = 4 * column + (nibble >>> 2);
      }
    }
  }
  return found;
}

/**
 * Checks the chunks of a matrix descriptor, 16 bytes at each of these offsets of the buffer: throws a Fault if one
 * lies outside of the block's shared memory, and reports one that is not initialised.
 */
function sharedReader(
  context: Context,
): (warp: Warp, places: Int32Array, descriptor: bigint, matrix: "A" | "B") => void {
  const { memory, sharedBytes, sanitize } = context;
  const want = fourfold(ALLOCATED | INITIALISED);
  const isGood = (places: Int32Array, shared: number): boolean => {
    const { s32 } = memory.shadow;
    for (const at of places) {
      if (at < shared || at + 16 > shared + sharedBytes) return false;
      for (let word = at >>> 2; word < (at >>> 2) + 4; word++) if ((s32[word]! & want) !== want) return false;
    }
    return true;
  };
  return (warp, places, descriptor, matrix) => {
    const what = (at: number): string =>
      `reads matrix ${matrix} at 0x${(at - warp.shared).toString(16)} of shared memory, by descriptor 0x${descriptor.toString(16)}`;
    if (isGood(places, warp.shared)) return;
    let unwritten: number | undefined;
    for (const at of places) {
      const offset = at - warp.shared;
      if (offset < 0 || offset + 16 > sharedBytes)
        throw new Fault("PTX3002", 0, `${what(at)}, and the block has ${sharedBytes} bytes of it`);
      memory.know(at, 16);
      if (!memory.all(at, 16, ALLOCATED, ALLOCATED))
        throw new Fault("PTX3002", 0, `${what(at)}, which is not allocated`);
      if (unwritten === undefined && !memory.all(at, 16, INITIALISED, INITIALISED)) unwritten = at;
    }
    if (unwritten !== undefined && sanitize.init)
      context.report(report(context, warp, 0, "PTX4001", `${what(unwritten)}, which nothing has written`));
  };
}

/** Bits of an element as they lie in shared memory and in the registers of A. */
const bitsOf = (type: Parameters<typeof elementBits>[0]): 1 | 8 | 16 | 32 => elementBits(type) as 1 | 8 | 16 | 32;

/**
 * wgmma.mma_async: each warp starts the operation on its sixteen rows. Descriptors, metadata and scale-d are read at
 * issue; memory, and A and D in registers, when the operation happens.
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
  const gatherA = inRegisters ? gather(multiplicandA(16, stored, aBits), given("a"), "rows", lanes, a) : undefined;
  const fragment = warpgroupAccumulator(n, tile.d === "f16" ? 16 : 32);
  const gatherD = gather(fragment, given("d"), "rows", lanes, c);
  const scatterD = scatter(fragment, given("d"), lanes, c);
  const row = { a: new Uint32Array(stored), b: new Uint32Array(n * stored), c: new Uint32Array(n) };
  const shape = `m64n${n}k${whole} ${tile.d}`;
  const site = siteOf(context);
  const checkRead = sharedReader(context);
  const matrixOfA = remembering((descriptor, from, shared) =>
    sharedMatrix(descriptorOf(descriptor), { kMajor: !turnA, from, rows: 16, k: stored, bits: aBits }, shared),
  );
  const matrixOfB = remembering((descriptor, from, shared) =>
    sharedMatrix(descriptorOf(descriptor), { kMajor: !turnB, from, rows: n, k: whole, bits: bBits }, shared),
  );

  const perform = (
    warp: Warp,
    matrixA: SharedMatrix | undefined,
    matrixB: SharedMatrix,
    adds: boolean,
    at: Int32Array | undefined,
  ): void => {
    if (matrixA === undefined) gatherA!(warp);
    else readMatrix(matrixA, memory, a);
    readMatrix(matrixB, memory, b);
    if (flipA) negate(a, aBits);
    if (flipB) negate(b, bBits);
    if (adds) gatherD(warp);
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
    scatterD(warp);
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
    const matrixA = left === undefined ? undefined : matrixOfA(left, from, warp.shared);
    const matrixB = matrixOfB(right!, 0, warp.shared);
    const reads = [...(matrixA?.ranges ?? []), ...matrixB.ranges];
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

/** Throws a Fault unless the warp's group, four warps from a multiple of four on, is complete (PTX ISA, Warpgroup). */
export function needWarpgroup({ index, ctaSync }: Warp): void {
  const first = index & ~3;
  const threads = ctaSync.threads - 32 * first;
  if (threads >= 128) return;
  const message = `needs a warpgroup of 128 threads, and this one has ${threads}`;
  throw new Fault("PTX3017", 0, message, [], undefined, ["launch blocks of a multiple of 128 threads: --block 128"]);
}

/** The value of a 64-bit register, which must be the same in all lanes. */
function alike({ q }: Warp, from: number, what: string): bigint {
  const value = q[from]!;
  for (let lane = 1; lane < 32; lane++) if (q[from + lane] !== value) throw unlike(lane, what);
  return value;
}

const unlike = (lane: number, what: string): Fault =>
  new Fault("PTX3018", lane, `gets another ${what} than lane 0 gives, and all of a warpgroup give one`);

/** The first lane that differs from lane 0. */
const firstUnlike = (mask: number): number => 31 - Math.clz32((mask & 1 ? ~mask : mask) & -(mask & 1 ? ~mask : mask));
