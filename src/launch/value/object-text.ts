import type { StateImage } from "../../host/index.ts";

/** What a texture, sampler or surface is, as JSON: numbers that JSON has no word for are texts. */
export const objectText = (object: StateImage["object"]): string =>
  JSON.stringify(object, (_, value: unknown) =>
    typeof value === "number" && !Number.isFinite(value) ? `number ${value}` : value,
  );

/** The object of such a text. Throws a RangeError for what is none. */
export function objectOf(text: string): StateImage["object"] {
  const object = parsed(text);
  if (!isObject(object)) throw new RangeError("a record of an image that is none");
  return object;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) =>
      typeof value === "string" && value.startsWith("number ") ? Number(value.slice(7)) : value,
    );
  } catch {
    throw new RangeError("a record of an image that is no JSON");
  }
}

const kinds: readonly unknown[] = ["texref", "samplerref", "surfref"];

const isObject = (value: unknown): value is StateImage["object"] =>
  typeof value === "object" && value !== null && "kind" in value && kinds.includes(value.kind);
