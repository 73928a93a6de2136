import { integerWidths as known } from "../../../src/numeric/operation/type.ts";

export * from "../../../src/numeric/operation/type.ts";

/** The widths with one that does not exist at their end. */
export const integerWidths = [...known, 24];
