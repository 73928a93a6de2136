import { type Diagnostic, hasErrors } from "../source/diagnostic.ts";
import type { Source } from "../source/source.ts";

/** A language other than PTX: lines that only it has, and how to get PTX from it. */
interface Language {
  readonly name: string;
  readonly line: RegExp;
  readonly help: string;
}

const compile = "ptxrun reads PTX: nvcc -ptx makes it of CUDA, clang -S --cuda-device-only too";
const languages: readonly Language[] = [
  {
    name: "SASS, the machine code of a GPU",
    line: /^\s*\/\*[0-9a-f]{4,5}\*\/\s+[@A-Z]|^\s*(?:EXIT|NOP|S2R|MOV|IMAD|LDG\.E|STG\.E|ULDC)\b.*;\s*$/,
    help: "cuobjdump -ptx shows the PTX of a program that has it; cuobjdump -sass shows this",
  },
  {
    name: "CUDA or C++",
    line: /^\s*(?:#include\b|__global__\b|__device__\b|extern "C"|template\s*<|using namespace\b|int main\s*\()|\bthreadIdx\./,
    help: compile,
  },
  {
    name: "LLVM's intermediate language",
    line: /^(?:define|declare) .*@|^target (?:triple|datalayout) =/,
    help: "llc -march=nvptx64 makes PTX of it",
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
    name: "what a compiler or a driver said",
    line: /^(?:ptxas|nvcc|nvlink)\s*(?:info|warning|error|fatal|\w+\.ptx)?\b.*:|^\S+\(\d+\): (?:error|warning)/,
    help: "give the file that it is about",
  },
  {
    name: "JSON",
    line: /^\s*[[{]\s*(?:"|$|\{)/,
    help: "checks of a file stand in NAME.ptxcheck.json; ptxrun itself reads PTX",
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

/**
 * PTX1122 for a text in another language, at the first line that shows it; undefined for PTX, and where no line shows
 * one.
 */
function foreignText(source: Source): Diagnostic | undefined {
  const lines = source.text.slice(0, 20_000).split("\n", LINES);
  if (lines.some((line) => PTX.test(line.slice(0, 200)))) return undefined;
  let start = 0;
  for (const line of lines) {
    const found = languages.find((language) => language.line.test(line.slice(0, 200)));
    if (found !== undefined) {
      const lead = line.length - line.trimStart().length;
      return {
        code: "PTX1122",
        severity: "error",
        message: `this looks like ${found.name}`,
        source,
        span: { start: start + lead, end: start + Math.max(line.trimEnd().length, lead + 1) },
        expected: "PTX",
        help: [{ message: found.help }],
      };
    }
    start += line.length + 1;
  }
  return undefined;
}

/** A text in another language has one error: that it is no PTX. */
export function inOneWord(source: Source, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const foreign = hasErrors(diagnostics) ? foreignText(source) : undefined;
  return foreign === undefined ? diagnostics : [foreign];
}
