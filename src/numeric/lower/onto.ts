import type { ScalarRule } from "./rule.ts";

/** Lanes in the place of some bits of a number of up to 32: the lanes alone, and that number where no lane lies. */
export const lanesOnto: ScalarRule = ({ takes, gives, result }, lower) => {
  if (result.into !== "lanes" || result.onto === undefined) return undefined;
  const { lanes, onto } = result;
  if (lanes.some(({ low, bits }) => low + bits > 32)) return undefined;
  const written = lower({ takes, gives, result: { into: "lanes", lanes } });
  const kept = lower({ takes, gives, result: { into: "wrap", type: gives, of: onto } });
  const places = lanes.reduce((all, { low, bits }) => all | ((bits === 32 ? -1 : (1 << bits) - 1) << low), 0);
  return (...bits) => (((kept(...bits) as number) & ~places) | (written(...bits) as number)) >>> 0;
};
