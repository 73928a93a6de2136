/** A random program as nvcc compiled it, and what the host gave for it. */
export interface Kept {
  readonly kind: "program" | "simt" | "primitives";
  readonly seed: number;
  /** The target, and options of nvcc. */
  readonly build: string;
  readonly ptx: string;
  /** Eight words a thread. */
  readonly input: Uint32Array;
  /** Results of a thread. */
  readonly count: number;
  readonly threads: number;
  readonly block: readonly number[];
  readonly grid: number;
  readonly expected: BigUint64Array;
}
export function kept(): Generator<Kept>;
export function launch(
  library: { readonly Device: unknown; readonly must: unknown },
  one: Kept,
): { readonly stop: { readonly reason: string }; readonly words: BigUint64Array };
