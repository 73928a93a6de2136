import { disassemble } from "../../packages/visa/src/index.ts";
import { isObject } from "../../packages/visa/src/recognise.ts";
import { isContainer, ptxIn } from "../host/container/device-code.ts";
import { problem } from "../host/problem.ts";
import { targetNumber } from "../numeric/tensor/rules.ts";
import type { Code } from "../source/codes/index.ts";
import type { Diagnostic, Staged } from "../source/diagnostic.ts";
import { late } from "../source/loading.ts";
import { Source, type Span } from "../source/source.ts";
import type { BoundedRead, Files } from "./files.ts";
import type { Io } from "./io.ts";
import type { Reach } from "./reach.ts";

/** The position of a path in a text, so that a message can point at it. */
export interface PathOrigin {
  readonly source: Source;
  readonly span: Span;
}

/** The largest text that is read, bytes: compiler output has some megabytes. */
export const MOST_TEXT: number = 256 * 2 ** 20;

/** Bytes of a buffer when nothing limits the device's memory further. */
const MOST_DATA = 2 ** 31;

/** The kind of contents that is read determines the message for a file that is too large. */
type Kind = "text" | "data";

/** A data file's bytes, at most `reach.maxBytes`. */
export const readBytes = (path: string, reach: Reach, place?: PathOrigin): Staged<Uint8Array | undefined> =>
  read(path, reach, "data", reach.maxBytes ?? MOST_DATA, place);

/** A text file's bytes, at most `most`. */
export const readTextBytes = (
  path: string,
  reach: Reach,
  most: number,
  place?: PathOrigin,
): Staged<Uint8Array | undefined> => read(path, reach, "text", most, place);

/** A text file; see `decode`. */
export function readText(path: string, reach: Reach, most: number, place?: PathOrigin): Staged<Source | undefined> {
  const { value: bytes, diagnostics } = readTextBytes(path, reach, most, place);
  return bytes === undefined ? { value: undefined, diagnostics } : decode(path, bytes);
}

/** All of standard input as bytes of a text. */
export function readInput(io: Io): Staged<Uint8Array | undefined> {
  const most = mostText(io);
  return judged("standard input", io.input(most), "text", most);
}

/** The largest text for a command: tests take a small one. */
export const mostText = ({ mostText = MOST_TEXT }: Pick<Io, "mostText">): number => mostText;

function read(
  path: string,
  reach: Reach,
  kind: Kind,
  most: number,
  place?: PathOrigin,
): Staged<Uint8Array | undefined> {
  const { files, within, time } = reach;
  const isLate = time && (() => time.now() > time.end);
  const full = files.resolve(path);
  reach.onRead?.(full);
  const located = within === undefined ? { real: full } : files.locate(full, within);
  if ("outside" in located) return outside(path, place);
  const trust = within === undefined ? { pipes: true, exact: false } : { pipes: false, exact: true };
  const result = "wrong" in located ? located : files.read(located.real, most, trust, isLate);
  if ("late" in result && time !== undefined) return { value: undefined, diagnostics: [late(time, place)] };
  return judged(path, result, kind, most, place);
}

/** The error for a path that leads outside of the allowed folders, named by a file or found in a folder. */
function outside(path: string, place?: PathOrigin): Staged<undefined> {
  const help = [{ message: "--allow-read FOLDER allows what lies below another folder" }];
  return place === undefined
    ? wrong("PTX2015", `${path} is a link out of the folder in which it was found`, place, { help })
    : wrong("PTX7009", `${path} is not below the folder of the file that names it`, place, { help });
}

function judged(
  path: string,
  result: BoundedRead,
  kind: Kind,
  most: number,
  place?: PathOrigin,
): Staged<Uint8Array | undefined> {
  if ("bytes" in result) return { value: result.bytes, diagnostics: [] };
  if ("wrong" in result) return wrong("PTX2011", `cannot read ${path}: ${result.wrong}`, place);
  if (kind === "text")
    return wrong("PTX6004", `${path} has more than ${most} bytes`, place, {
      expected: `a text of ${most} bytes at most`,
    });
  return wrong("PTX6003", `no room for ${path}, more than ${most} bytes`, place, {
    expected: "fewer bytes, or a higher --max-mem",
  });
}

/**
 * A file's text, which must be UTF-8 (or UTF-16 with a byte order mark); a vISA object, which is disassembled; or a file
 * with device code, whose PTX for `target` (`sm_90`), by default for the newest, is taken. `name` is used in messages.
 */
export function decode(name: string, bytes: Uint8Array, target?: string): Staged<Source | undefined> {
  if (isObject(bytes)) return disassemble(name, bytes);
  if (isContainer(bytes)) {
    const { value: text, diagnostics } = ptxIn(name, bytes, target === undefined ? undefined : targetNumber(target));
    return { value: text === undefined ? undefined : new Source(name, text), diagnostics };
  }
  try {
    // A byte order mark stays in the text, so that the lexer reports it.
    const text = new TextDecoder(encodingOf(bytes), { fatal: true, ignoreBOM: true }).decode(bytes);
    return { value: new Source(name, text), diagnostics: [] };
  } catch {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const at = firstBad(text, bytes);
    const diagnostic = problem("PTX1010", "the text is not UTF-8 from here on", {
      source: new Source(name, text),
      span: { start: at, end: at + 1 },
      expected: "PTX text",
      help: [{ message: "is this a binary, or text in another encoding?" }],
    });
    return { value: undefined, diagnostics: [diagnostic] };
  }
}

/** Windows' shells write UTF-16, with a byte order mark in front. */
function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** Writes a file in one call. */
export function writeFile(path: string, contents: Uint8Array | string, files: Files): readonly Diagnostic[] {
  return unwritten(path, files.write(path, contents));
}

/** A file that is written incrementally. */
export interface OpenFile {
  write(text: string): void;
  /** Returns the problems of writing. */
  close(): readonly Diagnostic[];
}

/** Opens a file for writing, empty at first. */
export function openFile(path: string, files: Files): Staged<OpenFile | undefined> {
  const file = files.open(path);
  if (typeof file === "string") return { value: undefined, diagnostics: unwritten(path, file) };
  let failed: string | undefined;
  const value: OpenFile = {
    write(text) {
      failed ??= file.write(text);
    },
    close() {
      failed ??= file.close();
      return unwritten(path, failed);
    },
  };
  return { value, diagnostics: [] };
}

const unwritten = (path: string, why: string | undefined): readonly Diagnostic[] =>
  why === undefined ? [] : wrong("PTX2013", `cannot write ${path}: ${why}`).diagnostics;

const wrong = (code: Code, message: string, place?: PathOrigin, more: Partial<Diagnostic> = {}): Staged<undefined> => ({
  value: undefined,
  diagnostics: [problem(code, message, { ...more, ...place })],
});

/** Where `text` has a replacement character that the bytes do not contain. */
function firstBad(text: string, bytes: Uint8Array): number {
  const encoder = new TextEncoder();
  let offset = 0;
  let before = 0;
  for (let at = text.indexOf("\ufffd"); at >= 0; at = text.indexOf("\ufffd", at + 1)) {
    offset += encoder.encode(text.slice(before, at)).length;
    if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd) return at;
    offset += 3;
    before = at + 1;
  }
  return text.length;
}
