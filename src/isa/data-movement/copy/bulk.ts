import { type Section, section } from "../../form/define.ts";
import { bulkCopies } from "./bulk-copy.ts";
import { bulkReductions, multimemBulk } from "./bulk-reduce.ts";
import { tensorCopies } from "./tensor-copy.ts";

export const bulk: Section = section(
  { of: "data-movement", name: "bulk-copy", title: "Bulk and Tensor Copy" },
  [...bulkCopies, ...bulkReductions, ...multimemBulk, ...tensorCopies],
  {
    "": "cp.async.bulk cp.reduce.async.bulk cp.async.bulk.prefetch multimem.cp.async.bulk multimem.cp.reduce.async.bulk cp.async.bulk.tensor cp.reduce.async.bulk.tensor cp.async.bulk.prefetch.tensor cp.async.bulk.commit_group cp.async.bulk.wait_group applypriority.async.bulk applypriority.async.bulk.tensor",
  },
);
