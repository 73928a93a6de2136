import { type Section, section } from "../../form/define.ts";
import { bulkCopies } from "./bulk-copy.ts";
import { bulkReductions, multimemBulk } from "./bulk-reduce.ts";
import { tensorCopies } from "./tensor-copy.ts";

export const bulk: Section = section({ of: "data-movement", name: "bulk-copy", title: "Bulk and Tensor Copy" }, [
  ...bulkCopies,
  ...bulkReductions,
  ...multimemBulk,
  ...tensorCopies,
]);
