import { joined } from "../../environment/bytes.ts";
import type { Zlib } from "../../environment/files.ts";
import { swap } from "./pnm.ts";
import type { Picture } from "./samples.ts";

// PNG (ISO/IEC 15948) by a zlib that is there anyway, which has the compression: the rest is a header, rows with filters and a check
// sum, less than any library would add to the package. Interlaced pictures are not read.

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Channels by colour type; 3 is a palette. */
const channelsOf: Readonly<Record<number, Picture["channels"]>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Reads a picture of 8 or 16 bits, or with a palette, of at most `most` bytes of samples. */
export function readPng(file: Uint8Array, most: number, { crc32, inflate }: Zlib): Picture | string {
  if (!SIGNATURE.every((byte, at) => file[at] === byte)) return "it does not begin as a .png file";
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let header: { width: number; height: number; bits: number; colour: number } | undefined;
  let palette: Uint8Array | undefined;
  const data: Uint8Array[] = [];
  let ended = false;
  for (let at = 8; !ended; ) {
    if (at + 12 > file.length) return "it is cut off";
    const length = view.getUint32(at);
    const kind = String.fromCharCode(...file.subarray(at + 4, at + 8));
    if (at + 12 + length > file.length) return "it is cut off";
    const body = file.subarray(at + 8, at + 8 + length);
    if (view.getUint32(at + 8 + length) !== crc32(file.subarray(at + 4, at + 8 + length)))
      return `the check sum of its ${kind} is wrong`;
    at += 12 + length;
    if (kind === "IHDR") {
      if (length !== 13) return "its header has a wrong length";
      const [bits = 0, colour = 0, , , interlaced = 0] = body.subarray(8);
      if (interlaced !== 0) return "it is interlaced, which ptxrun does not read";
      header = { width: view.getUint32(at - 4 - length), height: view.getUint32(at - length), bits, colour };
    } else if (kind === "PLTE") palette = body;
    else if (kind === "IDAT") data.push(body);
    else if (kind === "IEND") ended = true;
  }
  if (header === undefined) return "it has no header";
  const { width, height, bits, colour } = header;
  const channels = channelsOf[colour];
  if (channels === undefined || (bits !== 8 && bits !== 16) || (colour === 3 && bits !== 8))
    return `its samples have ${bits} bits and colour type ${colour}: 8 or 16 bits are read`;
  if (width < 1 || height < 1) return `it has ${width} x ${height} pixels`;
  const step = channels * (bits / 8);
  const row = width * step;
  if ((row + 1) * height > most) return `its samples take ${row * height} bytes, more than ${most}`;
  let raw: Uint8Array;
  try {
    raw = inflate(joined(data), (row + 1) * height);
  } catch {
    return "its data cannot be unpacked";
  }
  if (raw.length !== (row + 1) * height) return "it has fewer rows than its header says";
  const samples = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) if (!unfilter(raw, y, row, step, samples)) return "a row has an unknown filter";
  if (bits === 16) swap(samples);
  if (colour !== 3) return { width, height, channels, bits, samples };
  return painted(width, height, samples, palette ?? new Uint8Array(0));
}

/** Undoes the filter of a row (9.2), from the row above and the pixel before. */
function unfilter(raw: Uint8Array, y: number, row: number, step: number, into: Uint8Array): boolean {
  const from = y * (row + 1);
  const filter = raw[from] ?? 0;
  if (filter > 4) return false;
  for (let x = 0; x < row; x++) {
    const left = x < step ? 0 : (into[y * row + x - step] ?? 0);
    const up = y === 0 ? 0 : (into[(y - 1) * row + x] ?? 0);
    const corner = x < step || y === 0 ? 0 : (into[(y - 1) * row + x - step] ?? 0);
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
    into[y * row + x] = (raw[from + 1 + x] ?? 0) + guess;
  }
  return true;
}

/** Whichever of the three is nearest to left + up - corner. */
function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** The colours of a picture with a palette. */
function painted(width: number, height: number, indices: Uint8Array, palette: Uint8Array): Picture | string {
  const samples = new Uint8Array(3 * indices.length);
  for (const [at, index] of indices.entries()) {
    if (3 * index + 3 > palette.length) return "a pixel has a colour that its palette has not";
    samples.set(palette.subarray(3 * index, 3 * index + 3), 3 * at);
  }
  return { width, height, channels: 3, bits: 8, samples };
}

/** A picture as PNG, its rows without filters. */
export function writePng({ width, height, channels, bits, samples }: Picture, zlib: Zlib): Uint8Array {
  const row = width * channels * (bits / 8);
  const raw = new Uint8Array((row + 1) * height);
  for (let y = 0; y < height; y++) raw.set(samples.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
  if (bits === 16) for (let y = 0; y < height; y++) swap(raw.subarray(y * (row + 1) + 1, (y + 1) * (row + 1)));
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([bits, { 1: 0, 2: 4, 3: 2, 4: 6 }[channels]], 8);
  return joined([
    Uint8Array.from(SIGNATURE),
    chunk("IHDR", header, zlib),
    chunk("IDAT", zlib.deflate(raw), zlib),
    chunk("IEND", new Uint8Array(0), zlib),
  ]);
}

function chunk(kind: string, body: Uint8Array, { crc32 }: Zlib): Uint8Array {
  const bytes = new Uint8Array(12 + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, body.length);
  bytes.set(new TextEncoder().encode(kind), 4);
  bytes.set(body, 8);
  view.setUint32(8 + body.length, crc32(bytes.subarray(4, 8 + body.length)));
  return bytes;
}
