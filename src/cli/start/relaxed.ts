/** What runs whole kernels; a snippet of one instruction would only wait longer. */
const kinds: ReadonlySet<string> = new Set(["run", "check", "client"]);

/**
 * The option of V8 for relaxed SIMD, whose multiply-add makes a kernel of f32 several times faster. V8 11.3 (Node 20) has
 * it whole, but only behind this option; from 11.4 on there is nothing to ask for. Whether it rounds as it must is tried
 * before it is used (`wasm/fused.ts`).
 */
export function relaxedOption(kind: string, v8: string): string | undefined {
  return kinds.has(kind) && v8.startsWith("11.3.") ? "--experimental-wasm-relaxed-simd" : undefined;
}
