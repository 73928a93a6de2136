import { asm, hdr, open } from "./define.ts";

// Facts that entries of several sections share.

/** `.sat` and `.relu`: the pages do not speak of -0. */
export const saturated = [asm(".sat makes +0 of -0"), hdr(".sat makes +0 of -0")];
export const rectified = [asm(".relu makes +0 of -0"), hdr(".relu makes +0 of -0")];

/** neg and abs on half precision. */
export const canonicalNan = [
  asm("a NaN comes out canonical, its sign and payload lost: no bit operation"),
  hdr("a NaN comes out canonical"),
];

/** `.approx` and `.full`: the pages bound the error and say no more. */
export const correctlyRounded = (bound: string) => [
  open(`the true value, rounded to nearest even: inside of the manual's bound, ${bound}`),
];
