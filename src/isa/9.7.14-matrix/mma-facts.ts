import type { Fact } from "../../numeric/operation/grade.ts";
import { tensorFacts } from "../../numeric/tensor/rules.ts";
import { doc, open } from "../form/define.ts";

/** What is known of the sums of floats: the page leaves order, rounding and subnormals open. */
export const sums = tensorFacts;

export const integers: readonly Fact[] = [doc("the exact sum with C, wrapped to .s32, or clamped by .satfinite")];

export const doubles: readonly Fact[] = [
  doc("each product and addition is one .f64 fma"),
  open("their order: k from 0 on, beginning with C"),
];

export const sparseFacts: readonly Fact[] = [
  open(
    "the groups in which the products of a sparse A are summed: its stored elements in order, as a dense A of half the columns",
  ),
];
