import { BackwardBits, bitsAt, broken, floorLog2 } from "./zstd-bits.ts";

/**
 * A finite state machine: for each state its symbol, how many bits are read for the next state, and the base added to
 * them.
 */
export interface StateTable {
  readonly log: number;
  readonly symbols: Uint8Array;
  readonly counts: Uint8Array;
  readonly bases: Uint16Array;
}

/** A table, and the offset after its description. */
interface Described<T> {
  readonly table: T;
  readonly end: number;
}

/** A table with a single symbol and state. */
export const onlySymbol = (symbol: number): StateTable => ({
  log: 0,
  symbols: Uint8Array.of(symbol),
  counts: new Uint8Array(1),
  bases: new Uint16Array(1),
});

/** The table of these probabilities, in 2^-log; -1 means less than one. */
export function stateTable(log: number, probabilities: readonly number[]): StateTable {
  const size = 1 << log;
  const symbols = new Uint8Array(size);
  const next = probabilities.map(Math.abs);
  let high = size;
  probabilities.forEach((each, symbol) => {
    if (each < 0) symbols[--high] = symbol;
  });
  const step = (size >>> 1) + (size >>> 3) + 3;
  let at = 0;
  probabilities.forEach((each, symbol) => {
    for (let i = 0; i < each; i++) {
      symbols[at] = symbol;
      do at = (at + step) & (size - 1);
      while (at >= high);
    }
  });
  const counts = new Uint8Array(size);
  const bases = new Uint16Array(size);
  symbols.forEach((symbol, state) => {
    const order = next[symbol] ?? 0;
    next[symbol] = order + 1;
    const count = log - floorLog2(order);
    counts[state] = count;
    bases[state] = (order << count) - size;
  });
  return { log, symbols, counts, bases };
}

/** RFC 8878, 4.1.1: probabilities, each in as few bits as the remainder allows. */
export function readStateTable(bytes: Uint8Array, start: number, mostLog: number, most: number): Described<StateTable> {
  let at = 8 * start;
  const take = (count: number): number => {
    const value = bitsAt(bytes, at, count);
    at += count;
    return value;
  };
  const log = take(4) + 5;
  if (log > mostLog) broken();
  const probabilities: number[] = [];
  for (let left = 1 << log; left > 0; ) {
    const count = floorLog2(left + 1) + 1;
    const half = 1 << (count - 1);
    const short = 2 * half - 2 - left;
    let value = take(count);
    if ((value & (half - 1)) < short) {
      value &= half - 1;
      at -= 1;
    } else if (value >= half) value -= short;
    left -= Math.abs(value - 1);
    probabilities.push(value - 1);
    for (let zeros = value === 1 ? 3 : 0; zeros === 3; ) {
      zeros = take(2);
      for (let i = 0; i < zeros; i++) probabilities.push(0);
      if (probabilities.length > most + 1) broken();
    }
    if (left < 0 || probabilities.length > most + 1 || at > 8 * bytes.length) broken();
  }
  return { table: stateTable(log, probabilities), end: (at + 7) >>> 3 };
}

/** Codes of literals: by the next `log` bits the literal, and the length of its code. */
export interface LiteralTable {
  readonly log: number;
  readonly literals: Uint8Array;
  readonly counts: Uint8Array;
}

/** Bits of the longest code, and of states of the weights. */
const MOST_CODE = 11;
const MOST_WEIGHT_LOG = 6;

/** RFC 8878, 4.2.1: the weights of all literals except the last. */
export function readLiteralTable(bytes: Uint8Array, start: number): Described<LiteralTable> {
  const head = bytes[start] ?? broken();
  const end = start + 1 + (head < 128 ? head : (head - 126) >>> 1);
  if (end > bytes.length) broken();
  const weights =
    head < 128
      ? packedWeights(bytes.subarray(start + 1, end))
      : Array.from(
          { length: head - 127 },
          (_, i) => ((bytes[start + 1 + (i >>> 1)] ?? 0) >>> (i % 2 === 0 ? 4 : 0)) & 15,
        );
  const sum = weights.reduce((all, weight) => all + (weight === 0 ? 0 : 2 ** (weight - 1)), 0);
  if (sum === 0 || sum >= 1 << MOST_CODE) broken();
  const log = floorLog2(sum) + 1;
  const last = (1 << log) - sum;
  if ((last & (last - 1)) !== 0) broken();
  weights.push(floorLog2(last) + 1);
  const literals = new Uint8Array(1 << log);
  const counts = new Uint8Array(1 << log);
  let at = 0;
  for (let weight = 1; weight <= log; weight++)
    weights.forEach((each, literal) => {
      if (each !== weight) return;
      const to = at + (1 << (weight - 1));
      literals.fill(literal, at, to);
      counts.fill(log + 1 - weight, at, to);
      at = to;
    });
  return { table: { log, literals, counts }, end };
}

/** Weights from two state machines that alternate. */
function packedWeights(bytes: Uint8Array): number[] {
  const { table, end } = readStateTable(bytes, 0, MOST_WEIGHT_LOG, 255);
  const bits = new BackwardBits(bytes.subarray(end));
  const states = [bits.read(table.log), bits.read(table.log)];
  const weights: number[] = [];
  for (let which = 0; ; which = 1 - which) {
    const state = states[which] ?? 0;
    weights.push(table.symbols[state] ?? 0);
    if (weights.length > 254) broken();
    const count = table.counts[state] ?? 0;
    // Where the bits run out, the other machine's state is the last.
    if (count > bits.left) {
      weights.push(table.symbols[states[1 - which] ?? 0] ?? 0);
      return weights;
    }
    states[which] = (table.bases[state] ?? 0) + bits.read(count);
  }
}
