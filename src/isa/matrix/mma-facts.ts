import type { Fact } from "../../numeric/operation/grade.ts";
import { tensorFacts } from "../../numeric/tensor/rules.ts";
import { manual, published, unspecified } from "../form/define.ts";

/** Facts about sums of floats: the page leaves order, rounding and subnormals open. */
export const sums = tensorFacts;

export const integers: readonly Fact[] = [manual("the exact sum with C, wrapped to .s32, or clamped by .satfinite")];

export const doubles: readonly Fact[] = [
  manual("each product and addition is one .f64 fma"),
  unspecified("their order: k from 0 on, beginning with C"),
];

/** Which thread has which indices of a sparse A: only figures show it (PTX ISA, Matrix Fragments for sparse mma). */
export const metadataFacts: readonly Fact[] = [
  published(
    "metadata of m16n8k16 and m16n8k32 of 16 bits, m16n8k16 of .tf32, m16n8k64 of 8 bits and m16n8k128 of 4 bits: as CUTLASS lays them out for sm_80, sm_90 and sm_120, and Choreo for m16n8k16",
  ),
  unspecified(
    "metadata of m16n8k8 of .tf32, m16n8k32 of 8 bits and m16n8k64 of 4 bits: the threads that the selector names have what the first ones have with twice the K",
  ),
];

/** Which thread has which scale (PTX ISA, Block Scaling for mma.sync). */
export const scaleFacts: readonly Fact[] = [
  manual("thread-id-a chooses a pair of threads, thread-id-b one thread, byte-id the first byte"),
  published("the lower thread of a pair has row groupID, the other groupID + 8: CUTLASS's traits for sm_120"),
];

export const sparseFacts: readonly Fact[] = [
  ...metadataFacts,
  unspecified(
    "the groups in which the products of a sparse A are summed: its stored elements in order, as a dense A of half the columns",
  ),
];
