import { type Section, section } from "../form/define.ts";
import { bulkCopies } from "./bulk-copy.ts";
import { bulkReductions } from "./bulk-reduce.ts";
import { tensorCopies } from "./tensor-copy.ts";

/** 9.7.9.26.4 to 9.7.9.26.6. */
export const bulk: Section = section("9.7.9.26", "Bulk and Tensor Copy", "data-movement-and-conversion-instructions", [
  ...bulkCopies,
  ...bulkReductions,
  ...tensorCopies,
]);
