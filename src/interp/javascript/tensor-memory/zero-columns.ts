/**
 * Which columns of B count as zeros, and how far the columns are shifted (PTX ISA, Zero-Column Mask Descriptor). Runs
 * of zeros have Skip Span + 1 columns, the runs between them Use Span + 1, as in the manual's examples; First Span
 * says with which run a sub-mask begins, Start Count how many columns of that run are left out.
 */
export function zeroColumns(
  descriptor: bigint,
  m: number,
  n: number,
): { readonly zero: Uint8Array; readonly shift: number } {
  const field = (from: number, bits: number): number =>
    Number((descriptor >> BigInt(from)) & ((1n << BigInt(bits)) - 1n));
  const zero = new Uint8Array(n);
  const parts = 128 / m;
  const [skip, use] = [field(40, 8) + 1, field(48, 8) + 1];
  if (field(39, 1) === 1)
    for (let part = 0; part < parts; part++) {
      const first = field(32 + part, 1) === 1;
      const start = field(8 * part, 8);
      for (let at = 0; at < n / parts; at++) {
        const place = (at + start) % (skip + use);
        zero[(part * n) / parts + at] = first ? (place < skip ? 1 : 0) : place < use ? 0 : 1;
      }
    }
  return { zero, shift: field(56, 6) };
}
