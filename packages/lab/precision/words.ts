import type { Program } from "../../../src/interp/contract/program.ts";
import { printable } from "../../../src/present/text/escape.ts";
import { type Palette, plain } from "../../../src/present/text/palette.ts";
import type { Use } from "./integers.ts";
import type { Decision, WrappedInteger } from "./notes.ts";
import type { BufferPrecision, LinePrecision, OutputValue, PrecisionReport } from "./report.ts";
import type { IntegerShadow } from "./shadow.ts";

/** Instructions that the text names of each kind. */
const MOST = 8;
/** The longest excerpt of a line. */
const LONGEST = 80;

/** What `run --precision` prints: the results, and the lines that make them what they are, the worst first. */
export function renderPrecision(report: PrecisionReport, program: Program, palette: Palette): string {
  const { buffers, lines, wrapped, decisions, forgotten } = report;
  const says = new Lines(program);
  const text = buffers.flatMap((buffer) => bufferLines(buffer, says, palette));
  if (buffers.length + wrapped.length === 0) text.push("precision: no float was computed that is left in a buffer");
  const makers = lines.filter(({ made, outputs }) => outputs > 0 || made >= 1);
  if (makers.length > 0) {
    text.push(
      palette.strong("lines that make errors, the worst first, by how many times what rounding the inputs does:"),
    );
    for (const line of makers.slice(0, MOST)) text.push(`  ${makerText(line, says, palette)}`);
    if (makers.length > MOST) text.push(`  ${makers.length - MOST} others`);
  }
  for (const each of wrapped.slice(0, MOST)) text.push(wrappedText(each, says));
  for (const each of decisions.slice(0, MOST)) text.push(decisionText(each, says));
  if (forgotten > 0)
    text.push(`precision: ${count(forgotten, "value")} in memory were not followed: there are too many`);
  return text.map((line) => `${line}\n`).join("");
}

/** Something that a launch has made of its numbers and should not have. */
export interface PrecisionProblem {
  readonly name: "overflow" | "lost precision" | "NaN" | "integer overflow";
  /** Lines for people. */
  readonly text: readonly string[];
  readonly place?: { readonly buffer: string; readonly index: number };
}

/** The first value of each buffer that has left its range or lost half of its digits, and integers that have left their types. */
export function precisionProblems(
  { buffers, wrapped }: PrecisionReport,
  program: Program,
): readonly PrecisionProblem[] {
  const says = new Lines(program);
  const floats = buffers.flatMap((buffer): readonly PrecisionProblem[] => {
    const place = buffer.firstLost ?? buffer.losing;
    if (place === undefined) return [];
    const name =
      buffer.firstLost === undefined ? "lost precision" : place.loss?.kind === "invalid" ? "NaN" : "overflow";
    const text = bufferLines(buffer, says, plain).map((line) => line.trimStart());
    return [{ name, text, place: { buffer: place.buffer, index: place.index } }];
  });
  // A counter that outgrows its byte may be meant to.
  const left = wrapped.filter(({ why }) => why !== "counted");
  return [...floats, ...left.map((each) => ({ name: "integer overflow", text: [wrappedText(each, says)] }) as const)];
}

/** Where instructions stand. */
class Lines {
  readonly #program: Program;

  constructor(program: Program) {
    this.#program = program;
  }

  line(pc: number): number {
    const span = this.#program.code[pc]?.span;
    return span === undefined ? 0 : this.#program.source.position(span.start).line;
  }

  /** `line 24`, and the line of the source that it was compiled from. */
  at(pc: number): string {
    const location = this.#program.code[pc]?.location;
    const from = location === undefined ? "" : ` (${printable(fileName(location.file))}:${location.line})`;
    return `line ${this.line(pc)}${from}`;
  }

  opcode(pc: number): string {
    return this.#program.code[pc]?.opcode ?? "";
  }

  /** As it is written, with single blanks. */
  text(pc: number): string {
    const span = this.#program.code[pc]?.span;
    if (span === undefined) return "";
    const text = this.#program.source.text
      .slice(span.start, Math.min(span.end, span.start + 4 * LONGEST))
      .replace(/\s+/g, " ");
    return printable(text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text);
  }
}

const fileName = (path: string): string => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);

function bufferLines(buffer: BufferPrecision, says: Lines, palette: Palette): readonly string[] {
  const { name, format, values, wrong, worst, beyond, lost, losing, firstLost } = buffer;
  const how =
    wrong === 0
      ? values === 1 ? "correctly rounded" : "all of them correctly rounded" // biome-ignore format: one question
      : `${wrong === values ? (values === 1 ? "which is" : "all of them") : `${wrong} of them`} not what is nearest`;
  const text = [palette.strong(`${name}: ${values === 1 ? "a value" : `${values} values`} of ${format}, ${how}`)];
  if (beyond > 0)
    text.push(
      `  ${beyond === 1 ? "one is infinite: it is" : `${beyond} are infinite: they are`} too large for ${format}`,
    );
  if (firstLost !== undefined) {
    const { loss } = firstLost;
    text.push(`  ${lost === 1 ? "one is" : `${lost} are`} infinite or NaN and should not be: ${valueText(firstLost)}`);
    if (loss !== undefined)
      text.push(`    it ${loss.kind === "overflow" ? "overflows" : "becomes NaN"} at ${says.at(loss.pc)}: ${palette.faint(says.text(loss.pc))}`); // biome-ignore format: one line
  }
  const shown = losing ?? (lost > 0 ? undefined : worst);
  if (shown === undefined) return text;
  text.push(
    `  ${losing === undefined ? "the worst: " : ""}${valueText(shown)}, ${timesText(shown.excess)} what rounding its inputs does`,
  );
  if (losing === undefined) return text;
  const [maker] = shown.made;
  if (maker !== undefined)
    text.push(
      `    ${percent(maker.part)} of the error is made at ${says.at(maker.pc)}: ${palette.faint(says.text(maker.pc))}`,
    );
  const { growth } = shown;
  if (growth !== undefined)
    text.push(`    ${says.opcode(growth.pc)} cancels ${Math.round(growth.bits)} bits at ${says.at(growth.pc)}: ${palette.faint(says.text(growth.pc))}`); // biome-ignore format: one line
  return text;
}

const valueText = ({ buffer, index, value, exact, relative }: OutputValue): string =>
  `${buffer}[${index}] is ${number(value)} and should be ${Number.isNaN(exact) ? "a number" : number(exact)}${Number.isFinite(relative) ? `: ${offText(relative)}` : ""}`;

const offText = (relative: number): string =>
  relative >= 0.0005 ? `${percent(relative)} off` : `off by ${relative.toExponential(1)} of it`;

function makerText({ pc, made, outputs, grows, overflows }: LinePrecision, says: Lines, palette: Palette): string {
  const parts = [
    ...(overflows > 0 ? [`leaves the range for ${count(overflows, "value")}`] : []),
    ...(overflows === 0 && made > 0 ? [`up to ${timesText(made)}`] : []),
    ...(outputs > 0 ? [`most of the error in ${count(outputs, "value")}`] : []),
    ...(grows > 0 ? [`cancels up to ${Math.round(grows)} bits`] : []),
  ];
  return `${says.at(pc)}: ${parts.join(", ")}: ${palette.faint(says.text(pc))}`;
}

const whys: Readonly<Record<IntegerShadow["why"], string>> = {
  wrapped: "wraps",
  shifted: "shifts bits out",
  mixed: "wraps",
  saturated: "has no room for its operand",
  counted: "outgrows its type",
};

const uses: Readonly<Record<Use, string>> = {
  "with its sign": "takes it for a number with a sign",
  widened: "makes it wider",
  narrowed: "keeps the low bits alone",
  "as an address": "takes it for an address",
  stored: "is in memory at the end",
};

function wrappedText({ pc, usedAt, use, why, count: times, value, exact }: WrappedInteger, says: Lines): string {
  const made = pc < 0 ? "a value" : `${says.opcode(pc)} at ${says.at(pc)}`;
  const used =
    use === "stored" ? `, which ${uses[use]}` : `, and ${says.opcode(usedAt)} at ${says.at(usedAt)} ${uses[use]}`;
  return `${made} ${whys[why]}: ${value} where it should be ${exact}${used}; ${count(times, "time")}`;
}

const decisionText = ({ pc, count: times, value, exact }: Decision, says: Lines): string =>
  `${says.opcode(pc)} at ${says.at(pc)} is decided by rounding, ${count(times, "time")}: by ${number(value)} where it should be ${number(exact)}`;

const count = (of: number, what: string): string => `${of} ${what}${of === 1 ? "" : "s"}`;

const timesText = (factor: number): string => (Number.isFinite(factor) ? `${number(factor)} times` : "without bounds");

const percent = (part: number): string => `${number(100 * part, 2)}%`;

/** A number with as many digits as one reads. */
function number(x: number, digits = 5): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "NaN" : x < 0 ? "-inf" : "inf";
  const rounded = Number(x.toPrecision(digits));
  if (Number.isInteger(rounded) && Math.abs(rounded) < 1e9) return String(rounded);
  return Math.abs(rounded) >= 1e-4 && Math.abs(rounded) < 1e9
    ? String(rounded)
    : rounded.toExponential().replace("e+", "e");
}
