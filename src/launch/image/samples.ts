/** A picture as its file has it: samples row by row, 8 or 16 bits each (little-endian). */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Gray, gray and alpha, RGB, RGB and alpha. */
  readonly channels: 1 | 2 | 3 | 4;
  readonly bits: 8 | 16;
  readonly samples: Uint8Array;
}
