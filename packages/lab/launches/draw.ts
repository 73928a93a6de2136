import { bytesOf, type ElementType, formatOf } from "../../../src/host/memory/element.ts";
import { Random } from "../../../src/interp/contract/launch/random.ts";
import { drawn, readRecipe } from "../../../src/launch/value/recipe.ts";
import { hex, number } from "../../../src/present/value.ts";
import { type Constants, edgesOf } from "./constants.ts";
import type { GuessedBuffer, GuessedValue } from "./guess.ts";

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

/** Which values among constants a launch gets. */
export interface Drawn {
  readonly constants: Constants;
  /** Each turn has another parameter that goes through all of them, from another one on. */
  readonly turn: number;
  /** Whether the other buffers keep their ordinary data, since values that are places lead out of bounds. */
  readonly alone: boolean;
}

/** A buffer of more elements holds one value, which a command line has room for. */
const MOST_LISTED = 1024;

/** The values that are drawn, as they are written behind the number of a parameter; other numbers stay what they say, which is sizes. */
export function drawnAmong(
  { constants, turn, alone }: Drawn,
  values: readonly GuessedValue[],
  seed: number,
): ReadonlyMap<number, string> {
  const open = [...values.entries()].filter(([, value]) => typeOf(value) !== undefined);
  const leader = turn % Math.max(1, open.length);
  const from = Math.floor(turn / Math.max(1, open.length));
  const found = new Map<number, string>();
  for (const [place, [index, value]] of open.entries()) {
    const type = typeOf(value);
    const edges = type === undefined ? [] : edgesOf(constants, type);
    if (type === undefined || edges.length === 0) continue;
    const inOrder = (at: number): string => written(edges[(from + at) % edges.length] ?? 0n, type);
    const isLeader = place === leader;
    if (value.kind === "text") {
      if (isLeader) found.set(index, `:${type}=${inOrder(0)}`);
    } else if (value.count > MOST_LISTED) {
      if (isLeader) found.set(index, `=${type}x${value.count}:fill=${inOrder(0)}`);
    } else if (isLeader || !alone) {
      const random = new Random(seed + index);
      const any = (): string => written(edges[random.below(edges.length)] ?? 0n, type);
      const list = Array.from({ length: value.count }, (_, at) => (isLeader ? inOrder(at) : any()));
      found.set(index, `=${type}x${value.count}:${list.join(",")}`);
    }
  }
  return found;
}

/** The type of what may be drawn: a number, or what a buffer holds that the kernel reads. */
function typeOf(value: GuessedValue): ElementType | undefined {
  if (value.kind === "buffer" && (!value.reads || value.zeroed)) return undefined;
  return value.type;
}

/** A value as it is read back: the bits of lanes, which are two numbers. */
const written = (bits: bigint, type: ElementType): string => (/x2$/.test(type) ? hex(bits, 32) : number(bits, type));
