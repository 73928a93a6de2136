import { printable } from "../../../src/present/text/escape.ts";
import type { Cause, Executed, Shown, Why } from "./cause.ts";
import { valueText } from "./value-text.ts";

/** One line of the answer: an instruction on the left, what it did on the right. */
interface Line {
  readonly depth: number;
  readonly code: string;
  readonly text: string;
}

/** The answer in words, a line for each instruction, its causes behind it. */
export function whyText({ subject, causes }: Why): readonly string[] {
  const lines: Line[] = [];
  let last: string | undefined;
  const thread = (origin: Executed): string => {
    const name = `thread ${origin.thread} of block ${origin.block}`;
    const said = name === last ? "" : `, ${name}`;
    last = name;
    return said;
  };
  const tell = (cause: Cause, depth: number): void => {
    const { origin, because, more, repeats, role } = cause;
    if (repeats !== undefined)
      lines.push({ depth, code: "", text: `${repeats.times} times more the same, by ${linesText(repeats.lines)}` });
    if (origin.kind !== "step") {
      lines.push({ depth, code: "", text: leafText(cause) });
      return;
    }
    const { line, text, location } = origin;
    const from = location === undefined ? "" : ` (${location.file}:${location.line})`;
    const leafs = because.filter((each) => each.origin.kind !== "step" && each.because.length === 0);
    const inner = because.filter((each) => !leafs.includes(each));
    const own = role === "missed" ? "would have written it, but its guard does not hold" : stepText(cause, leafs);
    const rest = more > 0 ? `; ${more} more` : "";
    lines.push({ depth, code: `line ${line}  ${text}`, text: `${own}${rest}${thread(origin)}${from}` });
    for (const each of inner) tell(each, inner.length > 1 ? depth + 1 : depth);
  };
  for (const each of causes) tell(each, 0);
  const [first] = causes;
  const head = causes.length === 1 && first !== undefined ? `${subject} = ${valueText(first.value)}` : subject;
  const width = Math.min(64, Math.max(0, ...lines.map(({ depth, code }) => 2 * depth + code.length)));
  return [
    printable(head),
    ...lines.map(({ depth, code, text }) => printable(`  ${"  ".repeat(depth)}${code.padEnd(code === "" ? 0 : width - 2 * depth)}  ${text}`.trimEnd())), // biome-ignore format: one row
  ];
}

/** What an instruction did, and where those of its operands come from that no instruction has made. */
function stepText({ value, origin }: Cause, leafs: readonly Cause[]): string {
  if (origin.kind !== "step") return "";
  const { sum, operands, note } = origin;
  const result = sum === undefined ? [] : [value.bits === undefined ? sum : `${sum} = ${valueText(value)}`];
  const left = sum === undefined ? operands.filter(({ name }) => leafs.every((each) => each.value.name !== name)) : [];
  const given = left.map((each) => (each.name === valueText(each) ? each.name : `${each.name} = ${valueText(each)}`));
  const ends = leafs.map(leafText).filter((text) => sum === undefined || !text.startsWith("%"));
  const told = [...result, ...given, ...ends].join(", ");
  return note === undefined ? told : told === "" ? note : `${told}: ${note}`;
}

function leafText({ value, origin }: Cause): string {
  const is = `${value.name} = ${valueText(value)}`;
  switch (origin.kind) {
    case "given":
      return `${is}, as it was given`;
    case "parameter":
      return `${is}, a parameter`;
    case "constant":
      return `${valueText(value)} in the text`;
    case "special":
      return is;
    case "nothing":
      return `nothing has written ${value.name} before`;
    case "hand":
      return `${is}, set by hand at step ${origin.step}`;
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
    origin: origin.kind === "step" ? { ...origin, operands: origin.operands.map(shown) } : origin,
    because: because.map(cause),
  });
  return { subject, ...(at === undefined ? {} : { at }), causes: causes.map(cause) };
}
