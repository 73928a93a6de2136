import { type Form, table } from "../isa/index.ts";
import { component, type SpecialRegister, specialRegisters } from "../isa/special-registers.ts";
import { exactDecimal } from "../numeric/format/float-fields.ts";
import type { Format } from "../numeric/format/format.ts";
import { formats, packedType } from "../numeric/format/named.ts";
import { widthOf } from "../numeric/format/value-type.ts";
import { firstWithTensorCores, targetNumber } from "../numeric/tensor/rules.ts";
import { needsOf, sinceText } from "../present/form.ts";
import type { Palette } from "../present/text/palette.ts";
import { has } from "../resolve/instruction/since.ts";
import { type Arch, archOf, newestVersion, showVersion, targets } from "../resolve/module/header/target.ts";
import { manualUrl } from "../source/manual.ts";
import { type Answer, said } from "./answer.ts";
import { meanings } from "./modifiers.ts";

/** What is said about a name: a heading and rows. */
interface Page {
  readonly title: string;
  readonly rows: readonly (readonly [label: string, text: string])[];
  readonly anchor: string;
}

/**
 * A special register, a target, a type or a word of instructions, with or without its sign: `%laneid`, `sm_90`, `f16`,
 * `.relu`. Undefined for any other name.
 */
export function explainNamed(what: string, colours: Palette): Answer | undefined {
  const name = what.replace(/^[%.]/, "");
  const signed = (sign: string): boolean => what.startsWith(sign) || name === what;
  const page =
    (signed("%") ? registerPage(name) : undefined) ??
    (signed(".") ? (targetPage(name) ?? typePage(name) ?? wordPage(name)) : undefined);
  if (page === undefined) return undefined;
  const [first, ...others] = page.rows;
  const rows = [...(first ? [first] : []), ...others, ["page", manualUrl(page.anchor)] as const];
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(
    ([label, text]) =>
      `  ${colours.faint(label.padEnd(width))}  ${text.replaceAll("\n", `\n${" ".repeat(width + 4)}`)}`,
  );
  const text = `${[colours.strong(page.title), ...lines].join("\n")}\n`;
  return said({ text, json: { kind: "name", name: page.title, says: Object.fromEntries(rows) } });
}

/** Every name that has a page, for "did you mean". */
export const explainedNames = (): readonly string[] => [
  ...[...specialRegisters.keys()].map((name) => `%${name}`),
  ...targets,
  ...Object.keys(meanings).map((word) => `.${word}`),
];

function registerPage(name: string): Page | undefined {
  const [, base = "", part] = /^(\w+)(?:\.(\w+))?$/.exec(name) ?? [];
  const register = specialRegisters.get(base);
  if (register === undefined) return undefined;
  if (part !== undefined && !(register.vector && component(part) !== undefined)) return undefined;
  return { title: `%${name}`, rows: registerRows(register), anchor: "special-registers" };
}

const registerRows = ({ type, long, vector, fixed, since, about }: SpecialRegister): Page["rows"] => [
  ["is", about],
  ["type", `.${type}${long ? ", or 64 bits wide" : ""}${vector ? ", with the components .x .y .z" : ""}`],
  ["stays", fixed ? "the same for all of a thread's life" : "no: it changes while the program runs"],
  ["since", sinceText(since)],
];

function targetPage(name: string): Page | undefined {
  const known = archOf(name);
  if (known === undefined) return undefined;
  const { arch, since } = known;
  const kinds = {
    "": "a target: what is compiled for it runs on it and on later ones",
    a: "one architecture: its programs run there and nowhere else",
    f: "a family: its programs run on the later members of the family too",
  };
  const relatives = targets.filter((each) => each !== name && archOf(each)?.arch.sm === arch.sm);
  const tensor = targetNumber(name) < firstWithTensorCores ? "none" : `--arch ${name} computes as they do`;
  const lesser = lesserOf(arch);
  const added = addedBy(arch, lesser);
  return {
    title: name,
    rows: [
      ["is", kinds[arch.suffix]],
      ["since", `PTX ${showVersion(since)}`],
      ...(relatives.length === 0 ? [] : [["beside", relatives.join(", ")] as const]),
      ["tensor cores", tensor],
      [
        lesser === undefined ? "adds" : `adds to ${lesser.name}`,
        added.length === 0 ? "no instructions" : wrapped(added),
      ],
    ],
    anchor: "ptx-module-directives-target",
  };
}

/** The target that one with a suffix adds to, of the same number: `sm_100f` of `sm_100a`, `sm_100` of `sm_100f`. */
function lesserOf({ sm, suffix }: Arch): Arch | undefined {
  const fewer = suffix === "a" ? ["f", ""] : suffix === "f" ? [""] : [];
  return fewer.flatMap((each) => archOf(`sm_${sm}${each}`)?.arch ?? [])[0];
}

/** The instructions and the words of others that a target has and `lesser`, or else every older one, has not. */
function addedBy(target: Arch, lesser: Arch | undefined): readonly string[] {
  const version = newestVersion;
  const isNew = ({ since }: ReturnType<typeof needsOf>[number]): boolean =>
    lesser === undefined
      ? since.sm === target.sm && since.only === undefined
      : has({ version, target }, since) && !has({ version, target: lesser }, since);
  const added = new Set<string>();
  for (const form of table.flatMap(({ forms }) => forms)) {
    const [whole, ...words] = needsOf(form);
    if (whole !== undefined && isNew(whole)) added.add(leading(form));
    else for (const each of words) if (isNew(each)) added.add(`${form.mnemonic} with ${each.with}`);
  }
  return [...added].toSorted();
}

/** A form by what stands before its first choice: the mnemonic and the words that it always has. */
const leading = ({ mnemonic, modifiers, syntax }: Form): string => {
  const fixed: string[] = [];
  for (const { flag, optional, name } of modifiers) {
    if (!flag || optional) break;
    fixed.push(name);
  }
  // Forms of an instruction that there was before differ in their types alone.
  return fixed.length === 0 ? (syntax.split(" ")[0] ?? mnemonic) : [mnemonic, ...fixed].join(".");
};

/** Columns of a list. */
const COLUMNS = 88;

function wrapped(items: readonly string[]): string {
  const lines: string[] = [""];
  for (const item of items) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + item.length + 2 > COLUMNS) lines.push(item);
    else lines[lines.length - 1] = last === "" ? item : `${last}, ${item}`;
  }
  return lines.join(",\n");
}

function typePage(name: string): Page | undefined {
  const format = formats.find((each) => each.name === name);
  const packed = packedType(name);
  const isInteger = /^[bus](?:8|16|32|64|128)$/.test(name);
  if (format === undefined && packed === undefined && !isInteger) return undefined;
  const rows: Page["rows"] =
    format !== undefined
      ? formatRows(format)
      : packed !== undefined
        ? [["is", `${packed.count} of .${packed.lane.name} side by side, the first in the low bits`]]
        : [["is", integerText(name)]];
  return {
    title: `.${name}`,
    rows: [...rows, ["has it", wrapped(mnemonicsWith(name))]],
    anchor: "fundamental-types",
  };
}

function integerText(name: string): string {
  const bits = widthOf(name);
  if (name.startsWith("b")) return `${bits} bits without a meaning of their own`;
  const [least, most] = name.startsWith("u")
    ? [0n, 2n ** BigInt(bits) - 1n]
    : [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n];
  return `an integer ${name.startsWith("u") ? "without" : "with"} sign of ${bits} bits, ${least} to ${most}`;
}

function formatRows(format: Format): Page["rows"] {
  const { name, sign, exp, frac, bias, pad, specials } = format;
  const fields = [
    ...(sign === 1 ? ["a sign"] : []),
    `${exp} bits of exponent (bias ${bias})`,
    ...(frac > 0 ? [`${frac} of fraction`] : []),
    ...(pad > 0 ? [`${pad} unused`] : []),
  ];
  const rest = {
    ieee: "infinities and NaN, as IEEE 754 has them",
    "nan-only": "a NaN, and no infinity",
    none: "neither infinities nor NaN",
  };
  const top = (1n << BigInt(exp)) - 1n;
  const fraction = (1n << BigInt(frac)) - 1n;
  const ones = (top << BigInt(frac)) | fraction;
  const most = specials === "ieee" ? ones - fraction - 1n : specials === "nan-only" ? ones - 1n : ones;
  return [
    ["is", `a float of ${sign + exp + frac + pad} bits: ${fields.join(", ")}`],
    ["has", rest[specials]],
    ["largest", String(Number(exactDecimal(format, most << BigInt(pad))))],
    ["least", frac === 0 ? `2^${-bias}` : `2^${1 - bias - frac}; normal from 2^${1 - bias}`],
    ["example", `ptxrun explain 1.5 --as ${name}`],
  ];
}

function wordPage(word: string): Page | undefined {
  const own = mnemonicsWith(word);
  const meaning = meanings[word];
  if (own.length === 0) return undefined;
  const forms = table.flatMap(({ forms }) => forms.filter((form) => takes(form, word)));
  return {
    title: `.${word}`,
    rows: [
      ...(meaning === undefined ? [] : [["is", meaning] as const]),
      ["has it", wrapped(own)],
      ...forms.slice(0, 3).map((form, at) => [at === 0 ? "as in" : "", form.syntax] as const),
    ],
    anchor: own.length === 1 ? (forms[0]?.manual ?? "instruction-set") : "instruction-set",
  };
}

const takes = ({ modifiers }: Form, word: string): boolean => modifiers.some(({ choices }) => choices.includes(word));

const mnemonicsWith = (word: string): readonly string[] => [
  ...new Set(table.flatMap(({ forms }) => forms.filter((form) => takes(form, word)).map(({ mnemonic }) => mnemonic))),
];
