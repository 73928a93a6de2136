import { writeFile } from "../../environment/file.ts";
import type { Files } from "../../environment/files.ts";
import { type Buffer, ImageTexels, problem } from "../../host/index.ts";
import { bitsOf, toValue } from "../../host/memory/element.ts";
import type { Image } from "../../interp/contract/image.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { writeNpy } from "../input/npy.ts";
import { isPicture, writePicture } from "./picture.ts";
import type { Picture } from "./samples.ts";

/** Writes a surface's texels: as a picture, as .npy with its axes, or as bare bytes. */
export function writeTexels(name: string, file: string, texels: Buffer, files: Files): readonly Diagnostic[] {
  const wrong = (message: string, expected: string): readonly Diagnostic[] => [
    problem("PTX2210", message, { expected }),
  ];
  if (!(texels instanceof ImageTexels))
    return wrong(`${name} is neither a surface nor a picture`, "a .npy, or a surface");
  const { image } = texels.array;
  const bytes = texels.read();
  if (!isPicture(file))
    return writeFile(file, file.endsWith(".npy") ? writeNpy(bytes, image.type, shapeOf(image)) : bytes, files);
  const picture = pictureOf(image, bytes);
  if (picture === undefined) return wrong(`${name} is not a plane, which a picture is`, "a .npy file");
  const made = writePicture(file, picture, files.zlib);
  return typeof made === "string" ? wrong(`${name}: ${made}`, "a .png, or a .npy") : writeFile(file, made, files);
}

/** The sizes of an image, the slowest axis first: layers or depth, rows, columns, channels. */
export function shapeOf({ levels, dimensions, layers, cube, channels }: Image): readonly number[] {
  const [{ width, height, depth } = { width: 0, height: 0, depth: 0 }] = levels;
  const size = [width, height, depth].slice(0, dimensions).toReversed();
  const many = layers === undefined && !cube ? [] : [(layers ?? 1) * (cube ? 6 : 1)];
  return [...many, ...size, ...(channels === 1 ? [] : [channels])];
}

/** A plane of bytes, of words, or of floats from 0 to 1, as a picture. */
function pictureOf(
  { levels, dimensions, layers, cube, channels, type }: Image,
  bytes: Uint8Array,
): Picture | undefined {
  const [level] = levels;
  if (level === undefined || dimensions !== 2 || layers !== undefined || cube) return undefined;
  const { width, height } = level;
  if (type === "u8" || type === "u16") return { width, height, channels, bits: type === "u8" ? 8 : 16, samples: bytes };
  const scale = type === "f32" || type === "f16" ? 255 : 1;
  const samples = bitsOf(bytes, type).map((bits) => Math.round(Number(toValue(bits, type)) * scale));
  return {
    width,
    height,
    channels,
    bits: 8,
    samples: Uint8Array.from(samples, (value) => Math.min(Math.max(value, 0), 255)),
  };
}
