/** Bytes of one element of a type by its name: `u32`, `.b8`, `f16x2`. */
export function bytesOf(type: string): number {
  const [, bits = "8", lanes = "1"] = /(\d{1,3})(?:x(\d{1,2}))?$/.exec(type) ?? [];
  return Math.max(1, (Number(bits) * Number(lanes)) >> 3);
}
