import { joined } from "../../environment/bytes.ts";
import type { Zlib } from "../../environment/files.ts";
import { swap, swapped } from "./pnm.ts";
import { BrokenPicture, type OpenPicture, type Picture } from "./samples.ts";

// PNG (ISO/IEC 15948) by a zlib that is there anyway, which has the compression: the rest is a header, rows with filters and a check
// sum, less than any library would add to the package. Interlaced pictures are not read.

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Channels by colour type; 3 is a palette. */
const channelsOf: Readonly<Record<number, Picture["channels"]>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** How many times as long as packed a text can be, at most: a match of 258 bytes takes 2 bits. */
const MOST_PACKED = 1032;

/** Opens a picture of 8 or 16 bits, or with a palette, of at most `most` bytes of samples. */
export function openPng(file: Uint8Array, most: number, { crc32, inflate }: Zlib): OpenPicture | string {
  if (!SIGNATURE.every((byte, at) => file[at] === byte)) return "it does not begin as a .png file";
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let header: { width: number; height: number; bits: number; colour: number } | undefined;
  let palette: Uint8Array = new Uint8Array(0);
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
  const row = width * channels * (bits / 8);
  const bytes = (row + 1) * height;
  if (bytes > most) return `its samples take ${row * height} bytes, more than ${most}`;
  if (bytes > MOST_PACKED * data.reduce((sum, each) => sum + each.length, 0)) return FEWER_ROWS;
  const rows = function* (): Iterable<Uint8Array> {
    const raw = unpacked(data, bytes, inflate);
    for (let at = 1; at < bytes; at += row + 1) {
      unfilter(raw, at, row, channels * (bits / 8));
      const samples = raw.subarray(at, at + row);
      yield colour === 3 ? painted(samples, palette) : bits === 8 ? samples : swapped(samples);
    }
  };
  return { width, height, channels: colour === 3 ? 3 : channels, bits, rows };
}

const FEWER_ROWS = "it has fewer rows than its header says";

/** All rows, each with its filter before it. */
function unpacked(data: readonly Uint8Array[], bytes: number, inflate: Zlib["inflate"]): Uint8Array {
  let raw: Uint8Array;
  try {
    raw = inflate(joined(data), bytes);
  } catch {
    throw new BrokenPicture("its data cannot be unpacked");
  }
  if (raw.length !== bytes) throw new BrokenPicture(FEWER_ROWS);
  return raw;
}

/** Undoes the filter of a row (9.2) where it is, from the row above and the pixel before; these are 0 at the edges. */
function unfilter(raw: Uint8Array, start: number, row: number, step: number): void {
  const end = start + row;
  const above = start > 1 ? row + 1 : undefined;
  const byte = (at: number): number => raw[at] ?? 0;
  const up = (at: number): number => (above === undefined ? 0 : byte(at - above));
  switch (raw[start - 1]) {
    case 0:
      return;
    case 1:
      for (let at = start + step; at < end; at++) raw[at] = byte(at) + byte(at - step);
      return;
    case 2:
      if (above !== undefined) for (let at = start; at < end; at++) raw[at] = byte(at) + byte(at - above);
      return;
    case 3:
      for (let at = start; at < end; at++) {
        const left = at < start + step ? 0 : byte(at - step);
        raw[at] = byte(at) + ((left + up(at)) >> 1);
      }
      return;
    case 4:
      for (let at = start; at < end; at++) {
        const inside = at >= start + step;
        raw[at] = byte(at) + paeth(inside ? byte(at - step) : 0, up(at), inside ? up(at - step) : 0);
      }
      return;
    default:
      throw new BrokenPicture("a row has an unknown filter");
  }
}

/** Whichever of the three is nearest to left + up - corner. */
function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** The colours of a row with a palette. */
function painted(indices: Uint8Array, palette: Uint8Array): Uint8Array {
  const samples = new Uint8Array(3 * indices.length);
  for (const [at, index] of indices.entries()) {
    if (3 * index + 3 > palette.length) throw new BrokenPicture("a pixel has a colour that its palette has not");
    for (let channel = 0; channel < 3; channel++) samples[3 * at + channel] = palette[3 * index + channel] ?? 0;
  }
  return samples;
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
