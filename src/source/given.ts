import { nearest } from "./nearest.ts";

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isNumber = (value: unknown): boolean => typeof value === "number" && !Number.isNaN(value);
const isBytes = (value: unknown): boolean => isObject(value) && "byteLength" in value;
const isExtent = (value: unknown): boolean =>
  isNumber(value) || (Array.isArray(value) && value.length >= 1 && value.length <= 3 && value.every(isNumber));

/** What a program in JavaScript may give for a parameter: in words, and whether a value is that. */
const kinds = {
  anything: ["anything", () => true],
  number: ["a number", isNumber],
  text: ["a text", (value: unknown) => typeof value === "string"],
  truth: ["true or false", (value: unknown) => typeof value === "boolean"],
  bit: ["0 or 1", (value: unknown) => value === 0 || value === 1],
  bigint: ["a bigint", (value: unknown) => typeof value === "bigint"],
  bits: ["bits, as a bigint or a number", (value: unknown) => typeof value === "bigint" || Number.isInteger(value)],
  call: ["a function", (value: unknown) => typeof value === "function"],
  object: ["an object", isObject],
  list: ["an array", (value: unknown) => Array.isArray(value)],
  map: ["a Map", (value: unknown) => value instanceof Map],
  extent: ["a number, or an array of one to three", isExtent],
  program: ["a text, { name, text }, { name, bytes }, a Source or a Uint8Array", (value: unknown) => typeof value === "string" || isObject(value)],
  array: ["an ArrayBuffer or a typed array", isBytes],
  contents: ["a number of bytes, an ArrayBuffer or a typed array", (value: unknown) => isNumber(value) || isBytes(value)],
  format: ["a format, such as f16", (value: unknown) => isObject(value) && "exp" in value && "frac" in value],
  numeric: ["a number, a bigint or a text", (value: unknown) => ["number", "bigint", "string"].includes(typeof value)],
  rounding: ["rn, rz, rm, rp or rna", (value: unknown) => typeof value === "string" && /^(?:r[nzmp]|rna)$/.test(value)],
} as const satisfies Readonly<Record<string, readonly [words: string, is: (value: unknown) => boolean]>>; // biome-ignore format: a table

export type Kind = keyof typeof kinds;

/** Throws a TypeError that names the parameter of a function where a value is none that it takes. */
export function checkGiven(of: string, name: string, value: unknown, kind: Kind): void {
  const [words, is] = kinds[kind];
  if (!is(value)) throw new TypeError(`${of}: ${name} is ${shown(value)}, expected ${words}`);
}

/**
 * Throws a TypeError for an option that a function does not have, with the nearest that it has, and for a value that an
 * option does not take, or one that is missing. What is undefined counts as not given.
 */
export function checkOptions<T extends object>(
  of: string,
  options: T,
  known: Readonly<Record<keyof T & string, Kind>>,
  required: readonly (keyof T & string)[] = [],
): void {
  if (!isObject(options)) throw new TypeError(`${of}: the options are ${shown(options)}, expected an object`);
  for (const name of Object.keys(options)) {
    const kind = Object.hasOwn(known, name) ? known[name as keyof T & string] : undefined;
    if (kind === undefined)
      throw new TypeError(`${of}: unknown option ${JSON.stringify(name)}; ${wayOut(name, known)}`);
    const value = options[name as keyof T];
    if (value !== undefined) checkGiven(of, name, value, kind);
  }
  const missing = required.find((name) => options[name] === undefined);
  if (missing !== undefined) throw new TypeError(`${of}: the option ${JSON.stringify(missing)} is missing`);
}

function wayOut(name: string, known: object): string {
  const names = Object.keys(known);
  const near = nearest(name, names);
  return near === undefined ? `there are ${names.join(", ")}` : `did you mean ${JSON.stringify(near)}?`;
}

/** A value in a message: a short text as it is, of others what they are. */
function shown(value: unknown): string {
  if (typeof value === "string") return value.length > 40 ? "a long text" : JSON.stringify(value);
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint") return `the bigint ${value}n`;
  if (Array.isArray(value)) return "an array";
  return isObject(value) ? "an object" : String(value);
}
