import { type ElementType, isElementType } from "../../host/memory/element.ts";
import { tf32 } from "../../numeric/format/format.ts";
import { bitsIn, formats } from "../../numeric/format/named.ts";
import { isValueType, widthOf } from "../../numeric/format/value-type.ts";

/** How a dump is shown: `f32x4x4`, `4x4`, `e4m3`, `all`. */
export interface DumpView {
  /** An element type, or one of the formats of one byte that only a view has; the buffer's own by default. */
  readonly type?: string;
  /** Elements along each axis, the slowest first; all of the buffer in rows by default. */
  readonly shape?: readonly number[];
  /** Every line, however many. */
  readonly all?: true;
  /** The text, where registers can be read in it, too: `bf16`, `e4m3x2`. */
  readonly ofRegisters?: string;
}

/** Types of one byte that a dump may be read as, though no buffer is made of them. */
const small: ReadonlySet<string> = new Set(
  formats.filter(({ width }) => width === 8).map((format) => (bitsIn(format) === 4 ? `${format.name}x2` : format.name)),
);

const isViewed = (type: string): boolean => isElementType(type) || small.has(type) || type === tf32.name;

/** The syntax of a view, for messages. */
export const VIEWS = "f32x4x4, 4x4, a type such as f16, e4m3 or e2m1x2, or all";

/** The element type whose bits a viewed type has. */
export const carrierOf = (type: string): ElementType =>
  isElementType(type) ? type : (`u${widthOf(type)}` as ElementType);

/** Bytes of one element of a viewed type. */
export const sizeOf = (type: string): number => widthOf(type) / 8;

/** False for a view in a type that only registers have. */
export const isOfBuffers = ({ type, shape, all }: DumpView): boolean => (type ?? shape ?? all) !== undefined;

/** Reads a view; undefined for any other text. `f16x2` is the type. */
export function readView(text: string): DumpView | undefined {
  const view = bufferView(text);
  return isValueType(text) && text !== "pred" ? { ...view, ofRegisters: text } : view;
}

function bufferView(text: string): DumpView | undefined {
  if (text === "all") return { all: true };
  const words = text.split("x");
  const length = [2, 1].find((count) => isViewed(words.slice(0, count).join("x"))) ?? 0;
  const type = length === 0 ? {} : { type: words.slice(0, length).join("x") };
  const sizes = words.slice(length);
  if (sizes.length === 0) return type;
  if (sizes.length > 8 || (length === 0 && sizes.length < 2) || !sizes.every((each) => /^[1-9]\d{0,8}$/.test(each)))
    return undefined;
  return { ...type, shape: sizes.map(Number) };
}
