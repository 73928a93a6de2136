import type { Io } from "../../../src/environment/io.ts";
import type { Slicing } from "../../../src/environment/slicing.ts";
import type { Cause, Step } from "../diff/origin/describe.ts";
import { comparePair, Texts } from "../diff/pair.ts";
import { rowOf } from "./llvm.ts";
import type { Program } from "./program.ts";
import { outputsOf } from "./run.ts";
import { toBytes } from "./type.ts";

/** The words of a command line that launch a program, its input in a file. */
export function launchWords(program: Program, input: string): readonly string[] {
  const { bytes } = rowOf(outputsOf(program));
  const hex = (each: Uint8Array): string =>
    `hex:${Array.from(each, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  const args = [
    `0=@${input}`,
    `1=u8x${bytes * program.threads}:fill=0xa5`,
    ...program.parameters.map(({ type, value }, at) => `${at + 2}=${hex(toBytes(type, value))}`),
  ];
  return ["--entry", program.name, "--block", String(program.threads), ...args.flatMap((arg) => ["-a", arg])];
}

/** Why two compiled texts of a program differ, by `diff`: files, the right one first. */
export async function causeOf(
  program: Program,
  files: { readonly right: string; readonly wrong: string; readonly input: string },
  io: Io,
  slicing: Slicing,
): Promise<Cause | undefined> {
  const words = launchWords(program, files.input);
  const { cause } = await comparePair(
    { a: { path: files.right }, b: { path: files.wrong } },
    {
      entry: program.name,
      block: [program.threads, 1, 1],
      arg: words.filter((_, at) => words[at - 1] === "-a"),
      sanitize: { mem: true, init: true, sync: true },
      format: "text",
      color: "never",
      quiet: true,
    },
    io,
    slicing,
    new Texts(),
  );
  return cause;
}

/** Registers, labels and numbers do not tell causes apart; the instruction does. */
const instructionIn = ({ text }: Step): string => text.replace(/^@!?%p\d+ /, "").split(" ", 1)[0] ?? "";

/** What a difference is filed under: the instructions where two texts of a program begin to differ, if each has one. */
export function keyOf(cause: Cause | undefined): string | undefined {
  const { a, b } = cause?.origin ?? {};
  return a && b && `${instructionIn(a)} became ${instructionIn(b)}`;
}

/** A message without what is different each time. */
export const withoutNumbers = (message: string): string =>
  message
    .split("\n", 1)[0]
    ?.replace(/\b0x[0-9a-f]+\b/gi, "#")
    .replace(/%?\b[a-z_$.]*\d[\w$.]*/gi, "#")
    .replace(/\d+/g, "#")
    .slice(0, 160) ?? "";
