import { LANES } from "../../contract/launch/lane-mask.ts";
import { LOWEST } from "../../memory/memory.ts";

export const MOST_CALLS = 6;
export const MOST_BARRIERS = 16;
export const MOST_CHAIN_ROWS = 3;
export const MOST_RANGES = 192;
/** The range for constant memory; all others are for global memory. */
export const CONSTANT_RANGE = 0;

/** What a warp does at a barrier: it waits, goes on, or waits for the result of a reduction. */
export const barrierActs = { sync: 0, arrive: 1, popc: 2, and: 3, or: 4 } as const;

/**
 * The state that compiled code and JavaScript share. It lies below the lowest address of a program. Each field is a word, or
 * so many words, or so many records; the words of one field of all records lie in a row.
 */
const layout = {
  /** Warp instructions executed since the module was entered; set at each return. */
  steps: "i32",
  /** Backward branches left in this turn; and 1 where the last step of JavaScript has left one at most. */
  budgetLeft: "i32",
  spins: "i32",
  /** CC.CF of the warp that runs, a bit a lane. */
  carry: "u32",
  /** Lanes of the group that runs, and those that have not exited. */
  activeLanes: "u32",
  liveLanes: "u32",
  /** Where the launch's parameters lie. */
  parameters: "i32",
  /** Where matrices are multiplied; 0 if there is no room. */
  matrixRoom: "i32",
  /** Where copies are held, likewise. */
  copyRoom: "i32",
  /** Where the shared memory of the block lies, its bytes, and how many of them are initialised and ordinary memory. */
  shared: "i32",
  sharedBytes: "i32",
  sharedClean: "i32",
  /** Where the local memory of the warp's lane 0 lies, bytes from one lane's to the next one's, and bytes that a lane has. */
  local: "i32",
  localStride: "i32",
  localBytes: "i32",
  /** The last byte of the buffer that global addresses reach. */
  reachLast: "i32",
  /** A supplier's zone (`memory/supply.ts`): high word of its addresses, what their low words lack to offsets, its start and last byte. */
  zoneHigh: "i32",
  zoneDelta: "i32",
  zoneStart: "i32",
  zoneLast: "i32",
  /** The bits that a store sets in the shadow of each byte that it writes, repeated four times. */
  storing: "i32",
  /** 1 if lanes may diverge and reconverge in the module: all groups are of one rank. */
  oneRank: "i32",
  /** 1 if nothing waits for lanes that exit. */
  mayExit: "i32",
  /** The number of the linked program that the state belongs to; several may share this memory. */
  owner: "i32",
  /** How many groups of the warp wait. */
  waiting: "i32",
  /**
   * 1 if lanes may wait at a barrier for others of their warp, as they may while the round robin runs; those that do, and its pc.
   */
  mayHold: "i32",
  heldLanes: "u32",
  heldPc: "i32",
  /** The warp whose turn it is, while the module runs the warps of a block round robin. */
  turn: "i32",
  /** Masks of the warps that can run, that wait at a barrier, and that have ended. */
  readyWarps: "i32",
  waitingWarps: "i32",
  endedWarps: "i32",
  /** Rounds since a warp last came to a barrier or ended. */
  stillRounds: "i32",
  /**
   * The warps that have come to the end of the current phase (`phase-code.ts`) though the masks above do not say so yet;
   * one more than the block behind the barrier where they wait, 0 if they have ended; and the barrier.
   */
  phaseWarps: "i32",
  phaseArrived: "i32",
  phaseBarrier: "i32",
  /** What they do at the barrier, as `arrivalAct`; and of its votes how many there are, and how many are for it. */
  phaseAct: "i32",
  phaseVotes: "i32",
  phaseFor: "i32",
  /** 1 while no lane of the block has exited. */
  whole: "i32",
  /** Calls of the running group since the module was entered that have not returned; and how many there may be. */
  callDepth: "i32",
  callRoom: "i32",
  /** The barrier that a warp has come to, how many threads it waits for (0: all), and what it does there (`barrierActs`). */
  arrivalBarrier: "i32",
  arrivalThreads: "i32",
  arrivalAct: "i32",
  /**
   * At a reduction: the lanes that vote for it; and as offsets from a warp's base, where its result goes, and where it is noted
   * that a lane has it (or -1).
   */
  arrivalFor: "i32",
  arrivalResult: "i32",
  arrivalNote: "i32",
  /** How many barriers have arrivals. */
  openBarriers: "i32",
  /** Blocks of the grid that the module may begin after the running one, and those begun since it was entered. */
  chainLeft: "i32",
  chainBegun: "i32",
  /** Lanes of a block's last warp. */
  chainLanes: "i32",
  chainRowCount: "i32",
  /** The grid's extents along x and y, and %ctaid of the block that runs. */
  chainGrid: [2, "i32"],
  chainCtaid: [3, "i32"],
  /** Rows of registers that hold a part of %ctaid: offset from a warp's base, and four times the axis. */
  chainRows: [MOST_CHAIN_ROWS, { at: "i32", axis: "i32" }],
  /** The groups that wait; the next to run is last. `block` is -1 if none begins at `pc`. */
  groups: [LANES, { pc: "i32", block: "i32", lanes: "u32" }],
  /** The blocks behind the calls that have not returned. */
  callStack: [MOST_CALLS, "i32"],
  /**
   * The warps of a block, at most as many as a warp has lanes. `next`: the block where it goes on, or the complement
   * of a pc; `burnt`: turns in which it used up its yield budget while some of its lanes waited; `barrierPc`: the
   * complement of the pc of the barrier where it waits.
   */
  warps: [
    LANES,
    {
      base: "i32",
      local: "i32",
      active: "u32",
      next: "i32",
      yieldBudget: "i32",
      carry: "u32",
      burnt: "i32",
      barrierPc: "i32",
    },
  ],
  /**
   * The barriers: how many threads each waits for (-1: all of the block, -2: at a reduction), and masks of warps that arrived and
   * that wait.
   */
  barriers: [MOST_BARRIERS, { threads: "i32", arrived: "i32", waiting: "i32" }],
  /** A word for each lane: addresses that are examined, or the values that lanes exchange; and their results. */
  laneWords: [LANES, "i32"],
  laneResults: [LANES, "i32"],
  /** Where lanes are about to touch memory, for observers: addresses of 64 bits, and offsets in the buffer. */
  observedAddresses: [2 * LANES, "u32"],
  observedWhere: [LANES, "i32"],
  /** Ranges of memory that are known to be clean. */
  ranges: [MOST_RANGES, { start: "u32", length: "u32" }],
} as const satisfies { [field: string]: Field };

type Word = "i32" | "u32";
type Words = Readonly<{ [field: string]: Word }>;
type Field = Word | readonly [count: number, of: Word | Words];
type Fields = typeof layout;

type OffsetOf<F> = F extends readonly [number, infer Of extends Words]
  ? { readonly [Name in keyof Of]: number }
  : number;
type RowOf<W> = W extends "i32" ? Int32Array : Uint32Array;
type ViewOf<F> = F extends readonly [number, infer Of extends Words]
  ? { readonly [Name in keyof Of]: RowOf<Of[Name]> }
  : F extends readonly [number, infer Of]
    ? RowOf<Of>
    : number;

/** Lays the fields out in order, rows at vector alignment; returns what `make` makes of each word or row. */
function laidOut<Made>(make: (at: number, word: Word, count?: number) => Made): object {
  let end = 0;
  const next = (word: Word, count?: number): Made => {
    const alignment = count === undefined ? 4 : 16;
    const at = Math.ceil(end / alignment) * alignment;
    end = at + 4 * (count ?? 1);
    return make(at, word, count);
  };
  return mapped<Field>(layout, (field) => {
    if (typeof field === "string") return next(field);
    const [count, of] = field;
    return typeof of === "string" ? next(of, count) : mapped(of, (word) => next(word, count));
  });
}

/** Applies `make` to each field; a field for which it returns undefined is left out. */
const mapped = <From>(fields: Readonly<{ [name: string]: From }>, make: (from: From) => unknown): object =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, field]) => [name, make(field)])
      .filter(([, made]) => made !== undefined),
  );

/** Where each field lies, in bytes from the state's start: a word, or a row's first one. */
export const offsetOf = laidOut((at) => at) as { readonly [Name in keyof Fields]: OffsetOf<Fields[Name]> };

/** The state as JavaScript reads and writes it. */
export type State = { -readonly [Name in keyof Fields]: ViewOf<Fields[Name]> };

/** One class for all memories, so that engines inline its getters; rows are properties. */
class StateView {
  readonly words: Int32Array;

  constructor(buffer: ArrayBufferLike) {
    this.words = new Int32Array(buffer, 0, LOWEST / 4);
    const row = (at: number, word: Word, count?: number): RowOf<Word> | undefined => {
      if (count === undefined) return undefined;
      return word === "i32" ? new Int32Array(buffer, at, count) : new Uint32Array(buffer, at, count);
    };
    Object.assign(this, laidOut(row));
  }
}

for (const [name, field] of Object.entries<Field>(layout)) {
  if (typeof field !== "string") continue;
  const index = Number(offsetOf[name as keyof Fields]) / 4;
  function signed(this: StateView): number {
    return this.words[index]!;
  }
  function unsigned(this: StateView): number {
    return this.words[index]! >>> 0;
  }
  function set(this: StateView, value: number): void {
    this.words[index] = value;
  }
  Object.defineProperty(StateView.prototype, name, { get: field === "i32" ? signed : unsigned, set });
}

/** One view for each memory, so that launches share it. */
const views = new WeakMap<ArrayBufferLike, State>();

/** The state at the start of a memory. */
export function stateOf(buffer: ArrayBufferLike): State {
  const view = views.get(buffer) ?? (new StateView(buffer) as unknown as State);
  views.set(buffer, view);
  return view;
}
