import { type Exact, integral, round, unpack } from "../../numeric/exact/exact.ts";
import { exactOf } from "../../numeric/exact/literal.ts";
import type { Format } from "../../numeric/format/format.ts";
import { formatNamed, widthOf } from "../../numeric/format/value-type.ts";

/**
 * One number or bit pattern read in a type, or why it is invalid; `fits` is false for a value that the type cannot
 * represent.
 */
export type Reading =
  | { readonly bits: bigint }
  | { readonly message: string; readonly expected: string; readonly fits: boolean };

const bad = (message: string, expected: string, fits = true): Reading => ({ message, expected, fits });

/** Reads `0x..`, `0b..`, `0f..`, `0d..` as bits, of which there are `width`, anything else as a number of a scalar type. */
export function readNumber(text: string, type: string, width = widthOf(type)): Reading {
  const plain = text.replaceAll("_", "");
  if (type === "pred") {
    const truth = new Map([
      ["0", 0n],
      ["1", 1n],
      ["false", 0n],
      ["true", 1n],
    ]).get(text.toLowerCase());
    return truth === undefined ? bad(`${text} is not a value of a predicate`, "0 or 1") : { bits: truth };
  }
  const raw = rawBits(plain);
  if (raw !== undefined) {
    if (raw.bits >> BigInt(width) === 0n && (raw.width === undefined || raw.width === width)) return { bits: raw.bits };
    const size = raw.width ?? raw.bits.toString(2).length;
    return bad(`${text} has ${size} bits, and .${type} has ${width}`, `${width} bits`, false);
  }
  const value = exactOf(plain);
  if (value === undefined) {
    if (text === "") return bad("nothing after the =", "a number, or 0x.. for bits");
    // `f32`, `f32[4]`: a buffer was meant.
    const buffer = /^[a-z]+\d+(?!\w)/.exec(text)?.[0] ?? /^(?:float|int|double|uint)\b/.exec(text)?.[0];
    const wanted =
      formatNamed(type) === undefined ? "a whole number, or 0x.. for bits" : "a number, inf, nan, or 0x.. for bits";
    return bad(`${text} is not a value`, buffer === undefined ? wanted : `${wanted}; or a buffer such as f32x4:fill=0`);
  }
  const format = formatNamed(type);
  if (format !== undefined) return inFormat(text, value, format, isWhole(plain));
  return inInteger(text, plain, value, type, width);
}

/** `0f` and `0d` also determine the width. */
function rawBits(text: string): { readonly bits: bigint; readonly width?: number } | undefined {
  if (/^0x[\da-f]+$/i.test(text)) return { bits: BigInt(text) };
  if (/^0b[01]+$/i.test(text)) return { bits: BigInt(text) };
  if (/^0f[\da-f]{8}$/i.test(text)) return { bits: BigInt(`0x${text.slice(2)}`), width: 32 };
  if (/^0d[\da-f]{16}$/i.test(text)) return { bits: BigInt(`0x${text.slice(2)}`), width: 64 };
  return undefined;
}

/** A number in a format that may be narrower than a byte, or its bits, of which there are `width`. */
export function readFloat(text: string, format: Format, width: number): Reading {
  const plain = text.replaceAll("_", "");
  const raw = rawBits(plain);
  if (raw !== undefined) {
    const size = raw.width ?? raw.bits.toString(2).length;
    if (size <= width) return { bits: raw.bits };
    return bad(`${text} has ${size} bits, and .${format.name} has ${width}`, `${width} bits`, false);
  }
  const value = exactOf(plain);
  if (value === undefined) return bad(`${text} is not a value`, "0x.., a number, inf or nan");
  return inFormat(text, value, format, isWhole(plain));
}

const isWhole = (text: string): boolean => /^[+-]?\d+$/.test(text);

/**
 * A number in a floating-point type, to nearest even. An integer that the type cannot represent is not rounded
 * silently: it was probably meant as bits, or for another type.
 */
function inFormat(text: string, value: Exact, format: Format, whole: boolean): Reading {
  if (value.kind === "nan" ? format.specials === "none" : value.kind === "inf" && format.specials !== "ieee")
    return bad(`.${format.name} has no ${value.kind === "nan" ? "NaN" : "infinity"}`, "a number", false);
  const bits = round(format, "rn", value);
  if (value.kind !== "finite") return { bits };
  const back = unpack(format, bits);
  const beyond = format.specials === "ieee" ? "inf for infinity" : "a smaller number: the type has no infinity";
  if (back.kind !== "finite" && !whole) return bad(`${text} is too large for .${format.name}`, beyond, false);
  if (back.kind === "finite" && back.sig === 0n && value.sig !== 0n)
    return bad(`${text} is too small for .${format.name}`, "0.0 for zero", false);
  if (!whole) return { bits };
  if (back.kind === "finite" && same(back, value)) return { bits };
  const digits = format.width / 4;
  const nearest = `0x${bits.toString(16).padStart(digits, "0")}`;
  if (back.kind !== "finite") return bad(`${text} is too large for .${format.name}`, beyond, false);
  const asBits = BigInt(text.replace(/^\+/, ""));
  const other =
    asBits >= 0n && asBits >> BigInt(format.width) === 0n ? `, or 0x${asBits.toString(16)} for the bits` : "";
  return bad(`.${format.name} does not hold ${text} exactly`, `${text}.0 for the nearest (${nearest})${other}`, false);
}

const same = (a: Exact, b: Exact): boolean => {
  if (a.kind !== "finite" || b.kind !== "finite") return false;
  const low = Math.min(a.exp, b.exp);
  return a.sig << BigInt(a.exp - low) === b.sig << BigInt(b.exp - low);
};

function inInteger(text: string, plain: string, value: Exact, type: string, width: number): Reading {
  if (!isWhole(plain)) {
    const whole = value.kind === "finite" && integral(value, "rz");
    const reading = whole && whole.kind === "finite" && same(whole, value);
    const floats = new Map([
      [16, ["f16", "bf16"]],
      [32, ["f32"]],
      [64, ["f64"]],
    ]);
    const asFloat = floats
      .get(width)
      ?.map((float) => `:${float}=${text}`)
      .join(" or ");
    return bad(
      `${text} is not an integer, and .${type} is not a float type`,
      [asFloat && `${asFloat} for a number`, reading ? "digits without a point for an integer" : "0x.. for bits"]
        .filter(Boolean)
        .join(", or "),
      false,
    );
  }
  const whole = BigInt(plain.replace(/^\+/, ""));
  const lowest = type.startsWith("u") ? 0n : -(1n << BigInt(width - 1));
  const highest = type.startsWith("s") ? (1n << BigInt(width - 1)) - 1n : (1n << BigInt(width)) - 1n;
  if (whole < lowest || whole > highest) return bad(`.${type} does not hold ${text}`, `${lowest} to ${highest}`, false);
  return { bits: BigInt.asUintN(width, whole) };
}
