import { type Form, table } from "../../../src/isa/index.ts";
import { type Around, operandText } from "./operands.ts";
import type { Pointers } from "./pointers.ts";
import type { Random } from "./random.ts";
import { bytesMoved, drawSpelling, type Spelling } from "./spelling.ts";

/** Kinds of instructions, with how often each is drawn. */
const kinds = ["compute", "move", "memory", "atomic", "lanes", "matrix", "async", "rare"] as const;
export type Kind = (typeof kinds)[number];
const weights: Readonly<Record<Kind, number>> = {
  compute: 620, move: 90, memory: 150, atomic: 40, lanes: 50, matrix: 3, async: 8, rare: 4,
}; // biome-ignore format: a table

/** What the structure of a program places itself, or what no program of the fuzzer can set up. */
const placed = new Set([
  "bra", "brx", "call", "ret", "exit", "bar", "barrier", "trap", "brkpt", "tcgen05", "wgmma", "tensormap",
  "clusterlaunchcontrol", "tex", "tld4", "suld", "sust", "sured", "txq", "suq", "istypep", "multimem", "setmaxnreg",
]); // biome-ignore format: a list
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

function kindOf(section: string, { mnemonic, syntax }: Form): Kind | undefined {
  if (placed.has(mnemonic) || /bulk|cp\.reduce/.test(syntax)) return undefined;
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
  for (const form of forms) {
    const kind = kindOf(name, form);
    if (kind !== undefined && form.executable) byKind.get(kind)!.push(form);
  }

/** Every form that is drawn, for the report of what has run. */
export const drawnForms: readonly Form[] = [...byKind.values()].flat();

export interface Place {
  readonly random: Random;
  readonly pointers: Pointers;
  readonly together: boolean;
  /** `sm_90a` */
  readonly target: string;
}

export const spelled = (line: string): string | undefined => /^(?:@!?%\w+ )?([\w.:]+)/.exec(line)?.[1];

/** Draws an instruction of the table, with the lines that it needs before it. */
export function drawInstruction(place: Place, only?: Kind): readonly string[] {
  const { random, target } = place;
  for (;;) {
    const form = random.any(byKind.get(only ?? drawKind(random))!);
    const spelling = drawSpelling(random, form);
    if (spelling === undefined || !has(target, spelling)) continue;
    const lines = written(spelling, place);
    if (lines !== undefined) return lines;
  }
}

/** Targets of the fuzzer, and the version of PTX that is written for each. */
export const targets: Readonly<Record<string, { readonly ptx: number; readonly sm: number; readonly only: boolean }>> =
  {
    sm_60: { ptx: 78, sm: 60, only: false },
    sm_120a: { ptx: 90, sm: 120, only: true },
    sm_80: { ptx: 85, sm: 80, only: false },
    sm_90a: { ptx: 90, sm: 90, only: true },
    sm_100a: { ptx: 90, sm: 100, only: true },
  };

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

function written({ form, name, mods }: Spelling, { random, pointers, together }: Place): string[] | undefined {
  const classes = form.operands(mods);
  const before: string[] = [];
  const changing = form.mnemonic === "mov";
  const around: Around = { random, pointers, before, bytes: bytesMoved(mods), changing, together };
  const texts: string[] = [];
  for (const { name: operand, optional, second, selector, minus, inside } of form.slots) {
    const wanted = classes[operand]!;
    if (inside !== undefined) return undefined;
    if (wanted.kind === "absent" || (optional && "loose" in wanted && random.chance(50))) {
      if (optional) break;
      return undefined;
    }
    let text = operandText(operand, wanted, around);
    if (text === undefined) return undefined;
    if (selector !== undefined && mods[selector.name] !== undefined && text.startsWith("%"))
      text += `.${mods[selector.name]}`;
    if (minus && mods[`-${operand}`] && text.startsWith("%")) text = `-${text}`;
    const other = second === undefined ? undefined : classes[second.name];
    if (second !== undefined && other?.kind !== "absent" && (!second.optional || random.chance(40)))
      text += `|${operandText(second.name, other!, around)}`;
    texts.push(text);
  }
  const guard = random.chance(14) ? `@${random.chance(40) ? "!" : ""}%p${random.below(5)} ` : "";
  const risky = before.some((line) => line.startsWith("activemask"));
  const line = `${risky && random.chance(95) ? "" : guard}${name}${texts.length > 0 ? ` ${texts.join(", ")}` : ""};`;
  return [...before, line];
}
