import type { Staged } from "../../source/diagnostic.ts";
import { problem } from "../problem.ts";
import { isElf, type Section, sectionsOf, symbolsOf } from "./elf.ts";
import { half, word } from "./little-endian.ts";
import { type LineSections, withSourceLines } from "./source-lines.ts";

/**
 * A cubin, or a relocatable object of device code (nvcc -cubin, with -rdc=true): an ELF file (System V ABI, chapter 4)
 * for e_machine 190. What NVIDIA's tools put into it is not documented; this is what nvcc 13.0 and 11.8 write.
 */
export interface Cubin {
  /** 90 for sm_90. */
  readonly target: number;
  /** Names of its kernels, mangled. */
  readonly kernels: readonly string[];
  /** The PTX that it was made from, which -lineinfo and -G keep, without its comments; see `withSourceLines`. */
  readonly text: string | undefined;
}

/** e_machine of device code. */
const EM_CUDA = 190;
const STT_FUNC = 2;
/** The bit of st_other that tells a kernel from a device function. */
const STO_CUDA_ENTRY = 0x10;
/** The first version of NVIDIA's ABI that has the target in bits 8 to 15 of e_flags; earlier ones have it in bits 0 to 7. */
const ABI_OF_CUDA_13 = 8;
/** The most kernels that a file can claim. */
const MAX_KERNELS = 1 << 14;

/** True for an ELF file with machine code of a GPU. */
export const isCubin = (bytes: Uint8Array): boolean => isElf(bytes) && half(bytes, 18) === EM_CUDA;

/** Reads a file for which `isCubin` is true; an error, with its offset, where a section is not within the file. */
export function readCubin(bytes: Uint8Array): Staged<Cubin | undefined> {
  const sections = sectionsOf(bytes);
  if (typeof sections === "string") {
    const expected = "a cubin as nvcc writes it";
    return { value: undefined, diagnostics: [problem("PTX2240", `the cubin ${sections}`, { expected })] };
  }
  const flags = word(bytes, 48);
  const contentsOf = (wanted: string) => sections.find(({ name }) => name === wanted)?.contents;
  const kept = contentsOf(".nv_debug_ptx_txt");
  const lineSections = (name: string): LineSections | undefined => {
    const [table, rel] = [contentsOf(name), contentsOf(`.rel${name}`)];
    const relocations = rel ?? contentsOf(`.rela${name}`);
    return table && relocations && { table, relocations, relocationBytes: rel ? 16 : 24 };
  };
  const [toText, toSource] = [lineSections(".nv_debug_line_sass"), lineSections(".debug_line")];
  const text = kept && linesOf(kept);
  return {
    value: {
      target: ((bytes[8] ?? 0) >= ABI_OF_CUDA_13 ? flags >>> 8 : flags) & 0xff,
      kernels: kernelsIn(sections),
      text:
        text !== undefined && toText !== undefined && toSource !== undefined
          ? withSourceLines(text, toText, toSource, contentsOf(".debug_str") ?? new Uint8Array())
          : text,
    },
    diagnostics: [],
  };
}

const kernelsIn = (sections: readonly Section[]): readonly string[] =>
  symbolsOf(sections)
    .filter(({ info, other }) => (info & 15) === STT_FUNC && (other & STO_CUDA_ENTRY) !== 0)
    .slice(0, MAX_KERNELS)
    .map(({ name }) => name);

/** The lines of a section in which a zero ends each. */
const linesOf = (contents: Uint8Array): string => new TextDecoder().decode(contents).replaceAll("\0", "\n");
