import type { SpecialRegister } from "../../isa/special-registers.ts";
import type * as ast from "../../parser/ast.ts";
import { showVersion } from "../../resolve/module/target.ts";
import type { Document } from "../document.ts";
import { writtenBy } from "../names/access.ts";
import type { Mention } from "../names/body-names.ts";
import { type Definition, isOf } from "../names/definition.ts";
import { inferredIn } from "../names/inferred.ts";
import { namesIn } from "../names/text-names.ts";
import { firstLine, oneLine } from "../text/excerpt.ts";

/** Writers that are listed. */
const MOST = 8;

/** What a name is: its declaration, and of a register who writes it. */
export function definitionText(
  document: Document,
  { text }: ast.Name,
  definition: Definition,
  func: ast.Func | undefined,
): string {
  const { kind, type, space, whole, count, name } = definition;
  const { line } = document.lines.position(definition.span.start);
  switch (kind) {
    case "register": {
      const range = count === undefined ? "" : `, one of \`${name}<${count}>\``;
      return `${code(`.reg .${type} ${text}`)}\n\ndeclared in line ${line + 1}${range}\n\n${writersText(document, text, definition, func)}`;
    }
    case "label":
    case "list":
    case "prototype": {
      const uses = namesIn(document, func).mentions.filter((each) => each.definition === definition);
      return `${code(`${name}:`)}\n\n${kind === "label" ? "label" : kind} in line ${line + 1}, named in ${linesOf(document, uses)}`;
    }
    case "function":
    case "kernel":
      return code(headOf(document, definition));
    default:
      return `${code(oneLine(document.text.slice(whole.start, whole.end)))}\n\n${kind}${space === undefined ? "" : ` in .${space}`}, line ${line + 1}`;
  }
}

/** A register that nothing declares. */
export function inferredText(document: Document, { text }: ast.Name, func: ast.Func | undefined): string | undefined {
  const found = inferredIn(document, func).find(({ name }) => name === text);
  if (found === undefined) return undefined;
  return `${code(`.reg .${found.type} ${text}`)}\n\ninferred from its uses\n\n${writersText(document, text, undefined, func)}`;
}

export function specialText({ name, type, vector, fixed, since }: SpecialRegister): string {
  const parts = vector ? ", with components .x .y .z" : "";
  const stays = fixed ? "the same for all of a thread's life" : "changes while the program runs";
  return `${code(`%${name}`)}\n\nspecial register, .${type}${parts}; ${stays}\n\nSince PTX ${showVersion(since.ptx)}, sm_${since.sm}. [PTX ISA 10](https://docs.nvidia.com/cuda/parallel-thread-execution/index.html#special-registers)`;
}

/** The instructions that write a register. */
function writersText(
  document: Document,
  name: string,
  definition: Definition | undefined,
  func: ast.Func | undefined,
): string {
  const { mentions, definitions } = namesIn(document, func);
  const lookup = (name: string) => definitions.find((each) => isOf(each, name));
  const writers = mentions.filter(
    ({ text, statement, start, definition: own }) =>
      text === name &&
      own === definition &&
      statement.kind === "instruction" &&
      writtenBy(statement, lookup).some((each) => each.start === start),
  );
  if (writers.length === 0) return "written nowhere";
  const lines = writers.slice(0, MOST).map(({ statement }) => {
    const { line } = document.lines.position(statement.start);
    return `- line ${line + 1}: \`${oneLine(document.text.slice(statement.start, statement.end))}\``;
  });
  const more = writers.length > MOST ? `\n- and ${writers.length - MOST} more` : "";
  return `written by\n${lines.join("\n")}${more}`;
}

function linesOf(document: Document, mentions: readonly Mention[]): string {
  const lines = [...new Set(mentions.map(({ start }) => document.lines.position(start).line + 1))];
  if (lines.length === 0) return "no line";
  return `${lines.length === 1 ? "line" : "lines"} ${lines.slice(0, MOST).join(", ")}${lines.length > MOST ? " ..." : ""}`;
}

/** A function without its body. */
export function headOf(document: Document, { whole }: Definition): string {
  const text = document.text.slice(whole.start, whole.end);
  const brace = text.indexOf("{");
  return oneLine(brace < 0 ? text : text.slice(0, brace)) || firstLine(text);
}

const code = (text: string): string => `\`\`\`ptx\n${text}\n\`\`\``;
