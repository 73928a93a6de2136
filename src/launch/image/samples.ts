/** A picture as its file has it: samples row by row, 8 or 16 bits each (little-endian). */
export interface Picture extends Format {
  readonly samples: Uint8Array;
}

/** What the header of a picture says. */
interface Format {
  readonly width: number;
  readonly height: number;
  /** Gray, gray and alpha, RGB, RGB and alpha. */
  readonly channels: 1 | 2 | 3 | 4;
  readonly bits: 8 | 16;
}

/** A picture whose header was read, and nothing else: who has room for it asks for its rows. */
export interface OpenPicture extends Format {
  /** Samples of each row, which hold until the next one is asked for. Throws `BrokenPicture`. */
  readonly rows: () => Iterable<Uint8Array>;
}

/** What is wrong with the rows of a picture, as a sentence. */
export class BrokenPicture extends Error {}
