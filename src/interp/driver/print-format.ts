import { withoutZeros } from "../../source/suffix.ts";
import { bytesOfText } from "./text.ts";

/** The magnitude of a finite double, by its fields. */
interface Double {
  readonly exponent: number;
  readonly fraction: bigint;
}

/** The value is `numerator / denominator`. */
function ratio({ exponent, fraction }: Double): readonly [bigint, bigint] {
  const significand = exponent === 0 ? fraction : fraction | (1n << 52n);
  const scale = Math.max(exponent, 1) - 1075;
  return scale >= 0 ? [significand << BigInt(scale), 1n] : [significand, 1n << BigInt(-scale)];
}

/** numerator / denominator as an integer, ties to even: C's rounding of decimals. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  const up = twice > denominator || (twice === denominator && (quotient & 1n) === 1n);
  return up ? quotient + 1n : quotient;
}

/** The last digit that a double can have: digits behind it are zeros. */
const LAST = 1074;

const point = (digits: string, alternate: boolean): string => (digits === "" ? (alternate ? "." : "") : `.${digits}`);

/** `%.*f`. */
function decimalText(value: Double, precision: number, alternate: boolean): string {
  const places = Math.min(precision, LAST);
  const [numerator, denominator] = ratio(value);
  const all = rounded(numerator * 10n ** BigInt(places), denominator)
    .toString()
    .padStart(places + 1, "0");
  const cut = all.length - places;
  return all.slice(0, cut) + point(all.slice(cut) + "0".repeat(precision - places), alternate);
}

/** `count` significant digits and the power of ten of the first. */
function significant(value: Double, count: number): { readonly digits: string; readonly power: number } {
  const [numerator, denominator] = ratio(value);
  if (numerator === 0n) return { digits: "0".repeat(count), power: 0 };
  // As many digits before the point as the quotient has, or as many zeros behind it as the inverse has.
  let power =
    numerator >= denominator
      ? (numerator / denominator).toString().length - 1
      : -((denominator - 1n) / numerator).toString().length;
  for (;;) {
    const shift = count - 1 - power;
    const digits = (
      shift >= 0
        ? rounded(numerator * 10n ** BigInt(shift), denominator)
        : rounded(numerator, denominator * 10n ** BigInt(-shift))
    ).toString();
    if (digits.length === count) return { digits, power };
    // 9.99 became 10.0.
    power += digits.length > count ? 1 : -1;
  }
}

/** `%.*e`. */
function exponentText(value: Double, precision: number, alternate: boolean): string {
  const places = Math.min(precision, LAST);
  const { digits, power } = significant(value, places + 1);
  return digits[0] + point(digits.slice(1) + "0".repeat(precision - places), alternate) + exponentOf(power);
}

const exponentOf = (power: number): string => `e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;

/** `%.*g`: as `e` for small and large powers of ten, else as `f`, and without zeros at the end. */
function shortestText(value: Double, precision: number, alternate: boolean): string {
  const count = Math.min(Math.max(precision, 1), LAST);
  const { power } = significant(value, count);
  const scientific = power < -4 || power >= count;
  const text = scientific
    ? exponentText(value, count - 1, alternate)
    : decimalText(value, Math.max(0, count - 1 - power), alternate);
  if (alternate) return text;
  const [mantissa = "", exponent] = text.split("e");
  const bare = mantissa.includes(".") ? withoutZeros(mantissa).replace(/\.$/, "") : mantissa;
  return exponent === undefined ? bare : `${bare}e${exponent}`;
}

/** `%a` behind its 0x: one digit, hexadecimal places, a power of two. */
function hexText({ exponent, fraction }: Double, precision: number | undefined, alternate: boolean): string {
  let lead = exponent === 0 ? 0n : 1n;
  let places = fraction.toString(16).padStart(13, "0");
  if (precision === undefined) places = withoutZeros(places);
  else if (precision < 13) {
    const kept = rounded((lead << 52n) | fraction, 1n << BigInt(4 * (13 - precision)));
    lead = kept >> BigInt(4 * precision);
    const rest = kept & ((1n << BigInt(4 * precision)) - 1n);
    places = precision === 0 ? "" : rest.toString(16).padStart(precision, "0");
  } else places = places.padEnd(precision, "0");
  const power = exponent === 0 ? (fraction === 0n ? 0 : -1022) : exponent - 1023;
  return `${lead.toString(16)}${point(places, alternate)}p${power < 0 ? "-" : "+"}${Math.abs(power)}`;
}

/** The values to print: the next of 4 or 8 bytes, and the bytes of a string. */
export interface Values {
  next(bytes: 4 | 8): bigint;
  string(address: bigint): readonly number[];
}

/** One parsed conversion of a format. */
interface Conversion {
  readonly left: boolean;
  readonly plus: boolean;
  readonly space: boolean;
  readonly alternate: boolean;
  readonly zero: boolean;
  readonly width: number;
  readonly precision: number | undefined;
  /** Bytes of an integer: 4, and 8 for `l`, `ll`, `j`, `z`, `t`; bits that it is cut to. */
  readonly bytes: 4 | 8;
  readonly bits: 8 | 16 | 32 | 64;
  readonly letter: string;
}

const PERCENT = 0x25;

/** Formats values as C's printf does (C11 7.21.6.1), cut to `most` bytes. */
export function format(text: readonly number[], values: Values, most: number): Uint8Array {
  // A width may be a million: an array of numbers would need eight times that, and more while it grows.
  let made = new Uint8Array(Math.min(most, 256));
  let length = 0;
  const put = (bytes: ArrayLike<number>): void => {
    const end = Math.min(length + bytes.length, most);
    if (end > made.length) {
      const longer = new Uint8Array(Math.min(2 * end, most));
      longer.set(made);
      made = longer;
    }
    for (let from = 0; length < end; from++) made[length++] = bytes[from]!;
  };
  for (let at = 0; at < text.length && length < most; ) {
    const percent = text[at] === PERCENT ? read(text, at + 1, values, most) : undefined;
    const end = percent?.end ?? literalEnd(text, at);
    put(percent === undefined ? text.slice(at, end) : converted(percent.conversion, values, most));
    at = end;
  }
  return made.subarray(0, length);
}

/** The end of literal text: the next `%`, not counting the one at `start`. */
function literalEnd(text: readonly number[], start: number): number {
  const next = text.indexOf(PERCENT, start + 1);
  return next < 0 ? text.length : next;
}

/** Parses the text behind a `%`; undefined when it is no conversion, and then it is literal text. */
function read(
  text: readonly number[],
  start: number,
  values: Values,
  most: number,
): { readonly conversion: Conversion; readonly end: number } | undefined {
  let at = start;
  const letter = (): string => String.fromCharCode(text[at] ?? 0);
  const flags = new Set<string>();
  while ("-+ #0".includes(letter())) {
    flags.add(letter());
    at++;
  }
  const number = (): number => {
    if (letter() === "*") {
      at++;
      return Number(BigInt.asIntN(32, values.next(4)));
    }
    let value = 0;
    for (; letter() >= "0" && letter() <= "9"; at++) value = Math.min(value * 10 + Number(letter()), most);
    return value;
  };
  // A star consumes a value, so the check that this is a conversion at all comes first.
  const rest = /^(?:\*|\d*)(?:\.(?:\*|\d*))?(?:hh|h|ll|l|L|q|j|z|t)?([diouxXcspeEfFgGaA%])/.exec(
    String.fromCharCode(...text.slice(at, at + 64)),
  );
  if (rest === null) return undefined;
  const width = number();
  let precision: number | undefined;
  if (letter() === ".") {
    at++;
    const given = number();
    precision = given < 0 ? undefined : Math.min(given, most);
  }
  let size = "";
  for (; "hlLqjzt".includes(letter()); at++) size += letter();
  const long = /^(l|ll|L|q|j|z|t)$/.test(size);
  const conversion: Conversion = {
    left: flags.has("-") || width < 0,
    plus: flags.has("+"),
    space: flags.has(" "),
    alternate: flags.has("#"),
    zero: flags.has("0"),
    width: Math.min(Math.abs(width), most),
    precision,
    bytes: long ? 8 : 4,
    bits: long ? 64 : size === "h" ? 16 : size === "hh" ? 8 : 32,
    letter: letter(),
  };
  return { conversion, end: at + 1 };
}

function converted(conversion: Conversion, values: Values, most: number): ArrayLike<number> {
  const { letter, precision } = conversion;
  switch (letter) {
    case "%":
      return [PERCENT];
    case "c":
      return padded([Number(values.next(4) & 0xffn)], conversion);
    case "s": {
      const address = values.next(8);
      const bytes = address === 0n ? bytesOfText("(null)") : values.string(address);
      return padded(bytes.slice(0, precision ?? most), conversion);
    }
    case "p": {
      const address = values.next(8);
      return padded(bytesOfText(address === 0n ? "(nil)" : `0x${address.toString(16)}`), conversion);
    }
    case "d":
    case "i":
    case "o":
    case "u":
    case "x":
    case "X":
      return integer(values.next(conversion.bytes), conversion);
    default:
      return float(values.next(8), conversion);
  }
}

/** Pads with spaces to the width. */
function padded(bytes: ArrayLike<number>, { width, left }: Conversion): ArrayLike<number> {
  if (bytes.length >= width) return bytes;
  const filled = new Uint8Array(width).fill(0x20);
  filled.set(bytes, left ? 0 : width - bytes.length);
  return filled;
}

/** A sign or prefix and digits, with padding zeros between them. */
function signed(prefix: string, digits: string, zeros: boolean, conversion: Conversion): ArrayLike<number> {
  const { width, left } = conversion;
  const fill = zeros && !left ? Math.max(0, width - prefix.length - digits.length) : 0;
  return padded(bytesOfText(prefix + "0".repeat(fill) + digits), conversion);
}

const sign = (negative: boolean, { plus, space }: Conversion): string =>
  negative ? "-" : plus ? "+" : space ? " " : "";

function integer(raw: bigint, conversion: Conversion): ArrayLike<number> {
  const { letter, bits, precision, alternate, zero } = conversion;
  const decimal = letter === "d" || letter === "i";
  const value = decimal ? BigInt.asIntN(bits, raw) : BigInt.asUintN(bits, raw);
  const size = value < 0n ? -value : value;
  const base = letter === "o" ? 8 : letter === "x" || letter === "X" ? 16 : 10;
  let digits = size === 0n && precision === 0 ? "" : size.toString(base);
  digits = digits.padStart(precision ?? 1, "0");
  if (base === 8 && alternate && !digits.startsWith("0")) digits = `0${digits}`;
  let prefix = decimal ? sign(value < 0n, conversion) : "";
  if (base === 16 && alternate && size !== 0n) prefix = "0x";
  if (letter === "X") [prefix, digits] = [prefix.toUpperCase(), digits.toUpperCase()];
  return signed(prefix, digits, zero && precision === undefined, conversion);
}

function float(bits: bigint, conversion: Conversion): ArrayLike<number> {
  const { letter, precision, alternate, zero } = conversion;
  const kind = letter.toLowerCase();
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const negative = bits >> 63n === 1n;
  const finite = exponent !== 0x7ff;
  let prefix = sign(negative, conversion);
  let digits: string;
  if (!finite) digits = fraction === 0n ? "inf" : "nan";
  else {
    const value = { exponent, fraction };
    if (kind === "a") prefix += "0x";
    if (kind === "f") digits = decimalText(value, precision ?? 6, alternate);
    else if (kind === "e") digits = exponentText(value, precision ?? 6, alternate);
    else if (kind === "a") digits = hexText(value, precision, alternate);
    else digits = shortestText(value, precision ?? 6, alternate);
  }
  if (letter !== kind) [prefix, digits] = [prefix.toUpperCase(), digits.toUpperCase()];
  return signed(prefix, digits, zero && finite, conversion);
}
