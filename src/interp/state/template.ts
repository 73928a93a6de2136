import type { Bank } from "../contract/operand.ts";
import type { Program } from "../contract/program.ts";
import type { Context } from "./context.ts";
import { fixed, type LaunchGeometry } from "./special-registers.ts";
import { layout, type Warp, type WarpShape } from "./warp.ts";

/** The registers that every warp of a launch starts with: constants, and the initial values that the host gives. */
export interface Template {
  readonly bytes: Uint8Array;
  /** Sets the special registers that differ from thread to thread. */
  fill(warp: Warp): void;
  /** The slot of the lanes that begin, where not all of them do. */
  readonly dispatchSlot?: number | undefined;
}

/** Initial registers: by name, one value an element, the same in all threads. */
export type InitialRegisters = ReadonlyMap<string, readonly bigint[]>;

/** Fills in constants, and initial values by name. Throws an Error for a name that no register has. */
export function template(
  { program }: Pick<Context, "program">,
  shape: WarpShape,
  launch: LaunchGeometry,
  addressOf: (variable: string) => bigint,
  initial: InitialRegisters,
): Template {
  const at = layout(shape);
  const bytes = new Uint8Array(at.bytes);
  const q = new BigUint64Array(bytes.buffer, 0, shape.q * shape.lanes);
  const r = new Uint32Array(bytes.buffer, at.r, shape.r * shape.lanes);
  const p = new Uint32Array(bytes.buffer, at.p, shape.p);
  const set = (bank: Bank, slot: number, value: bigint): void => {
    const from = slot * shape.lanes;
    if (bank === "p") p[slot] = value === 0n ? 0 : 0xffff_ffff;
    else if (bank === "q") q.fill(BigInt.asUintN(64, value), from, from + shape.lanes);
    else r.fill(Number(BigInt.asUintN(32, value)), from, from + shape.lanes);
  };
  for (const { bank, slot, value } of program.constants)
    set(bank, slot, typeof value === "bigint" ? value : addressOf(value.variable) + value.offset);
  for (const [name, values] of [...(program.initial ?? []), ...initial])
    for (const [slot, bits, bank, across] of slotsOf(program, name, values)) {
      if (across) p[slot] = Number(bits);
      else set(bank, slot, bits);
    }
  const specials = program.specials.map(({ bank, slot, name }) => {
    const value = fixed(name, launch);
    if (value === undefined) throw new Error(`%${name} is not a special register that is fixed`);
    const ofBlock = /^cta|^cluster/.test(name);
    return { bank, from: slot * shape.lanes, value, ofBlock, block: -1, one: 0, rows: [] as SlotRow[] };
  });
  return {
    bytes,
    dispatchSlot: program.dispatchSlot,
    fill(warp) {
      for (const special of specials) {
        const { bank, from, value, rows } = special;
        if (special.ofBlock) {
          // The same in all lanes, another in each block.
          if (special.block !== warp.block) {
            special.block = warp.block;
            special.one = value(warp.block, warp.index, 0);
          }
          const { one } = special;
          if (bank === "q") warp.q.fill(BigInt(one), from, from + shape.lanes);
          else warp.r.fill(one, from, from + shape.lanes);
          continue;
        }
        const row = rows[warp.index] ?? addRow(rows, bank, shape.lanes, warp.index, value);
        if (row instanceof BigUint64Array) warp.q.set(row, from);
        else warp.r.set(row, from);
      }
    },
  };
}

/** What a slot holds in the lanes of one warp. */
type SlotRow = Uint32Array | BigUint64Array;

function addRow(
  rows: SlotRow[],
  bank: "r" | "q",
  lanes: number,
  warp: number,
  value: (block: number, warp: number, lane: number) => number,
): SlotRow {
  const row = new Uint32Array(lanes);
  for (let lane = 0; lane < lanes; lane++) row[lane] = value(0, warp, lane);
  rows[warp] = bank === "r" ? row : BigUint64Array.from(row, BigInt);
  return rows[warp];
}

/** Which slots a register's values go to, each cut to its width. */
export function* slotsOf(
  { registers }: Pick<Program, "registers">,
  name: string,
  values: readonly bigint[],
): Iterable<readonly [slot: number, bits: bigint, bank: "p" | "r" | "q", across?: true]> {
  const register = registers.find((each) => each.name === name);
  if (register === undefined) throw new Error(`no register is called ${name}`);
  const { bank, slot, bits, across } = register;
  if (across) {
    yield [slot, BigInt.asUintN(32, values[0] ?? 0n), bank, across];
    return;
  }
  for (const [element, value] of values.entries()) {
    if (bits === 128) {
      yield [slot + 2 * element, BigInt.asUintN(64, value), bank];
      yield [slot + 2 * element + 1, BigInt.asUintN(64, value >> 64n), bank];
    } else yield [slot + element, BigInt.asUintN(bits, value), bank];
  }
}
