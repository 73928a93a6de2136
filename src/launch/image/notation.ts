import type { AddressName, TextureOptions } from "../../host/index.ts";
import type { ChannelType, Geometry } from "../../interp/contract/image.ts";
import { nearest } from "../../resolve/nearest.ts";
import { readRecipe } from "../value/recipe.ts";

/** `image:cat.pgm:filter=linear`, `surface:u8x4:64x48`: a new array, and how it is looked up. */
export interface ImageNotation {
  readonly as: "texref" | "surfref";
  /** Texels of a file, or of a type and size with their contents. */
  readonly from:
    | { readonly kind: "file"; readonly path: string }
    | {
        readonly kind: "spelled";
        readonly type: ChannelType;
        readonly channels: 1 | 2 | 4;
        readonly size: readonly number[];
        /** `iota`, `fill=1`, `1,2,3`; undefined for undefined texels. */
        readonly fill?: string;
      };
  readonly geometry?: Exclude<Geometry, "2dms" | "a2dms">;
  /** Levels, the smaller ones averaged from the larger. */
  readonly levels?: number;
  /** A line in linear memory. */
  readonly linear: boolean;
  readonly options: TextureOptions;
}

/** Reads `sampler:filter=linear:address=wrap`: how an image is looked up, without one. */
export function readSampler(text: string): TextureOptions | NotationProblem {
  const draft: Draft = { as: "texref", linear: false, options: {} };
  for (const part of partsOf(text).slice(1)) {
    const problem = samplerWords.test(part.text)
      ? takeOption(part, draft)
      : ([
          part.text === "" ? "an option is missing" : `${part.text} does not belong to a sampler`,
          "filter=, mip=, address=, border= or normalized",
        ] as const);
    if (problem === undefined) continue;
    const [message, expected] = problem;
    return { at: part.at, length: part.text.length, message, expected };
  }
  return draft.options;
}

const samplerWords = /^(?:normalized$|seamless$|(?:filter|mip|address|border|bias|least|most)=)/;

/** An error in a part of the notation. */
export interface NotationProblem {
  /** The offset of the part in the text, and its length. */
  readonly at: number;
  readonly length: number;
  readonly message: string;
  readonly expected: string;
}

const types = ["u8", "u16", "u32", "s8", "s16", "s32", "f16", "f32"] as const satisfies readonly ChannelType[];
const geometries = ["1d", "2d", "3d", "a1d", "a2d", "cube", "acube"] as const;
const address: readonly AddressName[] = ["wrap", "mirror", "clamp", "border"];
const flags = ["normalized", "srgb", "seamless", "linear", ...geometries] as const;
const keys = ["filter", "mip", "address", "read", "border", "levels", "bias", "least", "most"] as const;
const words = [...flags, ...keys.map((key) => `${key}=`)];

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Draft = Partial<Writable<Omit<ImageNotation, "options">>> & { options: Writable<TextureOptions> };

/** Reads the notation; texts between colons. */
export function readNotation(text: string): ImageNotation | NotationProblem {
  const parts = partsOf(text);
  const [kind, first, ...rest] = parts;
  const as = kind?.text === "surface" ? "surfref" : "texref";
  const wrong = (part: Part, message: string, expected: string): NotationProblem => ({
    at: part.at,
    length: part.text.length,
    message,
    expected,
  });
  if (kind === undefined || first === undefined || first.text === "")
    return wrong(kind ?? { text, at: 0 }, "nothing says what the texels are", `${text}cat.pgm or ${text}f32x4:64x48`);
  const draft: Draft = { as, linear: false, options: {} };
  const typed = /^([usf](?:8|16|32))(?:x([124]))?$/.exec(first.text);
  const type = types.find((each) => each === typed?.[1]);
  let options = rest;
  if (type !== undefined) {
    const [size, fill] = rest;
    const sizes =
      size === undefined
        ? undefined
        : /^[1-9]\d{0,9}(?:x[1-9]\d{0,9}){0,2}$/.exec(size.text)?.[0].split("x").map(Number);
    if (size === undefined || sizes === undefined)
      return wrong(
        size ?? first,
        size === undefined ? "the size is missing" : `${size.text} is not a size of a texture`,
        size === undefined ? `${first.text}:64x48` : "one, two or three numbers from 1 on, as 64x48",
      );
    const filled =
      fill !== undefined &&
      (/^(?:iota|fill=.*|[-+.\d].*)$/s.test(fill.text) || readRecipe(fill.text) !== undefined) &&
      !geometries.some((each) => each === fill.text);
    const channels = Number(typed?.[2] ?? 1) as 1 | 2 | 4;
    draft.from = { kind: "spelled", type, channels, size: sizes, ...(filled && { fill: fill.text }) };
    options = rest.slice(filled ? 2 : 1);
  } else {
    const path = first.text.replace(/^@/, "");
    if (!/\.(npy|pgm|ppm|png)$/i.test(path))
      return wrong(
        first,
        `${path} is neither a picture nor a texel type`,
        "a .npy, .pgm, .ppm or .png file, or f32, u8x4 ...",
      );
    draft.from = { kind: "file", path };
  }
  for (const part of options) {
    const problem = takeOption(part, draft);
    if (problem !== undefined) return wrong(part, ...problem);
  }
  return draft as ImageNotation;
}

interface Part {
  readonly text: string;
  readonly at: number;
}

function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const each of text.split(":")) {
    parts.push({ text: each, at });
    at += each.length + 1;
  }
  return parts;
}

type Wrong = readonly [message: string, expected: string];

function takeOption({ text }: Part, draft: Draft): Wrong | undefined {
  const equals = text.indexOf("=");
  const [key, value] = equals < 0 ? [text, undefined] : [text.slice(0, equals), text.slice(equals + 1)];
  const { options } = draft;
  const geometry = geometries.find((each) => each === text);
  if (geometry !== undefined) {
    draft.geometry = geometry;
    return undefined;
  }
  if (draft.as === "surfref" && key !== "levels" && key !== "read")
    return [`${text} does not belong to a surface`, geometries.join(", ")];
  switch (text) {
    case "normalized":
      options.normalized = true;
      return undefined;
    case "srgb":
      options.srgb = true;
      return undefined;
    case "seamless":
      options.seamless = true;
      return undefined;
    case "linear":
      draft.linear = true;
      return undefined;
  }
  if (value !== undefined) return takeValue(key, value, draft);
  const near = nearest(text, words);
  return [`unknown option ${text}`, near === undefined ? words.join(", ") : `perhaps ${near}`];
}

function takeValue(key: string, value: string, draft: Draft): Wrong | undefined {
  const { options } = draft;
  const among = <T extends string>(choices: readonly T[]): T | undefined => choices.find((each) => each === value);
  const number = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(value) ? Number(value) : undefined;
  const no = (expected: string): Wrong => [`${key} cannot be ${value || "nothing"}`, expected];
  switch (key) {
    case "filter":
    case "mip": {
      const filter = among(["point", "linear"]);
      if (filter === undefined) return no("point or linear");
      options[key === "filter" ? "filter" : "levelFilter"] = filter;
      return undefined;
    }
    case "read": {
      const read = among(["element", "normalized"]);
      if (read === undefined) return no("element or normalized");
      options.read = read;
      return undefined;
    }
    case "address": {
      const modes = value.split(",").map((each) => address.find((mode) => mode === each));
      const known = modes.filter((mode) => mode !== undefined);
      if (known.length < modes.length || modes.length > 3) return no(`${address.join(", ")}, one or one each`);
      options.address = known;
      return undefined;
    }
    case "border": {
      const values = value.split(",").map(Number);
      if (value === "" || values.length > 4 || values.some(Number.isNaN)) return no("up to four numbers");
      options.border = values;
      return undefined;
    }
    case "levels":
      if (number === undefined || !Number.isInteger(number) || number < 1) return no("a number of levels");
      draft.levels = number;
      return undefined;
    case "bias":
    case "least":
    case "most":
      if (number === undefined) return no("a number");
      options[({ bias: "levelBias", least: "leastLevel", most: "mostLevel" } as const)[key]] = number;
      return undefined;
    default: {
      const near = nearest(key, keys);
      return [`unknown option ${key}`, near === undefined ? words.join(", ") : `perhaps ${near}=`];
    }
  }
}
