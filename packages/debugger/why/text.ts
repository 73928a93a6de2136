import { printable } from "../../../src/present/text/escape.ts";
import { withShortNames } from "../../demangle/src/index.ts";
import type { Cause, Executed, Shown, Why } from "./cause.ts";
import { valueText } from "./value-text.ts";

/** One line of an answer. */
interface Line {
  /** How many causes with others beside them are before it. */
  readonly depth: number;
  /** The line of its instruction, and that as it is written; absent where it has none. */
  readonly line?: number;
  readonly code: string;
  /** What the instruction did. */
  readonly text: string;
}

/** The answer in words: what was asked for, then an instruction a line, its causes behind it; mangled names are short. */
export function linesOf({ subject, causes, at }: Why): { readonly head: string; readonly lines: readonly Line[] } {
  const lines: Line[] = [];
  let last: string | undefined;
  const thread = (origin: Executed): string => {
    const said = origin.who === last ? "" : `, ${origin.who}`;
    last = origin.who;
    return said;
  };
  const tell = (cause: Cause, depth: number): void => {
    const { origin, because, more, told, repeats, role } = cause;
    if (repeats !== undefined)
      lines.push({ depth, code: "", text: `${repeats.times} times more the same, by ${linesText(repeats.lines)}` });
    if (origin.kind !== "step") {
      lines.push({ depth, code: "", text: leafText(cause) });
      for (const each of because) tell(each, depth);
      return;
    }
    const { line, text, location } = origin;
    const from = location === undefined ? "" : ` (${location.file}:${location.line})`;
    const leafs = because.filter((each) => each.origin.kind !== "step" && each.because.length === 0);
    const inner = because.filter((each) => !leafs.includes(each));
    if (role === "late" || role === "missed" || role === "way") {
      const given = origin.operands.map((each) => `, since ${each.name} is ${valueText(each)}`).join("");
      lines.push({ depth, line, code: text, text: `${origin.who} ${origin.note}${given}${from}` });
      last = origin.who;
      for (const each of because) tell(each, depth);
      return;
    }
    const own = stepText(cause, leafs);
    const rest = told ? ", as above" : more > 0 ? `; ${more} more` : "";
    lines.push({ depth, line, code: text, text: `${own}${rest}${thread(origin)}${from}` });
    for (const each of inner) tell(each, inner.length > 1 ? depth + 1 : depth);
  };
  if (at !== undefined) lines.push({ depth: 0, line: at.line, code: at.text, text: `here${thread(at)}` });
  for (const each of causes) tell(each, 0);
  const [first] = causes;
  const head =
    causes.length === 1 && first !== undefined && at === undefined ? `${subject} = ${valueText(first.value)}` : subject;
  return { head: withShortNames(head), lines: lines.map((each) => ({ ...each, text: withShortNames(each.text) })) };
}

/** Columns of an instruction that others are aligned with; a longer one stands out, and is cut in the end. */
const WIDE = 64;
const WIDEST = 160;
const cut = (text: string): string => (text.length <= WIDEST ? text : `${text.slice(0, WIDEST - 1)}…`);

/** The answer as lines of text. */
export function whyText(why: Why): readonly string[] {
  const { head, lines } = linesOf(why);
  const left = lines.map(({ depth, line, code }) =>
    line === undefined ? "  ".repeat(depth) : cut(`${"  ".repeat(depth)}line ${line}  ${code}`),
  );
  const width = Math.max(0, ...left.map(({ length }) => length).filter((length) => length <= WIDE));
  const whole = lines.map(({ line, text }, at) => `  ${line === undefined ? left[at] : left[at]?.padEnd(width)}  ${text}`.trimEnd()); // biome-ignore format: one row
  return [head, ...whole].map(printable);
}

/** What an instruction did, and where those of its operands come from that no instruction has made. */
function stepText({ value, origin }: Cause, leafs: readonly Cause[]): string {
  if (origin.kind !== "step") return "";
  const { sum, operands, note, address, whole = value } = origin;
  const result = valueText(whole);
  // The sum of a plain move or a sign says no more than the operand.
  const told = sum === undefined || sum === result ? undefined : `${sum}${whole.bits === undefined ? "" : isChoice(sum) ? ` gives ${result}` : whole.type === "pred" ? ` is ${result}` : ` = ${result}`}`; // biome-ignore format: one row
  const left = told === undefined ? operands.filter(({ name }) => leafs.every((each) => each.value.name !== name)) : [];
  const given = left.map((each) => (each.name === valueText(each) ? each.name : `${each.name} = ${valueText(each)}`));
  const ends = leafs.filter((each) => told === undefined || each.origin.kind !== "special").map(leafText);
  const all = [
    ...(told === undefined ? [] : [told]),
    ...given,
    ...ends,
    ...(address === undefined ? [] : [`at ${address}`]),
  ].join(", ");
  return note === undefined ? all : all === "" ? note : `${all}: ${note}`;
}

const isChoice = (sum: string): boolean => sum.includes("?");

function leafText({ value, origin }: Cause): string {
  const is = `${value.name} = ${valueText(value)}`;
  switch (origin.kind) {
    case "given":
      return `${is}, as it was given`;
    case "parameter":
      return `${is}, a parameter`;
    case "constant":
      return `${valueText(value)}, in the text`;
    case "special":
      return is;
    case "nothing":
      return `nothing has written ${value.name} before`;
    case "hand":
      return `${is}, set by hand at step ${origin.step}`;
    case "unknown":
      return origin.why;
    default:
      return is;
  }
}

const linesText = (lines: readonly number[]): string =>
  lines.length === 1 ? `line ${lines[0]}` : `lines ${lines[0]} to ${lines.at(-1)}`;

/** The answer for programs: bits in hexadecimal. */
export function whyToJson({ subject, causes, at }: Why): object {
  const shown = ({ name, type, bits }: Shown) => ({ name, type, ...(bits === undefined ? {} : { bits: `0x${bits.toString(16)}` }) }); // biome-ignore format: one row
  const cause = ({ value, origin, because, ...rest }: Cause): object => ({
    value: shown(value),
    ...rest,
    origin:
      origin.kind === "step"
        ? { ...origin, operands: origin.operands.map(shown), ...(origin.whole && { whole: shown(origin.whole) }) }
        : origin,
    because: because.map(cause),
  });
  return { subject, ...(at === undefined ? {} : { at }), causes: causes.map(cause) };
}
