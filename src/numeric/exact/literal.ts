import { div, type Exact, finite, mul } from "./exact.ts";

/** More digits, and a greater power of ten, than any format can use; keeps exact powers small. */
const MAX_DIGITS = 5000;

/** Beyond 2^20000 everything is too large, and below 2^-40000 too small, whatever the 5000 digits are. */
const MOST_BINARY = 40_000;

/**
 * A number as people write it, exactly: `1.5`, `-1e-3`, `inf`, `nan`, and what C writes: `1.5f`, `0x1.8p3`. Nothing is
 * rounded on the way to a format. Undefined for what is no number, `0x3c00` among it: that is bits.
 */
export function exactOf(text: string): Exact | undefined {
  if (text.length > MAX_DIGITS) return undefined;
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special !== null)
    return special[2]?.toLowerCase() === "nan" ? { kind: "nan" } : { kind: "inf", neg: special[1] === "-" };
  return /^[+-]?0x/i.test(text) ? hexadecimal(text) : decimal(text);
}

/** `1`, `1.5`, `.5e3`; an `f` behind a point or an exponent says nothing that the type does not. */
function decimal(text: string): Exact | undefined {
  const found = /^([+-]?)(\d*)(\.\d*)?(?:e([+-]?\d{1,6}))?(f?)$/i.exec(text);
  if (found === null) return undefined;
  const [, sign, whole = "", point = "", power, suffix] = found;
  const fraction = point.slice(1);
  if (whole + fraction === "" || (suffix !== "" && point === "" && power === undefined)) return undefined;
  const digits = finite(sign === "-", BigInt(whole + fraction), 0);
  const exponent = Math.max(-MAX_DIGITS, Math.min(MAX_DIGITS, Number(power ?? "0") - fraction.length));
  const ten = finite(false, 10n ** BigInt(Math.abs(exponent)), 0);
  return exponent < 0 ? div(digits, ten) : mul(digits, ten);
}

/** `0x1.8p3`: a significand in hexadecimal times a power of two, as C's `%a` prints it. */
function hexadecimal(text: string): Exact | undefined {
  const found = /^([+-]?)0x([\da-f]*)(?:\.([\da-f]*))?p([+-]?\d{1,6})f?$/i.exec(text);
  const [, sign, whole = "", fraction = "", power = "0"] = found ?? [];
  if (found === null || whole + fraction === "") return undefined;
  const exponent = Math.max(-MOST_BINARY, Math.min(MOST_BINARY, Number(power) - 4 * fraction.length));
  return finite(sign === "-", BigInt(`0x${whole}${fraction}`), exponent);
}
