import { forms as visaTable } from "../../packages/visa/src/isa/table.ts";
import { type ColourChoice, palette } from "../environment/colour.ts";
import { Exit, type ExitCode } from "../environment/exit.ts";
import type { Io } from "../environment/io.ts";
import { report } from "../environment/report.ts";
import { isElementType } from "../host/memory/element.ts";
import { problem } from "../host/problem.ts";
import { completions, type Form, match, mnemonics, table } from "../isa/index.ts";
import { matchForm } from "../isa/match/match-form.ts";
import { type Reading, readFloat, readNumber } from "../launch/value/number.ts";
import { exactOf } from "../numeric/exact/literal.ts";
import type { Format } from "../numeric/format/format.ts";
import { formats, packedType } from "../numeric/format/named.ts";
import { formatNamed, widthOf } from "../numeric/format/value-type.ts";
import { explainCode, explainFloat, floatToJson } from "../present/explain.ts";
import { spelling as leastSpelling, only } from "../present/form.ts";
import { jsonText } from "../present/json.ts";
import type { Palette } from "../present/text/palette.ts";
import { describeForms, formToJson, listForms } from "../present/text/table.ts";
import { hex, number } from "../present/value.ts";
import { describeVisa, visaForms } from "../present/visa.ts";
import { apartText, lanesApart } from "../present/working/distance.ts";
import { nearest } from "../resolve/nearest.ts";
import { type Diagnostic, hasErrors } from "../source/diagnostic.ts";
import { codes } from "../source/index.ts";
import { type Answer, type Explained, hexJson, refused, said, unknown } from "./answer.ts";
import { explainElements, isElement } from "./elements.ts";
import { explainedNames, explainNamed } from "./named.ts";
import { explainRounded } from "./rounded-value.ts";
import { firstRounded } from "./roundings.ts";
import { explainWorking, type Given, isAssignment, withoutMatrices } from "./working.ts";

/** Distances in words, and as JSON: a text for each lane, null where only one of the two is NaN. */
interface Distance {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** The distance of each value of a type that has `width` bits from the one before it. */
const distancesOf = (type: string, width: number, values: readonly bigint[]): Distance[] =>
  values.slice(1).map((to, at) => {
    const from = values[at] ?? 0n;
    const lanes = lanesApart(type, width, from, to);
    return {
      text: `${hex(from, width)} to ${hex(to, width)}: ${apartText(type, lanes)}`,
      json: {
        type,
        from: hexJson(from),
        to: hexJson(to),
        apart: lanes.map(({ kind, apart }) => (kind === "nan" ? null : `${apart}`)),
      },
    };
  });

/** True for a text that begins like a number, so that it is one or a malformed one. */
const isNumber = (what: string): boolean => /^[-+]?(?:\.?\d|inf$|nan$)/i.test(what);

/** True for what can be an operand's value without its name: numbers, with commas where they are lanes. */
const isValue = (word: string): boolean =>
  word.split(",").every((each) => isNumber(each) || /^(?:true|false)$/i.test(each));

/** A type for reading a value: a scalar one, or packed lanes of a format, the first in the low bits. */
interface ValueType {
  readonly name: string;
  readonly width: number;
  /** For a float, or for each lane of a packed one. */
  readonly format: Format | undefined;
  readonly lanes: number;
  readonly lane: number;
}

/** `0x3e94`, or `0x3e94,0x3c00`, which are the lanes of a packed type and separate values of another. */
function explainValues(words: readonly string[], as: string | undefined, colours: Palette): Answer {
  const texts = words.flatMap((word) => word.split(","));
  const packed = words.some((word) => word.includes(","));
  const names = as?.split(",") ?? guesses(texts, packed);
  const pieces: string[] = [];
  const readings: Record<string, unknown>[] = [];
  const distances: Record<string, unknown>[] = [];
  for (const name of names) {
    const type = typeOf(name);
    if (type === undefined) {
      const known = [...formats.map((each) => each.name), "f16x2", "bf16x2", "u32", "s32", "u64", "s64"];
      return refused(unknown(`.${name} is not a type`, nearest(name, known), known.join(", ")));
    }
    const values: bigint[] = [];
    for (const word of type.lanes > 1 ? words : texts) {
      const bits = bitsOf(word, type);
      if (typeof bits !== "bigint") return refused(bits);
      values.push(bits);
      pieces.push(shown(bits, type, colours));
      readings.push({ text: word, type: name, bits: hexJson(bits), ...jsonOf(bits, type) });
    }
    const apart = distancesOf(name, type.width, values);
    if (apart.length > 0)
      pieces.push(apart.map(({ text }) => `  ${colours.faint("distance".padEnd(12))}${text}\n`).join(""));
    distances.push(...apart.map(({ json }) => json));
  }
  const json = { kind: "value", readings, ...(distances.length > 0 && { distances }) } as const;
  return said({ text: pieces.join("\n"), json });
}

function typeOf(name: string): ValueType | undefined {
  const format = formats.find((each) => each.name === name);
  if (format !== undefined) return { name, width: format.width, format, lanes: 1, lane: format.width };
  const packed = packedType(name);
  if (packed !== undefined) {
    const { lane: format, count: lanes, width: lane } = packed;
    return lane * lanes > 64 ? undefined : { name, width: lane * lanes, format, lanes, lane };
  }
  if (!isElementType(name)) return undefined;
  const width = widthOf(name);
  return { name, width, format: undefined, lanes: 1, lane: width };
}

function bitsOf(word: string, type: ValueType): bigint | Diagnostic {
  if (type.lanes === 1 || !word.includes(",")) {
    const whole = type.lanes === 1 ? one(word, type) : readNumber(word, `b${type.width}`);
    return "bits" in whole ? whole.bits : wrong(whole);
  }
  const items = word.split(",");
  if (items.length !== type.lanes)
    return problem("PTX2102", `${word} has ${items.length} lanes, and .${type.name} has ${type.lanes}`, {
      expected: `${type.lanes} values with commas, low bits first`,
    });
  let bits = 0n;
  for (const [at, item] of items.entries()) {
    const reading = one(item, type);
    if (!("bits" in reading)) return wrong(reading);
    bits |= reading.bits << BigInt(at * type.lane);
  }
  return bits;
}

const one = (word: string, { name, lanes, lane, format }: ValueType): Reading =>
  format !== undefined && (lanes > 1 || !isElementType(name)) ? readFloat(word, format, lane) : readNumber(word, name);

const wrong = (reading: Exclude<Reading, { readonly bits: bigint }>): Diagnostic =>
  problem("PTX2102", reading.message, { expected: reading.expected });

const lanesIn = (bits: bigint, { lanes, lane }: ValueType): bigint[] =>
  Array.from({ length: lanes }, (_, at) => BigInt.asUintN(lane, bits >> BigInt(at * lane)));

function shown(bits: bigint, type: ValueType, colours: Palette): string {
  const { name, width, format, lanes } = type;
  if (format === undefined) return `${colours.strong(`${hex(bits, width)} as ${name}`)}: ${number(bits, name)}\n`;
  if (lanes === 1) return explainFloat(bits, format, colours);
  return lanesIn(bits, type)
    .map((each, at) => `lane ${at}: ${explainFloat(each, format, colours)}`)
    .join("");
}

function jsonOf(bits: bigint, type: ValueType): Record<string, unknown> {
  const { name, format, lanes } = type;
  if (format === undefined) return { value: number(bits, name) };
  if (lanes === 1) return floatToJson(bits, format);
  return { lanes: lanesIn(bits, type).map((each) => ({ bits: hexJson(each), ...floatToJson(each, format) })) };
}

/** Without `--as`: floats of the spelling's width, four hexadecimal digits being 16 bits. */
function guesses(texts: readonly string[], packed: boolean): string[] {
  const all = texts.map(guessed);
  const [first = []] = all;
  const shared = first.filter((type) => all.every((types) => types.includes(type)));
  if (!packed) return shared.length > 0 ? shared : first;
  const pairs = ["f16", "bf16"].filter((type) => texts.length === 2 && shared.includes(type));
  return pairs.length > 0 ? pairs.map((type) => `${type}x2`) : shared.length > 0 ? shared : first;
}

function guessed(text: string): string[] {
  if (/^0f/i.test(text)) return ["f32"];
  if (/^0d/i.test(text)) return ["f64"];
  const digits = /^0x([\da-f_]+)$/i.exec(text)?.[1]?.replaceAll("_", "").length;
  if (digits === undefined) return ["f16", "bf16", "f32"];
  if (digits <= 2) return ["e4m3", "e5m2", "u8"];
  if (digits <= 4) return ["f16", "bf16", "u16", "s16"];
  return digits <= 8 ? ["f32", "f16x2", "u32", "s32"] : ["f64", "u64", "s64"];
}

/** A form of the table; with values for its operands, its derivation. */
function explainInstruction(text: string, given: Given, colours: Palette): Answer {
  const { rnd } = given;
  const values = [...given.values, ...given.inOrder];
  const [spelling = ""] = text.trim().split(/[\s;]/);
  const [mnemonic = "", ...words] = spelling.split(".");
  const found = match(mnemonic, words);
  if (found.kind === "forms") {
    const { candidates } = found;
    const elements = text.trim().split(/\s+/).slice(1);
    if (elements.length > 0 && elements.every(isElement))
      return explainElements(spelling, candidates, elements, colours);
    if (values.length > 0 || rnd !== undefined) return explainWorking(spelling, candidates, given, colours);
    const forms = candidates.map(({ form }) => form);
    return said({ text: describeForms(forms, colours, words), json: formsJson(forms, words) });
  }
  if (found.kind === "unknown" || found.kind === "crowded")
    return refused(
      unknown(`${text.trim()} is not a code, value, instruction, type, word, target or register`, meant(text)),
    );
  if (rnd !== undefined) {
    const rounded = firstRounded(mnemonic, words, rnd);
    if (rounded !== undefined) return explainWorking(rounded.spelling, rounded.candidates, given, colours);
  }
  // A word may only be missing: add.rz.f16 is wrong, though the words are those of add.rz.f32.f16.
  const begun = completions(mnemonic, words).filter((form) =>
    matchForm(form, words).problems.every(({ kind }) => kind === "missing" || kind === "incomplete"),
  );
  if (begun.length > 0 && values.length === 0)
    return said({ text: begunText(spelling, begun, words, colours), json: formsJson(begun, words) });
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
  return refused(problem("PTX2301", `${spelling} is not a form of ${mnemonic}`, { expected: form.syntax, help }));
}

/** True for what begins with an instruction's name. */
const isInstruction = (what: string): boolean => mnemonics.includes(what.split(/[.\s;]/, 1)[0] ?? "");

/** The name that may have been meant: an instruction, or another that has a page. */
const meant = (text: string): string | undefined => {
  const [first = ""] = text.trim().split(/[\s;]/);
  const named = /^[%.]|^sm_/.test(first);
  return named ? nearest(first, explainedNames()) : nearest(first.split(".")[0] ?? "", mnemonics);
};

const formsJson = (forms: readonly Form[], words: readonly string[]): Explained["json"] => ({
  kind: "forms",
  table: "ptx",
  forms: forms.map((form) => formToJson(form, words)),
});

/** The forms that an incomplete spelling begins, as `isa` shows them. */
function begunText(spelling: string, forms: readonly Form[], words: readonly string[], colours: Palette): string {
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

export interface ExplainOptions {
  readonly as?: string;
  /** The GPU whose tensor cores compute. */
  readonly arch?: string;
  /** Roundings whose results are shown side by side: `all`, or their words with commas. */
  readonly rnd?: string;
  readonly format: "text" | "json";
  readonly color: ColourChoice;
}

/**
 * `ptxrun explain`: the page of a code, the fields of values and their distances, a form of the table, or, with
 * values behind it, its derivation for these.
 */
export function explain(what: string, options: ExplainOptions, io: Io): ExitCode {
  const colours = palette(options.color, "out", io);
  const { value, diagnostics } = answer(what.trim(), options, colours);
  if (value !== undefined)
    io.out(options.format === "json" ? `${jsonText({ schema: "ptxrun.explain/1", ...value.json }, 2)}\n` : value.text);
  report(diagnostics, options, io);
  return hasErrors(diagnostics) ? Exit.usage : Exit.ok;
}

function answer(what: string, options: ExplainOptions, colours: Palette): Answer {
  const { as, arch, rnd } = options;
  const words = what.split(/\s+/);
  const values = words.filter(isAssignment);
  if (values.length === 0 && words.every(isNumber)) {
    if (arch !== undefined) return refused(withoutMatrices(what));
    if (rnd !== undefined) return roundValues(what, words, as, rnd);
    return explainValues(words, as, colours);
  }
  const others = words.filter((word) => !isAssignment(word));
  const behind = others.slice(1).map((word) => word.replace(/[,;]$/, ""));
  const inOrder = isInstruction(others[0] ?? "") && behind.every(isValue) ? behind : [];
  const text = inOrder.length > 0 ? (others[0] ?? "") : others.join(" ");
  if (as !== undefined) return refused(misplaced(text));
  if (values.length + inOrder.length > 0) return explainInstruction(text, { values, inOrder, arch, rnd }, colours);
  if (arch !== undefined) return refused(withoutMatrices(text));
  return explainName(what, rnd, colours);
}

/** Numbers in float formats by roundings; bits are rounded already. */
function roundValues(what: string, words: readonly string[], as: string | undefined, rnd: string): Answer {
  if (words.some((word) => exactOf(word) === undefined)) return refused(notRounded(what));
  const formats: Format[] = [];
  for (const name of as?.split(",") ?? guesses(words, false)) {
    const format = formatNamed(name);
    if (format === undefined) return refused(unknown(`.${name} is no float format`, nearest(name, floatNames), floatNames.join(", "))); // biome-ignore format: one row
    formats.push(format);
  }
  return explainRounded(words, formats, rnd);
}

const floatNames = formats.map(({ name }) => name);

/** A code, a form of vISA, or a form of PTX. */
function explainName(what: string, rnd: string | undefined, colours: Palette): Answer {
  const code = what.toUpperCase();
  const page = codes.get(code);
  const visa = visaForms(what, visaTable) ?? [];
  if (rnd !== undefined && (page !== undefined || visa.length > 0)) return refused(notRounded(what));
  if (page !== undefined)
    return said({ text: explainCode(code, page, colours), json: { kind: "code", code, ...page } });
  if (/^PTX\d/i.test(what)) return refused(unknown(`unknown code ${code}`, nearest(code, codes.keys())));
  if (visa.length === 0) {
    // Words of instructions may be instructions too: a bare name is one of these first.
    const named = isInstruction(what) ? undefined : explainNamed(what, colours);
    if (named !== undefined && rnd !== undefined) return refused(notRounded(what));
    return named ?? explainInstruction(what, { values: [], inOrder: [], arch: undefined, rnd }, colours);
  }
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
    expected: "a number such as 0.1, or an instruction with operands, such as add.f32 a=1 b=0x1p-24",
  });
