import type { Vector } from "../../../numeric/vector/vector.ts";
import type { Code } from "../../../wasm/code.ts";
import type { AccessInstruction } from "../../../wasm/instructions.ts";
import {
  ALLOCATED,
  fourfold,
  IN_FLIGHT_READ,
  INITIALISED,
  MBARRIER,
  READ_ONLY,
  STORED,
  WINDOWED,
} from "../../memory/shadow.ts";
import { offsetOf } from "../boundary/state-layout.ts";
import { chunkOf, eachChunk, type Frame, lanesOf } from "../frame/frame.ts";
import type { VectorAddress } from "../segment/address.ts";
import type { AccessGroup, Segment } from "../segment/segment.ts";

/** A bit that marks an address in a window: offsets in the buffer are below it. */
const IN_WINDOW = -0x8000_0000;

/** The lanes of a group of accesses, for one chunk. */
export interface LaneVectors {
  /** Offsets in the buffer of the group's first byte; generic addresses in a window have `IN_WINDOW` set. */
  readonly lanes: Vector;
  /** Bits that are set for lanes without a valid offset: outside of the window, or not aligned. */
  readonly wrong: Vector;
  /** Lanes that access; undefined if all do. */
  readonly mask: Vector | undefined;
}

/**
 * Reads the shadow of every byte that a group of accesses is about to touch. That is slower than a clean range, and
 * done only if the range check fails; but it also accepts stores to memory that is not initialised yet.
 */
export class ExamineCode {
  readonly #segment: Segment;
  readonly #frame: Frame;
  /** Bytes from data to shadow. */
  readonly #distance: number;
  /** Locals: a lane, its address, a word of shadow, what has not been initialised. */
  readonly #lane: number;
  readonly #at: number;
  readonly #word: number;
  readonly #fresh: number;
  /** Local: the shadow marks of a lane's window, if the address selects the window. */
  readonly #window: number;

  constructor(segment: Segment, frame: Frame, distance: number) {
    this.#segment = segment;
    this.#frame = frame;
    this.#distance = distance;
    const { code } = frame;
    this.#window = code.local("i32");
    [this.#lane, this.#at, this.#word, this.#fresh] = [0, 1, 2, 3].map(() => code.local("i32")) as [
      number,
      number,
      number,
      number,
    ];
  }

  vectors(group: AccessGroup): LaneVectors {
    const { registers } = this.#segment;
    const { make } = registers;
    const { address, first, end, bytes, when } = group;
    const begin = first === 0 ? address.base : make.op("i32x4.add", address.base, make.all32(first));
    const span = make.all32(end - first);
    const all = make.all32(Math.min(this.#distance, 0x7fff_ffff));
    const { anywhere, outside } = address;
    const size = anywhere?.size(all) ?? address.size ?? all;
    // The window may be smaller than what is accessed.
    let wrong = make.or(
      make.op("i32x4.gt_u", begin, make.op("i32x4.sub", size, span)),
      make.op("i32x4.gt_u", span, size),
    );
    if (bytes > 1) wrong = make.or(wrong, make.and(begin, make.all32(bytes - 1)));
    const strange = anywhere?.outside ?? outside;
    if (strange !== undefined) wrong = make.or(wrong, strange);
    const active = this.#frame.full ? undefined : registers.input({ of: "active" });
    const mask = when === undefined || active === undefined ? (when ?? active) : make.and(when, active);
    const there = address.start === undefined ? begin : make.op("i32x4.add", begin, address.start);
    const marked = anywhere && make.and(anywhere.windowed, make.all32(IN_WINDOW));
    const lanes = marked === undefined ? there : make.or(there, marked);
    return { lanes, wrong: mask === undefined ? wrong : make.and(wrong, mask), mask };
  }

  /** Returns 1 from the function if the shadow of a lane in `lanes` (a local) is not what it must be; else goes on. */
  lanes(group: AccessGroup, lanes: number): void {
    const { code } = this.#frame;
    const changes = group.act === "store" || group.reduces !== undefined;
    code.i32(0).set(this.#fresh);
    this.#each(lanes, () => this.#parts(group, (offset, bytes) => this.#test(group, offset, bytes)));
    if (!changes) return;
    // The shadow changes only now, when all lanes are known to be right.
    code.get(this.#fresh).if();
    this.#each(lanes, () => this.#parts(group, (offset, bytes) => this.#mark(group, offset, bytes)));
    code.end();
  }

  /**
   * The same, four lanes at once, where all lanes load or store whole words: with `inRow` those of a chunk lie in a row, and
   * so does their shadow.
   */
  chunks(group: AccessGroup, inRow: boolean): void {
    const { code, state } = this.#frame;
    const splat = (word: number): Code => code.v128([word, word, word, word]);
    const storing = (): Code => code.get(state).access("v128.load32_splat", offsetOf.storing).vector("v128.or");
    const [wrong, fresh, held] = [code.local("v128"), code.local("v128"), code.local("v128")];
    const clean = fourfold(ALLOCATED | marksOf(group.address));
    for (const sum of [wrong, fresh]) code.v128([0, 0, 0, 0]).set(sum);
    this.#eachPiece(group, inRow, (offset) => {
      this.#gather(offset, inRow, held);
      code.get(held);
      if (group.act === "load") {
        splat(~fourfold(IN_FLIGHT_READ | STORED)).vector("v128.and");
        splat(clean | fourfold(INITIALISED));
      } else {
        code.get(held);
        storing().get(held).vector("v128.xor").get(fresh).vector("v128.or").set(fresh);
        storing();
        splat(clean);
        storing();
      }
      code.vector("v128.xor").get(wrong).vector("v128.or").set(wrong);
    });
    code.get(wrong).vector("v128.any_true").if().i32(1).scalar("return").end();
    code.get(fresh).vector("v128.any_true").set(this.#fresh);
    if (group.act === "load") return;
    code.get(this.#fresh).if();
    this.#eachPiece(group, inRow, (offset) => {
      this.#gather(offset, inRow, held);
      code.get(held);
      storing().set(held);
      if (inRow) code.get(this.#at).get(held).access("v128.store", offset);
      else
        for (const lane of lanesOf(this.#frame))
          this.#laneAt(lane).get(held).laneAccess("v128.store32_lane", lane, offset);
    });
    code.end();
  }

  /** Visits words of shadow, a chunk's four lanes at a time: their offset from the lanes' addresses. */
  #eachPiece(group: AccessGroup, inRow: boolean, body: (offset: number) => void): void {
    const { code, state, chunk } = this.#frame;
    const rows = Array.from({ length: group.bytes / 4 }, (_, at) => chunkOf(this.#frame) * at);
    const offsets = inRow ? rows : piecesOf(group, this.#segment).map(([offset]) => offset);
    eachChunk(this.#frame, () => {
      code.get(state).get(chunk).scalar("i32.add").set(this.#lane);
      if (inRow) this.#laneAt(0).set(this.#at);
      for (const offset of offsets) body(offset + this.#distance);
    });
  }

  /** Pushes the address of a lane of the chunk. */
  #laneAt(lane: number): Code {
    return this.#frame.code.get(this.#lane).access("i32.load", offsetOf.laneWords + 4 * lane);
  }

  /** Loads the words of four lanes into a local. */
  #gather(offset: number, inRow: boolean, held: number): void {
    const { code } = this.#frame;
    if (inRow) {
      code.get(this.#at).access("v128.load", offset).set(held);
      return;
    }
    this.#laneAt(0).access("v128.load32_zero", offset, 0).set(held);
    for (const lane of lanesOf(this.#frame).slice(1))
      this.#laneAt(lane).get(held).laneAccess("v128.load32_lane", lane, offset).set(held);
  }

  /** Afterwards: whether all was initialised before, as an i32 on the stack. */
  known(): void {
    this.#frame.code.get(this.#fresh).scalar("i32.eqz");
  }

  /** For a group in shared memory: extends the part that is known to be clean. `above`: of `scan-code.ts`. */
  extend(above: number): void {
    const { code, state } = this.#frame;
    const clean = this.#word;
    const load = (offset: number): Code => code.get(state).access("i32.load", offset);
    code.get(state);
    load(offsetOf.sharedClean).tee(clean).get(clean);
    load(offsetOf.shared).scalar("i32.add").i32(this.#distance).scalar("i32.add");
    load(offsetOf.sharedBytes).get(clean).scalar("i32.sub");
    code
      .i32(~fourfold(STORED))
      .i32(fourfold(ALLOCATED | INITIALISED | WINDOWED))
      .call(above);
    code.scalar("i32.add").access("i32.store", offsetOf.sharedClean);
  }

  #each(lanes: number, body: () => void): void {
    const { code, state } = this.#frame;
    code.i32(0).set(this.#lane).loop();
    code.get(lanes).get(this.#lane).scalar("i32.shr_u").i32(1).scalar("i32.and").if();
    code.get(state).get(this.#lane).i32(2).scalar("i32.shl").scalar("i32.add").access("i32.load", offsetOf.laneWords);
    code.tee(this.#window).i32(~IN_WINDOW).scalar("i32.and").set(this.#at);
    code.get(this.#window).i32(31).scalar("i32.shr_s").i32(fourfold(WINDOWED)).scalar("i32.and").set(this.#window);
    body();
    code.end();
    code
      .get(this.#lane)
      .i32(1)
      .scalar("i32.add")
      .tee(this.#lane)
      .i32(this.#frame.lanes)
      .scalar("i32.lt_u")
      .branchIf(0)
      .end();
  }

  /** Visits the bytes that the group touches, up to four at a time, each once. */
  #parts(group: AccessGroup, part: (offset: number, bytes: number) => void): void {
    for (const [offset, bytes] of piecesOf(group, this.#segment)) part(offset, bytes);
  }

  #test({ act, address, reduces }: AccessGroup, offset: number, bytes: number): void {
    const { code, state } = this.#frame;
    const clean = fourfold(ALLOCATED | marksOf(address));
    this.#load(offset, bytes);
    if (reduces !== undefined) {
      // On an overlay: a cell prepared for this reduction, or one that any atomic operation may change.
      code.tee(this.#word).get(this.#word).get(this.#word);
      this.#happened();
      code.tee(this.#word).scalar("i32.xor").get(this.#fresh).scalar("i32.or").set(this.#fresh);
      code.get(this.#word);
      this.#wanted(address, clean, bytes);
      code.get(state).access("i32.load", offsetOf.storing).scalar("i32.or").scalar("i32.ne");
      code
        .get(this.#word)
        .i32(reduces | fourfold(STORED))
        .scalar("i32.ne")
        .scalar("i32.and");
      code.if().i32(1).scalar("return").end();
      return;
    }
    if (act === "load") {
      code.i32(cut(~fourfold(IN_FLIGHT_READ | STORED), bytes)).scalar("i32.and");
      this.#wanted(address, clean | fourfold(INITIALISED), bytes);
    } else {
      // An atomic operation needs its memory initialised, and marked as stored already.
      if (act === "store") {
        code.tee(this.#word).get(this.#word).get(state).access("i32.load", offsetOf.storing);
        if (bytes < 4) code.i32(cut(-1, bytes)).scalar("i32.and");
        code.scalar("i32.or").tee(this.#word).scalar("i32.xor").get(this.#fresh).scalar("i32.or").set(this.#fresh);
        code.get(this.#word);
      }
      this.#wanted(address, clean, bytes);
      code.get(state).access("i32.load", offsetOf.storing);
      if (bytes < 4) code.i32(cut(-1, bytes)).scalar("i32.and");
      code.scalar("i32.or");
    }
    code.scalar("i32.ne").if().i32(1).scalar("return").end();
  }

  /** Pushes the value that the shadow must have, with the marks of the lane's window. */
  #wanted({ anywhere }: VectorAddress, word: number, bytes: number): void {
    const { code } = this.#frame;
    code.i32(cut(word, bytes));
    if (anywhere === undefined) return;
    code.get(this.#window).scalar("i32.or");
    if (bytes < 4) code.i32(cut(-1, bytes)).scalar("i32.and");
  }

  /** Marks what a store initialises; for a reduction, that it has happened. */
  #mark({ reduces }: AccessGroup, offset: number, bytes: number): void {
    const { code, state } = this.#frame;
    code.get(this.#at);
    this.#load(offset, bytes);
    if (reduces !== undefined) {
      code.tee(this.#word).get(this.#word);
      this.#happened();
    } else code.get(state).access("i32.load", offsetOf.storing).scalar("i32.or");
    code.access(stores[bytes]!, offset + this.#distance);
  }

  /** Pops two copies of a shadow word; pushes it with `STORED` added if it has the mark of a reduction. */
  #happened(): void {
    // The two bits are neighbours.
    const { code } = this.#frame;
    code.i32(fourfold(MBARRIER)).scalar("i32.and").i32(1).scalar("i32.shr_u").scalar("i32.or");
  }

  #load(offset: number, bytes: number): Code {
    return this.#frame.code.get(this.#at).access(loads[bytes]!, offset + this.#distance);
  }
}

/** The bytes that a group touches, in pieces of up to four, each once: offset from the group's first byte, and size. */
export function piecesOf(group: AccessGroup, { accesses }: Segment): readonly (readonly [number, number])[] {
  const own = accesses.filter((access) => access.group === group);
  const pieces: [number, number][] = [];
  for (const at of new Set(own.map(({ offset }) => offset - group.first)))
    for (let byte = 0; byte < group.bytes; byte += 4) pieces.push([at + byte, Math.min(group.bytes, 4)]);
  return pieces;
}

/** The shadow marks that all bytes of a window always have. */
export function marksOf({ space }: VectorAddress): number {
  if (space === "global" || space === "generic") return 0;
  if (space === "const") return READ_ONLY;
  return space === "param" ? WINDOWED | READ_ONLY : WINDOWED;
}

const loads: Readonly<Record<number, AccessInstruction>> = { 1: "i32.load8_u", 2: "i32.load16_u", 4: "i32.load" };
const stores: Readonly<Record<number, AccessInstruction>> = { 1: "i32.store8", 2: "i32.store16", 4: "i32.store" };

const cut = (word: number, bytes: number): number => (bytes === 4 ? word : word & ((1 << (8 * bytes)) - 1));
