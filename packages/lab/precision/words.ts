import type { Session } from "../../../src/interp/machine/session.ts";
import type { Inputs } from "../../../src/launch/input/launch-inputs.ts";
import type { Palette } from "../../../src/present/text/palette.ts";
import { type LinePrecision, type OutputValue, type PrecisionReport, precisionOf } from "./report.ts";
import { PrecisionWatch } from "./watch.ts";

/** `--precision` of one run, or of the last of several. */
export class Precision {
  #run: { readonly session: Session; readonly inputs: Inputs; readonly watch: PrecisionWatch } | undefined;

  /** Hands it a session before it runs. */
  readonly attach = (session: Session, inputs: Inputs): void => {
    const watch = new PrecisionWatch(session);
    session.observe(watch);
    this.#run = { session, inputs, watch };
  };

  /** What there is to say after the run; undefined where nothing ran. */
  report(): PrecisionReport | undefined {
    if (this.#run === undefined) return undefined;
    const { session, inputs, watch } = this.#run;
    const buffers = inputs.buffers.map(({ name, buffer: { address, bytes } }) => ({ name, address, bytes }));
    return precisionOf(session, watch, buffers);
  }
}

/** Lines that the text names. */
const MOST_LINES = 8;

/** A number with as many digits as one reads. */
const number = (x: number): string =>
  Number.isInteger(x) && Math.abs(x) < 1e7 ? String(x) : x.toPrecision(5).replace(/\.?0+(e|$)/, "$1");

/** How far off: `60%`, `2.1e-5 of it`. */
const off = (relative: number): string =>
  relative >= 0.001 && relative < 100
    ? `${number(100 * relative)}%`
    : Number.isFinite(relative)
      ? `${relative.toExponential(1)} times`
      : "all";

const valueText = ({ buffer, index, value, exact, relative, excess }: OutputValue): string =>
  `${buffer}[${index}] is ${number(value)} and should be ${number(exact)}: ${off(relative)} off, ${number(excess)} times what rounding its inputs would do`;

/** The report in words, for stderr. */
export function renderPrecision({ buffers, lines, wrapped, decisions }: PrecisionReport, palette: Palette): string {
  const text: string[] = [];
  for (const { name, format, values, wrong, norm, worst, farthest, lost } of buffers) {
    text.push(
      palette.strong(
        `${name}: ${values} ${format}, ${wrong} inexact by more than half a unit, at most ${norm.toExponential(1)} of the largest`,
      ),
    );
    if (lost > 0) text.push(`  ${lost} infinite or NaN that should not be`);
    if (worst !== undefined) text.push(`  ${valueText(worst)}`);
    if (farthest !== undefined && farthest !== worst) text.push(`  ${valueText(farthest)}`);
  }
  for (const line of lines.slice(0, MOST_LINES)) text.push(`  ${lineText(line)}`);
  for (const { pc, usedAt, use, why, count, value, exact } of wrapped) text.push(`  ${why} at pc ${pc}, used ${use} at pc ${usedAt}, ${count} times: ${value} should be ${exact}`);
  for (const { pc, count, value, exact } of decisions) text.push(`  decided at pc ${pc}, ${count} times: ${value} should be ${exact}`);
  return `${text.join("\n")}\n`;
}

function lineText({ pc, instruction, made, outputs, grows, overflows }: LinePrecision): string {
  return `pc ${pc} ${instruction.opcode}: makes ${number(made)}, largest in ${outputs} outputs${grows > 0 ? `, cancels ${number(grows)} bits` : ""}${overflows > 0 ? `, overflows for ${overflows}` : ""}`;
}

export const precisionToJson = (report: PrecisionReport) => ({
  buffers: report.buffers,
  lines: report.lines.map(({ instruction, ...line }) => ({ opcode: instruction.opcode, ...line })),
});
