/** The bytes of pairs of hexadecimal digits, first byte first; `undefined` for any other text. */
export function hexBytes(digits: string): Uint8Array | undefined {
  if (!/^(?:[\da-f]{2})*$/i.test(digits)) return undefined;
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
