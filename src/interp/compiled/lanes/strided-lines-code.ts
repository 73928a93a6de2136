import { Code } from "../../../wasm/code.ts";
import type { ModuleWriter } from "../../../wasm/module.ts";
import { LANES, lowest } from "../../contract/launch/lane-mask.ts";
import { elements } from "../../contract/operand.ts";
import { type LinePlaces, linePlaces } from "../../contract/plan/line-places.ts";
import { linesOf, type MatrixLines, type PlanLines } from "../../contract/plan/plan-lines.ts";
import type { Instruction } from "../../contract/program.ts";
import { windows } from "../../contract/window.ts";
import { ALLOCATED, fourfold, IN_FLIGHT_READ, INITIALISED, STORED, WINDOWED } from "../../memory/shadow.ts";
import { globals } from "../boundary/module-globals.ts";
import { offsetOf } from "../boundary/state-layout.ts";
import { CHUNK, type Frame } from "../frame/frame.ts";
import { loadLane, storeLane } from "../frame/lane-access.ts";

/** A wmma.load or wmma.store of elements of whole bytes: all lanes give one address, and one distance from line to line. */
export interface StridedSite {
  readonly act: "load" | "store";
  readonly lines: MatrixLines;
  readonly space: "global" | "shared" | "generic";
  /** The register with the address, and what is added to it. */
  readonly address: { readonly bank: "r" | "q"; readonly slot: number };
  readonly offset: number;
  /** The slot with the distance in elements; undefined where the instruction's shape says it. */
  readonly stride: number | undefined;
  /** The slots of the fragment's registers; undefined where one goes nowhere. */
  readonly registers: readonly (number | undefined)[];
}

/** Elements from line to line at most: no sum of 32 of them leaves 32 bits. */
const FARTHEST = 1 << 20;

/** What compiled code has to know of an instruction with these lines; undefined if only JavaScript can execute it. */
export function stridedSiteOf(
  act: StridedSite["act"],
  { lines, space }: PlanLines,
  operands: Instruction["operands"],
): StridedSite | undefined {
  if (lines.stride === undefined || lines.packed !== undefined || lines.fragment.bits < 8 || lines.bytes % 8 !== 0)
    return undefined;
  const [data, where] = act === "load" ? operands : [operands[1], operands[0]];
  const stride = operands[2];
  if (where?.kind !== "address" || where.base === undefined || where.index !== undefined) return undefined;
  if (stride !== undefined && stride.kind !== "slot") return undefined;
  const { bank, slot } = where.base;
  const offset = Number(BigInt.asIntN(32, where.offset));
  if (BigInt(offset) !== where.offset) return undefined;
  // ptxas takes a 32-bit address as one of shared memory.
  const reached = bank === "r" ? "shared" : space;
  if (reached !== "global" && reached !== "shared" && reached !== "generic") return undefined;
  const registers = elements(data).map((part) => (part.kind === "slot" ? part.slot : undefined));
  return { act, lines, space: reached, address: { bank, slot }, offset, stride: stride?.slot, registers };
}

/** The module, and bytes from data to shadow. */
interface Into {
  readonly module: ModuleWriter;
  readonly distance: number;
}

/**
 * The function (row of the address, offset, row of the distance or the distance, row of each register) that moves the matrix; it
 * returns not 0, having changed nothing, where something may be wrong. A register that goes nowhere has the row 0. `observed`: it leaves
 * in the state, for observers, where the lines lie.
 */
function mover(
  { act, lines, space, address: { bank }, stride }: StridedSite,
  { module, distance }: Into,
  observed: boolean,
): number {
  const strided = stride !== undefined;
  return module.once(JSON.stringify([act, lines, space, bank, strided, observed]), () => {
    const made = new Mover(act, lines, distance);
    return {
      takes: Array.from({ length: made.parameters }, () => "i32" as const),
      gives: ["i32"],
      code: made.write({ space, wide: bank === "q", strided, observed }),
    };
  });
}

/** Moves the matrix; leaves an i32 on the stack, not 0 where nothing has been moved since something may be wrong. */
export function writeStrided(site: StridedSite, frame: Frame, into: Into, observed: boolean): void {
  const { code, base, bankR, row } = frame;
  const inR = (slot: number): Code =>
    code
      .get(base)
      .i32(bankR + slot * row)
      .scalar("i32.add");
  const inQ = (slot: number): Code =>
    code
      .get(base)
      .i32(slot * 2 * row)
      .scalar("i32.add");
  const { address, offset, stride, lines, registers } = site;
  (address.bank === "q" ? inQ : inR)(address.slot);
  code.i32(offset);
  if (stride === undefined) code.i32(lines.stride ?? 0);
  else inR(stride);
  for (const slot of registers)
    if (slot === undefined) code.i32(0);
    else (lines.fragment.bits === 64 ? inQ : inR)(slot);
  code.call(mover(site, into, observed));
}

/** A local with the lanes that load a line each, as observers are notified of it. */
export function lanesWithLines({ lines }: StridedSite, code: Code): number {
  const lanes = code.local("i32");
  code.i32(lowest(linesOf(lines)) | 0).set(lanes);
  return lanes;
}

const [ADDRESS, OFFSET, STRIDE, FIRST] = [0, 1, 2, 3];

/** What is known of an address where a function is written: its space, how wide it is, whether a register has the distance. */
interface Way {
  readonly space: StridedSite["space"];
  readonly wide: boolean;
  readonly strided: boolean;
  readonly observed: boolean;
}

/** Writes the body of one function. */
class Mover {
  readonly #act: StridedSite["act"];
  readonly #lines: MatrixLines;
  readonly #distance: number;
  readonly #places: LinePlaces;
  readonly #code: Code;
  readonly #state: number;
  readonly #bad: number;

  constructor(act: StridedSite["act"], lines: MatrixLines, distance: number) {
    this.#act = act;
    this.#lines = lines;
    this.#distance = distance;
    this.#places = linePlaces(lines);
    this.#code = new Code(this.parameters);
    this.#state = this.#code.local("i32");
    this.#bad = this.#code.local("v128");
  }

  get parameters(): number {
    return FIRST + this.#places.registers;
  }

  write({ space, wide, strided, observed }: Way): Code {
    const code = this.#code;
    code.globalGet(globals.state).set(this.#state);
    this.#alike(ADDRESS, wide);
    if (strided) this.#alike(STRIDE, false);
    code.get(this.#bad).vector("v128.any_true");
    this.#declineIf();
    const [start, marks] = [code.local("i32"), code.local("i32")];
    const step = this.#step(strided);
    const lines = this.#locate(space, wide, step, start, marks);
    this.#look(lines, marks);
    if (observed)
      for (const [at, line] of lines.entries())
        code
          .get(this.#state)
          .get(line)
          .access("i32.store", offsetOf.observedWhere + 4 * at);
    for (let register = 0; register < this.#places.registers; register++) {
      code.get(FIRST + register).if();
      this.#move(register, lines);
      code.end();
    }
    return code.i32(0);
  }

  #declineIf(): void {
    this.#code.if().i32(1).scalar("return").end();
  }

  /** Adds to `bad` where lanes have something else in a register than lane 0. */
  #alike(row: number, wide: boolean): void {
    const code = this.#code;
    const first = code.local("v128");
    code
      .get(row)
      .access(wide ? "v128.load64_splat" : "v128.load32_splat")
      .set(first);
    for (let at = 0; at < (wide ? 16 : 8) * CHUNK; at += CHUNK)
      code
        .get(row)
        .access("v128.load", at)
        .get(first)
        .vector("v128.xor")
        .get(this.#bad)
        .vector("v128.or")
        .set(this.#bad);
  }

  /** A local with the bytes from line to line. */
  #step(strided: boolean): number {
    const code = this.#code;
    const step = code.local("i32");
    code.get(STRIDE);
    if (strided) code.access("i32.load");
    code.tee(step).i32(FARTHEST).scalar("i32.gt_u");
    this.#declineIf();
    code
      .get(step)
      .i32(this.#lines.fragment.bits / 8)
      .scalar("i32.mul")
      .set(step);
    return step;
  }

  /** Locals with the places of the lines, which lie in their window and are aligned; sets that of the window's start, and its marks. */
  #locate(space: StridedSite["space"], wide: boolean, step: number, start: number, marks: number): readonly number[] {
    const code = this.#code;
    const { bytes, align, first } = this.#lines;
    const [size, at] = [code.local("i32"), code.local("i32")];
    const state = (offset: number): Code => code.get(this.#state).access("i32.load", offset);
    const shared = (): void => {
      state(offsetOf.shared).set(start);
      state(offsetOf.sharedBytes).set(size);
      code.i32(fourfold(WINDOWED)).set(marks);
    };
    const high = (): Code => code.get(ADDRESS).access("i32.load", 4);
    const global = (): void => void code.i32(0).set(start).i32(Math.min(this.#distance, 0x7fff_ffff)).set(size);
    if (space === "global") {
      global();
      high().i32(windows.global).scalar("i32.ne");
      this.#declineIf();
    } else if (space === "shared") {
      shared();
      if (wide) {
        high();
        this.#declineIf();
      }
    } else {
      high().i32(windows.shared).scalar("i32.eq").if();
      shared();
      code.else();
      global();
      high().i32(windows.global).scalar("i32.ne");
      this.#declineIf();
      code.end();
    }
    // A low word of 2^31 or more is in no window; below that no offset carries into the high word.
    code.get(ADDRESS).access("i32.load").get(OFFSET).scalar("i32.add").tee(at);
    code.get(ADDRESS).access("i32.load").scalar("i32.or").i32(0).scalar("i32.lt_s");
    code
      .get(at)
      .i32(first - 1)
      .scalar("i32.and")
      .scalar("i32.or");
    code
      .get(step)
      .i32(align - 1)
      .scalar("i32.and")
      .scalar("i32.or");
    code.get(size).i32(bytes).scalar("i32.lt_u").scalar("i32.or");
    code.get(at).get(step);
    code
      .i32(linesOf(this.#lines) - 1)
      .scalar("i32.mul")
      .scalar("i32.add");
    code.get(size).i32(bytes).scalar("i32.sub").scalar("i32.gt_u").scalar("i32.or");
    this.#declineIf();
    code.get(at).get(start).scalar("i32.add").set(at);
    return Array.from({ length: linesOf(this.#lines) }, () => {
      const line = code.local("i32");
      code.get(at).tee(line).get(step).scalar("i32.add").set(at);
      return line;
    });
  }

  /** Declines if the shadow of a line is not what it must be; else marks what a store initialises. */
  #look(lines: readonly number[], marks: number): void {
    const code = this.#code;
    const isLoad = this.#act === "load";
    const [bad, storing, wanted] = [this.#bad, code.local("v128"), code.local("v128")];
    code.get(this.#state).access("v128.load32_splat", offsetOf.storing).set(storing);
    code.get(marks).vector("i32x4.splat");
    code.v128(all(fourfold(ALLOCATED | (isLoad ? INITIALISED : 0)))).vector("v128.or");
    if (!isLoad) code.get(storing).vector("v128.or");
    code.set(wanted);
    const shadow = (line: number, offset: number): void => {
      const isWhole = offset + CHUNK <= this.#lines.bytes;
      code.get(line).access(isWhole ? "v128.load" : "v128.load64_splat", this.#distance + offset);
      if (!isLoad) code.get(storing).vector("v128.or");
    };
    const each = (body: (line: number, offset: number) => void): void => {
      for (const line of lines) for (let offset = 0; offset < this.#lines.bytes; offset += CHUNK) body(line, offset);
    };
    each((line, offset) => {
      shadow(line, offset);
      code.get(wanted).vector("v128.xor").get(bad).vector("v128.or").set(bad);
    });
    code.get(bad);
    if (isLoad) code.v128(all(~fourfold(IN_FLIGHT_READ | STORED))).vector("v128.and");
    code.vector("v128.any_true");
    this.#declineIf();
    if (isLoad) return;
    each((line, offset) => {
      code.get(line);
      shadow(line, offset);
      if (offset + CHUNK <= this.#lines.bytes) code.access("v128.store", this.#distance + offset);
      else code.laneAccess("v128.store64_lane", 0, this.#distance + offset);
    });
  }

  /** Moves one register of all lanes, a vector at a time. */
  #move(register: number, lines: readonly number[]): void {
    const code = this.#code;
    const { registers, pieces, bits, line, offset } = this.#places;
    const lanes = bits === 64 ? 2 : 4;
    const values = code.local("v128");
    for (let from = 0; from < LANES; from += lanes) {
      const places = Array.from({ length: lanes * pieces }, (_, at) => {
        const lane = from + Math.floor(at / pieces);
        const piece = (lane * registers + register) * pieces + (at % pieces);
        return { line: line[piece]!, offset: offset[piece]! / 8 };
      });
      const [first] = places as [(typeof places)[0]];
      const isRow = places.every((one, at) => one.line === first.line && one.offset === first.offset + (at * bits) / 8);
      const row = FIRST + register;
      const at = (from / lanes) * CHUNK;
      if (this.#act === "load") {
        code.get(row);
        if (isRow) code.get(lines[first.line]!).access("v128.load", first.offset);
        else {
          code.v128(all(0));
          for (const [lane, one] of places.entries())
            code
              .set(values)
              .get(lines[one.line]!)
              .get(values)
              .laneAccess(loadLane[bits as 16], lane, one.offset);
        }
        code.access("v128.store", at);
      } else if (isRow)
        code.get(lines[first.line]!).get(row).access("v128.load", at).access("v128.store", first.offset);
      else {
        code.get(row).access("v128.load", at).set(values);
        // In order of lane, so that the last of several at one place wins.
        for (const [lane, one] of places.entries())
          code
            .get(lines[one.line]!)
            .get(values)
            .laneAccess(storeLane[bits as 16], lane, one.offset);
      }
    }
  }
}

const all = (word: number): readonly number[] => [word, word, word, word];
