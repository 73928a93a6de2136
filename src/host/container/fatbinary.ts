import type { Staged } from "../../source/diagnostic.ts";
import { problem } from "../problem.ts";
import { half, long, word } from "./little-endian.ts";
import { unpackZstd } from "./zstd.ts";

/**
 * The contents of an LZ4 block (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md), which unpacks to `bytes`
 * bytes; undefined for an invalid block.
 */
export function unpackLz4(block: Uint8Array, bytes: number): Uint8Array | undefined {
  // A byte of a block expands to 255 at most: a larger claimed size is wrong, however small the
  // block is.
  if (bytes > 255 * (block.length + 1)) return undefined;
  const out = new Uint8Array(bytes);
  let [at, to] = [0, 0];
  /** A length of 15 continues in the bytes that follow, up to the first that is not 255. */
  const length = (nibble: number): number => {
    let sum = nibble;
    for (let byte = nibble === 15 ? 255 : 0; byte === 255; sum += byte) {
      if (at === block.length) return Number.POSITIVE_INFINITY;
      byte = block[at++] ?? 0;
    }
    return sum;
  };
  while (at < block.length) {
    const token = block[at++] ?? 0;
    const literals = length(token >>> 4);
    if (at + literals > block.length || to + literals > bytes) return undefined;
    out.set(block.subarray(at, at + literals), to);
    at += literals;
    to += literals;
    // The last sequence consists of literals alone, and no other one does.
    if (at === block.length) return to === bytes ? out : undefined;
    if (at + 2 > block.length) return undefined;
    const back = (block[at] ?? 0) | ((block[at + 1] ?? 0) << 8);
    at += 2;
    const copied = length(token & 15) + 4;
    if (back === 0 || back > to || to + copied > bytes) return undefined;
    // Byte by byte: the source of the copy may overlap its destination.
    for (const end = to + copied; to < end; to++) out[to] = out[to - back] ?? 0;
  }
  return undefined;
}

/**
 * The fat binary that nvcc embeds in a program: the same module for several targets, as PTX and as machine code. NVIDIA
 * does not document the layout; this is what nvcc 13.0 writes with each of its -compress-mode, little-endian:
 *
 *     u32 0xba55ed50, u16 version 1, u16 bytes of this header, u64 bytes of all entries, then entries:
 *     0 u16 kind, 4 u32 bytes of the entry's header, 8 u64 bytes that follow it, 16 u32 bytes of them if they are packed,
 *     28 u32 target, 40 u64 flags, 56 u64 bytes when unpacked
 */
const MAGIC = 0xba55ed50;
const PTX = 1;
const LZ4 = 0x2000;
const ZSTD = 0x8000;

/** The limit on an unpacked module: a header with a larger size is wrong, or hostile. */
const MAX_UNPACKED_BYTES = 1 << 28;

/** A module of a fat binary: PTX text, or machine code, which only a GPU runs. */
export interface FatEntry {
  readonly kind: "PTX" | "machine code";
  /** Its byte in the fat binary. */
  readonly offset: number;
  /** 80 for sm_80. */
  readonly target: number;
  readonly packing: "none" | "LZ4" | "zstd";
  /** Unpacks it: text with zeros at its end, or an ELF file; undefined where that fails. */
  bytes(): Uint8Array | undefined;
}

export const isFatbinary = (bytes: Uint8Array): boolean => bytes.length >= 16 && word(bytes, 0) === MAGIC;

/** The size of a fat binary, from its first 16 bytes. */
export const fatbinaryBytes = (head: Uint8Array): number => half(head, 6) + long(head, 8);

/** The modules in a fat binary, which is at byte `at` of its file; an error for other bytes, or where it is truncated. */
export function readFatbinary(bytes: Uint8Array, at = 0): Staged<readonly FatEntry[]> {
  const fail = (message: string): Staged<readonly FatEntry[]> => ({
    value: [],
    diagnostics: [
      problem("PTX2240", `the fat binary${at === 0 ? "" : ` at byte ${at}`} ${message}`, {
        expected: "what nvcc embeds",
      }),
    ],
  });
  if (!isFatbinary(bytes)) return fail("does not begin with 0xba55ed50");
  const end = fatbinaryBytes(bytes);
  if (end > bytes.length) return fail(`has ${bytes.length} bytes and says that it has ${end}`);
  if (half(bytes, 6) < 16) return fail(`has a header of ${half(bytes, 6)} bytes`);
  const entries: FatEntry[] = [];
  for (let from = half(bytes, 6); from < end; ) {
    if (from + 64 > end) return fail(`ends in the header of entry ${entries.length + 1}, at byte ${at + from}`);
    const [header, size] = [word(bytes, from + 4), long(bytes, from + 8)];
    const to = from + header + size;
    if (header < 64 || to > end) return fail(`ends within entry ${entries.length + 1}, at byte ${at + from}`);
    entries.push(entryOf(from, bytes.subarray(from, from + header), bytes.subarray(from + header, to)));
    from = to;
  }
  return { value: entries, diagnostics: [] };
}

function entryOf(offset: number, header: Uint8Array, payload: Uint8Array): FatEntry {
  const flags = word(header, 40);
  const [packed, unpacked] = [word(header, 16), long(header, 56)];
  return {
    kind: half(header, 0) === PTX ? "PTX" : "machine code",
    offset,
    target: word(header, 28),
    packing: (flags & LZ4) !== 0 ? "LZ4" : (flags & ZSTD) !== 0 ? "zstd" : "none",
    bytes: () => unpack(payload, flags, packed, unpacked),
  };
}

function unpack(payload: Uint8Array, flags: number, packed: number, bytes: number): Uint8Array | undefined {
  if ((flags & (LZ4 | ZSTD)) === 0) return payload;
  if (bytes > MAX_UNPACKED_BYTES || packed > payload.length) return undefined;
  const block = payload.subarray(0, packed);
  return (flags & LZ4) !== 0 ? unpackLz4(block, bytes) : unpackZstd(block, bytes);
}
