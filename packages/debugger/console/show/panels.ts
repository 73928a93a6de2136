import { isElementType } from "../../../../src/host/memory/element.ts";
import { widthOf } from "../../../../src/numeric/format/value-type.ts";
import { printable } from "../../../../src/present/text/escape.ts";
import { number } from "../../../../src/present/value.ts";
import { littleEndian } from "../expression/evaluate.ts";
import { threadName } from "../expression/place.ts";
import { whole } from "../expression/refusal.ts";
import type { Shell } from "../shell.ts";
import { write } from "./format.ts";
import { information } from "./info.ts";
import { listAround } from "./list.ts";

/** How much of a buffer is shown, bytes. */
const MAX_SHOWN_BYTES = 64;

/** What a picture of a program has room for. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/**
 * A program that is being debugged as lines of text: the text around the focused thread beside its registers, then the lanes of
 * its warp, then memory. No line is longer than the columns, and there are as many as rows.
 */
export function panels(shell: Shell, { columns, rows }: Size): string[] {
  const below = Math.max(4, Math.floor(rows / 3));
  const above = Math.max(3, rows - below);
  const left = Math.max(20, Math.floor(columns * 0.58));
  const { frame, debugger: debugger_ } = shell;
  const pc = debugger_.where()[frame]?.pc ?? debugger_.pcOf();
  const text = pc === undefined ? ["the focused thread does not run"] : centred(shell, pc, above - 1);
  const registers = linesOf(shell, () => information(shell, whole("layout", "regs")));
  const changed = [
    ...registers.filter((line) => bare(line).startsWith("*")),
    ...registers.filter((line) => !bare(line).startsWith("*")),
  ];
  const top = Array.from({ length: above - 1 }, (_, at) => {
    const beside = fitted(changed[at] ?? "", columns - left - 3);
    return `${padded(fitted(text[at] ?? "", left), left)} ${shell.palette.faint("│")} ${beside}`;
  });
  const lanes = linesOf(shell, () => information(shell, whole("layout", "warps"))).slice(0, Math.max(1, below - 3));
  const memory = memoryLines(shell, below - 1 - lanes.length);
  const bottom = [...lanes, shell.palette.faint("─".repeat(columns)), ...memory];
  const name = printable(debugger_.session.program.source.name);
  const head = ` ${name}  ${threadName(debugger_.focus, debugger_.session.program)} @${debugger_.position} `;
  const rule = `──${head}${"─".repeat(Math.max(0, columns - head.length - 2))}`;
  const all = [shell.palette.strong(fitted(rule, columns)), ...top, ...bottom].map((line) => fitted(line, columns));
  return Array.from({ length: rows }, (_, at) => all[at] ?? "");
}

/** The text around an instruction; the lines that it was compiled from take room as well. */
function centred(shell: Shell, pc: number, rows: number): string[] {
  const lines = linesOf(shell, () => listAround(shell, pc, rows));
  const at = lines.findIndex((line) => bare(line).startsWith("=>"));
  const from = Math.max(0, Math.min(at - Math.floor(rows / 2), lines.length - rows));
  return lines.slice(from, from + rows);
}

/** The first elements of each buffer, those of `display` first. */
function memoryLines(shell: Shell, most: number): string[] {
  const displayed = linesOf(shell, () => shell.showDisplays());
  const buffers = shell.subject.footing.inputs.buffers.map(({ name, type, buffer }) => {
    const element = /^[a-z]+\d+/.exec(type)?.[0] ?? "b8";
    const known = isElementType(element) ? element : "b8";
    const width = Math.max(8, widthOf(known));
    const bytes = shell.debugger.read(
      "global",
      BigInt(buffer.address),
      Math.min(MAX_SHOWN_BYTES, Number(buffer.bytes)),
    );
    const cells: string[] = [];
    for (let at = 0; at + width / 8 <= bytes.length; at += width / 8) {
      const bits = littleEndian(bytes.subarray(at, at + width / 8));
      cells.push(known.startsWith("b") && !known.startsWith("bf") ? write(bits, width, "x") : number(bits, known));
    }
    return `${shell.palette.faint(`${printable(name)} ${type}`)}  ${cells.join(" ")}${Number(buffer.bytes) > MAX_SHOWN_BYTES ? " ..." : ""}`;
  });
  return [...displayed, ...buffers].slice(0, Math.max(0, most));
}

function linesOf(shell: Shell, act: () => void): string[] {
  const text = shell.captured(act);
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this finds
const SEQUENCE = /\u001b\[[\d;]*m/g;

const bare = (line: string): string => line.replace(SEQUENCE, "");

/** A line cut to a width; escape sequences have no width, and colours end at the cut. */
export function fitted(line: string, columns: number): string {
  if (bare(line).length <= columns) return line;
  let shown = "";
  let left = Math.max(0, columns - 1);
  let at = 0;
  for (const found of line.matchAll(SEQUENCE)) {
    const piece = line.slice(at, found.index).slice(0, left);
    shown += piece + found[0];
    left -= piece.length;
    at = found.index + found[0].length;
  }
  return `${shown}${line.slice(at).slice(0, left)}${line.includes("\u001b[") ? "\u001b[0m" : ""}…`;
}

const padded = (line: string, columns: number): string => line + " ".repeat(Math.max(0, columns - bare(line).length));
