import { BackwardBits, BrokenZstd, broken } from "./zstd-bits.ts";
import {
  type LiteralTable,
  onlySymbol,
  readLiteralTable,
  readStateTable,
  type StateTable,
  stateTable,
} from "./zstd-tables.ts";

/** Of a block. */
const MOST_BYTES = 1 << 17;

/**
 * The contents of zstd frames (RFC 8878), which unpack to `bytes` bytes; undefined for invalid frames, or another size.
 * Checksums are not verified, and dictionaries are not supported.
 */
export function unpackZstd(frames: Uint8Array, bytes: number): Uint8Array | undefined {
  try {
    // A byte of an RLE block expands to at most 128 KiB.
    if (bytes > frames.length * MOST_BYTES) return undefined;
    const out = new Uint8Array(bytes);
    let [at, to] = [0, 0];
    while (at < frames.length) [at, to] = unpackFrame(frames, at, out, to);
    return to === bytes ? out : undefined;
  } catch (error) {
    if (error instanceof BrokenZstd) return undefined;
    throw error;
  }
}

function number(bytes: Uint8Array, at: number, count: number): number {
  if (at + count > bytes.length) broken();
  let value = 0;
  for (let i = count - 1; i >= 0; i--) value = value * 256 + (bytes[at + i] ?? 0);
  return value;
}

/** Unpacks a frame; returns the offsets after it, in input and output. */
function unpackFrame(bytes: Uint8Array, start: number, out: Uint8Array, from: number): [at: number, to: number] {
  const magic = number(bytes, start, 4);
  if (magic >= 0x184d2a50 && magic <= 0x184d2a5f) {
    const end = start + 8 + number(bytes, start + 4, 4);
    return end > bytes.length ? broken() : [end, from];
  }
  if (magic !== 0xfd2fb528) broken();
  const flags = number(bytes, start + 4, 1);
  const [sizes, single, checksum, dictionary] = [flags >>> 6, (flags & 0x20) !== 0, (flags & 4) !== 0, flags & 3];
  if ((flags & 8) !== 0) broken();
  let at = start + 5 + (single ? 0 : 1);
  const dictionaryBytes = [0, 1, 2, 4][dictionary] ?? 0;
  if (number(bytes, at, dictionaryBytes) !== 0) broken();
  at += dictionaryBytes;
  const sizeBytes = [single ? 1 : 0, 2, 4, 8][sizes] ?? 0;
  const size = sizeBytes === 0 ? undefined : number(bytes, at, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
  at += sizeBytes;
  const frame = new Frame(out, from);
  for (let last = false; !last; ) {
    const head = number(bytes, at, 3);
    last = (head & 1) !== 0;
    const [type, count] = [(head >>> 1) & 3, head >>> 3];
    at += 3;
    const end = at + (type === 1 ? 1 : count);
    if (count > MOST_BYTES || end > bytes.length || type === 3) broken();
    if (type === 0) frame.add(bytes.subarray(at, end));
    else if (type === 1) frame.repeat(bytes[at] ?? 0, count);
    else frame.unpack(bytes.subarray(at, end));
    at = end;
  }
  if (checksum) number(bytes, at, 4);
  if (size !== undefined && frame.to - from !== size) broken();
  return [at + (checksum ? 4 : 0), frame.to];
}

/** The meaning of a length code: its base, and the number of extra bits. */
interface Lengths {
  readonly least: readonly number[];
  readonly bits: readonly number[];
}

function lengths(first: number, bits: readonly number[]): Lengths {
  const least: number[] = [];
  for (let at = 0, next = first; at < bits.length; next += 2 ** (bits[at++] ?? 0)) least.push(next);
  return { least, bits };
}

const zeros = (count: number): number[] => new Array<number>(count).fill(0);
// RFC 8878, 3.1.1.3.2.1.1. and its default distributions.
const literalLengths = lengths(0, [...zeros(16), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
const matchLengths = lengths(3, [
  ...zeros(32),
  ...[1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
]);
const defaults = {
  literals: stateTable(6, [
    ...[4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1],
    ...[-1, -1, -1, -1],
  ]),
  offsets: stateTable(5, [
    ...[1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    ...[-1, -1, -1, -1, -1],
  ]),
  matches: stateTable(6, [
    ...[1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    ...[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1],
  ]),
};
/** For each kind: log of its largest table, and its last code. */
const most = { literals: [9, 35], offsets: [8, 31], matches: [9, 52] } as const;
const kinds = ["literals", "offsets", "matches"] as const;
type Kind = (typeof kinds)[number];

/** A frame being unpacked: the state that its blocks pass on. */
class Frame {
  readonly #out: Uint8Array;
  readonly #from: number;
  to: number;
  #literals: LiteralTable | undefined;
  #tables: Partial<Record<Kind, StateTable>> = {};
  /** Recently used offsets. */
  #last: [number, number, number] = [1, 4, 8];

  constructor(out: Uint8Array, from: number) {
    this.#out = out;
    this.#from = from;
    this.to = from;
  }

  add(bytes: Uint8Array): void {
    if (this.to + bytes.length > this.#out.length) broken();
    this.#out.set(bytes, this.to);
    this.to += bytes.length;
  }

  repeat(byte: number, count: number): void {
    if (this.to + count > this.#out.length) broken();
    this.#out.fill(byte, this.to, this.to + count);
    this.to += count;
  }

  #copy(offset: number, count: number): void {
    if (offset > this.to - this.#from || this.to + count > this.#out.length) broken();
    const out = this.#out;
    // Byte by byte: the source of the copy may overlap its destination.
    for (const end = this.to + count; this.to < end; this.to++) out[this.to] = out[this.to - offset] ?? 0;
  }

  unpack(block: Uint8Array): void {
    const before = this.to;
    const { literals, end } = this.#readLiterals(block);
    this.#sequences(block, end, literals);
    if (this.to - before > MOST_BYTES) broken();
  }

  #readLiterals(block: Uint8Array): { readonly literals: Uint8Array; readonly end: number } {
    const first = number(block, 0, 1);
    const [type, format] = [first & 3, (first >>> 2) & 3];
    if (type < 2) {
      const head = format === 1 ? 2 : format === 3 ? 3 : 1;
      const count = number(block, 0, head) >>> (head === 1 ? 3 : 4);
      const end = head + (type === 1 ? 1 : count);
      if (count > MOST_BYTES || end > block.length) broken();
      return { literals: type === 1 ? new Uint8Array(count).fill(block[head] ?? 0) : block.subarray(head, end), end };
    }
    const [head, bits] = format === 3 ? [5, 18] : format === 2 ? [4, 14] : [3, 10];
    const sizes = Math.floor(number(block, 0, head) / 16);
    const [count, packed] = [sizes % 2 ** bits, Math.floor(sizes / 2 ** bits)];
    const end = head + packed;
    if (count > MOST_BYTES || end > block.length) broken();
    let at = head;
    if (type === 2) {
      const described = readLiteralTable(block.subarray(0, end), head);
      this.#literals = described.table;
      at = described.end;
    }
    if (this.#literals === undefined) broken();
    return { literals: unpackLiterals(block.subarray(at, end), this.#literals, count, format === 0 ? 1 : 4), end };
  }

  #sequences(block: Uint8Array, start: number, literals: Uint8Array): void {
    let at = start;
    const first = number(block, at++, 1);
    let count = first;
    if (first === 255) {
      count = number(block, at, 2) + 0x7f00;
      at += 2;
    } else if (first > 127) count = (first - 128) * 256 + number(block, at++, 1);
    if (count === 0) {
      if (at !== block.length) broken();
      this.add(literals);
      return;
    }
    const modes = number(block, at++, 1);
    if ((modes & 3) !== 0) broken();
    kinds.forEach((kind, index) => {
      at = this.#readTable(kind, (modes >>> (6 - 2 * index)) & 3, block, at);
    });
    const left = this.#run(count, new BackwardBits(block.subarray(at)), literals);
    this.add(literals.subarray(left));
  }

  /** Chooses the table of a kind; returns the offset after its description. */
  #readTable(kind: Kind, mode: number, block: Uint8Array, at: number): number {
    const [log, last] = most[kind];
    if (mode === 0) this.#tables[kind] = defaults[kind];
    else if (mode === 1) {
      const symbol = number(block, at, 1);
      if (symbol > last) broken();
      this.#tables[kind] = onlySymbol(symbol);
      return at + 1;
    } else if (mode === 2) {
      const { table, end } = readStateTable(block, at, log, last);
      this.#tables[kind] = table;
      return end;
    } else if (this.#tables[kind] === undefined) broken();
    return at;
  }

  /** Alternates literals and copies; returns how many literals were used. */
  #run(count: number, bits: BackwardBits, literals: Uint8Array): number {
    const tables = kinds.map((kind) => this.#tables[kind] ?? broken());
    const states = tables.map(({ log }) => bits.read(log));
    const code = (which: number): number => tables[which]?.symbols[states[which] ?? 0] ?? 0;
    const length = ({ least, bits: more }: Lengths, which: number): number =>
      (least[which] ?? 0) + bits.read(more[which] ?? 0);
    const step = (which: number): void => {
      const [table, state] = [tables[which], states[which] ?? 0];
      states[which] = (table?.bases[state] ?? 0) + bits.read(table?.counts[state] ?? 0);
    };
    let taken = 0;
    for (let left = count; left > 0; left--) {
      const said = 2 ** code(1) + bits.read(code(1));
      const match = length(matchLengths, code(2));
      const own = length(literalLengths, code(0));
      if (left > 1) for (const which of [0, 2, 1]) step(which);
      if (taken + own > literals.length) broken();
      this.add(literals.subarray(taken, taken + own));
      taken += own;
      this.#copy(this.#offset(said, own === 0), match);
    }
    if (bits.left !== 0) broken();
    return taken;
  }

  /** The first three values select recent offsets, shifted by one where no literal precedes. */
  #offset(said: number, shifted: boolean): number {
    const [a, b, c] = this.#last;
    if (said > 3) {
      this.#last = [said - 3, a, b];
      return said - 3;
    }
    const which = said - (shifted ? 0 : 1);
    const offset = [a, b, c, a - 1][which] ?? 0;
    if (offset === 0) broken();
    if (which === 1) this.#last = [b, a, c];
    else if (which > 1) this.#last = [offset, a, b];
    return offset;
  }
}

function unpackLiterals(bytes: Uint8Array, table: LiteralTable, count: number, streams: 1 | 4): Uint8Array {
  const out = new Uint8Array(count);
  if (streams === 1) {
    unpackStream(bytes, table, out);
    return out;
  }
  const part = (count + 3) >>> 2;
  let at = 6;
  for (let stream = 0; stream < 4; stream++) {
    const end = stream === 3 ? bytes.length : at + number(bytes, 2 * stream, 2);
    if (end > bytes.length || stream * part > count) broken();
    unpackStream(
      bytes.subarray(at, end),
      table,
      out.subarray(stream * part, stream === 3 ? count : (stream + 1) * part),
    );
    at = end;
  }
  return out;
}

function unpackStream(bytes: Uint8Array, { log, literals, counts }: LiteralTable, out: Uint8Array): void {
  const bits = new BackwardBits(bytes);
  for (let to = 0; to < out.length; to++) {
    const next = bits.peek(log);
    out[to] = literals[next] ?? 0;
    bits.left -= counts[next] ?? 0;
    if (bits.left < 0) broken();
  }
  if (bits.left !== 0) broken();
}
