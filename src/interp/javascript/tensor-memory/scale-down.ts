const single = new Float32Array(1);
const bitsOf = new Uint32Array(single.buffer);

/** An accumulator times 2^-by (scale-input-d), rounded to nearest even where it becomes subnormal. */
export function scaledDown(word: number, type: "f16" | "f32", by: number): number {
  if (type === "f16") return halfDown(word & 0xffff, by);
  bitsOf[0] = word;
  single[0] = single[0]! * 2 ** -by;
  return bitsOf[0]!;
}

function halfDown(half: number, by: number): number {
  const sign = half & 0x8000;
  const exponent = (half >> 10) & 31;
  const fraction = half & 0x3ff;
  if (exponent === 31) return half;
  if (exponent > by) return half - (by << 10);
  // Subnormal from here on: units of 2^-24.
  const units = exponent === 0 ? fraction : (fraction | 0x400) * 2 ** (exponent - 1);
  const exact = units / 2 ** by;
  const low = Math.floor(exact);
  const rest = exact - low;
  const up = rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? 1 : 0;
  return sign | (low + up);
}
