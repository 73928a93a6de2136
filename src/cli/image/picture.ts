import { readPng, writePng } from "./png.ts";
import { readPnm, writePnm } from "./pnm.ts";
import type { Picture } from "./samples.ts";

/** True for names of files that are read and written as pictures. */
export const isPicture = (path: string): boolean => /\.(pgm|ppm|png)$/i.test(path);

/** Reads a picture of at most `most` bytes of samples; a sentence says what is wrong instead. */
export const readPicture = (path: string, file: Uint8Array, most: number): Picture | string =>
  /\.png$/i.test(path) ? readPng(file, most) : readPnm(file, most);

/** A picture as the name of its file says; a sentence says what is wrong instead. */
export function writePicture(path: string, picture: Picture): Uint8Array | string {
  return /\.png$/i.test(path) ? writePng(picture) : writePnm(path, picture);
}
