import type { Format } from "./format.ts";
import type { Op } from "./op.ts";

/** tanh.approx. */
export const ftanh = (f: Format): Op => ({
  name: `ftanh.${f.name}`,
  takes: [f.width],
  gives: f.width,
  js: (_a: number) => 0,
});

/** ex2.approx. */
export const fex2 = (f: Format, { ftz }: { readonly ftz?: boolean | undefined } = {}): Op => ({
  name: `fex2.${f.name}${ftz ? ".ftz" : ""}`,
  takes: [f.width],
  gives: f.width,
  js: (_a: number) => 0,
});
