import type { ModifierValues, Since } from "./define.ts";
import type { OpenClass } from "./operands.ts";

/**
 * For forms that ptxrun knows and does not run: asynchronous copies, matrices, textures. Their words and versions are
 * checked, and of their operands that the names exist.
 */
export const open: OpenClass = { kind: "open" };

/** The greatest of a form's own need and those of the words that it has. */
export const bringing =
  (base: Since, words: Readonly<Record<string, Since>> = {}) =>
  (mods: ModifierValues): Since => {
    let { ptx, sm, only } = base;
    for (const [name, value] of Object.entries(mods)) {
      const word = value === true ? name : value;
      const needs = typeof word === "string" && Object.hasOwn(words, word) ? words[word] : undefined;
      if (needs === undefined) continue;
      ptx = Math.max(ptx, needs.ptx);
      // The greater target also says whether only its own family has it.
      if (needs.sm >= sm) only = needs.only ?? (needs.sm === sm ? only : undefined);
      sm = Math.max(sm, needs.sm);
    }
    return only === undefined ? { ptx, sm } : { ptx, sm, only };
  };
