import type { CheckImage, SnippetCheck } from "../../../src/isa/index.ts";
import { liveInOf } from "../../../src/resolve/body/liveness.ts";
import { type Example, hex, noInputs } from "./example.ts";
import { programOf, threadsOf } from "./program.ts";
import { newest, textOf } from "./text.ts";

/** A few lines of PTX with what they are given. */
export function snippetExample(check: SnippetCheck): Example | undefined {
  const { given = {}, buffers = {}, textures = {}, cluster, functions, threads } = check;
  const images: [string, string][] = [];
  for (const [name, image] of Object.entries(textures)) {
    const written = imageText(image);
    if (written === undefined) return undefined;
    images.push([name, written]);
  }
  const { target = newest.target, version = newest.version } = check;
  const text = textOf(linesOf(check.snippet), {
    language: { target, version },
    ...(functions === undefined ? {} : { functions: linesOf(functions).join("\n") }),
    ...(cluster === undefined ? {} : { cluster }),
  });
  const program = programOf(text);
  const values = Object.fromEntries([
    ...images,
    ...Object.entries(buffers).map(([name, words]): [string, string] => [name, wordsText(words)]),
  ]);
  // What the table leaves out begins as zero; a page would ask for it.
  for (const { register } of liveInOf(program)) {
    const value = given[register.name] ?? 0;
    values[register.name] ??= register.type === "pred" ? String(value) : hex(value);
  }
  const needed = threads ?? threadsOf(program);
  return {
    project: {
      name: "example.ptx",
      text,
      inputs: {
        ...noInputs,
        values,
        grid: cluster === undefined ? "" : String(cluster),
        block: needed === 1 ? "" : String(needed),
      },
    },
    types: {},
    gives: Object.entries(check.gives).map(([name, value]) => ({ kind: "register", name, bits: BigInt(value) })),
  };
}

const wordsText = (words: readonly number[]): string =>
  `u32x${words.length}:${words.map((word) => word >>> 0).join(",")}`;

/** A statement a line, as somebody would type them; what stands in braces of functions stays together. */
function linesOf(snippet: string): readonly string[] {
  const lines: string[] = [];
  let line = "";
  let depth = 0;
  for (const character of snippet) {
    if (character === "\n" && line.trim() === "") continue;
    line += character === "\n" ? " " : character;
    if (character === "{") depth++;
    if (character === "}") depth--;
    if (depth === 0 && (character === ";" || character === "\n")) {
      lines.push(line.trim());
      line = "";
    }
  }
  if (line.trim() !== "") lines.push(line.trim());
  return lines.map((each) => each.replace(/ {2,}/g, " "));
}

/**
 * An image as an option of `run` writes it; undefined for a sampler, and for levels with texels of their own, which have no
 * such notation.
 */
function imageText(image: CheckImage): string | undefined {
  const { as, type, channels = 1, size, layers, cube, levels, values } = image;
  if (as === "samplerref" || (levels !== undefined && values.length > 0)) return undefined;
  const words = [
    as === "texref" ? "image" : "surface",
    channels === 1 ? type : `${type}x${channels}`,
    [...size, ...(layers === undefined ? [] : [layers])].join("x"),
    ...(values.length === 0 ? ["fill=0"] : [values.join(",")]),
    ...(cube ? ["cube"] : layers === undefined ? [`${size.length}d`] : [`a${size.length}d`]),
    ...(levels === undefined ? [] : [`levels=${levels}`]),
    ...(image.filter === undefined ? [] : [`filter=${image.filter === "linear" ? "linear" : "point"}`]),
    ...(image.levelFilter === undefined ? [] : [`mip=${image.levelFilter === "linear" ? "linear" : "point"}`]),
    ...(image.normalized ? ["normalized"] : []),
    ...(image.fraction ? ["read=normalized"] : []),
    ...(image.mode === "mirror" || image.mode === "wrap" ? [`address=${image.mode}`] : []),
  ];
  return words.join(":");
}
