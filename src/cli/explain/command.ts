import { isElementType } from "../../host/element.ts";
import { problem } from "../../host/problem.ts";
import { completions, type Form, match, mnemonics, table } from "../../isa/index.ts";
import { matchForm } from "../../isa/match/match-form.ts";
import { formats } from "../../numeric/format/format.ts";
import { explainCode, explainFloat } from "../../present/explain.ts";
import { spelling as leastSpelling, only } from "../../present/form.ts";
import type { Palette } from "../../present/palette.ts";
import { describeForms, listForms } from "../../present/table.ts";
import { hex, number } from "../../present/value.ts";
import { describeVisa, visaForms } from "../../present/visa.ts";
import { nearest } from "../../resolve/nearest.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import { codes } from "../../source/index.ts";
import { forms as visaTable } from "../../visa/isa/table.ts";
import { type ColourChoice, palette } from "../colour.ts";
import { Exit, type ExitCode } from "../exit.ts";
import type { Io } from "../io.ts";
import { report } from "../report.ts";
import { readNumber, widthOf } from "../value/number.ts";
import { explainWorking, isAssignment, withoutMatrices } from "./working.ts";

export interface ExplainOptions {
  readonly as?: string;
  /** Whose tensor cores compute. */
  readonly arch?: string;
  readonly color: ColourChoice;
}

/**
 * `ptxrun explain`: the page of a code, the fields of a value, a form of the table, or, with `NAME=VALUE` words, that
 * form worked through.
 */
export function explain(what: string, options: ExplainOptions, io: Io): ExitCode {
  const colours = palette(options.color, "out", io);
  const words = what.trim().split(/\s+/);
  const values = words.filter(isAssignment);
  const text = values.length === 0 ? what : words.filter((word) => !isAssignment(word)).join(" ");
  const isRead = values.length === 0 && isNumber(text);
  const { value, diagnostics } =
    options.as !== undefined && !isRead
      ? refused(misplaced(text))
      : values.length > 0
        ? explainInstruction(text, values, colours, options.arch)
        : options.arch !== undefined
          ? refused(withoutMatrices(text))
          : explainAny(text, options, colours);
  if (value !== undefined) io.out(value);
  report(diagnostics, options, io);
  return hasErrors(diagnostics) ? Exit.usage : Exit.ok;
}

type Answer = Staged<string | undefined>;

const said = (value: string): Answer => ({ value, diagnostics: [] });
const refused = (diagnostic: Diagnostic): Answer => ({ value: undefined, diagnostics: [diagnostic] });

function explainAny(what: string, { as }: ExplainOptions, colours: Palette): Answer {
  const code = what.toUpperCase();
  const page = codes.get(code);
  if (page !== undefined) return said(explainCode(code, page, colours));
  if (/^PTX\d/i.test(what)) return refused(missing(`there is no code ${code}`, nearest(code, codes.keys())));
  const visa = visaForms(what, visaTable);
  if (visa !== undefined && visa.length > 0) return said(describeVisa(visa, colours));
  if (!isNumber(what)) return explainInstruction(what, [], colours);
  const found = explainValue(what, as, colours);
  return typeof found === "string" ? said(found) : refused(found);
}

const isNumber = (what: string): boolean => /^[-+]?(?:[\d.]|inf$|nan$)/i.test(what);

const misplaced = (what: string): Diagnostic =>
  problem("PTX2003", `--as says how to read a value, and ${what} is none`, { expected: "a value, such as 0x3c00" });

const missing = (message: string, meant: string | undefined, expected?: string): Diagnostic =>
  problem("PTX2301", message, {
    ...(expected === undefined ? {} : { expected }),
    help: meant === undefined ? [] : [{ message: `did you mean ${meant}?` }],
  });

function explainValue(text: string, as: string | undefined, colours: Palette): string | Diagnostic {
  const types = as?.split(",") ?? guesses(text);
  const pieces: string[] = [];
  for (const type of types) {
    const format = formats.find(({ name }) => name === type);
    const lane = formats.find(({ name }) => `${name}x2` === type);
    if (format === undefined && lane === undefined && !isElementType(type)) {
      const names = [...formats.map(({ name }) => name), "f16x2", "bf16x2", "u32", "s32", "u64", "s64"];
      return missing(`.${type} is no type`, nearest(type, names), names.join(", "));
    }
    const width = format?.width ?? (lane === undefined ? widthOf(type) : lane.width * 2);
    const reading = readNumber(text, format === undefined || isElementType(type) ? type : `b${width}`);
    if (!("bits" in reading) && format !== undefined && !isElementType(type) && !/^0[xb]/i.test(text)) {
      return problem("PTX2102", `${text} is no bit pattern, and .${type} is read from one`, {
        expected: "0x.. or 0b..",
      });
    }
    if (!("bits" in reading)) return problem("PTX2102", reading.message, { expected: reading.expected });
    const { bits } = reading;
    if (format !== undefined) pieces.push(explainFloat(bits, format, colours));
    else if (lane !== undefined) {
      const low = BigInt.asUintN(lane.width, bits);
      pieces.push(
        `lane 0: ${explainFloat(low, lane, colours)}lane 1: ${explainFloat(bits >> BigInt(lane.width), lane, colours)}`,
      );
    } else pieces.push(`${colours.strong(`${hex(bits, width)} as ${type}`)}: ${number(bits, type)}\n`);
  }
  return pieces.join("\n");
}

/** Without `--as`: floats of the width that the spelling has, four digits of hexadecimal being 16 bits. */
function guesses(text: string): string[] {
  if (/^0f/i.test(text)) return ["f32"];
  if (/^0d/i.test(text)) return ["f64"];
  const digits = /^0x([\da-f_]+)$/i.exec(text)?.[1]?.replaceAll("_", "").length;
  if (digits === undefined) return ["f16", "bf16", "f32"];
  if (digits <= 2) return ["e4m3", "e5m2", "u8"];
  if (digits <= 4) return ["f16", "bf16", "u16", "s16"];
  return digits <= 8 ? ["f32", "f16x2", "u32", "s32"] : ["f64", "u64", "s64"];
}

/** The forms that an incomplete spelling begins, as `isa` shows them. */
function explainBegun(spelling: string, forms: readonly Form[], words: readonly string[], colours: Palette): string {
  const heading = `${spelling} is not complete; ${forms.length === 1 ? "this form has" : `these ${forms.length} forms have`} its words:\n\n`;
  if (forms.length <= 12) return heading + describeForms(forms, colours, words);
  const chosen = new Set(forms);
  return (
    heading +
    listForms(
      only(table, (form) => chosen.has(form)),
      colours,
    )
  );
}

function explainInstruction(text: string, values: readonly string[], colours: Palette, arch?: string): Answer {
  const [spelling = ""] = text.trim().split(/[\s;]/);
  const [mnemonic = "", ...words] = spelling.split(".");
  const found = match(mnemonic, words);
  if (found.kind === "forms") {
    const { candidates } = found;
    if (values.length > 0) return explainWorking(spelling, candidates, values, colours, arch);
    const forms = candidates.map(({ form }) => form);
    return said(describeForms(forms, colours, words));
  }
  if (found.kind === "unknown" || found.kind === "crowded")
    return refused(missing(`${mnemonic} is no code, value or instruction`, nearest(mnemonic, mnemonics)));
  // Something may only be missing: add.rz.f16 is wrong, though the words are those of add.rz.f32.f16.
  const begun = completions(mnemonic, words).filter((form) =>
    matchForm(form, words).problems.every(({ kind }) => kind === "missing" || kind === "incomplete"),
  );
  if (begun.length > 0 && values.length === 0) return said(explainBegun(spelling, begun, words, colours));
  const { form } = found;
  const help = [{ message: `ptxrun isa ${mnemonic} lists the forms` }];
  if (begun.length > 0)
    return refused(
      problem("PTX2301", `${spelling} is not complete`, {
        expected: begun
          .slice(0, 3)
          .map((each) => leastSpelling(each, words))
          .join(", "),
        help,
      }),
    );
  return refused(problem("PTX2301", `${spelling} is no form of ${mnemonic}`, { expected: form.syntax, help }));
}
