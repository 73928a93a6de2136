import { type Form, table } from "../../../src/isa/index.ts";
import { standsAlone } from "./alone.ts";
import { type Around, operandText } from "./operands.ts";
import type { Pointers } from "./pointers.ts";
import type { Random } from "./random.ts";
import { bytesMoved, drawSpelling, type Fits, type Spelling } from "./spelling.ts";

/** Kinds of instructions, with how often each is drawn. */
const kinds = ["compute", "move", "memory", "atomic", "lanes", "matrix", "async", "rare"] as const;
export type Kind = (typeof kinds)[number];
const weights: Readonly<Record<Kind, number>> = {
  compute: 620, move: 90, memory: 150, atomic: 40, lanes: 50, matrix: 3, async: 8, rare: 4,
}; // biome-ignore format: a table

const moves = new Set(["mov", "cvt", "prmt", "cvta", "isspacep"]);
const memory = new Set(["ld", "ldu", "st"]);
const atomics = new Set(["atom", "red"]);
const lanes = new Set(["shfl", "vote", "match", "redux", "activemask", "elect"]);
const asyncs = new Set(["cp", "mbarrier", "fence", "membar"]);
/** Sections of the table. */
const computing = new Set([
  "integer", "extended-precision", "floating-point", "half-precision", "mixed-precision", "comparison-selection",
  "logic-shift", "video",
]); // biome-ignore format: a list

function kindOf(section: string, { mnemonic }: Form): Kind {
  if (moves.has(mnemonic)) return "move";
  if (memory.has(mnemonic)) return "memory";
  if (atomics.has(mnemonic)) return "atomic";
  if (lanes.has(mnemonic)) return "lanes";
  if (asyncs.has(mnemonic)) return "async";
  if (section === "matrix" || /^(mma|wmma|ldmatrix|stmatrix|movmatrix)$/.test(mnemonic)) return "matrix";
  return computing.has(section) ? "compute" : "rare";
}

const byKind = new Map<Kind, Form[]>(kinds.map((kind) => [kind, []]));
for (const { name, forms } of table)
  for (const form of forms) if (standsAlone(form)) byKind.get(kindOf(name, form))!.push(form);

export interface Place {
  readonly random: Random;
  readonly pointers: Pointers;
  readonly together: boolean;
  /** `sm_90a` */
  readonly target: string;
}

export const spelled = (line: string): string | undefined => /^(?:@!?%\w+ )?([\w.:]+)/.exec(line)?.[1];

/** Draws an instruction that needs no others, with the lines that prepare its operands. */
export function drawInstruction(place: Place, only?: Kind): readonly string[] {
  const { random, target } = place;
  for (;;) {
    const spelling = spell(random, random.any(byKind.get(only ?? drawKind(random))!), target);
    const lines = spelling && written(spelling, place);
    if (lines !== undefined) return lines;
  }
}

/** One of the spellings of a form that a target has; undefined when some tries met none. */
export function spell(random: Random, form: Form, target: string, fits?: Fits): Spelling | undefined {
  for (let attempt = 0; attempt < (fits === undefined ? 1 : 60); attempt++) {
    const spelling = drawSpelling(random, form, fits);
    if (spelling !== undefined && has(target, spelling)) return spelling;
  }
  return undefined;
}

/** Targets of the fuzzer, and the version of PTX that is written for each. */
export const targets: Readonly<Record<string, { readonly ptx: number; readonly sm: number; readonly only: boolean }>> =
  {
    sm_60: { ptx: 78, sm: 60, only: false },
    sm_120a: { ptx: 90, sm: 120, only: true },
    sm_80: { ptx: 85, sm: 80, only: false },
    sm_90a: { ptx: 90, sm: 90, only: true },
    sm_100a: { ptx: 94, sm: 100, only: true },
    sm_70: { ptx: 62, sm: 70, only: false },
    sm_75: { ptx: 64, sm: 75, only: false },
    sm_103a: { ptx: 90, sm: 103, only: true },
    sm_107a: { ptx: 94, sm: 107, only: true },
  };

/** Whether a target of the list has the instruction. */
function has(name: string, { form, mods }: Spelling): boolean {
  const { ptx, sm, only } = targets[name]!;
  const since = form.since(mods);
  if (form.until !== undefined && ptx >= form.until.ptx && sm >= form.until.sm) return false;
  // Parameters of a kernel are only read.
  if (
    form.mnemonic !== "ld" &&
    Object.values(mods).some((word) => typeof word === "string" && word.startsWith("param"))
  )
    return false;
  if (since.only !== undefined) {
    if (!only || ptx < since.ptx) return false;
    return since.families === undefined
      ? sm === since.sm || (since.only === "f" && sm >= since.sm)
      : since.families.includes(sm);
  }
  return (ptx >= since.ptx && sm >= since.sm) || (since.or !== undefined && ptx >= since.or.ptx && sm >= since.or.sm);
}

const total = kinds.reduce((sum, kind) => sum + weights[kind], 0);
function drawKind(random: Random): Kind {
  let left = random.below(total);
  for (const kind of kinds) {
    left -= weights[kind];
    if (left < 0) return kind;
  }
  return "compute";
}

/** Texts of operands that somebody else has decided, by their names in the form's syntax; `guard` is in front of all. */
export interface Bound {
  readonly operands?: Readonly<Record<string, string | undefined>>;
  readonly guard?: string;
}

/** The lines of an instruction; undefined where nothing that the fuzzer knows fits an operand. */
export function written(
  { form, name, mods }: Spelling,
  { random, pointers, together }: Place,
  { operands = {}, guard: own }: Bound = {},
): string[] | undefined {
  const classes = form.operands(mods);
  const before: string[] = [];
  const changing = form.mnemonic === "mov";
  const around: Around = { random, pointers, before, bytes: bytesMoved(mods), changing, together };
  const texts: string[] = [];
  const textOf = (operand: string): string | undefined =>
    operands[operand] ?? operandText(operand, classes[operand]!, around);
  const isThere = (operand: string): boolean => classes[operand]!.kind !== "absent";
  for (const { name: operand, optional, second, selector, minus, inside = [] } of form.slots) {
    const wanted = classes[operand]!;
    if (!isThere(operand)) {
      if (optional) continue;
      if (!("sink" in wanted && wanted.sink)) return undefined;
    }
    if (optional && operands[operand] === undefined && "loose" in wanted && random.chance(50)) break;
    let text = textOf(operand);
    if (text === undefined) return undefined;
    if (selector !== undefined && mods[selector.name] !== undefined && text.startsWith("%"))
      text += `.${mods[selector.name]}`;
    if (minus && mods[`-${operand}`] && text.startsWith("%")) text = `-${text}`;
    if (second !== undefined && isThere(second.name) && (!second.optional || random.chance(40)))
      text += `|${textOf(second.name)}`;
    const more = inside.filter((each) => isThere(each.name) && !(each.optional && operands[each.name] === undefined));
    if (inside.length > 0) {
      const parts = more.map((each) => textOf(each.name));
      if (parts.includes(undefined)) return undefined;
      text = `[${[text, ...parts].join(", ")}]`;
    }
    texts.push(text);
  }
  const guard = own ?? (random.chance(14) ? `@${random.chance(40) ? "!" : ""}%p${random.below(5)} ` : "");
  const risky = own === undefined && before.some((line) => line.startsWith("activemask"));
  const line = `${risky && random.chance(95) ? "" : guard}${name}${texts.length > 0 ? ` ${texts.join(", ")}` : ""};`;
  return [...before, line];
}
