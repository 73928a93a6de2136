import type { Code } from "../source/codes/index.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import type { Source } from "../source/source.ts";

/** A text with the marks of copying removed, its length unchanged, and a note on each kind of mark. */
export interface Repaired {
  readonly text: string;
  readonly notes: readonly Diagnostic[];
}

/**
 * Removes what a text picks up on its way through a page, a chat or a terminal: a fence around it, numbers or `>` down
 * its side, `&lt;` for `<`, cuobjdump's headings, and the rest of declarations that Compiler Explorer's filter of directives leaves. All
 * offsets are kept, blanks replace removed text. For a text that does not parse: none of this is PTX.
 */
export function repair(source: Source, text: string): Repaired {
  const notes: Diagnostic[] = [];
  const note = (code: Code, message: string, start: number, length: number): void => {
    const span = { start, end: start + length };
    notes.push({ code, severity: "note", message, source, span });
  };
  let repaired = text;
  for (const step of [withoutFence, withoutSide, withoutEntities, withoutHeadings, withoutLabel, withoutAsm]) {
    const { text: next, at, length, message } = step(repaired);
    if (at >= 0) note("PTX9013", message, at, length);
    repaired = next;
  }
  return { text: withoutLeftovers(repaired), notes };
}

interface Step {
  readonly text: string;
  /** The offset of the first mark, or -1. */
  readonly at: number;
  readonly length: number;
  readonly message: string;
}

const nothing = (text: string): Step => ({ text, at: -1, length: 0, message: "" });
const blank = (text: string): string => text.replace(/[^\r\n]/g, " ");

/** "```ptx" as the first line and "```" as the last, or one of them where the copy was not exact. */
function withoutFence(text: string): Step {
  const opening = /^\s*(?:```|~~~)[^\n`~]*(?=\n|$)/.exec(text);
  const start = opening?.[0].length ?? 0;
  const body = text.trimEnd();
  const line = body.lastIndexOf("\n") + 1;
  const closing = line >= start && /^[ \t]*(?:```+|~~~+)$/.test(body.slice(line));
  if (!opening && !closing) return nothing(text);
  const end = closing ? line : text.length;
  const at = opening ? start - opening[0].trimStart().length : line;
  const length = opening ? opening[0].trim().length : 3;
  return {
    text: blank(text.slice(0, start)) + text.slice(start, end) + blank(text.slice(end)),
    at,
    length,
    message: "the fence around the text is ignored",
  };
}

/** What cuobjdump prints in front of each module: `Fatbin ptx code:`, a rule, and lines such as `arch = sm_90`. */
function withoutHeadings(text: string): Step {
  const heading = /^Fatbin (?:ptx|elf) code:[ \t]*\r?\n=+[ \t]*\r?\n(?:\w+(?: \w+)*(?: = .*)?\r?\n)*/gm;
  const at = text.search(heading);
  if (at < 0) return nothing(text);
  return { text: text.replace(heading, blank), at, length: 16, message: "cuobjdump's headings are ignored" };
}

/** The head of a function as a disassembler writes it, `square(int*, int):`, in front of `.version`. */
function withoutLabel(text: string): Step {
  const at = text.search(/\S/);
  const end = text.indexOf("\n", at);
  const line = at < 0 || end < 0 ? "" : text.slice(at, end).trimEnd();
  const after = text.slice(end).trimStart();
  const isHead = line.endsWith(":") && line.includes(")") && !/[;{}]/.test(line);
  if (!isHead || !(after.startsWith(".version") || after.startsWith("//"))) return nothing(text);
  const message = "the line in front of the module is ignored";
  return { text: blank(text.slice(0, end)) + text.slice(end), at, length: line.length, message };
}

/**
 * `asm volatile("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));` of a program in CUDA C++: the text in its strings,
 * with `%0` as a register's name, or in place of it a constant ("n") of two characters at most. The note says which
 * expression each is.
 */
function withoutAsm(text: string): Step {
  const head = /^\s*(?:asm|__asm__|__asm)(?:\s+(?:volatile|__volatile__))?\s*\(/.exec(text)?.[0];
  if (head === undefined) return nothing(text);
  const parts: string[] = [blank(head)];
  let at = head.length;
  for (let string = literalAt(text, at); string !== undefined; string = literalAt(text, at)) {
    const [whole, before = "", body = ""] = string;
    parts.push(blank(before), " ", body.replace(/\\n|\\.|%%/g, unescaped), " ");
    at += whole.length;
  }
  const rest = text.slice(at);
  const operands = [...rest.matchAll(/"([^"\n]*)"\s*\(((?:[^()]|\([^()]*\))*)\)/g)].map(
    ([, constraint, expression]) => ({
      constraint: constraint ?? "",
      expression: (expression ?? "").trim(),
    }),
  );
  if (parts.length === 1 || !/^\s*(?:(?::.*)?\)\s*;?\s*)$/s.test(rest)) return nothing(text);
  const constants = new Map(
    operands.flatMap(({ constraint, expression }, index): [string, string][] =>
      constraint === "n" && /^-?\d{1,2}$/.test(expression) ? [[`%${index}`, expression]] : [],
    ),
  );
  const body = parts.join("").replace(/%\d+/g, (name) => (constants.get(name) ?? name).padEnd(name.length));
  const what = operands.map(
    ({ constraint, expression }, index) =>
      `%${index} is ${expression}${/[=+]/.test(constraint) ? ", which is written" : ""}`,
  );
  const message = ["the text within asm() is run", ...what].join("; ");
  return { text: body + blank(rest), at: head.search(/\S/), length: head.trim().length, message };
}

/** The next string literal, and what is in front of it. */
const literalAt = (text: string, at: number): RegExpExecArray | undefined => {
  const literal = /(\s*)"((?:[^"\\\n]|\\.)*)"/y;
  literal.lastIndex = at;
  return literal.exec(text) ?? undefined;
};

const unescaped = (sequence: string): string =>
  sequence === "%%" ? " %" : sequence === "\\n" ? " \n" : /[rtvf]/.test(sequence) ? "  " : ` ${sequence.slice(1)}`;

/** Numbers of lines, one after the other, or the `>` of a quotation, in front of every line. */
function withoutSide(text: string): Step {
  const first = /^\s*(\d+)[ \t:|]|^\s*>/.exec(text);
  if (first === null) return nothing(text);
  let next = Number(first[1]);
  const at = first[0].search(/\S/);
  const parts: string[] = [];
  for (const line of text.split("\n")) {
    const side = first[1] === undefined ? /^[ \t]*>/.exec(line) : /^[ \t]*(\d+)(?:[ \t:|]+|(?=\r?$))/.exec(line);
    if (side === null && line.trim() !== "") return nothing(text);
    if (side?.[1] !== undefined && Number(side[1]) !== next++) return nothing(text);
    const length = side?.[0].length ?? 0;
    parts.push(" ".repeat(length) + line.slice(length));
  }
  if (parts.length < 3) return nothing(text);
  const message = first[1] === undefined ? "the > before each line is ignored" : "the numbers of the lines are ignored";
  return { text: parts.join("\n"), at, length: first[1]?.length ?? 1, message };
}

const entities: ReadonlyMap<string, string> = new Map([
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&amp;", "&"],
  ["&quot;", '"'],
  ["&#34;", '"'],
  ["&nbsp;", " "],
]);

function withoutEntities(text: string): Step {
  let [at, length, closing] = [-1, 0, false];
  const repaired = text.replace(/&(?:lt|gt|amp|quot|nbsp|#34);/g, (entity, place: number) => {
    if (at < 0) [at, length] = [place, entity.length];
    const char = entities.get(entity) ?? " ";
    // Blanks must not get into a quoted text.
    const before = char === '"' && !closing;
    if (char === '"') closing = !closing;
    return before ? char.padStart(entity.length) : char.padEnd(entity.length);
  });
  return at < 0
    ? nothing(text)
    : { text: repaired, at, length, message: "&lt; and the like are read as the characters that they mean" };
}

/** `(`, `)` and `;` on lines of their own, whose `.extern .func f` and `.param` lines a filter has hidden. */
const withoutLeftovers = (text: string): string => text.replace(/^[ \t]*\([ \t\r\n]*\)[ \t]*\r?\n[ \t]*;/gm, blank);
