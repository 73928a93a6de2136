import { type Diagnostic, hasErrors } from "../source/diagnostic.ts";
import type { Source } from "../source/source.ts";

/** A language other than PTX: lines that only it has, and how to get PTX from it. */
interface Language {
  readonly name: string;
  readonly line: RegExp;
  readonly help: string;
}

const compile = "ptxrun reads PTX: nvcc -ptx makes it from CUDA, as does clang -S --cuda-device-only";
const languages: readonly Language[] = [
  {
    name: "SASS, the machine code of a GPU",
    line: /^\s*\/\*[0-9a-f]{4,5}\*\/\s+[@A-Z]|^\s*(?:EXIT|NOP|S2U?R|MOV|IMAD|IADD3|FFMA|FADD|ISETP|LDC|LDG\.E|STG\.E|LDS|STS|ULDC|BRA)\b.*;\s*$/,
    help: "cuobjdump -ptx shows the PTX of a program that has it; cuobjdump -sass shows this",
  },
  {
    name: "CUDA or C++",
    line: /^\s*(?:#include\b|__global__\b|__device__\b|extern "C"|template\s*<|using namespace\b|__shared__\b|int main\s*\()|\bthreadIdx\.|\w<<<\w/,
    help: compile,
  },
  {
    name: "LLVM's intermediate language",
    line: /^(?:define|declare) .*@|^target (?:triple|datalayout) =/,
    help: "llc -march=nvptx64 makes PTX from it",
  },
  {
    name: "MLIR",
    line: /^\s*(?:module\s*(?:attributes\b.*)?\{|(?:func\.func|tt\.func|gpu\.func|llvm\.func)\b)/,
    help: compile,
  },
  {
    name: "assembly of AMD's GPUs",
    line: /^\s*(?:[sv]_[a-z0-9]+_[a-z0-9_]+\s|s_endpgm\b|\.amdgcn_target\b|\.amdhsa_)/,
    help: "ptxrun runs PTX, and vISA of Intel",
  },
  {
    name: "assembly of a processor",
    line: /^\s*(?:(?:push|pop)q?\s+%?r[a-z0-9]+|(?:mov|lea|sub|add|xor)[lq]?\s+.*\b[re](?:ax|bx|cx|dx|sp|bp|si|di)\b|stp\s+x29)/,
    help: "nvcc -ptx gives the code of the GPU",
  },
  {
    name: "HTML",
    line: /^\s*<(?:!doctype|html|head|body|script|pre)\b/i,
    help: "save the text of the page, not the page",
  },
  { name: "a patch", line: /^(?:@@ .*@@|diff --git |\+\+\+ \S|--- \S)/, help: "apply it, and give the file" },
  {
    name: "the output of a compiler or a driver",
    line: /^(?:ptxas|nvcc|nvlink)\s*(?:info|warning|error|fatal|\w+\.ptx)?\b.*:|^\S+\(\d+\): (?:error|warning)/,
    help: "give the file that it is about",
  },
  {
    name: "JSON",
    line: /^\s*[[{]\s*(?:"|$|\{)/,
    help: "checks of a file are in NAME.ptxcheck.json; ptxrun itself reads PTX",
  },
  {
    name: "Python",
    line: /^\s*(?:import \w+|from \w+ import\b|def \w+\(.*\):|@triton\.jit)/,
    help: "print the PTX that it makes: kernel.asm['ptx'] of Triton",
  },
];

/** Marks of PTX: a text with one of these is PTX, and its errors are PTX errors. */
const PTX = /^\s*\.(?:version|target|visible|entry|func|reg|address_size|extern|global|shared|param)\b/;

/** Lines that are examined: the language shows early. */
const LINES = 200;

/** A line that begins or ends a block of code in Markdown. */
const FENCE = /^ {0,3}(?:```|~~~)/;

interface Line {
  readonly text: string;
  readonly start: number;
}

/** The first lines of a text. */
function linesOf({ text }: Source): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.slice(0, 20_000).split("\n", LINES)) {
    lines.push({ text: line.slice(0, 200), start });
    start += line.length + 1;
  }
  return lines;
}

/**
 * PTX1122 for a text in another language, at the first line that shows it; undefined for PTX, and where no line shows
 * one.
 */
function foreignText(source: Source): Diagnostic | undefined {
  const lines = linesOf(source);
  const markdown = inMarkdown(source, lines);
  if (markdown !== undefined) return markdown;
  if (lines.some(({ text }) => PTX.test(text))) return undefined;
  for (const line of lines) {
    const found = languages.find((language) => language.line.test(line.text));
    if (found !== undefined) return no(source, line, found);
  }
  return undefined;
}

const no = (source: Source, { text, start }: Line, { name, help }: Omit<Language, "line">): Diagnostic => {
  const lead = text.length - text.trimStart().length;
  return {
    code: "PTX1122",
    severity: "error",
    message: `this looks like ${name}`,
    source,
    span: { start: start + lead, end: start + Math.max(text.trimEnd().length, lead + 1) },
    expected: "PTX",
    help: [{ message: help }],
  };
};

/** A page with a heading, or with text before a block of code; the block with PTX is what was meant. */
function inMarkdown(source: Source, lines: readonly Line[]): Diagnostic | undefined {
  const first = lines.find(({ text }) => text.trim() !== "");
  const fences = lines.flatMap(({ text }, at) => (FENCE.test(text) ? [at] : []));
  if (first === undefined || PTX.test(first.text) || first.text.trim().startsWith("//")) return undefined;
  if (fences.length < 2 && !(/^#{1,6} \w/.test(first.text) && !/^# \d/.test(first.text))) return undefined;
  const isPtx = (from: number, to: number): boolean =>
    /^ {0,3}[`~]{3,}\s*ptx\b/i.test(lines[from]?.text ?? "") ||
    lines.slice(from + 1, to).some(({ text }) => PTX.test(text));
  for (let index = 0; index + 1 < fences.length; index += 2) {
    const [open = 0, close = 0] = fences.slice(index);
    const line = lines[open];
    if (line === undefined || !isPtx(open, close)) continue;
    const part = open + 2 === close ? `line ${close}` : `lines ${open + 2} to ${close}`;
    const help = `${part} are the PTX: sed -n ${open + 2},${close}p ${/^-/.test(source.name) ? "FILE" : source.name} > kernel.ptx`;
    return no(source, line, { name: "Markdown, with PTX in a block", help });
  }
  return no(source, first, {
    name: "Markdown",
    help: "give the PTX alone: a block of code, without the text around it",
  });
}

/** A text in another language has one error: that it is no PTX. */
export function inOneWord(source: Source, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const foreign = hasErrors(diagnostics) ? foreignText(source) : undefined;
  return foreign === undefined ? diagnostics : [foreign];
}
