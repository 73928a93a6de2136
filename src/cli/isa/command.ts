import type { Named, Form as VisaForm } from "../../../packages/visa/src/index.ts";
import { named } from "../../../packages/visa/src/isa/named.ts";
import { forms as executed } from "../../../packages/visa/src/isa/table.ts";
import { type ColourChoice, palette } from "../../environment/colour.ts";
import { Exit, type ExitCode } from "../../environment/exit.ts";
import { globPattern, isGlob } from "../../environment/glob.ts";
import type { Io } from "../../environment/io.ts";
import { report } from "../../environment/report.ts";
import { problem } from "../../host/problem.ts";
import { completions, type Form, match, mnemonics, table } from "../../isa/index.ts";
import { coverage } from "../../present/coverage.ts";
import { only, spelling } from "../../present/form.ts";
import { describeForms, listForms, tableToJson, tableToMarkdown } from "../../present/text/table.ts";
import { describeVisa, listVisa, visaForms } from "../../present/visa.ts";
import { nearest } from "../../resolve/nearest.ts";

export interface IsaOptions {
  readonly format: "text" | "json" | "md" | "coverage";
  readonly color: ColourChoice;
}

/** What is executed, then what is known by name only. */
const visaTable: readonly (VisaForm | Named)[] = [...executed, ...named];

/** Forms that are described completely; more are only listed. */
const FULL = 12;

/** `ptxrun isa`: the table, or the part of it that a pattern names. */
export function isa(glob: string | undefined, options: IsaOptions, io: Io): ExitCode {
  const other = glob === undefined ? undefined : visaForms(glob, visaTable);
  if (other !== undefined && other.length > 0) return isaOfVisa(other, glob, options, io);
  const sections = glob === undefined ? table : only(table, matcher(glob));
  const forms = sections.flatMap((section) => section.forms);
  if (glob !== undefined && forms.length === 0) {
    const visa = visaForms(`visa.${glob}`, visaTable) ?? [];
    if (visa.length > 0) return isaOfVisa(visa, `visa.${glob}`, options, io);
    report([problem("PTX2301", `no form matches ${glob}`, { help: [{ message: wayOut(glob) }] })], options, io);
    return Exit.usage;
  }
  const colours = palette(options.color, "out", io);
  if (options.format === "json") io.out(`${JSON.stringify(tableToJson(sections), null, 2)}\n`);
  else if (options.format === "coverage") io.out(coverage(sections));
  else if (options.format === "md") io.out(tableToMarkdown(sections));
  else
    io.out(
      glob !== undefined && forms.length <= FULL
        ? describeForms(forms, colours, glob.split(".").slice(1))
        : listForms(sections, colours),
    );
  return Exit.ok;
}

/** The table of vISA, under the name `visa`: all of it, or `visa.add`. */
function isaOfVisa(
  forms: readonly (VisaForm | Named)[],
  glob: string | undefined,
  { format, color }: IsaOptions,
  io: Io,
): ExitCode {
  if (format === "md" || format === "coverage") {
    const message = `--format ${format} is for the table of PTX, and ${glob} is vISA`;
    report([problem("PTX2003", message, { expected: "text or json" })], { color }, io);
    return Exit.usage;
  }
  const colours = palette(color, "out", io);
  if (format === "json") {
    const rows = forms.map(({ syntax, opcode, about, ...others }) => {
      const runs = "operands" in others ? {} : { runs: false };
      return { syntax, opcode, about, ...runs };
    });
    io.out(`${JSON.stringify({ schema: "ptxrun.isa-visa/1", forms: rows }, null, 2)}\n`);
  } else io.out(glob?.includes(".") ? describeVisa(forms, colours) : listVisa(forms, colours));
  return Exit.ok;
}

function wayOut(glob: string): string {
  const mnemonic = glob.replaceAll("*", "").split(".")[0] ?? "";
  if (mnemonics.includes(mnemonic)) return `ptxrun isa ${mnemonic} lists its forms`;
  const meant = nearest(mnemonic, mnemonics);
  return meant === undefined ? "ptxrun isa lists everything" : `did you mean ${meant}?`;
}

/**
 * Which forms a pattern selects: a bare mnemonic selects all its forms; a spelling the forms it spells or, where words
 * are missing, those that have all of its words; a pattern with stars the forms whose spelling it matches, with all
 * words or only the required ones.
 */
function matcher(glob: string): (form: Form) => boolean {
  const [mnemonic = "", ...words] = glob.split(".");
  if (!isGlob(glob)) {
    if (words.length === 0) return (form) => form.mnemonic === mnemonic;
    const found = match(mnemonic, words);
    const spelt = new Set(
      found.kind === "forms" ? found.candidates.map(({ form }) => form) : completions(mnemonic, words),
    );
    return (form) => spelt.has(form);
  }
  const pattern = globPattern(glob);
  return (form) => spellings(form).some((each) => pattern.test(each));
}

function* spellingsOf(form: Form): Generator<string> {
  const everything = form.modifiers.flatMap(({ choices }) => choices.slice(0, 1));
  yield form.mnemonic;
  yield spelling(form, everything);
  const places = form.modifiers.filter(({ optional, choices }) => !optional && choices.length > 1);
  // Every choice once, with the first choice elsewhere: enough to find a form by any of its words.
  for (const { choices } of places) for (const choice of choices) yield spelling(form, [choice]);
  for (const { choices, optional } of form.modifiers)
    if (optional) for (const choice of choices) yield spelling(form, [choice]);
  yield spelling(form, []);
}
const spellings = (form: Form): string[] => [...spellingsOf(form)];
