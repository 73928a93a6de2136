import { header } from "./sizes.ts";

/** A text that grows in one direction. */
export interface Shape {
  readonly name: string;
  /** A size at which loading takes some tenths of a second at most. */
  readonly size: number;
  readonly text: (size: number) => string;
}

const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join("");
const kernel = (body: string): string => `${header}.visible .entry k()\n{\n${body}ret;\n}\n`;
const spaces = " ".repeat(1000);

/** What a text can have much of. */
export const shapes: readonly Shape[] = [
  {
    name: "instructions",
    size: 4000,
    text: (n) => kernel(`.reg .u32 a, b;\n${times(n, (i) => `add.u32 a, b, ${i};\n`)}`),
  },
  { name: "instructions of a snippet", size: 3000, text: (n) => times(n, (i) => `add.u32 a${i}, a${i + 1}, ${i};\n`) },
  { name: "labels", size: 5000, text: (n) => kernel(times(n, (i) => `L${i}:\n`)) },
  { name: "branches ahead", size: 4000, text: (n) => kernel(`${times(n, (i) => `bra L${i};\n`)}${times(n, (i) => `L${i}:\n`)}`) },
  { name: "branches to nowhere", size: 3000, text: (n) => kernel(times(n, (i) => `bra L${i};\n`)) },
  { name: "registers one by one", size: 8000, text: (n) => kernel(`.reg .b32 ${times(n, (i) => `r${i}, `)}z;\n`) },
  { name: "registers that are used", size: 4000, text: (n) => kernel(`.reg .b32 %r<${n}>;\n${times(n, (i) => `mov.b32 %r${i}, 1;\n`)}`) },
  { name: "ranges of registers", size: 4000, text: (n) => kernel(times(n, (i) => `.reg .b32 %r${i}_<99>;\n`)) },
  { name: "registers that nobody declared", size: 3000, text: (n) => kernel(times(n, (i) => `mov.b32 %r${i}, %q${i};\n`)) },
  { name: "registers declared twice", size: 4000, text: (n) => kernel(times(n, () => ".reg .b32 a;\n")) },
  { name: "blocks", size: 4000, text: (n) => kernel(times(n, () => "{ .reg .b32 a; mov.b32 a, 1; }\n")) },
  { name: "deep blocks", size: 20_000, text: (n) => kernel(`${"{".repeat(n)}${"}".repeat(n)}\n`) },
  { name: "open blocks", size: 20_000, text: (n) => kernel(`${"{\n".repeat(n)}`) },
  { name: "closed blocks", size: 5000, text: (n) => kernel(`${"}\n".repeat(n)}`) },
  { name: "variables", size: 4000, text: (n) => `${header}${times(n, (i) => `.global .u32 g${i};\n`)}${kernel("").slice(header.length)}` },
  { name: "variables that refer to each other", size: 2000, text: (n) => `${header}.global .u64 g0;\n${times(n, (i) => `.global .u64 g${i + 1} = g${i};\n`)}` },
  { name: "elements of an initialiser", size: 8000, text: (n) => `${header}.global .u8 g[] = {${times(n, (i) => `${i % 256}, `)}0};\n` },
  { name: "shared variables", size: 3000, text: (n) => kernel(times(n, (i) => `.shared .u32 s${i};\n`)) },
  { name: "kernels", size: 1500, text: (n) => `${header}${times(n, (i) => `.visible .entry k${i}() { ret; }\n`)}` },
  { name: "functions that call the next", size: 1000, text: (n) => `${header}.func f0() { ret; }\n${times(n, (i) => `.func f${i + 1}() { call f${i}; ret; }\n`)}.entry k() { call f${n}; ret; }\n` },
  { name: "declared functions", size: 3000, text: (n) => `${header}${times(n, (i) => `.extern .func f${i};\n`)}${kernel("").slice(header.length)}` },
  { name: "parameters", size: 2000, text: (n) => `${header}.entry k(${times(n, (i) => `.param .u32 p${i}, `)}.param .u32 z) { ret; }\n` },
  { name: "operands", size: 20_000, text: (n) => kernel(`.reg .u32 a;\nadd.u32 ${"a, ".repeat(n)}a;\n`) },
  { name: "modifiers", size: 20_000, text: (n) => kernel(`.reg .u32 a;\nadd${".rn".repeat(n)}.u32 a, a, a;\n`) },
  { name: "a long name", size: 200_000, text: (n) => kernel(`.reg .u32 ${"a".repeat(n)};\n`) },
  { name: "a long number", size: 50_000, text: (n) => kernel(`.reg .u32 a;\nmov.u32 a, ${"9".repeat(n)};\n`) },
  { name: "a long fraction", size: 20_000, text: (n) => kernel(`.reg .f32 a;\nmov.f32 a, 1.${"7".repeat(n)}e-9;\n`) },
  { name: "a long sum", size: 20_000, text: (n) => kernel(`.reg .u32 a;\nmov.u32 a, ${"1+".repeat(n)}1;\n`) },
  { name: "deep parentheses", size: 20_000, text: (n) => kernel(`.reg .u32 a;\nmov.u32 a, ${"(".repeat(n)}1${")".repeat(n)};\n`) },
  { name: "open brackets", size: 20_000, text: (n) => kernel(`.reg .u32 a;\nld.u32 a, ${"[".repeat(n)};\n`) },
  { name: "wrong instructions", size: 3000, text: (n) => kernel(times(n, (i) => `nope${i}.u32 a, b;\n`)) },
  { name: "wrong statements", size: 8000, text: (n) => kernel(times(n, () => "a b c d\n")) },
  { name: "wrong items", size: 8000, text: (n) => `${header}${times(n, () => "] ] ]\n")}` },
  { name: "semicolons", size: 20_000, text: (n) => kernel(";".repeat(n)) },
  { name: "foreign characters", size: 20_000, text: (n) => kernel("é ".repeat(n)) },
  { name: "open comments", size: 100_000, text: (n) => kernel("/*".repeat(n)) },
  { name: "comments", size: 20_000, text: (n) => kernel("/**/ // a\n".repeat(n)) },
  { name: "open strings", size: 8000, text: (n) => kernel('.pragma "a\n'.repeat(n)) },
  { name: "blank lines", size: 200, text: (n) => kernel(`${spaces}\n`.repeat(n)) },
  { name: "lines of a debugger", size: 4000, text: (n) => `${header}.file 1 "a.cu"\n${kernel(times(n, (i) => `.loc 1 ${i + 1} 1\nmembar.gl;\n`)).slice(header.length)}` },
  { name: "bytes of a section", size: 8000, text: (n) => `${header}.section .debug_info { .b8 ${times(n, () => "1, ")}1 }\n` },
  { name: "targets of a branch", size: 4000, text: (n) => kernel(`.reg .u32 a;\n${times(n, (i) => `L${i}:\n`)}T: .branchtargets ${times(n, (i) => `L${i}, `)}L0;\nbrx.idx a, T;\n`) },
  { name: "words without an end", size: 20_000, text: (n) => "a ".repeat(n) },
  { name: "one word", size: 200_000, text: (n) => "a".repeat(n) },
  { name: "dots", size: 20_000, text: (n) => ".".repeat(n) },
  { name: "percent signs", size: 20_000, text: (n) => "%".repeat(n) },
]; // biome-ignore format: a table
