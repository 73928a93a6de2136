import { type ElementType, isElementType } from "../../host/index.ts";
import { meantBy } from "../../isa/match/other-assemblers.ts";
import { fillMeant, fills, type Recipe, readRecipe } from "./recipe.ts";
import { isTensorMap } from "./tensor-map-form.ts";

/** The kind of a VALUE, by its spelling alone. */
export type ValueForm =
  /** `0x3c00`, `1.5`, `1,2`. */
  | { readonly kind: "scalar" }
  /** `f32x8`, `f32x4x4`, `f32x8:fill=0`, `f32x8:iota`, `f32x8:random:7`, `u32x4:1,2,3,4`: a new buffer, whose address is passed. */
  | {
      readonly kind: "buffer";
      readonly type: ElementType;
      readonly count: number;
      readonly fill: Fill;
      /** Its sizes, where it has several. */
      readonly shape?: readonly number[];
    }
  /** `@x.npy`, `@x.bin`. */
  | { readonly kind: "file"; readonly path: string }
  /** `=NAME`, `=INDEX`: the same buffer as that parameter's. */
  | { readonly kind: "same"; readonly name: string }
  /** `hex:00ff`: bytes in the order of memory. */
  | { readonly kind: "bytes"; readonly digits: string }
  /** `image:cat.pgm`, `surface:u8x4:64x48`, `sampler:filter=linear`: an object whose handle is passed. */
  | { readonly kind: "image" }
  /** `tensormap:64x64,box=32x8:=x`: see tensor-map-form.ts. */
  | { readonly kind: "tensormap" }
  /** `multimem:2:f32x8:fill=1`: a multimem address for this many replicas of a new buffer. */
  | { readonly kind: "multimem"; readonly devices: number; readonly rest: string }
  /** Looks like a buffer but is malformed. */
  | {
      readonly kind: "wrong";
      readonly message: string;
      readonly expected: string;
      /** The value that was probably meant. */
      readonly meant?: string;
    };

type Fill =
  /** The bytes are undefined: reading them is a finding. */
  | { readonly kind: "none" }
  | { readonly kind: "iota" }
  | { readonly kind: "recipe"; readonly recipe: Recipe }
  | { readonly kind: "value"; readonly text: string; readonly at: number }
  /** `at`: where the list begins in the value's text. */
  | { readonly kind: "list"; readonly text: string; readonly at: number };

/** `f32x4`, of `f32x4x4`: the type, and all sizes but the last. */
function shapeOf(text: string): { readonly type: string; readonly sizes: readonly number[] } {
  const words = text.split("x");
  const length = [2, 1].find((count) => isElementType(words.slice(0, count).join("x"))) ?? words.length;
  const sizes = words.slice(length).map(Number);
  if (!sizes.every((each) => Number.isSafeInteger(each) && each > 0)) return { type: text, sizes: [] };
  return { type: words.slice(0, length).join("x"), sizes };
}

/** Reads the form of a value. */
export function valueForm(text: string): ValueForm {
  if (/^(?:image|surface|sampler):/.test(text)) return { kind: "image" };
  if (text.startsWith("@")) return { kind: "file", path: text.slice(1) };
  if (text.startsWith("=")) return { kind: "same", name: text.slice(1) };
  if (isTensorMap(text)) return { kind: "tensormap" };
  const multimem = /^multimem:(\d+):(.*)$/s.exec(text);
  if (multimem !== null) return { kind: "multimem", devices: Number(multimem[1]), rest: multimem[2] ?? "" };
  if (text.startsWith("hex:")) return { kind: "bytes", digits: text.slice(4).replaceAll("_", "") };
  const found = /^([a-z]\w*)x(\d+)(:?)([\s\S]*)$/.exec(text);
  if (found === null) return { kind: "scalar" };
  const [, named = "", digits = "", colon, rest = ""] = found;
  const { type, sizes } = shapeOf(named);
  const count = sizes.reduce((product, each) => product * each, Number(digits));
  if (!isElementType(type)) {
    const meant = meantBy(type).find(isElementType);
    const message = `${type} is not a type of elements`;
    const expected = meant ?? "f32, u8 or the like";
    return { kind: "wrong", message, expected, ...(meant && { meant: text.replace(type, meant) }) };
  }
  if (!Number.isSafeInteger(count))
    return { kind: "wrong", message: `${digits} elements are too many`, expected: "fewer" };
  const shape = sizes.length === 0 ? {} : { shape: [...sizes, Number(digits)] };
  const buffer = (fill: Fill): ValueForm => ({ kind: "buffer", type, count, fill, ...shape });
  if (colon === "") {
    if (rest !== "") return { kind: "wrong", message: `${rest} does not belong here`, expected: "a colon, or nothing" };
    return buffer({ kind: "none" });
  }
  const at = text.length - rest.length;
  if (rest === "iota") return buffer({ kind: "iota" });
  if (rest.startsWith("fill=")) return buffer({ kind: "value", text: rest.slice(5), at: at + 5 });
  const recipe = readRecipe(rest);
  if (recipe !== undefined) return buffer({ kind: "recipe", recipe });
  const message = rest === "" ? "nothing to fill the buffer with" : `${rest} fills no buffer`;
  // Numbers begin with a letter only where they are no numbers.
  if (!/^(?:[-+]?[\d.]|[-+]?(?:inf|nan))/i.test(rest)) {
    const known = fillMeant(rest);
    const meant = rest.startsWith("@") ? rest : known && `${text.slice(0, at)}${known}`;
    return { kind: "wrong", message, expected: fills, ...(meant && { meant }) };
  }
  return buffer({ kind: "list", text: rest, at });
}
