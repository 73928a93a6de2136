import { transformSync } from "esbuild";
import { describe, expect, it } from "vitest";
import type { Mutation } from "../mutants/mutation.ts";
import { mutationsOfC } from "../mutants/native/operators.ts";
import { mutationsOf } from "../mutants/operators.ts";
import { withLoops } from "../mutants/schemata.ts";

/** What the text becomes by each mutation. */
const changed = (text: string, mutations: (text: string) => readonly Mutation[]): readonly string[] =>
  mutations(text)
    .map(({ start, end, text: by }) => text.slice(0, start) + by + text.slice(end))
    .sort();

describe("mutations", () => {
  it.each<[string, readonly string[]]>([
    ["a + b", ["a - b"]],
    ["(a) + /* + */ b", ["(a) - /* + */ b"]],
    ["a < b", ["a <= b", "a >= b"]],
    ["a >>> b", ["a << b"]],
    ["a >>> 0", ["a >> 0", "a >>> (-1)", "a >>> (1)"]],
    ["a && !b", ["a && (b)", "a || !b"]],
    ["a ?? b", ["a"]],
    ["x = i++", [";", "x = i--"]],
    ["7", ["(6)", "(8)", "(0)"].sort()],
    ["1n", ["(0n)", "(2n)"]],
    ["f()", [";"]],
    ["if (a) b", ["if (false) b", "if (true) b"]],
    ["if (a) throw new Error(1 + 1)", []],
    ["`a` + b", []],
    ["'' + a + 'b'", []],
    ["type A = 1 | 2", []],
    ["const a = b as 1", []],
    ["import { a } from 'b'", []],
    ["const a = { 1: b }", []],
    ["function f(): 1 { return a; }", ["function f(): 1 { return undefined; }"]],
    ["Math.min", []],
    ["a = Math.min(b)", [";", "a = Math.max(b)"]],
  ])("of %s", (text, expected) => {
    expect(changed(text, mutationsOf)).toEqual(expected);
  });

  it.each<[string, readonly string[]]>([
    ["if (a) b = c;", ["if (0) b = c;", "if (1) b = c;", "if (a) ;"]],
    ["return a < b + c;", ["0", "a <= b + c", "a >= b + c", "a < b - c"].map((by) => `return ${by};`)],
    ["return !a->b;", ["return !!(a->b);", "return 0;"]],
    ["return NULL;", []],
    ["f((size_t)*a, -b);", [";"]],
    [
      "for (int i = 0; i < n; i++) g();",
      ["; i <= n; i++) g();", "; i >= n; i++) g();", "; i < n; i++) ;"].map((by) => `for (int i = 0${by}`),
    ],
    ["a->b[i]++;", [";"]],
    ['char *a = b ? "+ 1" : c; /* a + b */', ["0", "1"].map((by) => `char *a = ${by} ? "+ 1" : c; /* a + b */`)],
    ["static int a = 1;", []],
    ["case 1: break;", []],
    ["#if A < B", []],
  ])("of the C function { %s }", (text, expected) => {
    const wrapped = (inner: string): string => `const int t[] = {1 + 1};\nint f(int a) {\n${inner}\n}\n`;
    expect(changed(wrapped(text), mutationsOfC)).toEqual(expected.map(wrapped).sort());
  });
});

describe("a text with its mutants inside", () => {
  const text = `
    let sum = 0;
    for (let i = 0; i < n; i++) sum += i * (n - i);
    if (sum > 9) sum = 9;
    return sum;
  `;
  const sources = `function f(n: number): number { ${text} }`;
  const mutants = mutationsOf(sources).map((mutation, at) => ({ ...mutation, id: at + 1 }));

  const inside = (code: string, all: typeof mutants): string => withLoops(code, all, "hit", "tick");

  /** The function's results, with one mutant or with none. */
  function results(code: string, active: number): unknown {
    let ticks = 0;
    const hit = (id: number): boolean => id === active;
    const tick = (): void => {
      if (++ticks > 1000) throw new Error("endless");
    };
    const { code: script } = transformSync(code, { loader: "ts" });
    const f = new Function("hit", "tick", `${script}; return f;`)(hit, tick) as (n: number) => number;
    try {
      return [0, 2, 3, 5].map(f);
    } catch {
      return "endless";
    }
  }

  it("is the text as long as none is meant", () => {
    expect(results(inside(sources, mutants), 0)).toEqual([0, 1, 4, 9]);
  });

  it("is the mutant that is meant, whatever others stand around it", () => {
    const whole = inside(sources, mutants);
    for (const { id, start, end, text: by } of mutants) {
      const alone = inside(sources.slice(0, start) + by + sources.slice(end), []);
      expect(results(whole, id), `${id} ${by}`).toEqual(results(alone, 0));
    }
    expect(results(whole, mutants.find(({ text: by }) => by === "i--")!.id)).toBe("endless");
  });
});
