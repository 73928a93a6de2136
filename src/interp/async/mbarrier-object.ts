import type { BarrierLayout } from "../contract/plan/plan-async.ts";

/**
 * An mbarrier object as its 64 bits in memory. The manual leaves them opaque; here, lowest first:
 *
 *     .layout::v0                                    .layout::v1
 *     20 bits  arrivals that are still pending        9 bits  the same
 *     20 bits  arrivals that each phase expects       9 bits  the same
 *     21 bits  tx-count: transactions that are       21 bits  the same
 *              still missing, signed
 *                                                     9 bits  payload report of this phase: value, predicate
 *                                                     9 bits  that of the phase before
 *                                                     4 bits  number of the conditional phase, modulo 8
 *      3 bits  number of the phase, modulo 8; its     3 bits  the same, of the primary phase
 *              lowest bit is the parity
 *
 * The state that an arrival returns is the same word, before the arrival.
 */
export interface BarrierState {
  readonly pending: number;
  readonly expected: number;
  readonly tx: number;
  readonly phase: number;
  /** Only with `.layout::v1`. */
  readonly reports?: PayloadReports;
}

/** What report-on operations have left in an object (PTX ISA, Tracking successful completion). */
interface PayloadReports {
  /** Of this primary phase so far: 8 bits of the value, and 256 where the predicate is set. */
  readonly now: number;
  /** Of the one before it. */
  readonly last: number;
  /** Number of the conditional phase, modulo 8: primary phases that reported something do not count. */
  readonly conditional: number;
}

/** Bytes of an object, and their alignment. */
export const BARRIER_BYTES = 8;
const ARRIVAL_BITS = { v0: 20, v1: 9 } as const;
/** Limit on arrivals, and on transactions in either direction (PTX ISA, Contents of the mbarrier object). */
export const mostArrivals = (layout: BarrierLayout): number => 2 ** ARRIVAL_BITS[layout] - 1;
export const MOST_TRANSACTIONS = 2 ** 20 - 1;
/** The predicate of a payload report, above its value. */
export const REPORTED = 0x100;
const PHASES = 8;

export function unpackBarrier(low: number, high: number, layout: BarrierLayout): BarrierState {
  let from = 0;
  const take = (bits: number): number => {
    const above =
      from < 32 ? (from + bits > 32 ? (low >>> from) | (high << (32 - from)) : low >>> from) : high >>> (from - 32);
    from += bits;
    return above & ((1 << bits) - 1);
  };
  const [pending, expected] = [take(ARRIVAL_BITS[layout]), take(ARRIVAL_BITS[layout])];
  const tx = (take(21) << 11) >> 11;
  if (layout === "v0") return { pending, expected, tx, phase: take(3) };
  const reports = { now: take(9), last: take(9), conditional: take(4) };
  return { pending, expected, tx, reports, phase: take(3) };
}

/** The phase of a state, which both layouts have at the top. */
export const phaseOfState = (word: bigint): number => Number(word >> 61n);

/** The lower and the higher 32 bits of an object. Counts are cut to their bits. */
export function packBarrier({ pending, expected, tx, phase, reports }: BarrierState): readonly [number, number] {
  let [low, high, from] = [0, 0, 0];
  const put = (field: number, bits: number): void => {
    const value = field & ((1 << bits) - 1);
    if (from < 32) low |= value << from;
    if (from + bits > 32) high |= from < 32 ? value >>> (32 - from) : value << (from - 32);
    from += bits;
  };
  const bits = ARRIVAL_BITS[reports ? "v1" : "v0"];
  put(pending, bits);
  put(expected, bits);
  put(tx, 21);
  if (reports !== undefined) {
    put(reports.now, 9);
    put(reports.last, 9);
    put(reports.conditional % PHASES, 4);
  }
  put(phase % PHASES, 3);
  return [low >>> 0, high >>> 0];
}

/** An object as one number of 64 bits, as an arrival returns it. */
export function barrierWord(state: BarrierState): bigint {
  const [low, high] = packBarrier(state);
  return (BigInt(high) << 32n) | BigInt(low);
}

/** Begins the next phase when no arrivals and no transactions are missing. */
export function settled(state: BarrierState): BarrierState {
  const { pending, expected, tx, reports, phase } = state;
  if (pending !== 0 || tx !== 0) return state;
  const next = { pending: expected, expected, tx: 0, phase: (phase + 1) % PHASES };
  if (reports === undefined) return next;
  const conditional = (reports.conditional + (reports.now === 0 ? 1 : 0)) % PHASES;
  return { ...next, reports: { now: 0, last: reports.now, conditional } };
}

/** The conditional phase, which advances with the primary one unless something was reported. */
export const conditionalPhase = ({ phase, reports }: BarrierState): number => reports?.conditional ?? phase;

/** The signed number of phases between two, at most half of the distinguishable ones. */
export const phasesBetween = (from: number, to: number): number => ((to - from + PHASES + 3) % PHASES) - 3;
