import type { Trace } from "../event.ts";
import type { Execution, Forbidden } from "../outcome.ts";
import type { Sheet } from "./sheet.ts";
import { arrowWords, number, plain } from "./words.ts";

/**
 * Descriptions of an execution in words, in the text and below the drawing. Each is a list of lines, not yet folded.
 */

/** `Forbidden: Causality (PTX ISA 8.10.6)`, then each step of the cycle on a line of its own. */
export function forbiddenWords(forbidden: Forbidden, { names }: Sheet): string[] {
  const cycle = turned(forbidden.cycle, names);
  const called = cycle.map(({ from, to, by }) => `${names[from]} -${by}-> ${names[to]}`);
  const wide = Math.max(0, ...called.map((step) => step.length));
  return [
    forbidden.open
      ? `Left open: ${plain(forbidden.axiom)} (PTX ISA ${plain(forbidden.section)}) forbids it unless a dependency is found to be none`
      : `Forbidden: ${plain(forbidden.axiom)} (PTX ISA ${plain(forbidden.section)})`,
    ...cycle.map(({ by }, at) => `  ${called[at]!.padEnd(wide)}   ${arrowWords[by].means}`),
  ];
}

/** A cycle rotated to begin with the event that has the first letter. */
function turned(cycle: Forbidden["cycle"], names: readonly string[]): Forbidden["cycle"] {
  if (cycle.length === 0 || cycle.at(-1)?.to !== cycle[0]?.from) return cycle;
  const key = (at: number): string => {
    const name = names[cycle[at]!.from]!;
    return `${String(name.length).padStart(3, "0")}${name}`;
  };
  const start = cycle.reduce((best, _, at) => (key(at) < key(best) ? at : best), 0);
  return [...cycle.slice(start), ...cycle.slice(0, start)];
}

/** A kernel has more registers than a reader wants to see. */
const mostRegisters = 12;

/** `r0 = 1, r1 = 0`, or how else the thread ended. */
export function registerWords({ traces }: Execution, thread: number): string[] {
  const trace = traces[thread]!;
  // A name with its % is the same register as the one without.
  const all = [...trace.registers].filter(([name]) => !trace.registers.has(`%${name}`));
  const registers = all.slice(0, mostRegisters).map(([name, value]) => `${plain(name)} = ${number(value)}`);
  if (all.length > mostRegisters) registers.push(`and ${all.length - mostRegisters} more`);
  const { end } = trace;
  const ending =
    end === "bound"
      ? ["stopped at the bound"]
      : end === "loops"
        ? [`repeats for ever: ${repeated(trace)}`]
        : typeof end === "object"
          ? [`fault: ${plain(end.fault)}`]
          : [];
  return [...(registers.length > 0 ? [registers.join(", ")] : []), ...ending];
}

/** The instructions of the round of a loop that goes on for ever. */
function repeated({ events, round }: Trace): string {
  const texts = events.slice(round).filter((event) => !("atomic" in event) || event.kind === "read");
  return texts.map(({ text }) => plain(text)).join("; ") || "what touches no memory";
}

/** The final memory. */
export function finalWords({ memory }: Execution): string[] {
  const all = [...memory].map(([name, values]) => `${plain(name)} = ${values.map(number).join(" or ")}`);
  const open = [...memory.values()].some((values) => values.length > 1);
  if (all.length === 0) return [];
  return [`finally    ${all.join(", ")}${open ? " (the last writes have no order)" : ""}`];
}

export function raceWords({ races }: Execution, { names }: Sheet): string[] {
  if (races.length === 0) return [];
  return [`data race  ${races.map(([a, b]) => `${names[a]} and ${names[b]}`).join(", ")} (8.7.1)`];
}

/** `a -po-> b -fr-> a`: the cycle on one line. */
export const steps = ({ cycle }: Forbidden, { names }: Sheet): string =>
  turned(cycle, names).reduce(
    (text, { from, to, by }, at, all) =>
      `${text}${at === 0 ? names[from] : all[at - 1]?.to === from ? "" : `, ${names[from]}`} -${by}-> ${names[to]}`,
    "",
  );
