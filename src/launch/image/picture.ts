import type { Zlib } from "../../environment/files.ts";
import { openPng, writePng } from "./png.ts";
import { openPnm, writePnm } from "./pnm.ts";
import type { OpenPicture, Picture } from "./samples.ts";

/** True for names of files that are read and written as pictures. */
export const isPicture = (path: string): boolean => /\.(pgm|ppm|png)$/i.test(path);

/** Opens a picture of at most `most` bytes of samples; a sentence says what is wrong instead. */
export function openPicture(
  path: string,
  file: Uint8Array,
  most: number,
  zlib: Zlib | undefined,
): OpenPicture | string {
  if (!isPng(path)) return openPnm(file, most);
  return zlib === undefined ? NO_ZLIB : openPng(file, most, zlib);
}

/** A picture as the name of its file says; a sentence says what is wrong instead. */
export function writePicture(path: string, picture: Picture, zlib: Zlib | undefined): Uint8Array | string {
  if (!isPng(path)) return writePnm(path, picture);
  return zlib === undefined ? NO_ZLIB : writePng(picture, zlib);
}

const isPng = (path: string): boolean => /\.png$/i.test(path);
const NO_ZLIB = "nothing here can pack or unpack a .png; a .ppm is plain";
