import { Source } from "../../../../src/source/source.ts";

/** The program's constants, and the byte at which each symbol of them begins. */
export interface Constants {
  readonly bytes: Uint8Array;
  readonly symbols: ReadonlyMap<string, number>;
}

/** What a compiler wrote beside a dump. */
export interface Beside {
  readonly zeinfo: Source;
  readonly constants?: Constants;
}

const known = new WeakMap<Source, Beside>();

/** A dump is loaded with this from now on. */
export const describe = (dump: Source, beside: Beside): void => {
  known.set(dump, beside);
};

export const besideOf = (dump: Source): Beside | undefined => known.get(dump);

const DUMP = /\.(?:visaasm|isaasm|isa)$/;

/** Where the functions of a dump are that its kernel calls by the stack: `NAME_f0.visaasm` and so on, beside it. */
export const functionPath = (path: string, index: number): string | undefined =>
  path.endsWith(".visaasm") && !/_f\d+\.visaasm$/.test(path)
    ? path.replace(/\.visaasm$/, `_f${index}.visaasm`)
    : undefined;

/** A dump with its functions behind it; a text has one version. */
export const joined = (kernel: Source, functions: readonly Source[]): Source =>
  functions.length === 0
    ? kernel
    : new Source(
        kernel.name,
        [kernel, ...functions]
          .map(({ text }, at) => (at === 0 ? text : text.replace(/^\.version.*$/m, "// $&")))
          .join("\n"),
      );

/**
 * Where the `.zeinfo` of a dump can be: beside it and named as it, or as the compilation, whose dumps are named
 * `NAME_simd32_entry_0001.visaasm`, and `NAME_1_simd16_entry_0001.visaasm` where it has begun again. None for another file.
 */
export function zeinfoPaths(path: string): readonly string[] {
  if (!DUMP.test(path)) return [];
  const name = path.replace(DUMP, "");
  const again = name.replace(/_simd\d+(?:_\w+)?$/, "");
  const compilation = again === name ? name : again.replace(/_\d$/, "");
  return [...new Set([name, again, compilation])].flatMap((each) => [`${each}.zeinfo`, `${each}.progbin`]);
}
