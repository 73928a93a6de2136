import type { ElementType, ImageArray } from "../../host/index.ts";
import { bytesOf, fromValue, readBits, toValue, writeBits } from "../../host/memory/element.ts";

/**
 * Fills the smaller levels of an array: each texel is the mean of those of the level above that it covers. `goOn` is called
 * for each row, and may throw.
 */
export function shrinkLevels(array: ImageArray, goOn: () => void): void {
  const { type, channels, layers = 1, cube } = array.image;
  const element: ElementType = type;
  const bytes = bytesOf(element);
  for (let level = 1; level < array.image.levels.length; level++) {
    const [above, size] = [array.size(level - 1), array.size(level)];
    for (let layer = 0; layer < layers * (cube ? 6 : 1); layer++) {
      const from = viewOf(array.read({ level: level - 1, layer }));
      const made = new Uint8Array(array.bytes({ level, layer }));
      const to = viewOf(made);
      const at = (x: number, y: number, z: number, channel: number): number => {
        const index = ((z * above.height + y) * above.width + x) * channels + channel;
        return Number(toValue(readBits(from, index * bytes, bytes), element));
      };
      let next = 0;
      for (let z = 0; z < size.depth; z++)
        for (let y = 0; y < size.height; y++) {
          goOn();
          for (let x = 0; x < size.width; x++)
            for (let channel = 0; channel < channels; channel++) {
              const mean = meanOf(
                covered(x, above.width),
                covered(y, above.height),
                covered(z, above.depth),
                (i, j, k) => at(i, j, k, channel),
              );
              writeBits(to, next, bytes, fromValue(element.startsWith("f") ? mean : Math.round(mean), element) ?? 0n);
              next += bytes;
            }
        }
      array.write(made, { level, layer });
    }
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** The indices that an index of the next level stands for; an image of one texel keeps it. */
const covered = (index: number, size: number): readonly number[] => (size === 1 ? [0] : [2 * index, 2 * index + 1]);

function meanOf(
  xs: readonly number[],
  ys: readonly number[],
  zs: readonly number[],
  at: (x: number, y: number, z: number) => number,
): number {
  let sum = 0;
  for (const z of zs) for (const y of ys) for (const x of xs) sum += at(x, y, z);
  return sum / (xs.length * ys.length * zs.length);
}
