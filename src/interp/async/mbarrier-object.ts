/**
 * An mbarrier object as its 64 bits in memory. The manual leaves them opaque; here, lowest first:
 *
 *     20 bits  arrivals that are still pending in this phase
 *     20 bits  arrivals that each phase expects
 *     21 bits  tx-count: transactions that are still missing, signed
 *      3 bits  number of the phase, modulo 8; its lowest bit is the parity
 *
 * The state that an arrival returns is the same word, before the arrival.
 */
export interface BarrierState {
  readonly pending: number;
  readonly expected: number;
  readonly tx: number;
  readonly phase: number;
}

/** Bytes of an object, and their alignment. */
export const BARRIER_BYTES = 8;
/** Limit on arrivals, and on transactions in either direction (PTX ISA, Contents of the mbarrier object). */
export const MOST_ARRIVALS = 2 ** 20 - 1;
export const MOST_TRANSACTIONS = 2 ** 20 - 1;
const PHASES = 8;

const COUNT = 0xf_ffffn;

export function unpackBarrier(word: bigint): BarrierState {
  return {
    pending: Number(word & COUNT),
    expected: Number((word >> 20n) & COUNT),
    tx: Number(BigInt.asIntN(21, word >> 40n)),
    phase: Number(word >> 61n),
  };
}

/** Counts are cut to their bits. */
export const packBarrier = ({ pending, expected, tx, phase }: BarrierState): bigint =>
  (BigInt(phase % PHASES) << 61n) |
  (BigInt.asUintN(21, BigInt(tx)) << 40n) |
  ((BigInt(expected) & COUNT) << 20n) |
  (BigInt(pending) & COUNT);

/** Begins the next phase when no arrivals and no transactions are missing. */
export function settled(state: BarrierState): BarrierState {
  if (state.pending !== 0 || state.tx !== 0) return state;
  return { pending: state.expected, expected: state.expected, tx: 0, phase: (state.phase + 1) % PHASES };
}

/** The signed number of phases between two, at most half of the distinguishable ones. */
export const phasesBetween = (from: number, to: number): number => ((to - from + PHASES + 3) % PHASES) - 3;
