import type { Image, ImageObject, Sampler } from "../../../../src/interp/contract/image.ts";
import { printable } from "../../../../src/present/text/escape.ts";
import type { Shell } from "../shell.ts";

/** The handles that the program may use, one a row: what each leads to, and how textures are looked up. */
export function textureRows(shell: Shell): readonly (readonly string[])[] {
  const { device } = shell.subject.footing.loaded;
  return device.images.map(({ handle, type, name, object }) => [
    printable(name),
    `0x${handle.toString(16)}`,
    `.${type}`,
    ...(object === undefined ? ["bound to nothing"] : wordsOf(object)),
  ]);
}

const wordsOf = (object: ImageObject): readonly string[] =>
  object.kind === "samplerref"
    ? [samplerWords(object.sampler, object.forced)]
    : object.kind === "surfref"
      ? [imageWords(object.image)]
      : [
          `${imageWords(object.image)}${object.fraction ? ", as fractions" : ""}${object.srgb ? ", sRGB" : ""}`,
          samplerWords(object.sampler, false),
        ];

/** `24 x 16, u8x4, 3 levels`. */
function imageWords({ levels, dimensions, layers, cube, type, channels, memory }: Image): string {
  const [{ width, height, depth } = { width: 0, height: 0, depth: 0 }] = levels;
  const size = [width, height, depth].slice(0, dimensions).join(" x ");
  return [
    `${size}${cube ? " cube" : ""}${layers === undefined ? "" : `, ${layers} layer${layers === 1 ? "" : "s"}`}`,
    `${type}${channels === 1 ? "" : `x${channels}`}`,
    ...(levels.length > 1 ? [`${levels.length} levels`] : []),
    ...(memory === "array" ? [] : [`${memory} memory`]),
  ].join(", ");
}

function samplerWords({ address, filter, normalized, levels }: Sampler, forced: boolean): string {
  const modes = new Set(address).size === 1 ? address[0] : address.join(" ");
  const between = levels.filter === "linear" ? ", linear between levels" : "";
  return `${filter}, ${modes}${normalized ? ", normalised" : ""}${forced ? ", never normalised" : ""}${between}`;
}
