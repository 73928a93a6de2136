import { hasErrors, type Staged } from "../../source/diagnostic.ts";
import { problem } from "../problem.ts";
import { type Cubin, isCubin, readCubin } from "./cubin.ts";
import { type FatEntry, fatbinaryBytes, isFatbinary, readFatbinary } from "./fatbinary.ts";
import { word } from "./little-endian.ts";

/** A module for a device in a file that is not text. */
export interface DeviceCode {
  readonly kind: FatEntry["kind"];
  /** Its byte in the file. */
  readonly offset: number;
  /** 90 for sm_90. */
  readonly target: number;
  readonly packing: FatEntry["packing"];
  /** Its PTX: of machine code, the text that -lineinfo and -G keep; undefined for none, and where it cannot be unpacked. */
  text(): string | undefined;
  /** The mangled names of the kernels that machine code has; none of PTX, whose text says them. */
  kernels(): readonly string[];
}

/** One module, for several targets: a device takes one of them. */
type Alternatives = readonly DeviceCode[];

/** What object files and programs begin with: ELF, archives, Windows, macOS. */
const heads = [0x464c457f, 0x72613c21, 0xfeedfacf, 0xbebafeca];
const isProgram = (bytes: Uint8Array): boolean =>
  bytes.length >= 64 &&
  (heads.includes(word(bytes, 0)) || (bytes[0] === 0x4d && bytes[1] === 0x5a && bytes[2] === 0x90));

/** True for a fat binary, a cubin, and objects, libraries and programs, in which device code may be embedded. */
export const isContainer = (bytes: Uint8Array): boolean => isFatbinary(bytes) || isProgram(bytes);

/** All device code in a file for which `isContainer` is true, in its order. */
export function deviceCodeIn(bytes: Uint8Array): Staged<readonly Alternatives[]> {
  if (isCubin(bytes)) {
    const { value, diagnostics } = readCubin(bytes);
    return { value: value === undefined ? [] : [[machineCode(() => value, 0, value.target, "none")]], diagnostics };
  }
  const all: Alternatives[] = [];
  for (let at = isFatbinary(bytes) ? 0 : findFatbinary(bytes, 0); at >= 0; ) {
    const rest = bytes.subarray(at);
    const { value: entries, diagnostics } = readFatbinary(rest, at);
    if (hasErrors(diagnostics)) return { value: all, diagnostics };
    all.push(entries.map((entry) => embedded(entry, at)));
    at = findFatbinary(bytes, at + fatbinaryBytes(rest));
  }
  return { value: all, diagnostics: [] };
}

/**
 * Where the next fat binary begins, or -1. Objects, libraries and programs of all systems have them as they are, in
 * sections of their own: a search finds what each of these formats would have to be read for. Code that compares with
 * the number in front is no fat binary: its version and the size of its header stand behind it.
 */
function findFatbinary(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0x50, from); at >= 0 && at + 16 <= bytes.length; at = bytes.indexOf(0x50, at + 1))
    if (bytes[at + 1] === 0xed && isFatbinary(bytes.subarray(at)) && word(bytes, at + 4) === VERSION_AND_HEADER)
      return at;
  return -1;
}

/** Version 1, a header of 16 bytes. */
const VERSION_AND_HEADER = 0x0010_0001;

function embedded(entry: FatEntry, at: number): DeviceCode {
  const { kind, target, packing } = entry;
  const offset = at + entry.offset;
  if (kind === "machine code") return machineCode(() => cubinOf(entry.bytes()), offset, target, packing);
  return { kind, offset, target, packing, text: () => untilZero(entry.bytes()), kernels: () => [] };
}

const cubinOf = (bytes: Uint8Array | undefined): Cubin | undefined =>
  bytes !== undefined && isCubin(bytes) ? readCubin(bytes).value : undefined;

const machineCode = (
  cubin: () => Cubin | undefined,
  offset: number,
  target: number,
  packing: FatEntry["packing"],
): DeviceCode => ({
  kind: "machine code",
  offset,
  target,
  packing,
  text: () => cubin()?.text,
  kernels: () => cubin()?.kernels ?? [],
});

function untilZero(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/**
 * The PTX in a file that `isContainer` knows: of each module, the text for the newest target that is not newer than
 * `target`, as the driver chooses it, or else what machine code for one keeps of its text. Several modules are one text,
 * each behind a comment that says where it was. An error where there is none: what the file has instead.
 */
export function ptxIn(
  name: string,
  bytes: Uint8Array,
  target: number = Number.POSITIVE_INFINITY,
): Staged<string | undefined> {
  const { value: modules, diagnostics } = deviceCodeIn(bytes);
  if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
  const chosen = modules.flatMap((alternatives) => chosenFor(alternatives, target) ?? []);
  const [only] = chosen;
  if (only === undefined) return { value: undefined, diagnostics: [noPtx(name, modules.flat(), target)] };
  if (chosen.length === 1) return { value: only.text, diagnostics: [] };
  const heading = ({ code }: Chosen): string => `// ${name}, byte ${code.offset}: ${code.kind} for sm_${code.target}`;
  return { value: chosen.map((each) => `${heading(each)}\n${each.text}\n`).join("\n"), diagnostics: [] };
}

interface Chosen {
  readonly code: DeviceCode;
  readonly text: string;
}

function chosenFor(alternatives: Alternatives, most: number): Chosen | undefined {
  const fitting = alternatives.filter(({ target }) => target <= most).sort((a, b) => b.target - a.target);
  for (const kind of ["PTX", "machine code"])
    for (const code of fitting) {
      const text = code.kind === kind ? code.text() : undefined;
      if (text !== undefined) return { code, text };
    }
  return undefined;
}

function noPtx(name: string, codes: readonly DeviceCode[], target: number) {
  const old = Number.isFinite(target) ? ` for sm_${target} or older` : "";
  const damaged = codes.find((code) => code.kind === "PTX" && code.target <= target);
  const has = codes.map(({ kind, target }) => `${kind} for sm_${target}`);
  const message =
    damaged !== undefined
      ? `${name}: the PTX for sm_${damaged.target} at byte ${damaged.offset} cannot be unpacked`
      : `${name} has no PTX${old}: only ${[...new Set(has)].join(", ") || "code of the host"}`;
  const build = Number.isFinite(target) ? target : (codes[0]?.target ?? 80);
  const help = [
    {
      message: `build with -gencode arch=compute_${build},code=compute_${build}, which embeds PTX, or with -lineinfo, which keeps it`,
    },
  ];
  return problem("PTX2241", message, damaged === undefined ? { help } : {});
}
