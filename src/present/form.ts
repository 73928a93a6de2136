import { isComputed, operationOf, sayingOf } from "../interp/contract/plan/effects.ts";
import type { LiteralClass, OperandClass } from "../isa/form/operands.ts";
import { orLater, targetName } from "../isa/form/since.ts";
import type { Selector } from "../isa/form/syntax.ts";
import type { Check, CheckImage, Deprecation, Form, ModifierValues, Section, Since, Unsaid } from "../isa/index.ts";
import { matchForm } from "../isa/match/match-form.ts";
import { roundings, typeWords } from "../isa/match/vocabulary.ts";
import { type Grade, grades } from "../numeric/operation/grade.ts";
import { linesOf } from "../numeric/operation/text.ts";
import { heldBy, heldLines } from "./held.ts";

/** A form of the table in words, ready to be printed as text, Markdown or JSON. */
export interface FormWords {
  readonly syntax: string;
  /** Each placeholder and its words; words without a placeholder are left out. */
  readonly where: readonly {
    readonly name: string;
    readonly words: readonly string[];
    /** How many more words there are; only a video instruction's selectors have so many. */
    readonly more?: number;
  }[];
  readonly operands: readonly { readonly name: string; readonly takes: string }[];
  /** The least version and target, and which words ask for more. */
  readonly since: readonly { readonly with: string; readonly needs: string }[];
  /** The words of the spelling that are newer than its form. */
  readonly newer?: readonly string[];
  /** Since when it is deprecated, and what to use. */
  readonly deprecated?: string;
  /** The word that old texts may omit, and until which version. */
  readonly unsaid?: string;
  readonly executable: boolean;
  readonly undocumented: boolean;
  readonly checks: readonly string[];
  /**
   * The operation, with the first word of each placeholder, then the meanings of its names; empty where it does more
   * than compute.
   */
  readonly does: readonly string[];
  /** Where the words of one placeholder mean different things: what each does. */
  readonly modes?: readonly { readonly word: string; readonly does: string }[];
  /** Of a whole spelling: how its matrices lie in the registers of a warp. */
  readonly lies?: readonly string[];
  /** Facts that do not follow from the manual's page alone, with their sources. */
  readonly facts: readonly { readonly grade: Grade; readonly source: string; readonly says: string }[];
  readonly manual: string;
}

/** Everything in the table about a form: with the words of a spelling, and the first of each set elsewhere. */
export function formWords(form: Form, words: readonly string[] = []): FormWords {
  const { mods, problems } = matchForm(form, words);
  const asked = spelt(form, mods);
  // A spelling that lacks nothing has one meaning; one that lacks a word leaves a choice only there.
  const lacks = problems.flatMap((each) => (each.kind === "missing" ? [each.modifier] : []));
  const begun = words.length > 0 && lacks.length === problems.length;
  const whole = begun && lacks.length === 0;
  const modes = modesOf(form, asked, words);
  const newer = whole ? newerWords(form, asked) : [];
  const lies = whole && form.executable ? liesIn(form, asked) : [];
  return {
    syntax: form.syntax,
    where: [
      ...form.modifiers.filter(({ flag }) => !flag).map(({ name, choices }) => ({ name, words: choices })),
      ...form.slots.flatMap(({ selector }) => (selector === undefined ? [] : [shortened(selector)])),
    ],
    operands: Object.entries(form.operands(asked)).map(([name, takes]) => ({ name, takes: operandWords(takes) })),
    since: begun ? sinceWords(form, asked, lacks) : sinceWords(form),
    ...(newer.length > 0 && { newer }),
    ...(form.deprecated && { deprecated: deprecationText(form.deprecated) }),
    ...(form.unsaid && { unsaid: unsaidText(form.unsaid) }),
    executable: form.executable,
    undocumented: form.undocumented,
    checks: (begun ? checksOf(form, mods) : form.check).map((check) => checkWords(form, check)),
    does: doesWords(form, asked),
    ...(modes.length > 1 && { modes }),
    ...(lies.length > 0 && { lies }),
    facts: form.facts
      .filter(({ when }) => when === undefined || (whole ? when(asked) : spellingsOf(form).some(when)))
      .map(({ grade, says }) => ({ grade, source: grades[grade], says })),
    manual: form.manual,
  };
}

/** All spellings of a form by the words of its placeholders; optional ones are left out. */
function spellingsOf(form: Form): readonly ModifierValues[] {
  let all: ModifierValues[] = [firstWords(form)];
  for (const { name, flag, optional, choices } of form.modifiers)
    if (!flag && !optional) all = all.flatMap((mods) => choices.map((word) => ({ ...mods, [name]: word })));
  return all.filter((mods) => form.conflict(mods) === undefined);
}

function liesIn(form: Form, mods: ModifierValues): readonly string[] {
  const classes = form.operands(mods);
  return heldLines(heldBy(form.plan(mods), (name) => classes[name]?.kind === "vector"));
}

/** The words of a spelling without each of which, or with the form's first word in its place, less is needed. */
function newerWords(form: Form, asked: ModifierValues): readonly string[] {
  const own = form.since(asked);
  return form.modifiers.flatMap(({ name, flag, choices }) => {
    const word = asked[name];
    if (word === undefined || word === false || word === choices[0]) return [];
    const { ptx, sm } = form.since({ ...asked, [name]: flag ? false : choices[0] });
    return ptx <= own.ptx && sm <= own.sm && (ptx < own.ptx || sm < own.sm) ? [`.${flag ? name : word}`] : [];
  });
}

function shortened({ name, choices }: Selector): FormWords["where"][number] {
  const words = [...choices].slice(0, 16);
  return choices.size > words.length ? { name, words, more: choices.size - words.length } : { name, words };
}

const writtenOf = (mods: ModifierValues) =>
  Object.entries(mods).filter(([, word]) => word !== undefined && word !== false);

/** The shortest spelling of a form, with the words of a given spelling in their places. */
const spelt = (form: Form, mods: ModifierValues): ModifierValues => ({
  ...firstWords(form),
  ...Object.fromEntries(writtenOf(mods)),
});

/** The checks of these words alone; without one, those of more words. */
function checksOf(form: Form, mods: ModifierValues): readonly Check[] {
  const written = writtenOf(mods);
  /** How many words more than these an instruction of the check has, at least. */
  const more = (check: Check): number => {
    const texts = "snippet" in check ? check.snippet.split(/[\s;]+/) : [spelling(form, check.with ?? [])];
    const counts = texts.map((text) => {
      const [mnemonic, ...words] = text.split(".");
      const { mods: other, problems } = matchForm(form, words);
      const has = mnemonic === form.mnemonic && written.every(([name, word]) => other[name] === word);
      return has && problems.length === 0 ? writtenOf(other).length - written.length : Infinity;
    });
    return Math.min(...counts);
  };
  const own = form.check.filter((check) => more(check) === 0);
  return own.length > 0 ? own : form.check.filter((check) => more(check) < Infinity);
}

/** The shortest spelling of a form: the first word of each required position. */
const firstWords = ({ modifiers }: Form): ModifierValues =>
  Object.fromEntries(
    modifiers.map(({ name, optional, flag, choices }) => [name, flag ? !optional : optional ? undefined : choices[0]]),
  );

/** The operation of a form; of one that does more than compute, its effect. */
function doesWords(form: Form, base: ModifierValues): readonly string[] {
  if (!form.executable) return [];
  const plan = form.plan(base);
  const operation = operationOf(plan);
  if (operation !== undefined) return linesOf(operation, form.slots[0]?.name);
  return isComputed(plan) ? [] : [sayingOf(plan)];
}

/** Words of one placeholder that are told apart; a comparison has more. */
const MOST_MODES = 12;

/** The meanings of a placeholder whose words stand for different operations, and not for types or roundings. */
function modesOf(form: Form, base: ModifierValues, words: readonly string[]): NonNullable<FormWords["modes"]> {
  for (const { name, optional, flag, choices } of form.modifiers) {
    if (optional || flag || choices.length > MOST_MODES || choices.some((word) => words.includes(word))) continue;
    if (choices.some((word) => typeWords.has(word) || roundings.has(word))) continue;
    const modes = choices.flatMap((word) => {
      const mods = { ...base, [name]: word };
      const [does] = form.conflict(mods) === undefined ? doesWords(form, mods) : [];
      return does === undefined ? [] : [{ word, does }];
    });
    if (new Set(modes.map(({ does }) => does)).size > 1) return modes;
  }
  return [];
}

/** The least version and target in words: `PTX 8.0, sm_90a`. */
export function sinceText(since: Since): string {
  const { ptx, sm, only, families = [sm], or } = since;
  const names = families.map((family) => targetName(family, only)).join(" ");
  const later = only === undefined ? "" : orLater(since);
  return `PTX ${Math.floor(ptx / 10)}.${ptx % 10}, ${names}${later}${or === undefined ? "" : ` or ${sinceText(or)}`}`;
}

const deprecationText = ({ since, use }: Deprecation): string =>
  `deprecated since PTX ${Math.floor(since / 10)}.${since % 10}: use ${use}`;

const unsaidText = ({ word, until: { ptx, sm } }: Unsaid): string =>
  `.${word} may be left out before PTX ${Math.floor(ptx / 10)}.${ptx % 10}${sm > 10 ? `, and before sm_${sm}` : ""}`;

function sinceWords(form: Form, base?: ModifierValues, open?: Form["modifiers"]): FormWords["since"] {
  const all: { with: string; needs: string }[] = [];
  for (const { with: word, since } of needsOf(form, base, open)) {
    const needs = sinceText(since);
    if (needs === all[0]?.needs || all.some((each) => each.with === word && each.needs === needs)) continue;
    all.push({ with: word, needs });
  }
  return all;
}

/** What a spelling of a form needs, the shortest by default, and then the same with one word of `open` more, `.relu`. */
export function needsOf(
  form: Form,
  base: ModifierValues = firstWords(form),
  open: Form["modifiers"] = form.modifiers,
): readonly { readonly with: string; readonly since: Since }[] {
  const first = new Set(Object.values(base));
  const more = open.flatMap(({ name, choices, flag }) =>
    choices
      .filter((choice) => !first.has(choice))
      .map((choice) => ({ with: `.${choice}`, since: form.since({ ...base, [name]: flag ? true : choice }) })),
  );
  return [{ with: "", since: form.since(base) }, ...more];
}

/** The accepted operands at a position. */
function operandWords(takes: OperandClass): string {
  switch (takes.kind) {
    case "register": {
      const { access, types, wider, immediate, special, symbol, sink } = takes;
      const constants = { integer: "an integer", f32: "an f32 constant", f64: "an f64 constant", bits: "a constant" };
      const others = [
        wider && "a wider register",
        immediate && constants[immediate],
        special && "a special register",
        symbol && "a variable's address",
        sink && "_",
      ].filter(Boolean);
      const list = types.map((type) => `.${type}`).join(" ");
      return `${access === "write" ? "to" : "of"} ${list}${others.length === 0 ? "" : `, or ${others.join(", ")}`}`;
    }
    case "predicate":
      return `${takes.access === "write" ? "to" : "of"} .pred${takes.negatable ? ", or !p" : ""}${takes.immediate ? ", or an integer" : ""}${takes.sink ? ", or _" : ""}`;
    case "address":
      return [
        `an address, ${takes.space}${takes.coordinates ? ", a name alone" : ""}`,
        ...[...(takes.overrides ?? []), ...(takes.coordinates ? [takes.coordinates] : [])].map(
          (each) => `behind it ${operandWords(each)}`,
        ),
      ].join("; ");
    case "tensor address": {
      const place = `an address of tensor memory in ${takes.types.map((type) => `.${type}`).join(" ")}`;
      const constant = takes.immediate ? ", or a constant" : "";
      return takes.or === undefined ? `${place}${constant}` : `${place}, or a descriptor ${operandWords(takes.or)}`;
    }
    case "vector":
      return `${takes.count} of: ${operandWords(takes.of)}`;
    case "tuple":
      return `{${takes.of.map(operandWords).join("; ")}}${takes.bare ? ", braces may be left out" : ""}`;
    case "handle":
      return `a ${takes.of.map((type) => `.${type}`).join(" or ")}, or a .u64 .b64 .s64 with a handle`;
    case "target":
      return { label: "a label", function: "a function", list: "a list of labels", prototype: "a prototype" }[
        takes.what
      ];
    case "literal":
      return literalWords(takes);
    case "results":
      return "where each result goes: a register, a .param variable or _";
    case "callee":
      return "a function, or a register that holds its address";
    case "arguments":
      return "each argument: a register, a constant or a .param variable";
    case "callees":
      return "for a register: a .callprototype, a .calltargets list or a table of functions";
    case "absent":
      return `nothing, unless ${takes.unless}`;
  }
}

const bits = (value: unknown): string =>
  Array.isArray(value)
    ? `{${value.map(bits).join(", ")}}`
    : typeof value === "number" || typeof value === "bigint"
      ? `0x${value.toString(16)}`
      : String(value);

function literalWords({ bits, only, among, least, most, multiple, power }: LiteralClass): string {
  if (only !== undefined) return `the constant ${only}`;
  if (among !== undefined) return `the constant ${among.join(" or ")}`;
  if (power !== undefined) return `a constant, a power of two, at most ${power}`;
  const range = [
    least !== undefined && `from ${least}`,
    most !== undefined && `to ${most}`,
    multiple !== undefined && `a multiple of ${multiple}`,
  ];
  const limits = range.filter(Boolean).join(" ");
  return limits === "" ? `a constant of ${bits} bits` : `a constant ${limits.replace(" a ", ", a ")}`;
}

/** A worked check as a line that could be a `//@ case`: what is read, an arrow, what is written. */
function checkWords(form: Form, check: Check): string {
  const pairs = (values: Readonly<Record<string, unknown>>) =>
    Object.entries(values).map(([name, value]) => `${name}=${bits(value)}`);
  if ("snippet" in check) {
    const functions = check.functions === undefined ? "" : `${check.functions} `;
    const buffers = Object.entries(check.buffers ?? {}).map(([name, words]) => `[${name}]=${words.join(",")}`);
    const images = Object.entries(check.textures ?? {}).map(([name, image]) => `${name}=${imageWords(image)}`);
    const before = [...images, ...pairs(check.given ?? {}), ...buffers];
    return `${functions}${check.snippet.replaceAll(/\n[\n ]*/g, "\n")} ${[...before, "->", ...pairs(check.gives)].join(" ")}`;
  }
  const { with: chosen = [], operands, carryIn, carryOut } = check;
  const classes = form.operands(firstWords(form));
  const written = ([name]: [string, unknown]) => isWritten(classes[name]);
  const all = Object.entries(operands);
  const reads = pairs(Object.fromEntries(all.filter((each) => !written(each))));
  const writes = pairs(Object.fromEntries(all.filter(written)));
  if (carryIn !== undefined) reads.push(`cc.cf=${carryIn}`);
  if (carryOut !== undefined) writes.push(`cc.cf=${carryOut}`);
  return `${spelling(form, chosen)}: ${[...reads, "->", ...writes].join(" ")}`;
}

/** A check's texture in a few words: `texref f32 4: 1, 2, 3, 5`. */
function imageWords({ as, type, channels = 1, size, values }: CheckImage): string {
  const texels = values.length === 0 ? "" : `: ${values.join(", ")}`;
  return `(${as} ${type}${channels === 1 ? "" : `x${channels}`} ${size.join("x")}${texels})`;
}

function isWritten(takes: OperandClass | undefined): boolean {
  if (takes?.kind === "vector") return takes.of.access === "write";
  if (takes?.kind === "tuple") return takes.of[0]?.access === "write";
  return (takes?.kind === "register" || takes?.kind === "predicate") && takes.access === "write";
}

/** The mnemonic with the chosen words, each once and at its place. */
export function spelling({ mnemonic, modifiers }: Form, chosen: readonly string[]): string {
  const left = [...chosen];
  const take = (choices: readonly string[]): string | undefined => {
    const at = left.findIndex((word) => choices.includes(word));
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const words = modifiers.map(({ optional, choices }) => take(choices) ?? (optional ? undefined : choices[0]));
  return [mnemonic, ...words.filter((word) => word !== undefined)].join(".");
}

/** Sections with only the forms that a test accepts; empty ones left out. */
export const only = (sections: readonly Section[], keep: (form: Form) => boolean): Section[] =>
  sections
    .map((section) => ({ ...section, forms: section.forms.filter(keep) }))
    .filter(({ forms }) => forms.length > 0);
