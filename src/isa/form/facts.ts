import { headers, ptxas, unspecified } from "./define.ts";

// Facts that entries of several sections share.

/** `.sat` and `.relu`: the pages do not speak of -0. */
export const saturated = [ptxas, headers].map((says) => says(".sat makes +0 of -0", ({ sat }) => sat === true));
export const rectified = [ptxas, headers].map((says) => says(".relu makes +0 of -0", ({ relu }) => relu === true));

/** neg and abs on half precision. */
export const canonicalNan = [
  ptxas("a NaN comes out canonical, its sign and payload lost: no bit operation"),
  headers("a NaN comes out canonical"),
];

/** `.approx` and `.full`: the pages bound the error and say no more. */
export const correctlyRounded = (bound: string) => [
  unspecified(`the true value, rounded to nearest even: inside of the manual's bound, ${bound}`),
];
