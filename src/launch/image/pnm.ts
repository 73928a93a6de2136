import type { OpenPicture, Picture } from "./samples.ts";

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
export function swapped(bytes: Uint8Array): Uint8Array {
  const other = new Uint8Array(bytes);
  swap(other);
  return other;
}

/** PGM for gray, PPM for colours; what they have no place for is left out. */
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
export function swap(bytes: Uint8Array): void {
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const low = bytes[at] ?? 0;
    bytes[at] = bytes[at + 1] ?? 0;
    bytes[at + 1] = low;
  }
}
