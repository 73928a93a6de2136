import { positionsOf } from "../../contract/matrix/fragment.ts";
import { metadata } from "../../contract/matrix/fragment-layouts.ts";
import type { Warp } from "../../state/warp.ts";

/**
 * Which elements along K the stored elements of a sparse A stand for (PTX ISA 9.7.16.6.1), of sixteen rows of `stored`
 * elements: by `row * stored + element`. The metadata lie in register `slot` of the lanes that the selector names.
 */
export function selections(
  warp: Warp,
  slot: number,
  selector: number,
  stored: number,
  chunk: 2 | 4,
  bits: 8 | 16 | 32,
): Int32Array {
  const chunks = (2 * stored) / chunk;
  // Of tf32, each four bits stand for one element of two; of the others for two elements of four.
  const fragment = metadata(chunks, bits);
  const positions = positionsOf(fragment);
  const threads = fragment.holders?.threads ?? 4;
  const found = new Int32Array(16 * stored);
  const perChunk = chunk / 2;
  for (let lane = 0; lane < 32; lane++) {
    if (lane % 4 >= threads) continue;
    const word = warp.r[slot * warp.lanes + lane + selector * threads]!;
    for (let i = 0; i < 8; i++) {
      const at = positions[lane * 8 + i]!;
      const [row, column] = [Math.floor(at / chunks), at % chunks];
      const nibble = (word >>> (4 * i)) & 15;
      const to = row * stored + column * perChunk;
      if (chunk === 2) found[to] = 2 * column + (nibble === 0b1110 ? 1 : 0);
      else {
        found[to] = 4 * column + (nibble & 3);
        found[to + 1] = 4 * column + (nibble >>> 2);
      }
    }
  }
  return found;
}
