import { blockTile } from "./blocks.ts";
import { chainTile } from "./chain.ts";
import { doubleTile } from "./doubles.ts";
import { isFloatElement } from "./element.ts";
import { fusedTile } from "./fused.ts";
import { bitTile, integerTile } from "./integers.ts";
import { ruleOf } from "./rules.ts";
import type { Tile, TileSpec } from "./spec.ts";

/** Tiles hold room for their operands: a program whose shapes come from registers must not keep them all. */
const MOST = 64;
const made = new Map<string, Tile>();

/**
 * The function that computes D of a matrix multiply-accumulate as the tensor cores of a target ("sm_90a") do. To be asked for once,
 * when a launch is linked; the same question has the same answer, since a tile keeps nothing from one call to the next.
 */
export function tileOf(target: string, spec: TileSpec): Tile {
  const key = JSON.stringify([target, Object.entries(spec).sort(([x], [y]) => (x < y ? -1 : 1))]);
  const known = made.get(key);
  if (known) return known;
  const tile = newTile(target, spec);
  if (made.size >= MOST) made.clear();
  made.set(key, tile);
  return tile;
}

function newTile(target: string, spec: TileSpec): Tile {
  if (spec.a === "f64") return doubleTile(spec);
  if (spec.a === "b1") return bitTile(spec);
  if (!isFloatElement(spec.a)) return integerTile(spec);
  if (spec.scale?.kind === "mxf4") return blockTile(spec);
  return ruleOf(target, spec).way === "chain" ? chainTile(spec) : fusedTile(target, spec);
}
