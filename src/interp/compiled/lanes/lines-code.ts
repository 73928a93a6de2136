import { Code } from "../../../wasm/code.ts";
import type { ModuleWriter } from "../../../wasm/module.ts";
import { lowest } from "../../contract/launch/lane-mask.ts";
import { positionsOf } from "../../contract/matrix/fragment.ts";
import { elements } from "../../contract/operand.ts";
import type { MatrixLines } from "../../contract/plan/plan-lines.ts";
import type { Instruction } from "../../contract/program.ts";
import { ALLOCATED, fourfold, IN_FLIGHT_READ, INITIALISED, STORED, WINDOWED } from "../../memory/shadow.ts";
import { globals } from "../boundary/module-globals.ts";
import { offsetOf } from "../boundary/state-layout.ts";
import { CHUNK, type Frame } from "../frame/frame.ts";

/** An ldmatrix or stmatrix of 8x8 matrices of 16 bits, whose lines lanes give by 32-bit addresses of shared memory. */
export interface LinesSite {
  readonly act: "load" | "store";
  readonly transposed: boolean;
  /** The slot with the addresses, and what is added to them. */
  readonly address: number;
  readonly offset: number;
  /** The slot of each matrix; undefined where it goes nowhere. */
  readonly matrices: readonly (number | undefined)[];
}

/** Bytes of a line. */
const LINE = 16;
/** Lines of a matrix. */
const SIDE = 8;

/** What compiled code has to know of an instruction with these lines; undefined if only JavaScript can execute it. */
export function linesSiteOf(
  act: LinesSite["act"],
  lines: MatrixLines,
  operands: Instruction["operands"],
): LinesSite | undefined {
  if (!isPlain(lines)) return undefined;
  const [where, data] = act === "load" ? [operands[1], operands[0]] : [operands[0], operands[1]];
  if (where?.kind !== "address" || where.base?.bank !== "r" || where.index !== undefined) return undefined;
  const matrices = elements(data).map((part) => (part.kind === "slot" ? part.slot : undefined));
  const offset = Number(BigInt.asIntN(32, where.offset));
  return { act, transposed: lines.line === "column", address: where.base.slot, offset, matrices };
}

/** Whether four lanes after the other hold a line of 16 bytes. */
const isPlain = ({ fragment, bytes, align, packed, stride }: MatrixLines): boolean =>
  fragment.rows === SIDE &&
  fragment.columns === SIDE &&
  fragment.bits === 16 &&
  (packed ?? stride) === undefined &&
  bytes === LINE &&
  align === LINE &&
  positionsOf(fragment).every((position, at) => position === at);

/** The module, and bytes from data to shadow. */
interface Into {
  readonly module: ModuleWriter;
  readonly distance: number;
}

/**
 * The function (row of addresses, offset) that leaves in the state where the lines lie, and returns not 0 where one of them may be
 * wrong. Writes nothing else.
 */
const check = (act: LinesSite["act"], lines: number, { module, distance }: Into): number =>
  module.once(`check ${act} of ${lines} lines`, () => ({
    takes: ["i32", "i32"],
    gives: ["i32"],
    code: checkCode(act, lines, distance),
  }));

/** The function (places of the lines, row of the register) that moves one matrix, after the check. */
const move = (act: LinesSite["act"], transposed: boolean, { module, distance }: Into): number =>
  module.once(`${act} lines ${transposed}`, () => ({
    takes: ["i32", "i32"],
    gives: [],
    code: moveCode(act, transposed, distance),
  }));

/** Leaves an i32 on the stack: not 0 where a line may be wrong. Nothing has been moved then. */
export function writeLinesCheck({ act, address, offset, matrices }: LinesSite, frame: Frame, into: Into): void {
  const { code, base, bankR, row } = frame;
  code.get(base).i32(bankR + address * row);
  code
    .scalar("i32.add")
    .i32(offset)
    .call(check(act, SIDE * matrices.length, into));
}

/** Leaves in the state, for observers, where the lines lie that have been checked; returns a local with the lanes that load one. */
export function writeLinesAddresses({ matrices }: LinesSite, { code, state }: Frame): number {
  const lines = SIDE * matrices.length;
  for (let at = 0; at < 4 * lines; at += CHUNK)
    code
      .get(state)
      .get(state)
      .access("v128.load", offsetOf.laneWords + at)
      .access("v128.store", offsetOf.observedWhere + at);
  const lanes = code.local("i32");
  code.i32(lowest(lines) | 0).set(lanes);
  return lanes;
}

/** Moves the matrices, one after the other. */
export function writeLines({ act, transposed, matrices }: LinesSite, frame: Frame, into: Into): void {
  const { code, base, state, bankR, row } = frame;
  for (const [at, slot] of matrices.entries()) {
    if (slot === undefined) continue;
    code
      .get(state)
      .i32(offsetOf.laneWords + 4 * SIDE * at)
      .scalar("i32.add");
    code
      .get(base)
      .i32(bankR + slot * row)
      .scalar("i32.add")
      .call(move(act, transposed, into));
  }
}

function checkCode(act: LinesSite["act"], lines: number, distance: number): Code {
  const code = new Code(2);
  const [row, offset] = [0, 1];
  const [state, places, bad] = [code.local("i32"), code.local("v128"), code.local("v128")];
  code.globalGet(globals.state).set(state);
  const window = (field: number): Code => code.get(state).access("v128.load32_splat", field);
  // A window too small for any line.
  code.get(state).access("i32.load", offsetOf.sharedBytes).i32(LINE).scalar("i32.lt_u").if();
  code.i32(1).scalar("return").end();
  for (let at = 0; at < 4 * lines; at += CHUNK) {
    code.get(row).access("v128.load", at).get(offset).vector("i32x4.splat").vector("i32x4.add").tee(places);
    window(offsetOf.sharedBytes).v128(all(LINE)).vector("i32x4.sub").vector("i32x4.gt_u");
    code
      .get(places)
      .v128(all(LINE - 1))
      .vector("v128.and")
      .vector("v128.or")
      .get(bad)
      .vector("v128.or")
      .set(bad);
    code.get(state).get(places);
    window(offsetOf.shared)
      .vector("i32x4.add")
      .access("v128.store", offsetOf.laneWords + at);
  }
  code.get(bad).vector("v128.any_true").if().i32(1).scalar("return").end();
  const right = fourfold(ALLOCATED | WINDOWED | (act === "load" ? INITIALISED : 0));
  const [storing, wanted] = [code.local("v128"), code.local("v128")];
  window(offsetOf.storing).set(storing);
  code.v128(all(right));
  if (act === "store") code.get(storing).vector("v128.or");
  code.set(wanted);
  for (let line = 0; line < lines; line++) {
    code
      .get(state)
      .access("i32.load", offsetOf.laneWords + 4 * line)
      .access("v128.load", distance);
    if (act === "store") code.get(storing).vector("v128.or");
    code.get(wanted).vector("v128.xor").get(bad).vector("v128.or").set(bad);
  }
  code.get(bad);
  if (act === "load") code.v128(all(~fourfold(IN_FLIGHT_READ | STORED))).vector("v128.and");
  return code.vector("v128.any_true");
}

function moveCode(act: LinesSite["act"], transposed: boolean, distance: number): Code {
  const code = new Code(2);
  const [places, row] = [0, 1];
  const lines = Array.from({ length: SIDE }, (_, line) => {
    const local = code.local("v128");
    if (act === "load")
      code
        .get(places)
        .access("i32.load", 4 * line)
        .access("v128.load");
    else code.get(row).access("v128.load", CHUNK * line);
    code.set(local);
    return local;
  });
  const [place, storing] = [code.local("i32"), code.local("v128")];
  if (act === "store") code.globalGet(globals.state).access("v128.load32_splat", offsetOf.storing).set(storing);
  for (const [at, line] of (transposed ? transpose(lines, code) : lines).entries()) {
    if (act === "load") {
      code
        .get(row)
        .get(line)
        .access("v128.store", CHUNK * at);
      continue;
    }
    code
      .get(places)
      .access("i32.load", 4 * at)
      .tee(place)
      .get(line)
      .access("v128.store");
    code
      .get(place)
      .get(place)
      .access("v128.load", distance)
      .get(storing)
      .vector("v128.or")
      .access("v128.store", distance);
  }
  return code;
}

/**
 * Transposes eight lines of eight 16-bit elements. Pairing each of the first four lines with the one four behind it,
 * element by element, rotates the six bits of an element's number (line, column) by one: three times, and they are exchanged.
 */
function transpose(lines: readonly number[], code: Code): readonly number[] {
  let from = lines;
  for (let time = 0; time < 3; time++)
    from = [0, 1, 2, 3].flatMap((at) =>
      [0, LINE / 2].map((half) => {
        const local = code.local("v128");
        const bytes = [0, 2, 4, 6].flatMap((of) => [of, of + 1, LINE + of, LINE + of + 1].map((byte) => byte + half));
        code
          .get(from[at]!)
          .get(from[at + 4]!)
          .shuffle(bytes)
          .set(local);
        return local;
      }),
    );
  return from;
}

const all = (word: number): readonly number[] => [word, word, word, word];
