import { Liveness } from "../contract/liveness.ts";
import type { Bank } from "../contract/operand.ts";
import { parameterRegisters } from "../contract/parameter-registers.ts";
import type { Program } from "../contract/program.ts";
import type { Context } from "./context.ts";
import { fixed, type LaunchGeometry } from "./special-registers.ts";
import { layout, type Warp, type WarpShape } from "./warp.ts";

/** The initial registers of every warp of a launch: constants, and the initial values from the host. */
export interface Template {
  readonly bytes: Uint8Array;
  /** Sets the registers that hold parameters all the time (`parameterRegisters`), where nobody looks at registers. */
  hold(parameters: Uint8Array): void;
  /**
   * Initialises a warp's registers in the memory whose bytes are `u8`. `again`: an earlier block of the launch has
   * used them; then registers that are written before they are read keep their old contents, unless registers are
   * observable.
   */
  start(warp: Warp, u8: Uint8Array, again: boolean): void;
  /** Sets special registers that differ between threads; with `again` only those that differ between blocks. */
  fill(warp: Warp, again?: boolean): void;
  /** Where a warp's registers hold %ctaid; undefined where anything else differs between consecutive blocks. */
  readonly rows: readonly BlockRow[] | undefined;
  /** The slot with the mask of lanes that begin, where not all of them do. */
  readonly dispatchSlot?: number | undefined;
  /** For SIMD threads with private variables: sets their addresses and the lanes that begin. */
  own?(warp: Warp): void;
}

/** The private variables of SIMD threads, and which lanes of each begin. Threads are numbered block by block. */
export interface OwnVariables {
  readonly threadsOfBlock: number;
  addressOf(variable: string, thread: number): bigint;
  lanes(thread: number): number;
}

/** Where a component of %ctaid lies, behind a warp's base: the same in all lanes, 32 bits each. */
export interface BlockRow {
  readonly at: number;
  readonly axis: number;
}

/** Initial registers: by name, one value an element, the same in all threads. */
export type InitialRegisters = ReadonlyMap<string, readonly bigint[]>;

/** Fills in constants, and initial values by name. Throws an Error for a name that no register has. */
export function template(
  { program, observable }: Pick<Context, "program" | "observable">,
  shape: WarpShape,
  launch: LaunchGeometry,
  addressOf: (variable: string) => bigint,
  initial: InitialRegisters,
  own?: OwnVariables,
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
    const [one, rows] = [emptyRow(bank, shape.lanes), [] as SlotRow[]];
    return { bank, from: slot * shape.lanes, value, shared: ofBlock(name), block: -1, one, rows };
  });
  let rows: { readonly of: readonly BlockRow[] | undefined } | undefined;
  const again = observable ? undefined : readAtStart(program, bytes, shape);
  const { dispatchSlot } = program;
  return {
    bytes,
    dispatchSlot,
    ...(own === undefined || dispatchSlot === undefined
      ? {}
      : {
          own(warp: Warp): void {
            const thread = warp.block * own.threadsOfBlock + warp.index;
            for (const { bank, slot, value } of program.constants)
              if (typeof value !== "bigint") {
                const address = own.addressOf(value.variable, thread) + value.offset;
                const [from, end] = [slot * shape.lanes, (slot + 1) * shape.lanes];
                if (bank === "q") warp.q.fill(address, from, end);
                else warp.r.fill(Number(BigInt.asUintN(32, address)), from, end);
              }
            warp.p[dispatchSlot] = (warp.p[dispatchSlot]! & own.lanes(thread)) >>> 0;
          },
        }),
    hold(parameters) {
      if (observable) return;
      const view = new DataView(parameters.buffer, parameters.byteOffset, parameters.byteLength);
      for (const { bank, slot, offset } of parameterRegisters(program))
        set(bank, slot, bank === "q" ? view.getBigUint64(offset, true) : BigInt(view.getUint32(offset, true)));
    },
    get rows() {
      const pieces = again?.(0);
      if (pieces?.length !== 0) return undefined;
      rows ??= { of: rowsOf(program, shape) };
      return rows.of;
    },
    start(warp, u8, used) {
      const pieces = used ? again?.(bytes.length) : undefined;
      if (pieces === undefined) u8.set(bytes, warp.base);
      else for (const { at, row } of pieces) u8.set(row, warp.base + at);
    },
    fill(warp, used = false) {
      const few = used && again?.(0) !== undefined;
      for (const special of specials) {
        const { bank, from, value, one, rows, shared } = special;
        if (few && !shared) continue;
        // The same in all lanes, but different in each block.
        if (shared && special.block !== warp.block) {
          special.block = warp.block;
          const same = value(warp.block, warp.index, 0);
          fillRow(one, () => same);
        }
        const row = shared
          ? one
          : (rows[warp.index] ?? fillRow(emptyRow(bank, shape.lanes), (lane) => value(0, warp.index, lane)));
        if (!shared) rows[warp.index] = row;
        if (row instanceof BigUint64Array) warp.q.set(row, from);
        else warp.r.set(row, from);
      }
    },
  };
}

/** Approximate number of bytes that are copied in the time of one instruction's liveness analysis. */
const WORTH = 32_768;

/**
 * Returns the parts of a warp's registers that may be read before they are written and that the program writes;
 * undefined for all, and as long as the analysis does not pay: `more` is how many bytes are to be copied now.
 */
function readAtStart(
  program: Program,
  bytes: Uint8Array,
  shape: WarpShape,
): (more: number) => readonly { readonly at: number; readonly row: Uint8Array }[] | undefined {
  const { r, p } = layout(shape);
  const { lanes } = shape;
  const place = { q: [0, 8 * lanes], r: [r, 4 * lanes], p: [p, 4] } as const;
  const fixed = new Set([...program.constants, ...program.specials].map(({ bank, slot }) => `${bank}${slot}`));
  const find = (): readonly { at: number; row: Uint8Array }[] | undefined =>
    Liveness.of(program).atStart?.flatMap((key) => {
      if (fixed.has(key)) return [];
      const [first, size] = place[key[0] as Bank];
      const at = first + size * Number(key.slice(1));
      return [{ at, row: bytes.subarray(at, at + size) }];
    });
  let found: ReturnType<typeof find> | null = null;
  let left = WORTH * program.code.length;
  return (more) => {
    left -= more;
    if (found === null && (left < 0 || Liveness.has(program))) found = find();
    return found ?? undefined;
  };
}

/** Where a warp's %ctaid lies; undefined where other registers change from block to block, too. */
function rowsOf({ specials, dispatchSlot }: Program, shape: WarpShape): readonly BlockRow[] | undefined {
  const changing = specials.filter(({ name }) => ofBlock(name) && name !== "ctaid.w");
  const axes = ["ctaid.x", "ctaid.y", "ctaid.z"];
  const plain = changing.every(({ name, bank }) => axes.includes(name) && bank === "r");
  if (!plain || dispatchSlot !== undefined) return undefined;
  const { r } = layout(shape);
  return changing.map(({ slot, name }) => ({ at: r + slot * shape.lanes * 4, axis: axes.indexOf(name) }));
}

/** Whether a special register is the same in all threads of a block, but differs between blocks. */
const ofBlock = (name: string): boolean => /^cta|^cluster|^perctamemoryoffset/.test(name);

/** The contents of a slot in the lanes of one warp. */
type SlotRow = Uint32Array | BigUint64Array;

const emptyRow = (bank: "r" | "q", lanes: number): SlotRow =>
  bank === "r" ? new Uint32Array(lanes) : new BigUint64Array(lanes);

function fillRow(row: SlotRow, value: (lane: number) => number): SlotRow {
  for (let lane = 0; lane < row.length; lane++)
    if (row instanceof BigUint64Array) row[lane] = BigInt(value(lane));
    else row[lane] = value(lane);
  return row;
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
