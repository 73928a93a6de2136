/** A picture in its file's layout: samples row by row, 8 or 16 bits each (little-endian). */
export interface Picture extends Format {
  readonly samples: Uint8Array;
}

/** The header of a picture. */
interface Format {
  readonly width: number;
  readonly height: number;
  /** Gray, gray and alpha, RGB, RGB and alpha. */
  readonly channels: 1 | 2 | 3 | 4;
  readonly bits: 8 | 16;
}

/** A picture of which only the header was read: the caller requests its rows once it has room. */
export interface OpenPicture extends Format {
  /** Samples of each row, valid until the next one is requested. Throws `BrokenPicture`. */
  readonly rows: () => Iterable<Uint8Array>;
}

/** The error in the rows of a picture, as a sentence. */
export class BrokenPicture extends Error {}
