import { type ColourChoice, palette } from "../environment/colour.ts";
import { Exit, type ExitCode } from "../environment/exit.ts";
import type { Io } from "../environment/io.ts";
import { report } from "../environment/report.ts";
import { problem } from "../host/problem.ts";
import { explainCode } from "../present/explain.ts";
import { jsonText } from "../present/json.ts";
import type { Palette } from "../present/palette.ts";
import { describeVisa, visaForms } from "../present/visa.ts";
import { nearest } from "../resolve/nearest.ts";
import { type Diagnostic, hasErrors } from "../source/diagnostic.ts";
import { codes } from "../source/index.ts";
import { forms as visaTable } from "../visa/isa/table.ts";
import { type Answer, refused, said, unknown } from "./answer.ts";
import { explainInstruction } from "./instruction.ts";
import { explainValues, isNumber } from "./value.ts";
import { isAssignment, withoutMatrices } from "./working.ts";

export interface ExplainOptions {
  readonly as?: string;
  /** Whose tensor cores compute. */
  readonly arch?: string;
  /** Roundings whose results stand side by side: `all`, or their words with commas. */
  readonly rnd?: string;
  readonly json?: boolean;
  readonly color: ColourChoice;
}

/**
 * `ptxrun explain`: the page of a code, the fields of values and their distances, a form of the table, or, with
 * `NAME=VALUE` words, that form worked through.
 */
export function explain(what: string, options: ExplainOptions, io: Io): ExitCode {
  const colours = palette(options.color, "out", io);
  const { value, diagnostics } = answer(what.trim(), options, colours);
  if (value !== undefined)
    io.out(options.json ? `${jsonText({ schema: "ptxrun.explain/1", ...value.json }, 2)}\n` : value.text);
  report(diagnostics, options, io);
  return hasErrors(diagnostics) ? Exit.usage : Exit.ok;
}

function answer(what: string, options: ExplainOptions, colours: Palette): Answer {
  const { as, arch, rnd } = options;
  const words = what.split(/\s+/);
  const values = words.filter(isAssignment);
  if (values.length === 0 && words.every(isNumber)) {
    if (arch !== undefined) return refused(withoutMatrices(what));
    if (rnd !== undefined) return refused(notRounded(what));
    return explainValues(words, as, colours);
  }
  const text = values.length === 0 ? what : words.filter((word) => !isAssignment(word)).join(" ");
  if (as !== undefined) return refused(misplaced(text));
  if (values.length > 0) return explainInstruction(text, { values, arch, rnd }, colours);
  if (arch !== undefined) return refused(withoutMatrices(text));
  return explainName(what, rnd, colours);
}

/** A code, a form of vISA, or a form of PTX. */
function explainName(what: string, rnd: string | undefined, colours: Palette): Answer {
  const code = what.toUpperCase();
  const page = codes.get(code);
  const visa = visaForms(what, visaTable) ?? [];
  if (rnd !== undefined && (page !== undefined || visa.length > 0)) return refused(notRounded(what));
  if (page !== undefined)
    return said({ text: explainCode(code, page, colours), json: { kind: "code", code, ...page } });
  if (/^PTX\d/i.test(what)) return refused(unknown(`there is no code ${code}`, nearest(code, codes.keys())));
  if (visa.length === 0) return explainInstruction(what, { values: [], arch: undefined, rnd }, colours);
  const forms = visa.map(({ mnemonic, syntax, opcode, about, operands }) => ({
    mnemonic,
    syntax,
    opcode,
    about,
    operands,
  }));
  return said({ text: describeVisa(visa, colours), json: { kind: "forms", table: "visa", forms } });
}

const misplaced = (what: string): Diagnostic =>
  problem("PTX2003", `--as says how to read a value, and ${what} is none`, { expected: "a value, such as 0x3c00" });

const notRounded = (what: string): Diagnostic =>
  problem("PTX2003", `--rnd says how an instruction rounds, and ${what} is none`, {
    expected: "an instruction with NAME=VALUE operands, such as add.f32 a=1 b=0x1p-24",
  });
