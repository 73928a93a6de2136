import { half, long, word } from "./little-endian.ts";

const MAGIC = 0x464c457f;
const SECTION_HEADER_BYTES = 64;
const SHT_NOBITS = 8;
/** The longest name that a file can claim, bytes. */
const MAX_NAME_BYTES = 1 << 14;

/** True for an ELF file of 64 bits, little-endian. */
export const isElf = (bytes: Uint8Array): boolean =>
  bytes.length >= 64 && word(bytes, 0) === MAGIC && bytes[4] === 2 && bytes[5] === 1;

/** A section of an ELF file (System V ABI, chapter 4). */
export interface Section {
  readonly name: string;
  readonly type: number;
  /** The index of the section that it refers to: a symbol table's strings. */
  readonly link: number;
  /** How large it is in memory: one of zeros (SHT_NOBITS) has no contents. */
  readonly bytes: number;
  readonly contents: Uint8Array;
}

/** All sections, or what is wrong with one. */
export function sectionsOf(bytes: Uint8Array): readonly Section[] | string {
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
    const type = word(bytes, at + 4);
    return { name, type, link: word(bytes, at + 40), bytes: long(bytes, at + 32), contents: each };
  });
}

/** A symbol: in which section, and at which byte of it. */
interface ElfSymbol {
  readonly name: string;
  readonly section: number;
  readonly value: number;
  /** st_info and st_other. */
  readonly info: number;
  readonly other: number;
}

const SYMBOL_BYTES = 24;
const SHT_SYMTAB = 2;

/** The symbols of a file's table. */
export function symbolsOf(sections: readonly Section[]): readonly ElfSymbol[] {
  const table = sections.find(({ type }) => type === SHT_SYMTAB);
  if (table === undefined) return [];
  const { contents, link } = table;
  return Array.from({ length: Math.floor(contents.length / SYMBOL_BYTES) }, (_, index): ElfSymbol => {
    const at = index * SYMBOL_BYTES;
    const [info = 0, other = 0] = contents.subarray(at + 4, at + 6);
    const name = stringAt(sections[link]?.contents, word(contents, at));
    return { name, section: half(contents, at + 6), value: long(contents, at + 8), info, other };
  });
}

/** The string at a byte of a section of strings. */
export function stringAt(strings: Uint8Array = new Uint8Array(), at: number): string {
  const longest = strings.subarray(at, at + MAX_NAME_BYTES);
  const end = longest.indexOf(0);
  return new TextDecoder().decode(end < 0 ? longest : longest.subarray(0, end));
}
