import type { ModifierValues, Since } from "./define.ts";

/** The greatest of the form's own version and target and those of its words. */
export const bringing =
  (base: Since, words: Readonly<Record<string, Since>> = {}) =>
  (mods: ModifierValues): Since => {
    let { ptx, sm, only } = base;
    for (const [name, value] of Object.entries(mods)) {
      const word = value === true ? name : value;
      const needs = typeof word === "string" && Object.hasOwn(words, word) ? words[word] : undefined;
      if (needs === undefined) continue;
      ptx = Math.max(ptx, needs.ptx);
      // The greater target also decides whether only its own family has it.
      if (needs.sm >= sm) only = needs.only ?? (needs.sm === sm ? only : undefined);
      sm = Math.max(sm, needs.sm);
    }
    return only === undefined ? { ptx, sm } : { ptx, sm, only };
  };
