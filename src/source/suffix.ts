/**
 * Where the end of a text begins that consists of the given characters alone. It looks from the end: a pattern such as
 * `/0+$/` looks at every zero of the text again and again.
 */
export function suffixStart(text: string, characters: string): number {
  let at = text.length;
  while (at > 0 && characters.includes(text.charAt(at - 1))) at--;
  return at;
}

/** Digits without the zeros at their end. */
export const withoutZeros = (digits: string): string => digits.slice(0, suffixStart(digits, "0"));
