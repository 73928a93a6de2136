/** The difference within which two floats count as equal. */
export type Tolerance = { readonly ulps: bigint } | { readonly part: number };

/** `4ulp`, or `1e-6`; undefined for anything else. */
export function readTolerance(text: string): Tolerance | undefined {
  const count = /^(\d{1,18})ulps?$/.exec(text)?.[1];
  if (count !== undefined) return { ulps: BigInt(count) };
  const part = text.trim() === "" ? Number.NaN : Number(text);
  return part >= 0 && part < 1 ? { part } : undefined;
}
