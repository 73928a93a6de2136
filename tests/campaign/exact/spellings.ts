import { readSide } from "../../../packages/lab/sweep/side.ts";
import { isComputed } from "../../../src/interp/contract/plan/effects.ts";
import { type Form, table } from "../../../src/isa/index.ts";
import { keyOf } from "../../../src/numeric/operation/key.ts";
import { spellings } from "../../conformance/spellings.ts";

/** A form whose results follow from the bits of its operands, with what a sweep can compare with exact arithmetic. */
export interface Swept {
  readonly form: Form;
  readonly spellings: readonly SweptSpelling[];
}

/** All words of one instruction. */
export interface SweptSpelling {
  /** `add.rn.ftz.f32` */
  readonly name: string;
  /** Of all operands together. */
  readonly bits: number;
  /** What it computes, written out: spellings that compute the same have one key. */
  readonly computes: string;
}

/** Every form whose results follow from the bits of its operands, with all its words. */
export function sweptForms(): readonly Swept[] {
  const known = new Set<string>();
  return table.flatMap(({ forms }) =>
    forms.flatMap((form) => {
      // Of memory nothing is computed, and its words are many.
      if (form.slots.some(({ name }) => name === "policy")) return [];
      const found = [...spellings(form)].flatMap(({ words, mods }): readonly SweptSpelling[] => {
        const name = words.join(".");
        if (known.has(name) || !isComputed(form.plan(mods))) return [];
        const side = readSide(name);
        if (!("body" in side) || side.inputs.length === 0) return [];
        const { operation, inputs } = side;
        if (operation?.takes.length !== inputs.length) return [];
        // A spelling of several forms counts for the first one.
        known.add(name);
        return [{ name, bits: inputs.reduce((sum, { bits }) => sum + bits, 0), computes: keyOf(operation) }];
      });
      return found.length === 0 ? [] : [{ form, spellings: found }];
    }),
  );
}
