import { demangle, shortName, withShortNames } from "../../../packages/demangle/src/index.ts";
import { bitsOf } from "../../host/memory/element.ts";
import { BRIEF } from "../../present/buffer.ts";
import { printable } from "../../present/text/escape.ts";
import type { Palette } from "../../present/text/palette.ts";
import { number } from "../../present/value.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { sizeWords } from "../repeat.ts";
import type { Places } from "./places.ts";
import type { Held, Ran } from "./ran.ts";

// Compiler Explorer makes a link of a line that begins like FILE:12 or FILE(12: only lines about a problem may.

/** Longer names have their parameters left out, and longer values their end. */
const MAX_TITLE = 80;
const MAX_VALUE = 60;
/** Lines of printf. */
const MOST_PRINTED = 16;

/** A kernel with the types of its parameters, which PTX names by their numbers. */
export function kernelTitle(name: string): string {
  const full = demangle(name)?.signature ?? name;
  return printable(full.length <= MAX_TITLE ? full : shortName(name));
}

/** A launch in the words that change it, each parameter on a line, and what it has done. */
export function launchLines(name: string, { options, buffers, printed, problems }: Ran, colours: Palette): string {
  const lines = [`${colours.strong(kernelTitle(name))} ${sizeWords(options).join(" ")}\n`];
  for (const [at, text] of options.arg.entries()) {
    const shown = printable(text);
    lines.push(`  -a ${shown.length > MAX_VALUE ? `${shown.slice(0, MAX_VALUE)}...` : shown}\n`);
    const held = buffers.get(at);
    if (held !== undefined) lines.push(bufferLines(held));
  }
  lines.push(printedLines(printed));
  if (problems.length === 0) lines.push(`  ${colours.good("nothing wrong was found")}\n`);
  return lines.join("");
}

/**
 * The first elements of a buffer, and under them what the launch has left there, if that is something else: from the first that
 * differs on, where that is far from the beginning.
 */
function bufferLines({ type, before, after }: Held): string {
  const [old, now] = [before && bitsOf(before, type), bitsOf(after, type)];
  const first = old === undefined ? 0 : now.findIndex((bits, at) => bits !== old[at]);
  const from = first >= BRIEF ? first : 0;
  const rows = [
    ...(old === undefined ? [] : [{ arrow: "  ", all: old }]),
    ...(first < 0 ? [] : [{ arrow: "->", all: now }]),
  ];
  const cells = rows.map(({ all }) => all.slice(from, from + BRIEF).map((bits) => number(bits, type)));
  const width = Math.max(...cells.flat().map(({ length }) => length));
  const index = from === 0 ? "" : `[${from}] `;
  const rest = now.length > from + BRIEF ? " ..." : "";
  return rows
    .map(
      ({ arrow }, at) => `     ${arrow} ${index}${cells[at]?.map((cell) => cell.padStart(width)).join(" ")}${rest}\n`,
    )
    .join("");
}

/** The beginning of what the kernel printed; a bar before each line, so that none is taken for a place. */
function printedLines(text: string): string {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const left = lines.length - MOST_PRINTED;
  return [
    ...lines.slice(0, MOST_PRINTED).map((line) => `  | ${printable(line)}\n`),
    ...(left > 0 ? [`  | ... ${left} more line${left === 1 ? "" : "s"}\n`] : []),
  ].join("");
}

/** A problem in lines: its place, what is wrong, the other places that it is about, and ways out. */
export function problemLines(
  { code, severity, message, expected, source, span, related = [], help = [] }: Diagnostic,
  places: Places | undefined,
  colours: Palette,
): string {
  const words = (text: string): string => printable(withShortNames(places?.inWords(text) ?? text, source));
  // A problem with an option is at no line of the program.
  const here = places?.isOf(source) ? places.of(span) : undefined;
  const head = here === undefined ? "" : `${printable(here.text)}: `;
  const lines = [`${head}${colours[severity](`${severity} ${code}`)}: ${words(message)}`];
  for (const each of related) {
    const other = places?.isOf(each.source) ? places.of(each.span) : undefined;
    if (other?.isLine && other.text !== here?.text)
      lines.push(`${printable(other.text)}: ${colours.note("note")}: ${words(each.message)}`);
  }
  if (expected !== undefined) lines.push(`    expected ${printable(expected)}`);
  for (const { message: way } of help) {
    const [line = "", ...more] = way.split("\n");
    // The place says it already, and a litmus test takes many lines.
    if (more.length === 0 && !line.startsWith("compiled from ")) lines.push(`    help: ${words(line)}`);
  }
  return lines.map((line) => `${line}\n`).join("");
}
