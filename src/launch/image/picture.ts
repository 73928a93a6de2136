import { joined } from "../../environment/bytes.ts";
import type { Zlib } from "../../environment/files.ts";
import { BrokenPicture, type OpenPicture, type Picture } from "./samples.ts";

/** Blank, or a comment that runs to the end of its line. */
const isBlank = (byte: number | undefined): boolean => byte !== undefined && (byte === 32 || (byte >= 9 && byte <= 13));

/** Opens the binary forms of PGM and PPM (P5 and P6), of at most `most` bytes of samples. */
export function openPnm(file: Uint8Array, most: number): OpenPicture | string {
  const kind = String.fromCharCode(file[0] ?? 0, file[1] ?? 0);
  if (kind !== "P5" && kind !== "P6") return "it does not begin with P5 or P6, as a binary .pgm or .ppm does";
  let at = 2;
  const numbers: number[] = [];
  while (numbers.length < 3) {
    while (isBlank(file[at]) || file[at] === 0x23)
      if (file[at] === 0x23) while (at < file.length && file[at] !== 10) at++;
      else at++;
    const start = at;
    while (at < file.length && at - start < 10 && (file[at] ?? 0) >= 48 && (file[at] ?? 0) <= 57) at++;
    if (at === start) return "its header has no width, height and greatest value";
    numbers.push(Number(String.fromCharCode(...file.subarray(start, at))));
  }
  const [width, height, greatest] = numbers as [number, number, number];
  if (!isBlank(file[at])) return "its header is not closed";
  if (width < 1 || height < 1) return `it has ${width} x ${height} pixels`;
  if (greatest !== 255 && greatest !== 65535) return `its greatest value is ${greatest}, not 255 or 65535`;
  const channels = kind === "P5" ? 1 : 3;
  const bits = greatest === 255 ? 8 : 16;
  const row = width * channels * (bits / 8);
  const bytes = row * height;
  if (bytes > most) return `its samples take ${bytes} bytes, more than ${most}`;
  const samples = file.subarray(at + 1, at + 1 + bytes);
  if (samples.length < bytes) return `it has ${samples.length} bytes of samples, not ${bytes}`;
  function* rows(): Iterable<Uint8Array> {
    for (let start = 0; start < bytes; start += row) {
      const here = samples.subarray(start, start + row);
      yield bits === 8 ? here : swapped(here);
    }
  }
  return { width, height, channels, bits, rows };
}

/** Words of 16 bits in the other order of bytes. */
function swapped(bytes: Uint8Array): Uint8Array {
  const other = new Uint8Array(bytes);
  swap(other);
  return other;
}

/** PGM for gray, PPM for colours; other channels are left out. */
export function writePnm(path: string, { width, height, channels, bits, samples }: Picture): Uint8Array | string {
  const gray = /\.pgm$/i.test(path);
  const kept = gray ? 1 : 3;
  if (gray ? channels > 2 : channels < 3)
    return `${channels} channels do not go into a ${gray ? ".pgm, which has one" : ".ppm, which has three"}`;
  const head = new TextEncoder().encode(`P${gray ? 5 : 6}\n${width} ${height}\n${bits === 8 ? 255 : 65535}\n`);
  const size = bits / 8;
  const file = new Uint8Array(head.length + width * height * kept * size);
  file.set(head);
  for (let pixel = 0; pixel < width * height; pixel++)
    file.set(
      samples.subarray(pixel * channels * size, (pixel * channels + kept) * size),
      head.length + pixel * kept * size,
    );
  if (bits === 16) swap(file.subarray(head.length));
  return file;
}

/** Between little-endian and big-endian words of 16 bits. */
function swap(bytes: Uint8Array): void {
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const low = bytes[at] ?? 0;
    bytes[at] = bytes[at + 1] ?? 0;
    bytes[at + 1] = low;
  }
}

// PNG (ISO/IEC 15948) on top of the platform's zlib, which has the compression: the rest is a header, rows with filters
// and a checksum, less code than any library would add. Interlaced pictures are not read.

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Channels by colour type; 3 is a palette. */
const channelsOf: Readonly<Record<number, Picture["channels"]>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** The greatest compression ratio: a match of 258 bytes takes 2 bits. */
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
      return `the checksum of its ${kind} is wrong`;
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

/** Undoes the filter of a row (9.2) in place, from the row above and the pixel before; these are 0 at the edges. */
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

/** True for names of files that are read and written as pictures. */
export const isPicture = (path: string): boolean => /\.(pgm|ppm|png)$/i.test(path);

/** Opens a picture of at most `most` bytes of samples; a sentence describes an error. */
export function openPicture(
  path: string,
  file: Uint8Array,
  most: number,
  zlib: Zlib | undefined,
): OpenPicture | string {
  if (!isPng(path)) return openPnm(file, most);
  return zlib === undefined ? NO_ZLIB : openPng(file, most, zlib);
}

/** Encodes a picture by the suffix of its file name; a sentence describes an error. */
export function writePicture(path: string, picture: Picture, zlib: Zlib | undefined): Uint8Array | string {
  if (!isPng(path)) return writePnm(path, picture);
  return zlib === undefined ? NO_ZLIB : writePng(picture, zlib);
}

const isPng = (path: string): boolean => /\.png$/i.test(path);
const NO_ZLIB = "nothing here can pack or unpack a .png; a .ppm is plain";
