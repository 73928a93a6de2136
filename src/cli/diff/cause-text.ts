import type {
  Cause,
  CauseOrigin,
  CauseThread,
  CauseWrite,
  DescribedLine,
  Step,
} from "../../../packages/lab/diff/origin/describe.ts";
import { printable } from "../../present/text/escape.ts";
import type { Palette } from "../../present/text/palette.ts";

/** Groups of differing writes that are shown; --json has them all. */
const MAX_SHOWN_GROUPS = 4;

const why: Readonly<Record<CauseOrigin["why"], string>> = {
  operation: "gets the same, and gives something else",
  operand: "gets another operand",
  guard: "is executed in one of them only",
  course: "sends it another way",
  only: "is in one program only",
};

const ends: Readonly<Record<NonNullable<Cause["end"]>, string>> = {
  order: "the same writes are made in another order: look at what these threads wait for",
  long: "it runs too long to be followed further back",
  unknown: "it could not be followed further back",
};

/** The cause of a difference: lines without their ends. */
export function renderCause(
  { writes, threads, origin, end, only }: Cause,
  a: string,
  b: string,
  colours: Palette,
): string[] {
  const files = { a, b };
  const lines: string[] = [];
  for (const write of writes.slice(0, MAX_SHOWN_GROUPS)) lines.push(...ofWrite(write, files));
  if (writes.length > MAX_SHOWN_GROUPS) lines.push(`and ${writes.length - MAX_SHOWN_GROUPS} more groups of writes`);
  for (const thread of threads.slice(0, -1)) lines.push(...ofThread(thread, files));
  const last = threads.at(-1);
  if (origin !== undefined) {
    lines.push(colours.error(`first difference, in ${threadText(origin)}: ${why[origin.why]}`));
    if (origin.a !== undefined) lines.push(`  first   ${stepText(a, origin.a)}`);
    if (origin.b !== undefined) lines.push(`  second  ${stepText(b, origin.b)}`);
    lines.push(...howSure(origin, files));
    if (last !== undefined) lines.push(...onwards(last, files));
  } else if (last !== undefined) lines.push(...ofThread(last, files));
  if (end !== undefined) lines.push(ends[end]);
  for (const line of only?.a ?? []) lines.push(`  only in the first   ${at(a, line)}  ${line.text}`);
  for (const line of only?.b ?? []) lines.push(`  only in the second  ${at(b, line)}  ${line.text}`);
  return lines;
}

/** How certain an origin is that was not found step by step. */
function howSure({ by, changes = [] }: CauseOrigin, files: Files): string[] {
  if (by === "values")
    return ["  found by values, in programs that were compiled differently: it may be a neighbour that is wrong"];
  return changes.map((change, index) => {
    const lead = index === 0 ? "  with one change both give the same" : "  or with this one";
    return `${lead}: ${at(files[change.program], change)}  ${printable(change.text)}  ->  ${printable(change.instead)}`;
  });
}

interface Files {
  readonly a: string;
  readonly b: string;
}

const threadText = ({ block, thread }: { readonly block: number; readonly thread: number }): string =>
  block === 0 ? `thread ${thread}` : `thread ${thread} of block ${block}`;

function ofWrite(write: CauseWrite, files: Files): string[] {
  const more = write.more > 0 ? ` and ${write.more} more` : "";
  const what = write.kind === "order" ? "written in another order" : "first differing write";
  const side = (name: string, file: string, line: DescribedLine | undefined) =>
    `  ${name}  ${line === undefined ? "does not write it there" : `${at(file, line)}  ${line.text}`}`;
  return [
    `${what}: ${printable(write.name)}, by ${threadText(write)}${more}`,
    side("first ", files.a, write.a),
    side("second", files.b, write.b),
  ];
}

function ofThread(thread: CauseThread, files: Files): string[] {
  const from =
    thread.kind === "memory"
      ? "reads there what another thread wrote"
      : "gets there what another lane of its warp gave";
  const [a, b] = [thread.a[0], thread.b[0]];
  return [
    `${threadText(thread)} ${from}`,
    ...(a === undefined ? [] : [`  first   ${stepText(files.a, a)}`]),
    ...(b === undefined ? [] : [`  second  ${stepText(files.b, b)}`]),
  ];
}

/** The steps from the origin to the write. */
function onwards({ a, b }: CauseThread, files: Files): string[] {
  const rest = (name: string, file: string, steps: readonly Step[]) =>
    steps.slice(1).map((step) => `    ${name}  ${stepText(file, step)}`);
  const lines = [...rest("first ", files.a, a), ...rest("second", files.b, b)];
  return lines.length === 0 ? [] : ["  from there on", ...lines];
}

const at = (file: string, { line, location }: DescribedLine): string =>
  `${printable(file)}:${line}${location === undefined ? "" : ` (${printable(location)})`}`;

function stepText(file: string, step: Step): string {
  const scalars = (list: Step["operands"]) =>
    list.map(({ name, bits }) => (name === "" ? bits : `${name}=${bits}`)).join(" ");
  const results = step.results.length === 0 ? "" : `  gives ${scalars(step.results)}`;
  const operands = step.operands.length === 0 ? "" : `  with ${scalars(step.operands)}`;
  return `${at(file, step)}  ${printable(step.text)}${operands}${results}`;
}
