import { isElementType } from "../host/memory/element.ts";
import { problem } from "../host/problem.ts";
import { type Reading, readFloat, readNumber, widthOf } from "../launch/value/number.ts";
import type { Format } from "../numeric/format/format.ts";
import { formats, packedType } from "../numeric/format/named.ts";
import { explainFloat, floatToJson } from "../present/explain.ts";
import type { Palette } from "../present/palette.ts";
import { hex, number } from "../present/value.ts";
import { nearest } from "../resolve/nearest.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import { type Answer, hexJson, refused, said, unknown } from "./answer.ts";
import { distancesOf } from "./distance.ts";

/** True for what begins as a number, so that it is one or a mistake in one. */
export const isNumber = (what: string): boolean => /^[-+]?(?:[\d.]|inf$|nan$)/i.test(what);

/** A type that a value is read in: a scalar one, or packed lanes of a format, the first in the low bits. */
interface ValueType {
  readonly name: string;
  readonly width: number;
  /** Of a float, or of each lane of a packed one. */
  readonly format: Format | undefined;
  readonly lanes: number;
  readonly lane: number;
}

/** `0x3e94`, or `0x3e94,0x3c00`, which are the lanes of a packed type and as many values of another. */
export function explainValues(words: readonly string[], as: string | undefined, colours: Palette): Answer {
  const texts = words.flatMap((word) => word.split(","));
  const packed = words.some((word) => word.includes(","));
  const names = as?.split(",") ?? guesses(texts, packed);
  const pieces: string[] = [];
  const readings: Record<string, unknown>[] = [];
  const distances: Record<string, unknown>[] = [];
  for (const name of names) {
    const type = typeOf(name);
    if (type === undefined) {
      const known = [...formats.map((each) => each.name), "f16x2", "bf16x2", "u32", "s32", "u64", "s64"];
      return refused(unknown(`.${name} is no type`, nearest(name, known), known.join(", ")));
    }
    const values: bigint[] = [];
    for (const word of type.lanes > 1 ? words : texts) {
      const bits = bitsOf(word, type);
      if (typeof bits !== "bigint") return refused(bits);
      values.push(bits);
      pieces.push(shown(bits, type, colours));
      readings.push({ text: word, type: name, bits: hexJson(bits), ...jsonOf(bits, type) });
    }
    const apart = distancesOf(name, type.width, values);
    if (apart.length > 0)
      pieces.push(apart.map(({ text }) => `  ${colours.faint("distance".padEnd(12))}${text}\n`).join(""));
    distances.push(...apart.map(({ json }) => json));
  }
  const json = { kind: "value", readings, ...(distances.length > 0 && { distances }) } as const;
  return said({ text: pieces.join("\n"), json });
}

function typeOf(name: string): ValueType | undefined {
  const format = formats.find((each) => each.name === name);
  if (format !== undefined) return { name, width: format.width, format, lanes: 1, lane: format.width };
  const packed = packedType(name);
  if (packed !== undefined) {
    const { lane: format, count: lanes, width: lane } = packed;
    return lane * lanes > 64 ? undefined : { name, width: lane * lanes, format, lanes, lane };
  }
  if (!isElementType(name)) return undefined;
  const width = widthOf(name);
  return { name, width, format: undefined, lanes: 1, lane: width };
}

function bitsOf(word: string, type: ValueType): bigint | Diagnostic {
  if (type.lanes === 1 || !word.includes(",")) {
    const whole = type.lanes === 1 ? one(word, type) : readNumber(word, `b${type.width}`);
    return "bits" in whole ? whole.bits : wrong(whole);
  }
  const items = word.split(",");
  if (items.length !== type.lanes)
    return problem("PTX2102", `${word} has ${items.length} lanes, and .${type.name} has ${type.lanes}`, {
      expected: `${type.lanes} values with commas, low bits first`,
    });
  let bits = 0n;
  for (const [at, item] of items.entries()) {
    const reading = one(item, type);
    if (!("bits" in reading)) return wrong(reading);
    bits |= reading.bits << BigInt(at * type.lane);
  }
  return bits;
}

const one = (word: string, { name, lanes, lane, format }: ValueType): Reading =>
  format !== undefined && (lanes > 1 || !isElementType(name)) ? readFloat(word, format, lane) : readNumber(word, name);

const wrong = (reading: Exclude<Reading, { readonly bits: bigint }>): Diagnostic =>
  problem("PTX2102", reading.message, { expected: reading.expected });

const lanesIn = (bits: bigint, { lanes, lane }: ValueType): bigint[] =>
  Array.from({ length: lanes }, (_, at) => BigInt.asUintN(lane, bits >> BigInt(at * lane)));

function shown(bits: bigint, type: ValueType, colours: Palette): string {
  const { name, width, format, lanes } = type;
  if (format === undefined) return `${colours.strong(`${hex(bits, width)} as ${name}`)}: ${number(bits, name)}\n`;
  if (lanes === 1) return explainFloat(bits, format, colours);
  return lanesIn(bits, type)
    .map((each, at) => `lane ${at}: ${explainFloat(each, format, colours)}`)
    .join("");
}

function jsonOf(bits: bigint, type: ValueType): Record<string, unknown> {
  const { name, format, lanes } = type;
  if (format === undefined) return { value: number(bits, name) };
  if (lanes === 1) return floatToJson(bits, format);
  return { lanes: lanesIn(bits, type).map((each) => ({ bits: hexJson(each), ...floatToJson(each, format) })) };
}

/** Without `--as`: floats of the width that the spelling has, four digits of hexadecimal being 16 bits. */
function guesses(texts: readonly string[], packed: boolean): string[] {
  const all = texts.map(guessed);
  const [first = []] = all;
  const shared = first.filter((type) => all.every((types) => types.includes(type)));
  if (!packed) return shared.length > 0 ? shared : first;
  const pairs = ["f16", "bf16"].filter((type) => texts.length === 2 && shared.includes(type));
  return pairs.length > 0 ? pairs.map((type) => `${type}x2`) : shared.length > 0 ? shared : first;
}

function guessed(text: string): string[] {
  if (/^0f/i.test(text)) return ["f32"];
  if (/^0d/i.test(text)) return ["f64"];
  const digits = /^0x([\da-f_]+)$/i.exec(text)?.[1]?.replaceAll("_", "").length;
  if (digits === undefined) return ["f16", "bf16", "f32"];
  if (digits <= 2) return ["e4m3", "e5m2", "u8"];
  if (digits <= 4) return ["f16", "bf16", "u16", "s16"];
  return digits <= 8 ? ["f32", "f16x2", "u32", "s32"] : ["f64", "u64", "s64"];
}
