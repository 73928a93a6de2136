import { half, long, word } from "./little-endian.ts";

/** A row of a line table (DWARF 2 to 4, chapter 6.2): from this address on, instructions come from this line. */
interface Row {
  readonly address: number;
  readonly file: number;
  readonly line: number;
  /** NVIDIA's addition: the row, counted from 1, at which this line's function is inlined, and its name in .debug_str. */
  readonly context: number;
  readonly name: number;
}

interface LineTable {
  /** Paths of files, from 1. */
  readonly files: readonly string[];
  /** All rows, as `context` counts them. */
  readonly rows: readonly Row[];
  /** The rows of each function, by its symbol. */
  readonly functions: ReadonlyMap<number, readonly Row[]>;
}

/** A line table as sections of an ELF file have it. */
export interface LineSections {
  readonly table: Uint8Array;
  /** Which symbols its addresses are relative to, and the bytes of an entry: 24 (SHT_RELA) or 16 (SHT_REL). */
  readonly relocations: Uint8Array;
  readonly relocationBytes: 16 | 24;
}

/** Rows at most: a table can say that it has more than any program. */
const MAX_ROWS = 1 << 20;
/** NVIDIA's extended opcode for an inlined function: its context and its name. */
const INLINED = 0x90;

/**
 * The text that machine code keeps, with the `.loc` and `.file` that it does not. Two line tables remain: one leads from
 * machine code to lines of the text, the other to lines of the program. An instruction of the text comes from where
 * its machine code does; a `.loc` is written on an empty line before it, where the first one was, so that lines keep their numbers.
 * The text as it is where a table cannot be read.
 */
export function withSourceLines(text: string, toText: LineSections, toSource: LineSections, names: Uint8Array): string {
  const [kept, source] = [lineTable(toText), lineTable(toSource)];
  if (kept === undefined || source === undefined) return text;
  const rowOfLine = new Map<number, Row>();
  for (const [symbol, rows] of kept.functions)
    for (const { address, line } of rows) {
      const row = source.functions.get(symbol)?.findLast((each) => each.address <= address);
      if (row !== undefined && !rowOfLine.has(line)) rowOfLine.set(line, row);
    }
  const lines = text.split("\n");
  const label = lines.findIndex((line) => line.startsWith("$L__info_string0:"));
  let empty: number | undefined;
  let row: Row | undefined;
  for (const [at, line] of lines.entries()) {
    if (/^[{}]/.test(line)) [empty, row] = [undefined, undefined];
    if (line === "") empty = at;
    row = rowOfLine.get(at + 1) ?? row;
    if (row === undefined || empty === undefined) continue;
    lines[empty] = locOf(row, source.rows, label >= 0);
    [empty, row] = [undefined, undefined];
  }
  if (label >= 0 && lines[label + 1] === "") lines[label + 1] = `.b8 ${names.join(",")}`;
  const files = source.files.map((path, at) => `.file ${at + 1} ${JSON.stringify(path)}\n`);
  return `${lines.join("\n")}${files.join("")}`;
}

function locOf({ file, line, context, name }: Row, rows: readonly Row[], named: boolean): string {
  const caller = named ? rows[context - 1] : undefined;
  const inlined = caller && `, function_name $L__info_string0+${name}, inlined_at ${caller.file} ${caller.line} 0`;
  return `.loc ${file} ${line} 0${inlined ?? ""}`;
}

/** The first table of a section; undefined where it is damaged, or of another version. */
function lineTable(sections: LineSections): LineTable | undefined {
  try {
    return read(sections);
  } catch (damaged) {
    if (damaged instanceof RangeError) return undefined;
    throw damaged;
  }
}

function read({ table: section, relocations, relocationBytes }: LineSections): LineTable | undefined {
  const symbols = new Map<number, number>();
  for (let at = 0; at + relocationBytes <= relocations.length; at += relocationBytes)
    symbols.set(long(relocations, at), word(relocations, at + 12));
  const [end, version] = [4 + word(section, 0), half(section, 4)];
  if (version < 2 || version > 4 || end > section.length) return undefined;
  const program = 10 + word(section, 6);
  const header = new Cursor(section, version < 4 ? 10 : 11);
  const shortest = header.byte();
  header.byte();
  const [base, range, first] = [(header.byte() << 24) >> 24, header.byte(), header.byte()];
  const operands = Array.from({ length: first - 1 }, () => header.byte());
  const folders: string[] = [];
  for (let folder = header.string(); folder !== ""; folder = header.string()) folders.push(folder);
  const files: string[] = [];
  for (let file = header.string(); file !== ""; file = header.string()) {
    const folder = folders[header.unsigned() - 1];
    header.unsigned();
    header.unsigned();
    files.push(folder === undefined || file.startsWith("/") ? file : `${folder}/${file}`);
  }
  const rows: Row[] = [];
  const functions = new Map<number, readonly Row[]>();
  const start = { address: 0, file: 1, line: 1, context: 0, name: 0 };
  let [state, sequence, symbol] = [{ ...start }, [] as Row[], 0];
  const add = (): void => {
    if (rows.length === MAX_ROWS) throw new RangeError("rows");
    const row = { ...state };
    rows.push(row);
    sequence.push(row);
  };
  for (const cursor = new Cursor(section, program); cursor.at < end; ) {
    const code = cursor.byte();
    if (code >= first) {
      state.address += Math.floor((code - first) / range) * shortest;
      state.line += base + ((code - first) % range);
      add();
    } else if (code === 0) {
      const next = cursor.unsigned() + cursor.at;
      const extended = cursor.byte();
      if (extended === 1) {
        functions.set(symbol, sequence);
        [state, sequence] = [{ ...start }, []];
      } else if (extended === 2) {
        state.address = word(section, cursor.at);
        symbol = symbols.get(cursor.at) ?? 0;
      } else if (extended === INLINED) {
        state.context = cursor.unsigned();
        state.name = cursor.unsigned();
      }
      cursor.at = next;
    } else if (code === 1) add();
    else if (code === 2) state.address += cursor.unsigned() * shortest;
    else if (code === 3) state.line += cursor.signed();
    else if (code === 4) state.file = cursor.unsigned();
    else if (code === 8) state.address += Math.floor((255 - first) / range) * shortest;
    else if (code === 9) {
      state.address += half(section, cursor.at);
      cursor.at += 2;
    } else for (let more = operands[code - 1] ?? 0; more > 0; more--) cursor.unsigned();
  }
  return { files, rows, functions };
}

/** Reads a section's fields one behind the other; a RangeError at its end. */
class Cursor {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw new RangeError("the section ends");
    return byte;
  }

  /** LEB128; rounded where it has more than 53 bits. */
  unsigned(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    throw new RangeError("a number");
  }

  signed(): number {
    const from = this.at;
    const value = this.unsigned();
    const all = 2 ** (7 * (this.at - from));
    return value < all / 2 ? value : value - all;
  }

  string(): string {
    const end = this.#bytes.indexOf(0, this.at);
    if (end < 0) throw new RangeError("a string");
    const text = new TextDecoder().decode(this.#bytes.subarray(this.at, end));
    this.at = end + 1;
    return text;
  }
}
