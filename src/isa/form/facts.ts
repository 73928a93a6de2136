import { headers, ptxas, unspecified } from "./define.ts";

// Facts that entries of several sections share.

/** `.sat` and `.relu`: the pages do not speak of -0. */
export const saturated = [ptxas(".sat makes +0 of -0"), headers(".sat makes +0 of -0")];
export const rectified = [ptxas(".relu makes +0 of -0"), headers(".relu makes +0 of -0")];

/** neg and abs on half precision. */
export const canonicalNan = [
  ptxas("a NaN comes out canonical, its sign and payload lost: no bit operation"),
  headers("a NaN comes out canonical"),
];

/** `.approx` and `.full`: the pages bound the error and say no more. */
export const correctlyRounded = (bound: string) => [
  unspecified(`the true value, rounded to nearest even: inside of the manual's bound, ${bound}`),
];
