import { bytesOf, formatOf } from "../../../src/host/memory/element.ts";
import { drawn, readRecipe } from "../../../src/launch/value/recipe.ts";
import type { GuessedBuffer } from "./guess.ts";

/**
 * What the buffers that a kernel reads hold. `ordinary`: floats from -1 to 1, integers that may count or name places of other
 * buffers. The others change floats alone, and `wide` integers too.
 */
export type Data = "ordinary" | "positive" | "offset" | "wide" | "special";

/** The recipe of what a buffer holds before a launch of this `size`; undefined where its bytes are left undefined. */
export function recipeOf(
  { type, reads, zeroed }: GuessedBuffer,
  size: number,
  seed: number,
  data: Data = "ordinary",
): string | undefined {
  if (zeroed) return "fill=0";
  if (!reads) return undefined;
  if (formatOf(type) !== undefined || /x2$/.test(type)) return `${floats[data]}:${seed}`;
  if (bytesOf(type) === 1) return `bits:${seed}`;
  if (data === "wide" && bytesOf(type) >= 4) return `uniform:${type.startsWith("s") ? -1e6 : 0}..1000000:${seed}`;
  return `uniform:0..${Math.max(0, Math.min(100, size - 1))}:${seed}`;
}

const floats: Readonly<Record<Data, string>> = {
  ordinary: "random",
  positive: "uniform:0.25..1",
  // A mean that is much larger than what the numbers differ by, and what exponentials overflow for.
  offset: "uniform:100..101",
  wide: "uniform:-300..300",
  special: "special",
};

/** The bytes that the recipe gives; zeros without one. */
export function contentsOf(buffer: GuessedBuffer, size: number, seed: number): Uint8Array {
  const recipe = readRecipe(recipeOf(buffer, size, seed) ?? "");
  const bytes = recipe && drawn(recipe, buffer.type, buffer.count, () => {});
  return bytes ?? new Uint8Array(buffer.count * bytesOf(buffer.type));
}
