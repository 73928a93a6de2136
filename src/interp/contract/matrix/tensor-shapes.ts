import type { TensorKind } from "../plan/plan-tensor-memory.ts";
import type { InstructionDescriptor } from "./instruction-descriptor.ts";

/** Modifiers of a tcgen05.mma that its shapes depend on. */
export interface ShapeAsked {
  readonly kind: TensorKind;
  readonly ws: boolean;
  readonly group: 1 | 2;
  readonly sparse: boolean;
}

const steps = (step: number, from = step): readonly number[] =>
  Array.from({ length: Math.floor((256 - from) / step) + 1 }, (_, at) => from + at * step);

/**
 * M and N that an instruction may have (PTX ISA, Matrix Shape of tcgen05; table 63 for B of 8 bits that is transposed).
 */
export function shapesOf(
  { kind, ws, group, sparse }: ShapeAsked,
  { m: asked, a, b, transposeB, depth }: Pick<InstructionDescriptor, "m" | "a" | "b" | "transposeB" | "depth">,
): { readonly m: readonly number[]; readonly n: readonly number[] } {
  if (ws) return { m: [32, 64, 128], n: sparse ? [64, 128] : [64, 128, 256] };
  const scaled = kind.startsWith("mx");
  const rows = 128 * group;
  // Not half of the rows: block scales of one block or of a sparse A, and a dense A whose K is not the first.
  const whole = scaled ? group === 1 || sparse || depth > 0 : !sparse && depth > 0;
  const m = whole ? [rows] : [rows / 2, rows];
  if (kind === "ti16") return { m, n: steps(group === 2 ? 32 : asked === 64 ? 8 : 16) };
  const bytes = a !== "tf32" && a !== "f16" && a !== "bf16";
  if (transposeB && bytes && !b.startsWith("e2m1")) return { m, n: steps(group === 1 ? 16 : 32) };
  if (kind === "i8") return { m, n: group === 1 ? [8, 16, 24, ...steps(16, 32)] : steps(32) };
  return { m, n: steps(group === 1 ? 8 : 16) };
}
