import { readSide } from "../../../src/cli/sweep/side.ts";
import { isComputed } from "../../../src/interp/contract/effects.ts";
import { type Form, type ModifierValues, table } from "../../../src/isa/index.ts";

/** The spellings of a form that a sweep can compare with exact arithmetic, as `add.rn.ftz.f32`. */
export interface Swept {
  readonly form: Form;
  readonly spellings: readonly string[];
  /** Bits of all operands of each of them. */
  readonly bits: readonly number[];
}

/** Every form whose results follow from the bits of its operands, with all its words. */
export function sweptForms(): readonly Swept[] {
  const known = new Set<string>();
  return table.flatMap(({ forms }) =>
    forms.flatMap((form) => {
      const found = spellingsOf(form).flatMap((name) => {
        const side = readSide(name);
        if (!("body" in side) || side.inputs.length === 0) return [];
        if (side.operation?.takes.length !== side.inputs.length) return [];
        // A spelling of several forms counts for the first one.
        if (known.has(name)) return [];
        known.add(name);
        return [{ name, bits: side.inputs.reduce((sum, { bits }) => sum + bits, 0) }];
      });
      return found.length === 0
        ? []
        : [{ form, spellings: found.map(({ name }) => name), bits: found.map(({ bits }) => bits) }];
    }),
  );
}

type Words = readonly [mods: ModifierValues, name: string];

/** All combinations of words that a form allows and that are computed from operands. */
function spellingsOf(form: Form): readonly string[] {
  // Of memory and of other lanes nothing is computed, and their words are many.
  if (form.slots.some(({ name }) => name === "policy")) return [];
  const all = form.modifiers.reduce<readonly Words[]>(
    (before, { name, optional, choices, flag }) =>
      before.flatMap(([mods, text]): Words[] => [
        ...(optional ? [[{ ...mods, [name]: flag ? false : undefined }, text] as const] : []),
        ...choices.map((word) => [{ ...mods, [name]: flag ? true : word }, `${text}.${word}`] as const),
      ]),
    [[{}, form.mnemonic]],
  );
  return all.flatMap(([mods, name]) =>
    form.conflict(mods) === undefined && isComputed(form.plan(mods)) ? [name] : [],
  );
}
