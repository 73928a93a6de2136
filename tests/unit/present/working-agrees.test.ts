import { describe, expect, it } from "vitest";
import type { Form, ModifierValues } from "../../../src/isa/form/define.ts";
import { table } from "../../../src/isa/table.ts";
import { formalsOf, placesOf } from "../../../src/present/working/form.ts";
import { workThrough } from "../../../src/present/working/plan.ts";
import { draws } from "../../share.ts";

/** Numbers that are the same in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
}

/** Bits in which roundings, specials and borders are likely: halves of floats near 1, near the ends, and anything. */
function drawn(next: () => number): bigint {
  const halves = [
    0x3c00, 0x3c01, 0xbc00, 0x3f80, 0xbf80, 0x0001, 0x8000, 0x7bff, 0x7c00, 0x7fff, 0x0400, 0, 0xffff, 0x7f80, 0x1000,
    0x7ff7,
  ];
  let bits = 0n;
  for (let at = 0; at < 4; at++) {
    const word = next() >>> 8;
    const half = word & 0x30000 ? (halves[(word >>> 4) & 15] ?? 0) ^ (word & 0x80000 ? word & 3 : 0) : word & 0xffff;
    bits = (bits << 16n) | BigInt(half);
  }
  return bits;
}

/** One choice of a form's words, selectors and signs among them. */
function chosen({ modifiers, slots }: Form, next: () => number): ModifierValues {
  const pick = (choices: readonly string[]): string | undefined => choices[(next() >>> 8) % choices.length];
  const leaves = (): boolean => (next() >>> 16) % 2 === 0;
  const words = modifiers.map(({ name, choices, flag, optional }): [string, string | boolean | undefined] => {
    const left = optional && leaves();
    return [name, flag ? !left : left ? undefined : pick(choices)];
  });
  const selectors = slots.flatMap(({ selector }): [string, string | undefined][] =>
    selector === undefined ? [] : [[selector.name, leaves() ? undefined : pick([...selector.choices])]],
  );
  // A form has at most one minus sign that counts.
  const minus = slots.find((slot) => slot.minus === true && leaves());
  return Object.fromEntries([
    ...words,
    ...selectors,
    ...(minus === undefined ? [] : [[`-${minus.name}`, true] as const]),
  ]);
}

/** What must be chosen and nothing else. */
const least = ({ modifiers }: Form): ModifierValues =>
  Object.fromEntries(
    modifiers.map(({ name, choices, flag, optional }) => [name, flag ? !optional : optional ? undefined : choices[0]]),
  );

const computing = new Set(["compute", "carry", "test", "compare", "select", "move", "pack", "unpack", "logic"]);

describe("a working and its operation agree", () => {
  for (const { number, title, forms } of table) {
    const computed = forms.filter((form) => form.executable && computing.has(form.plan(least(form)).shape));
    if (computed.length === 0) continue;
    it(`on random bits of ${number} ${title}`, () => {
      const next = generator(12345);
      let worked = 0;
      const wrong: string[] = [];
      for (const form of computed)
        for (let round = 0; round < draws(2, 10); round++) {
          const mods = chosen(form, next);
          if (form.conflict(mods) !== undefined) continue;
          const plan = form.plan(mods);
          const candidate = { form, mods, classes: form.operands(mods), since: form.since(mods), plan: () => plan };
          const formals = formalsOf(candidate);
          const values = new Map(
            formals.map(({ name, takes }) => {
              const count = takes.kind === "vector" ? takes.count : 1;
              const register = takes.kind === "vector" ? takes.of : takes;
              const width = takes.kind === "predicate" ? 1 : "bits" in register ? register.bits : 64;
              return [name, Array.from({ length: count }, () => BigInt.asUintN(width, drawn(next)))];
            }),
          );
          try {
            workThrough(plan, placesOf(formals, values), round % 2 === 0 ? 0 : 1);
          } catch (error) {
            wrong.push(`${form.syntax}: ${error}`);
          }
          worked += 1;
        }
      expect(wrong).toEqual([]);
      expect(worked).toBeGreaterThan(computed.length);
    });
  }
});
