import { flushOf, same } from "./effects.ts";
import { type Exact, round, unpack } from "./exact.ts";
import type { Format } from "./format.ts";
import type { Op } from "./op.ts";
import { exactExp2, exactTanh } from "./transcendental.ts";

/**
 * The `.approx` functions. The manual only bounds their error and the hardware's bits are not recorded (grade open);
 * ptxrun rounds them correctly, which every bound allows:
 *
 * | form | bound (doc) |
 * |---|---|
 * | tanh.approx.f16 | absolute 2^-10.987 |
 * | tanh.approx.bf16 | absolute 2^-8 |
 * | tanh.approx.f32 | relative 2^-11 |
 * | ex2.approx.f16 | relative 2^-9.9 |
 * | ex2.approx.ftz.bf16 | relative 2^-7 |
 * | ex2.approx.f32 | 2 ulp |
 */

/** tanh a (9.7.3, 9.7.4.9). */
export const ftanh = (f: Format): Op => approximation("ftanh", f, false, exactTanh);

/** 2^a (9.7.3, 9.7.4.10). With `.ftz` subnormal operands count as 0 and subnormal results become 0. */
export const fex2 = (f: Format, { ftz = false }: { readonly ftz?: boolean | undefined } = {}): Op =>
  approximation("fex2", f, ftz, exactExp2);

/** Results of 16-bit forms, computed once an input is met; one more than the code, since 0 means not yet. */
const caches = new Map<string, Uint32Array>();

function approximation(what: string, f: Format, ftz: boolean, compute: (x: Exact) => Exact): Op {
  const name = `${what}.${f.name}${ftz ? ".ftz" : ""}`;
  const before = ftz ? flushOf(f) : same;
  const evaluate = (a: number): number => Number(round(f, "rn", compute(unpack(f, BigInt(before(a)))), ftz));
  const signature = { name, takes: [f.width], gives: f.width };
  if (f.width !== 16) return { ...signature, js: evaluate };
  const cache = caches.get(name) ?? new Uint32Array(0x10000);
  caches.set(name, cache);
  return {
    ...signature,
    js: (a: number) => {
      const known = cache[a]!;
      if (known) return known - 1;
      const result = evaluate(a);
      cache[a] = result + 1;
      return result;
    },
  };
}
