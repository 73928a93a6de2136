import type { OperandClass } from "../../../src/isa/form/operands.ts";
import type { Form, ModifierValues } from "../../../src/isa/index.ts";
import type { Random } from "./random.ts";

/** Operands that protocols ask about, by their names in the manual's syntax lines. */
type Name =
  | "a" | "b" | "bytes" | "c" | "d" | "dPdx" | "dPdy" | "e" | "f" | "left" | "limit" | "lod" | "m" | "mask" | "mbar" | "n"
  | "parity" | "policy" | "right" | "size" | "state" | "t" | "ta" | "tb" | "v" | "x"; // biome-ignore format: a list
export type Classes = Readonly<Partial<Record<Name, OperandClass>>>;

/** What a spelling's operands accept. */
export const classesOf = ({ form, mods }: Pick<Spelling, "form" | "mods">): Classes => form.operands(mods);

/** A form with its modifiers decided. */
export interface Spelling {
  readonly form: Form;
  /** `add.rn.ftz.f32` */
  readonly name: string;
  readonly mods: ModifierValues;
}

/** Which spellings of a form are wanted. */
export type Fits = (mods: ModifierValues, name: string) => boolean;

/** One of the spellings that a form has and allows; undefined when some tries met only conflicts. */
export function drawSpelling(random: Random, form: Form, fits: Fits = () => true): Spelling | undefined {
  for (let attempt = 0; attempt < 8; attempt++) {
    const mods: Record<string, string | boolean | undefined> = {};
    const groups = new Map<number, boolean>();
    let name = form.mnemonic;
    for (const { name: position, optional, choices, flag, group } of form.modifiers) {
      const known = group === undefined ? undefined : groups.get(group);
      const there = !optional || (known ?? random.chance(optionalChance(choices)));
      if (group !== undefined) groups.set(group, there);
      const word = there ? random.any(choices) : undefined;
      mods[position] = flag ? there : word;
      if (word !== undefined) name += `.${word}`;
    }
    for (const { selector, minus, name: operand } of form.slots) {
      if (selector !== undefined && random.chance(50)) mods[selector.name] = random.any([...selector.choices]);
      if (minus && random.chance(25)) mods[`-${operand}`] = true;
    }
    if (form.conflict(mods) === undefined && fits(mods, name)) return { form, name, mods };
  }
  return undefined;
}

/** Hints to caches change nothing, and a space is what makes most addresses valid. */
const optionalChance = (choices: readonly string[]): number =>
  choices.some((choice) => choice.startsWith("L1::") || choice.startsWith("L2::")) ? 5
    : choices.includes("global") ? 75
      : 50; // biome-ignore format: a table

/** Bytes that the instruction moves, as its words say; what an address is aligned to. */
export function bytesMoved({ vec, type, num }: ModifierValues): number {
  const bits = Number(/\d+$/.exec(typeof type === "string" ? type.replace(/x2$/, "") : "")?.[0] ?? 32);
  const packed = typeof type === "string" && type.endsWith("x2") ? 2 : 1;
  const elements = typeof vec === "string" ? Number(vec.slice(1)) : 1;
  return num === undefined ? Math.max(1, ((bits * packed) / 8) * elements) : 16;
}
