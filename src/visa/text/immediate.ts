import type { Immediate, Type } from "../ast.ts";

/** A number as written in front of its type: an integer with its prefix applied, or the digits of a float. */
export type WrittenNumber =
  | { readonly kind: "integer"; readonly value: bigint; readonly negative: boolean; readonly hex: boolean }
  | { readonly kind: "float"; readonly digits: string; readonly negative: boolean };

/** The types whose immediates take 64 bits of an object. */
const long: ReadonlySet<Type> = new Set<Type>(["df", "q", "uq"]);
const floating: ReadonlySet<Type> = new Set<Type>(["f", "df"]);

const scratch = new DataView(new ArrayBuffer(8));

/**
 * The field of an immediate, or what is wrong with it. In f and df, only digits with a point or an exponent are a
 * number; an integer gives the bits, and a minus sets their sign (measured with the 2024 tool).
 */
export function immediateBits(
  written: WrittenNumber,
  type: Type,
): Pick<Immediate, "bits" | "written"> | { readonly wrong: string; readonly expected: string } {
  if (type === "bf") return { wrong: "there are no immediates of type bf", expected: "a value of type f" };
  if (type === "bool") return { wrong: "there are no immediates of type bool", expected: "a value of type ud" };
  if (written.kind === "float") return floatBits(written, type);
  const { value, negative, hex } = written;
  if (type === "hf") {
    if (hex && !negative && value <= 0xffffn) return { bits: value };
    return { wrong: "an immediate of type hf is its bits", expected: "0x0 to 0xffff" };
  }
  const width = long.has(type) ? 64 : 32;
  if (floating.has(type)) {
    const magnitude = BigInt.asUintN(width, negative ? -value : value);
    return { bits: negative ? magnitude | (1n << BigInt(width - 1)) : magnitude, written: value };
  }
  return { bits: BigInt.asUintN(width, value), written: value };
}

/** The tool reads a double and converts it to f, so f is rounded twice. */
function floatBits(
  { digits, negative }: WrittenNumber & { kind: "float" },
  type: Type,
): ReturnType<typeof immediateBits> {
  if (!floating.has(type))
    return { wrong: `${digits} is not a value of type ${type}`, expected: "a value of type f or df" };
  const value = Number(digits) * (negative ? -1 : 1);
  if (type === "df") {
    scratch.setFloat64(0, value);
    return { bits: scratch.getBigUint64(0) };
  }
  scratch.setFloat32(0, value);
  return { bits: BigInt(scratch.getUint32(0)) };
}
