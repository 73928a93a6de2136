import type { Words } from "./gather.ts";

/** The matrices of one multiply, as words: what a tile takes and gives (numeric/tensor/spec.ts). */
export interface Matrices {
  readonly a: Words;
  readonly b: Words;
  readonly c: Words;
  readonly d: Words;
  readonly scaleA?: Uint32Array;
  readonly scaleB?: Uint32Array;
}
