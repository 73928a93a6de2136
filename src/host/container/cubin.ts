import type { Staged } from "../../source/diagnostic.ts";
import { problem } from "../problem.ts";
import { half, long, word } from "./little-endian.ts";
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

const MAGIC = 0x464c457f;
/** e_machine of device code. */
const EM_CUDA = 190;
const SECTION_HEADER_BYTES = 64;
const SYMBOL_BYTES = 24;
const SHT_SYMTAB = 2;
const SHT_NOBITS = 8;
const STT_FUNC = 2;
/** The bit of st_other that tells a kernel from a device function. */
const STO_CUDA_ENTRY = 0x10;
/** The first version of NVIDIA's ABI that has the target in bits 8 to 15 of e_flags; earlier ones have it in bits 0 to 7. */
const ABI_OF_CUDA_13 = 8;
/** Limits on what a file can claim: the longest name, bytes, and the number of kernels. */
const MAX_NAME_BYTES = 1 << 14;
const MAX_KERNELS = 1 << 14;

/** True for an ELF file of 64 bits, little-endian. */
export const isElf = (bytes: Uint8Array): boolean =>
  bytes.length >= 64 && word(bytes, 0) === MAGIC && bytes[4] === 2 && bytes[5] === 1;

/** True for an ELF file with machine code of a GPU. */
export const isCubin = (bytes: Uint8Array): boolean => isElf(bytes) && half(bytes, 18) === EM_CUDA;

interface Section {
  readonly name: string;
  readonly type: number;
  /** The index of the section that it refers to: a symbol table's strings. */
  readonly link: number;
  readonly contents: Uint8Array;
}

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

/** All sections, or what is wrong with one. */
function sectionsOf(bytes: Uint8Array): readonly Section[] | string {
  const [table, size, count, names] = [long(bytes, 40), half(bytes, 58), half(bytes, 60), half(bytes, 62)];
  if (size !== SECTION_HEADER_BYTES) return `has section headers of ${size} bytes, at byte 58`;
  const wrong = `has ${count} section headers from byte ${table}, and ${bytes.length} bytes`;
  if (table + count * size > bytes.length) return wrong;
  const contents: Uint8Array[] = [];
  for (let at = table; at < table + count * size; at += size) {
    const [offset, length] = [long(bytes, at + 24), long(bytes, at + 32)];
    // A section without contents (SHT_NOBITS) has a size all the same.
    const empty = word(bytes, at + 4) === SHT_NOBITS;
    if (!empty && offset + length > bytes.length)
      return `has a section at byte ${at} that ends at byte ${offset + length}, and ${bytes.length} bytes`;
    contents.push(empty ? bytes.subarray(0, 0) : bytes.subarray(offset, offset + length));
  }
  return contents.map((each, index): Section => {
    const at = table + index * size;
    const name = stringAt(contents[names], word(bytes, at));
    return { name, type: word(bytes, at + 4), link: word(bytes, at + 40), contents: each };
  });
}

function kernelsIn(sections: readonly Section[]): readonly string[] {
  const table = sections.find(({ type }) => type === SHT_SYMTAB);
  if (table === undefined) return [];
  const kernels: string[] = [];
  for (let at = 0; at + SYMBOL_BYTES <= table.contents.length && kernels.length < MAX_KERNELS; at += SYMBOL_BYTES) {
    const [info = 0, other = 0] = table.contents.subarray(at + 4, at + 6);
    if ((info & 15) === STT_FUNC && (other & STO_CUDA_ENTRY) !== 0)
      kernels.push(stringAt(sections[table.link]?.contents, word(table.contents, at)));
  }
  return kernels;
}

/** The lines of a section in which a zero ends each. */
const linesOf = (contents: Uint8Array): string => new TextDecoder().decode(contents).replaceAll("\0", "\n");

function stringAt(strings: Uint8Array = new Uint8Array(), at: number): string {
  const longest = strings.subarray(at, at + MAX_NAME_BYTES);
  const end = longest.indexOf(0);
  return new TextDecoder().decode(end < 0 ? longest : longest.subarray(0, end));
}
