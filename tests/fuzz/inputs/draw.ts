import { Random } from "../executors/random.ts";
import type { Input, Target } from "./input.ts";

/** A seed's input: one in two begins with what the corpus has. */
export function inputOf(
  name: string,
  target: Target,
  bases: readonly Input[],
  kept: readonly Input[],
  seed: number,
): Input {
  const random = new Random(seed ^ Buffer.from(name).readUInt16LE());
  return target.change(random.any(kept.length > 0 && random.chance(50) ? kept : bases), random);
}
