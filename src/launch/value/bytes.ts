/** The bytes that pairs of hexadecimal digits spell, first byte first; `undefined` when they are no such pairs. */
export function hexBytes(digits: string): Uint8Array | undefined {
  if (!/^(?:[\da-f]{2})*$/i.test(digits)) return undefined;
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
