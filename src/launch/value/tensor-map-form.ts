import type { TensorMapOptions } from "../../host/index.ts";

/** The content of `tensormap:64x64,box=32x8,swizzle=128B:f32x4096:iota`, except its tensor. */
export interface TensorMapForm {
  readonly options: Omit<TensorMapOptions, "tensor" | "type"> & { readonly type?: string };
  /** The part after the last option's colon: a new buffer, or `=NAME`; `at` counts from the start of the text. */
  readonly tensor: { readonly text: string; readonly at: number };
}

interface Mistake {
  readonly message: string;
  readonly expected: string;
}

const START = "tensormap:";
/** True for a value that is meant to be a tensor map. */
export const isTensorMap = (text: string): boolean => text.startsWith(START);

const words = ["type", "interleave", "swizzle", "l2", "fill"] as const;
const lists = ["strides", "box", "steps", "lower", "upper"] as const;
const counts = ["offset", "channels", "pixels"] as const;
const all = [...words, ...lists, ...counts, "wide"];

/**
 * Reads `tensormap:DIMS{,OPTION=...}:TENSOR`. Lists are numbers with x between them, the dimension whose elements lie side by
 * side first.
 */
export function tensorMapForm(text: string): TensorMapForm | Mistake {
  const rest = text.slice(START.length);
  const colon = rest.indexOf(":");
  if (colon < 0) return { message: `${text} names no tensor`, expected: "tensormap:DIMS,...:f32x64:iota or ...:=NAME" };
  const [first = "", ...options] = rest.slice(0, colon).split(",");
  const dims = listOf(first);
  if (dims === undefined) return { message: `${first} are not dimensions`, expected: "64x64, the innermost first" };
  const found = new Map<string, string>();
  for (const option of options) {
    const [name = "", ...value] = option.split("=");
    if (!all.includes(name))
      return { message: `a tensor map has no ${name || "option without a name"}`, expected: all.join(", ") };
    if (found.has(name)) return { message: `${name} is given twice`, expected: "one value" };
    if ((name === "wide") !== (value.length === 0))
      return {
        message: name === "wide" ? "wide takes no value" : `${name} has no value`,
        expected: name === "wide" ? "wide" : `${name}=...`,
      };
    found.set(name, value.join("="));
  }
  const made: Record<string, string | number | readonly number[]> = {};
  for (const name of words) if (found.has(name)) made[name] = found.get(name) ?? "";
  for (const name of lists) {
    const given = found.get(name);
    const list = given === undefined ? undefined : listOf(given);
    if (given !== undefined && list === undefined)
      return { message: `${name}=${given} is not a list of numbers`, expected: `${name}=32x8` };
    if (list !== undefined) made[name] = list;
  }
  for (const name of counts) {
    const given = found.get(name);
    if (given === undefined) continue;
    if (!/^\d+$/.test(given)) return { message: `${name}=${given} is not a number`, expected: `${name}=64` };
    made[name] = Number(given);
  }
  const { lower, upper, channels, pixels, ...others } = made;
  const parts = [lower, upper, channels, pixels].filter((part) => part !== undefined);
  if (parts.length > 0 && parts.length < 4)
    return {
      message: "an im2col map needs lower, upper, channels and pixels",
      expected: "lower=-1x-1,upper=-1x-1,channels=16,pixels=64",
    };
  if (parts.length === 0 && found.has("wide"))
    return { message: "wide is for im2col maps", expected: "lower=-1,upper=-1,channels=64,pixels=64,wide" };
  const im2col = parts.length === 0 ? {} : { im2col: { lower, upper, channels, pixels, wide: found.has("wide") } };
  return {
    // The loops above have made each of its type.
    options: { dims, ...others, ...im2col } as TensorMapForm["options"],
    tensor: { text: rest.slice(colon + 1), at: START.length + colon + 1 },
  };
}

/** `64x64`, `-1x-1`. */
function listOf(text: string): readonly number[] | undefined {
  const parts = text.split("x");
  return parts.every((part) => /^-?\d+$/.test(part)) ? parts.map(Number) : undefined;
}
