import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { problem } from "../../../src/host/problem.ts";
import type { Diagnostic, Staged } from "../../../src/source/diagnostic.ts";
import { cudaText } from "./cuda.ts";
import { llvmText } from "./llvm.ts";
import type { Module } from "./program.ts";

/** A compiler as the user names it: `llc-19:O0,O3`, with a path where it is not on the PATH. */
export interface WantedCompiler {
  readonly program: string;
  readonly kind: Kind;
  readonly levels: readonly Level[];
}

const levels = ["O0", "O1", "O2", "O3"] as const;
export type Level = (typeof levels)[number];

/** What a compiler reads: LLVM IR, or CUDA C++. */
export type Kind = "llc" | "nvcc";

/** A compiler that was asked for its version, at one level. */
export interface Compiler {
  /** `llc-19 -O3`, as reports have it. */
  readonly name: string;
  readonly version: string;
  readonly kind: Kind;
  readonly level: Level;
  /** LLVM before 15: pointers in its texts say what they point to. */
  readonly typed: boolean;
  /** The command lines, each of which reads what the one before it wrote. */
  readonly steps: readonly (readonly string[])[];
}

/** What a compiler has made of a text: PTX, or why there is none. */
export type Compiled = { readonly ptx: string } | { readonly failed: string };
/** Compiles a module; tests give one that is no compiler. */
export type Compile = (compiler: Compiler, module: Module) => Promise<Compiled>;

/** Reads `PROGRAM:LEVELS`; all levels where none is named. */
export function readCompiler(text: string): WantedCompiler | undefined {
  const at = text.lastIndexOf(":");
  const program = at < 0 ? text : text.slice(0, at);
  const named = at < 0 ? levels : text.slice(at + 1).split(",");
  const kind = (["llc", "nvcc"] as const).find((each) => basename(program).startsWith(each));
  const known = named.filter((each): each is Level => levels.includes(each as Level));
  return kind === undefined || known.length !== named.length ? undefined : { program, kind, levels: known };
}

/** The version of PTX that a target needs, as LLVM's attribute has it. */
const versionFor = (target: string): string => {
  const number = Number.parseInt(target.slice(3), 10);
  return number < 86 ? "+ptx70" : number < 90 ? "+ptx78" : number < 100 ? "+ptx80" : number < 120 ? "+ptx86" : "+ptx87";
};

/** Asks each compiler for its version, and says which are missing. */
export async function findCompilers(
  wanted: readonly WantedCompiler[],
  target: string,
  cwd: string,
): Promise<Staged<readonly Compiler[]>> {
  const found: Compiler[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { program: given, kind, levels } of wanted) {
    const program = given.includes("/") ? resolve(cwd, given) : given;
    const opt = kind === "llc" ? [join(dirname(program), basename(program).replace("llc", "opt"))] : [];
    // `join` takes the point of a bare name away again, so that it is looked up on the PATH.
    const programs = [program, ...(levels.some((level) => level !== "O0") ? opt : [])];
    const said = await Promise.all(programs.map((each) => runProgram([each, "--version"], "")));
    for (const [at, { failed }] of said.entries())
      if (failed !== undefined)
        diagnostics.push(
          problem("PTX2251", `cannot run ${programs[at]}: ${failed}`, {
            expected: kind === "llc" ? "llc, and opt beside it, of one version of LLVM: --with llc-19:O0,O3" : "the program's name or path", // biome-ignore format: one line
          }),
        );
    const text = said[0]?.out ?? "";
    const version = versionIn(text);
    if (said.some(({ failed }) => failed !== undefined)) continue;
    for (const level of levels)
      found.push({
        name: `${basename(program)} -${level}`,
        version,
        kind,
        level,
        typed: kind === "llc" && Number.parseInt(version, 10) < 15,
        steps: stepsOf(kind, program, opt[0] ?? "", level, target),
      });
  }
  return { value: found, diagnostics };
}

/** The first number with points in what `--version` prints. */
const versionIn = (text: string): string => /(?:version |V)(\d+(?:\.\d+)*)/.exec(text)?.[1] ?? "unknown";

function stepsOf(
  kind: Kind,
  program: string,
  opt: string,
  level: Level,
  target: string,
): readonly (readonly string[])[] {
  const machine = [`-mcpu=${target}`, `-mattr=${versionFor(target)}`];
  switch (kind) {
    case "llc":
      return [
        ...(level === "O0"
          ? []
          : [[opt, `-${level}`, "-mtriple=nvptx64-nvidia-cuda", ...machine, "-S", "-o", "-", "-"]]),
        [program, `-${level}`, "-march=nvptx64", ...machine, "-fp-contract=off", "-o", "-", "-"],
      ];
    case "nvcc":
      // The front end of nvcc has no level; cicc has.
      return [[program, "-ptx", `-arch=${target}`, "--fmad=false", "-Xcicc", `-${level}`, "-w", "-o", OUT, IN]]; // biome-ignore format: one line
  }
}

/** In place of files, in the words of a compiler that reads and writes nothing else. */
const [IN, OUT] = ["{in}.cu", "{out}.ptx"];

/** The module as the compiler reads it. */
export const textFor = ({ kind, typed }: Compiler, module: Module): string =>
  kind === "nvcc" ? cudaText(module) : llvmText(module, typed);

/** Compiles a module's text in a process for each step. */
export const compile: Compile = async (compiler, module) => {
  let passed = textFor(compiler, module);
  for (const step of compiler.steps) {
    const { out, failed } = step.includes(IN) ? await throughFiles(step, passed) : await runProgram(step, passed);
    if (failed !== undefined) return { failed };
    passed = out;
  }
  return { ptx: passed };
};

async function throughFiles(step: readonly string[], text: string): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), "ptxrun-hunt-"));
  const files = new Map([IN, OUT].map((name) => [name, join(folder, name.replace(/[{}]/g, ""))]));
  const [source = "", made = ""] = files.values();
  try {
    writeFileSync(source, text);
    const { failed } = await runProgram(
      step.map((word) => files.get(word) ?? word),
      "",
    );
    return failed === undefined ? { out: readFileSync(made, "utf8") } : { out: "", failed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Seconds after which a compiler hangs. */
const LONGEST = 300;
/** The first lines of what a compiler says are kept. */
const MOST_SAID = 4000;

/** What a compiler says, its reason first: LLVM asks for a report before it tells in which pass it was. */
function saidIn(text: string): string {
  const said = text.trim().slice(0, MOST_SAID);
  const pass = said.startsWith("PLEASE")
    ? said.split("\n").findLast((line) => line.includes("Running pass"))
    : undefined;
  return pass === undefined ? said : `it crashed: ${pass.replace(/^\d+\.\s*/, "")}\n${said}`;
}

interface Ended {
  readonly out: string;
  /** Absent when it ended well. */
  readonly failed?: string;
}

function runProgram([program = "", ...words]: readonly string[], input: string): Promise<Ended> {
  return new Promise((done) => {
    // A compiler that crashes would look up its own symbols for seconds.
    const env = { ...process.env, LLVM_DISABLE_SYMBOLIZATION: "1" };
    const child = spawn(program, words, { stdio: ["pipe", "pipe", "pipe"], timeout: LONGEST * 1000, env });
    const out: string[] = [];
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => void out.push(text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (err.length < MOST_SAID) err += text;
    });
    // It may end before it has read all.
    child.stdin.on("error", () => {});
    child.on("error", ({ message }) => done({ out: "", failed: message }));
    child.on("close", (code, signal) => {
      if (code === 0) done({ out: out.join("") });
      else done({ out: "", failed: saidIn(err) || `it ended with ${signal ?? code}` });
    });
    child.stdin.end(input);
  });
}
