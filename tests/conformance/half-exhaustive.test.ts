import { describe, expect, it } from "vitest";
import type { Form, ModifierValues } from "../../src/isa/form/define.ts";
import { table } from "../../src/isa/index.ts";
import { scalarOf } from "../../src/numeric/lower/scalar.ts";
import { sample } from "../share.ts";
import { type Effects, expected, formats, type Half, numberOf } from "./half-oracle.ts";

const half = table.find(({ name }) => name === "half-precision");
const approximate = new Set(["tanh", "ex2"]);

interface Spelling {
  readonly opcode: string;
  readonly mods: ModifierValues;
  readonly form: Form;
  readonly format: Half;
  readonly packed: boolean;
}

/** Every combination of modifiers of every form. */
function* spellings(form: Form): Generator<Spelling> {
  let partial: { words: string[]; mods: Record<string, string | boolean | undefined>; groups: Map<number, boolean> }[] =
    [{ words: [], mods: {}, groups: new Map() }];
  for (const { name, optional, choices, flag, group } of form.modifiers) {
    partial = partial.flatMap(({ words, mods, groups }) => {
      const decided = group === undefined ? undefined : groups.get(group);
      const next = [];
      if (decided !== false)
        for (const word of choices)
          next.push({
            words: [...words, word],
            mods: { ...mods, [name]: flag ? true : word },
            groups: group === undefined ? groups : new Map(groups).set(group, true),
          });
      if (optional && decided !== true)
        next.push({
          words,
          mods: { ...mods, [name]: flag ? false : undefined },
          groups: group === undefined ? groups : new Map(groups).set(group, false),
        });
      return next;
    });
  }
  for (const { words, mods } of partial) {
    const type = words.find((word) => /^b?f16(x2)?$/.test(word)) ?? "";
    const format = formats[type.replace("x2", "")];
    if (format === undefined) continue;
    yield { opcode: [form.mnemonic, ...words].join("."), mods, form, format, packed: type.endsWith("x2") };
  }
}

const all = (half?.forms ?? []).filter(({ executable }) => executable).flatMap((form) => [...spellings(form)]);
const ofArity = (count: number): [string, Spelling][] =>
  all
    .filter(({ form, mods }) => Object.keys(form.operands(mods)).length === count + 1)
    .map((spelling) => [spelling.opcode, spelling]);

type Js = (...operands: number[]) => number;

/** The plan's operation on one half; a packed one gets other numbers in its other half, which must not matter. */
function operation({ form, mods, packed }: Spelling): Js {
  const plan = form.plan(mods);
  if (plan.shape !== "compute") throw new Error(`${form.syntax} computes nothing`);
  const js = scalarOf(plan.op) as unknown as Js;
  if (!packed) return js;
  return (...operands) => {
    const low = js(...operands.map((x) => (x | 0x3c010000) >>> 0)) & 0xffff;
    const high = js(...operands.map((x) => ((x << 16) | 0x8001) >>> 0)) >>> 16;
    if (low !== high) throw new Error(`${operands}: ${low} in the low half, ${high} in the high one`);
    return low;
  };
}

const effectsOf = ({ mods }: Spelling): Effects => mods as Effects;

/** Ends of every binade that matters, their neighbours, and codes with a meaning of their own. */
function corners({ fractionBits, exponentBits }: Half): number[] {
  const top = (1 << exponentBits) - 1;
  const bias = top >> 1;
  const exponents = [0, 1, 2, bias - fractionBits - 1, bias - 1, bias, bias + 1, bias + fractionBits, top - 1, top];
  const ones = (1 << fractionBits) - 1;
  const fractions = [0, 1, ones >> 1, (ones >> 1) + 1, ones - 1, ones];
  const codes = exponents.flatMap((exponent) => fractions.map((fraction) => (exponent << fractionBits) | fraction));
  return [...new Set([...codes, 0x7ff7])].flatMap((code) => [code, code | 0x8000]);
}

/** Few codes, for triples. */
const few = (f: Half): number[] => corners(f).filter((_, index) => index % 5 === 0 || index < 4);

/** Codes that follow each other in no pattern: a linear congruential sequence. */
function* scattered(count: number): Generator<number> {
  let state = 20261121;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state >>> 16;
  }
}

const hex = (x: number): string => x.toString(16).padStart(4, "0");

/** A packed operation is that on one half, twice: it gets a fifth of the operands, and both halves must agree on them. */
const FEWER = 5;
const part = <T>(list: readonly T[], { packed }: Spelling): readonly T[] =>
  packed ? list.filter((_, at) => at % FEWER === 0) : list;

function compare(spelling: Spelling, all: readonly (readonly number[])[]): string[] {
  const operands = part(all, spelling);
  const js = operation(spelling);
  const effects = effectsOf(spelling);
  const wrong: string[] = [];
  for (const given of operands) {
    const wanted = expected(spelling.form.mnemonic, spelling.format, given, effects);
    const got = js(...given);
    if (got !== wanted && wrong.length < 5) wrong.push(`${given.map(hex)}: ${hex(got)}, not ${hex(wanted)}`);
  }
  return wrong;
}

const codes = Array.from({ length: 0x10000 }, (_, code) => code);

describe("half precision, by the table's own plans", () => {
  it("has every spelling of the manual", () => {
    // 7 arithmetic, 8 fma, 6 neg and abs, 24 min and max, 4 tanh and 4 ex2 spellings of each width, at the least.
    expect(all.length).toBeGreaterThanOrEqual(120);
  });

  it.each(
    sample(
      ofArity(1).filter(([, { form }]) => !approximate.has(form.mnemonic)),
      20,
    ),
  )("%s: all 65,536 inputs, or a fifth of them where it is packed", (_, spelling) => {
    expect(
      compare(
        spelling,
        codes.map((code) => [code]),
      ),
    ).toEqual([]);
  });

  it.each(
    sample(
      ofArity(1).filter(([, { form }]) => approximate.has(form.mnemonic)),
      20,
    ),
  )("%s: all 65,536 inputs, correctly rounded, or a fifth of them where it is packed", (_, spelling) => {
    const { format, form } = spelling;
    const js = operation(spelling);
    const exact = form.mnemonic === "tanh" ? Math.tanh : (x: number) => 2 ** x;
    const wrong: string[] = [];
    for (const code of part(codes, spelling)) {
      const x = numberOf(format, code);
      const got = js(code);
      // The host's function is good to a few units of 2^-52; halfway between two 16-bit codes nothing falls that near.
      const subnormal = spelling.mods["ftz"] === true && Math.abs(x) < 2 ** (2 - (1 << (format.exponentBits - 1)));
      const host = exact(subnormal ? 0 : x);
      const tiny = spelling.mods["ftz"] === true && host < 2 ** (2 - (1 << (format.exponentBits - 1)));
      if (Number.isNaN(x) ? got === 0x7fff : tiny ? got === 0 : nearest(format, got, host)) continue;
      if (wrong.length < 5) wrong.push(`${hex(code)}: ${hex(got)} for ${host}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each(sample(ofArity(2), 20))("%s: corner by corner, and scattered pairs", (_, spelling) => {
    const codes = corners(spelling.format);
    const pairs = codes.flatMap((a) => codes.map((b) => [a, b]));
    const more = [...scattered(4000)];
    expect(compare(spelling, [...pairs, ...more.map((a, index) => [a, more[(index * 7 + 1) % 4000] ?? 0])])).toEqual(
      [],
    );
  });

  it.each(sample(ofArity(3), 20))("%s: corner by corner by corner, and scattered triples", (_, spelling) => {
    const codes = few(spelling.format);
    const triples = codes.flatMap((a) => codes.flatMap((b) => codes.map((c) => [a, b, c])));
    const more = [...scattered(4000)];
    const scatter = more.map((a, index) => [a, more[(index * 7 + 1) % 4000] ?? 0, more[(index * 13 + 5) % 4000] ?? 0]);
    expect(compare(spelling, [...triples, ...scatter])).toEqual([]);
  });
});

/** Is `code` the value nearest to `exact`, within what the host's own error allows? */
function nearest(f: Half, code: number, exact: number): boolean {
  const value = numberOf(f, code);
  if (Number.isNaN(value)) return false;
  if (value === exact) return true;
  const slack = Math.abs(exact) * 2 ** -45;
  const step = (to: number): number => {
    const next = numberOf(f, to);
    if (Number.isFinite(next)) return next;
    // Beyond the largest number lies, for rounding, the next power of two.
    return Math.sign(next) * 2 ** (1 << (f.exponentBits - 1));
  };
  const here = Number.isFinite(value) ? value : step(code);
  const [up, down] =
    (code & 0x7fff) === 0 ? [0x0001, 0x8001] : code & 0x8000 ? [code - 1, code + 1] : [code + 1, code - 1];
  const above = Number.isFinite(value) ? step(up) : Number.POSITIVE_INFINITY;
  return exact <= (here + above) / 2 + slack && exact >= (here + step(down)) / 2 - slack;
}
