import type { Execution, Forbidden } from "../outcome.ts";
import type { Sheet } from "./sheet.ts";
import { arrowWords, number, plain } from "./words.ts";

/** What is said in words of an execution, in the text and below the drawing. Each is a list of lines, not yet folded. */

/** `Forbidden: Causality (PTX ISA 8.10.6)`, then each step of the cycle on a line of its own. */
export function forbiddenWords({ axiom, section, cycle }: Forbidden, { names }: Sheet): string[] {
  const called = cycle.map(({ from, to, by }) => `${names[from]} -${by}-> ${names[to]}`);
  const wide = Math.max(0, ...called.map((step) => step.length));
  return [
    `Forbidden: ${plain(axiom)} (PTX ISA ${plain(section)})`,
    ...cycle.map(({ by }, at) => `  ${(called[at] ?? "").padEnd(wide)}   ${arrowWords[by].means}`),
  ];
}

/** `r0 = 1, r1 = 0`, or how else the thread ended. */
export function registerWords({ traces }: Execution, thread: number): string[] {
  const trace = traces[thread];
  if (!trace) return [];
  const registers = [...trace.registers].map(([name, value]) => `${plain(name)} = ${number(value)}`);
  const { end } = trace;
  const ending =
    end === "bound" ? ["stopped at the bound"] : typeof end === "object" ? [`fault: ${plain(end.fault)}`] : [];
  return [...(registers.length > 0 ? [registers.join(", ")] : []), ...ending];
}

/** What memory holds at the end. */
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
