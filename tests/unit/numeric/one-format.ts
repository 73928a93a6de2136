import { type Format, types as known } from "../../../src/numeric/format/format.ts";

export * from "../../../src/numeric/format/format.ts";

/** A format that does not exist: 7 bits, all of them numbers, up to 30. */
const e3m3: Format = {
  name: "e3m3",
  width: 8,
  sign: 1,
  exp: 3,
  frac: 3,
  bias: 3,
  pad: 0,
  packs: [2],
  specials: "none",
  nan: 0x3fn,
  tininess: "after",
};

/** The table with this entry at its end. */
export const types = { ...known, e3m3 };
