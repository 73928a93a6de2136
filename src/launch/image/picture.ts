import type { Zlib } from "../../environment/files.ts";
import { readPng, writePng } from "./png.ts";
import { readPnm, writePnm } from "./pnm.ts";
import type { Picture } from "./samples.ts";

/** True for names of files that are read and written as pictures. */
export const isPicture = (path: string): boolean => /\.(pgm|ppm|png)$/i.test(path);

/** Reads a picture of at most `most` bytes of samples; a sentence says what is wrong instead. */
export function readPicture(path: string, file: Uint8Array, most: number, zlib: Zlib | undefined): Picture | string {
  if (!isPng(path)) return readPnm(file, most);
  return zlib === undefined ? NO_ZLIB : readPng(file, most, zlib);
}

/** A picture as the name of its file says; a sentence says what is wrong instead. */
export function writePicture(path: string, picture: Picture, zlib: Zlib | undefined): Uint8Array | string {
  if (!isPng(path)) return writePnm(path, picture);
  return zlib === undefined ? NO_ZLIB : writePng(picture, zlib);
}

const isPng = (path: string): boolean => /\.png$/i.test(path);
const NO_ZLIB = "nothing here can pack or unpack a .png; a .ppm is plain";
