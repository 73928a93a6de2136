import { malformed } from "./itanium/output.ts";

/** Decodes a name in Punycode (RFC 3492): plain characters, then the positions and values of the others. */
export function fromPunycode(plain: string, inserted: string): string {
  const points = [...plain].map((character) => character.codePointAt(0) ?? 0);
  let code = 128;
  let at = 0;
  let bias = 72;
  let first = true;
  for (let index = 0; index < inserted.length; ) {
    let delta = 0;
    for (let weight = 1, digits = 36; ; digits += 36) {
      const digit = digitOf(inserted.charCodeAt(index++));
      delta += digit * weight;
      const threshold = Math.min(26, Math.max(1, digits - bias));
      if (delta > 0x7fff_ffff) throw malformed;
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const length = points.length + 1;
    bias = adapted(delta, length, first);
    first = false;
    at += delta;
    code += Math.floor(at / length);
    at %= length;
    if (code > 0x10_ffff || (code >= 0xd800 && code < 0xe000)) throw malformed;
    points.splice(at++, 0, code);
  }
  return String.fromCodePoint(...points);
}

function digitOf(character: number): number {
  if (character >= 0x61 && character <= 0x7a) return character - 0x61;
  if (character >= 0x30 && character <= 0x39) return character - 0x30 + 26;
  throw malformed;
}

function adapted(delta: number, length: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? 700 : 2));
  rest += Math.floor(rest / length);
  let bias = 0;
  for (; rest > 455; bias += 36) rest = Math.floor(rest / 35);
  return bias + Math.floor((36 * rest) / (rest + 38));
}
