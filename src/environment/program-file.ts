import {
  type Beside,
  type Constants,
  describe,
  functionPath,
  joined,
  zeinfoPaths,
} from "../../packages/visa/src/index.ts";
import { isElf, type Section, sectionsOf, symbolsOf } from "../host/container/elf.ts";
import { problem } from "../host/problem.ts";
import type { Staged } from "../source/diagnostic.ts";
import { Source } from "../source/source.ts";
import { decode, type PathOrigin, readTextBytes } from "./file.ts";
import type { Reach } from "./reach.ts";

/** The largest file in which a `.zeinfo` is looked for: a compiled program has some megabytes. */
const MOST_ZEINFO = 64 * 2 ** 20;

/** The largest text of a function. */
const MOST_FUNCTION = 2 ** 24;

/**
 * The text of a program in a file, as `decode` reads it; a dump of vISA comes with the `.zeinfo` that its compiler wrote beside
 * it, or with that of `given`.
 */
export function decodeProgram(
  path: string,
  bytes: Uint8Array,
  reach: Reach,
  { target, zeinfo: given }: { readonly target?: string | undefined; readonly zeinfo?: string | undefined } = {},
): Staged<Source | undefined> {
  const text = decode(path, bytes, target);
  if (text.value === undefined) return text;
  const decoded = { ...text, value: joined(text.value, functionsBeside(path, reach)) };
  if (given !== undefined) {
    const { value: beside, diagnostics } = readZeinfo(given, reach);
    if (beside === undefined) return { value: undefined, diagnostics };
    describe(decoded.value, beside);
    return decoded;
  }
  const found = zeinfoPaths(path).flatMap((each) => readZeinfo(each, reach).value ?? []);
  const [first] = found;
  const constants = found.find((each) => each.constants !== undefined)?.constants;
  if (first !== undefined) describe(decoded.value, { ...first, ...(constants && { constants }) });
  return decoded;
}

/** The functions that a dump of vISA calls by the stack. */
function functionsBeside(path: string, reach: Reach): readonly Source[] {
  const found: Source[] = [];
  for (;;) {
    const beside = functionPath(path, found.length);
    const bytes = beside === undefined ? undefined : readTextBytes(beside, reach, MOST_FUNCTION).value;
    const source = beside === undefined || bytes === undefined ? undefined : decode(beside, bytes).value;
    if (source === undefined) return found;
    found.push(source);
  }
}

/** The text of a program in a file; see `decodeProgram`. */
export function readProgramText(
  path: string,
  reach: Reach,
  most: number,
  { place, zeinfo }: { readonly place?: PathOrigin; readonly zeinfo?: string | undefined } = {},
): Staged<Source | undefined> {
  const { value: bytes, diagnostics } = readTextBytes(path, reach, most, place);
  return bytes === undefined ? { value: undefined, diagnostics } : decodeProgram(path, bytes, reach, { zeinfo });
}

/**
 * The sections of constants, texts and variables of the program, one after the other, and where its symbols are. What begins
 * as 0 is behind the rest of its kind, as the host's driver has it, and in sections without contents.
 */
function constantsIn(sections: readonly Section[]): Constants | undefined {
  const starts = new Map<number, number>();
  const symbols = new Map<string, number>();
  let end = 0;
  for (const kind of ["const", "global"]) {
    const start = end;
    for (const part of [".data", ".bss"])
      for (const [at, { name, bytes }] of sections.entries())
        if (name.startsWith(`${part}.${kind}`)) {
          starts.set(at, end);
          symbols.set(name, end);
          end += bytes;
        }
    const all = `.data.${kind}`;
    if (end > start && !symbols.has(all)) symbols.set(all, start);
  }
  if (end === 0 || end > MOST_ZEINFO) return undefined;
  const bytes = new Uint8Array(end);
  for (const [at, start] of starts) bytes.set(sections[at]?.contents ?? [], start);
  for (const { name, section, value } of symbolsOf(sections)) {
    const start = starts.get(section);
    if (start !== undefined) symbols.set(name, start + value);
  }
  return { bytes, symbols };
}

/** A `.zeinfo`, or the compiled program (ELF) that has one as a section, with its constants. */
function readZeinfo(path: string, reach: Reach): Staged<Beside | undefined> {
  const { value: bytes, diagnostics } = readTextBytes(path, reach, MOST_ZEINFO);
  if (bytes === undefined) return { value: undefined, diagnostics };
  if (!isElf(bytes)) {
    const { value: zeinfo, diagnostics: unread } = decode(path, bytes);
    return { value: zeinfo && { zeinfo }, diagnostics: unread };
  }
  const sections = sectionsOf(bytes);
  const contentsOf = (wanted: string): Uint8Array | undefined =>
    typeof sections === "string" ? undefined : sections.find(({ name }) => name === wanted)?.contents;
  const text = contentsOf(".ze_info");
  const constants = typeof sections === "string" ? undefined : constantsIn(sections);
  if (text === undefined) {
    const message = `${path} ${typeof sections === "string" ? sections : "has no section .ze_info"}`;
    return {
      value: undefined,
      diagnostics: [problem("PTX8401", message, { expected: "a .zeinfo, or what ocloc compiled" })],
    };
  }
  return {
    value: { zeinfo: new Source(path, new TextDecoder().decode(text)), ...(constants && { constants }) },
    diagnostics: [],
  };
}
