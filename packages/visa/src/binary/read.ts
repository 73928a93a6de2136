import type { Diagnostic, Staged } from "../../../../src/source/diagnostic.ts";
import { shorten } from "../../../../src/source/shorten.ts";
import { Source, type Span } from "../../../../src/source/source.ts";
import type * as ast from "../ast.ts";
import { isObject, magic } from "../recognise.ts";
import { Broken, Cursor } from "./cursor.ts";
import { spellings } from "./names.ts";
import { readKernel } from "./read-kernel.ts";
import { textOf } from "./strings.ts";
import { bytesOfNameLength, isObjectVersion, type ObjectVersion, objectVersions } from "./version.ts";

/**
 * Reads an object of version 3.4 to 4.1 (manual 4). For any bytes this ends with a syntax tree or with PTX85xx errors
 * (PTX6102 for more than a million parts), in time and memory proportional to their number. Spans count bytes; `name`
 * is the file's name in messages. What text cannot express is left out with a note: invalid names, code for a GPU.
 */
export function readObject(name: string, bytes: Uint8Array): Staged<ast.File | undefined> {
  const source = new Source(name, "");
  const notes: Diagnostic[] = [];
  const note = (message: string, span: Span) =>
    notes.push({ code: "PTX8509", severity: "note", message: shorten(message), source, span });
  try {
    return { value: new ObjectReader(bytes, note).read(), diagnostics: notes };
  } catch (thrown) {
    if (!(thrown instanceof Broken)) throw thrown;
    const { code, message, span, expected, help } = thrown;
    const said = {
      ...(expected === undefined ? {} : { expected }),
      ...(help === undefined ? {} : { help: [{ message: help }] }),
    };
    return { value: undefined, diagnostics: [{ code, severity: "error", message, source, span, ...said }] };
  }
}

/** The header's entry of a kernel. */
interface Entry {
  readonly kind: ast.Kernel["kind"];
  readonly name: ast.Name;
  readonly offset: number;
  readonly size: number;
  readonly span: Span;
}

class ObjectReader {
  readonly #bytes: Uint8Array;
  readonly #header: Cursor;
  readonly #note: (message: string, span: Span) => void;

  constructor(bytes: Uint8Array, note: (message: string, span: Span) => void) {
    this.#bytes = bytes;
    this.#header = new Cursor(bytes, 0, bytes.length);
    this.#note = note;
  }

  read(): ast.File {
    const header = this.#header;
    if (!isObject(this.#bytes))
      throw new Broken(
        "PTX8501",
        "this is not a vISA object",
        { start: 0, end: Math.min(4, this.#bytes.length) },
        'the bytes "CISA"',
      );
    header.at = magic.length;
    const major = header.u8("the version");
    const minor = header.u8("the version");
    const version = { major, minor, span: header.since(magic.length) };
    if (!isObjectVersion(version)) {
      const known = `${objectVersions[0]} to ${objectVersions.at(-1)}`;
      throw new Broken("PTX8502", `an object of version ${major}.${minor}`, version.span, known);
    }
    const entries: Entry[] = [];
    const kernels = header.u16("the count of kernels");
    for (let at = 0; at < kernels; at++) entries.push(this.#kernel(at, version));
    this.#none(header.u16("the count of file variables"), "variables of its own");
    const functions = header.u16("the count of functions");
    for (let at = 0; at < functions; at++) entries.push(this.#function(at, version));
    this.#checkSizes(entries);
    return { version, kernels: entries.map((entry) => this.#body(entry, version)) };
  }

  /** kernel_info. */
  #kernel(at: number, version: ObjectVersion): Entry {
    const header = this.#header;
    const start = header.at;
    const name = this.#name(`kernel_${at}`, version);
    const offset = header.u32("the offset of a kernel");
    const size = header.u32("the size of a kernel");
    header.u32("the offset of a kernel's inputs");
    this.#relocations();
    const binaries = header.u8("the count of GPU binaries");
    for (let binary = 0; binary < binaries; binary++) {
      header.u8("the platform of a GPU binary");
      header.u32("the offset of a GPU binary");
      header.u32("the size of a GPU binary");
    }
    const span = header.since(start);
    if (binaries > 0) this.#note(`the code for a GPU with kernel ${name.text} is left out`, span);
    return { kind: "kernel", name, offset, size, span };
  }

  /** function_info. */
  #function(at: number, version: ObjectVersion): Entry {
    const header = this.#header;
    const start = header.at;
    const linkage = header.u8("the linkage of a function");
    if (linkage !== 1 && linkage !== 2)
      throw new Broken(
        "PTX8508",
        `a function of linkage ${linkage}, at byte ${start}`,
        header.since(start),
        "1 (static) or 2 (global)",
      );
    const name = this.#name(`function_${at}`, version);
    const offset = header.u32("the offset of a function");
    const size = header.u32("the size of a function");
    this.#relocations();
    return { kind: "function", name, offset, size, span: header.since(start) };
  }

  #name(otherwise: string, version: ObjectVersion): ast.Name {
    const header = this.#header;
    const start = header.at;
    const length = header.unsigned(bytesOfNameLength(version), "the length of a name");
    const text = textOf(header.bytes(length, "a name"));
    const span = header.since(start);
    if (spellings.quoted.test(text)) return { text, span };
    if (length > 0) this.#note(`a name that text cannot say becomes ${otherwise}`, span);
    return { text: otherwise, span };
  }

  #relocations(): void {
    this.#none(this.#header.u16("the count of relocated variables"), "relocations");
    this.#none(this.#header.u16("the count of relocated functions"), "relocations");
  }

  #none(count: number, what: string): void {
    const { at } = this.#header;
    if (count > 0) throw new Broken("PTX8508", `the file has ${what}, at byte ${at - 2}`, this.#header.since(at - 2));
  }

  /** Kernels must not share bytes: ten thousand kernels over the same bytes would take ten thousand times as long. */
  #checkSizes(entries: readonly Entry[]): void {
    let end = this.#header.at;
    for (const { offset, size, name, span } of entries.toSorted((a, b) => a.offset - b.offset)) {
      if (offset < end || offset + size > this.#bytes.length) {
        const message = `kernel ${name.text} cannot lie at byte ${offset} with ${size} bytes`;
        throw new Broken("PTX8505", shorten(message), span, `bytes ${end} to ${this.#bytes.length}`);
      }
      end = offset + size;
    }
  }

  #body({ kind, name, offset, size, span }: Entry, version: ObjectVersion): ast.Kernel {
    const { statements, renamed } = readKernel(this.#header.part(offset, offset + size), kind, version);
    if (renamed > 0) {
      const what = renamed === 1 ? "1 name that text cannot say is" : `${renamed} names that text cannot say are`;
      this.#note(`${what} replaced in kernel ${name.text}`, span);
    }
    return { kind, name, statements };
  }
}
