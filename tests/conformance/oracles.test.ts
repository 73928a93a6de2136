import { describe, expect, test } from "vitest";
import type { Form } from "../../src/isa/form/define.ts";
import { table } from "../../src/isa/index.ts";
import { share } from "../share.ts";
import { float, floatsCompare } from "./float-oracle.ts";
import { carried, integer, integersCompare } from "./integer-oracle.ts";
import { formats, isNan, oneOf } from "./rational-oracle.ts";
import { runRows, type Spelling, scattered, spellings } from "./spellings.ts";

/** Threads of each run, every one with its own operands: a little more than three warps, the last not full. */
const count = 112;

const corners = new Map<number, readonly bigint[]>();
function cornersOf(bits: number): readonly bigint[] {
  const known = corners.get(bits);
  if (known) return known;
  const powers = [0, 7, 8, 11, 15, 16, 23, 24, 31, 32, 52, 53, 63].filter((power) => power < bits);
  const integers = powers.flatMap((power) => [-1n, 0n, 1n].map((by) => 2n ** BigInt(power) + by));
  const floats = [...formats.values()]
    .filter((format) => format.bits === bits)
    .flatMap(({ fraction }) => {
      const top = 2n ** BigInt(bits - fraction - 1) - 1n;
      const middle = top >> 1n;
      const exponents = [
        0n,
        1n,
        middle - 25n,
        middle - 1n,
        middle,
        middle + 1n,
        middle + 15n,
        middle + 31n,
        top - 1n,
        top,
      ];
      const ones = 2n ** BigInt(fraction) - 1n;
      return exponents.flatMap((e) =>
        [0n, 1n, (ones >> 1n) + 1n, ones].map((f) => (BigInt.asUintN(16, e) << BigInt(fraction)) + f),
      );
    });
  const all = [...integers, ...floats].flatMap((x) => [x, ~x, -x, x + (1n << BigInt(bits - 1))]);
  const list = [...new Set(all.map((x) => BigInt.asUintN(bits, x)))];
  corners.set(bits, list);
  return list;
}

const hash = (text: string): bigint =>
  [...text].reduce((h, c) => (h * 131n + BigInt(c.codePointAt(0) ?? 0)) % 2n ** 61n, 7n);

/** A float of moderate size: the value of an integer of few bits times a power of two. */
function moderate(bits: number, kind: string, roll: bigint): bigint | undefined {
  const format = formats.get(kind);
  if (format === undefined || format.bits !== bits) return undefined;
  const middle = 2n ** BigInt(bits - format.fraction - 2) - 1n;
  const exponent = middle - 12n + (roll % 26n);
  return (
    ((roll >> 40n) & 1n ? 1n << BigInt(bits - 1) : 0n) |
    (exponent << BigInt(format.fraction)) |
    (((roll >> 8n) % 2n ** BigInt(format.fraction)) &
      ~((roll & 32n) !== 0n ? 2n ** BigInt(format.fraction >> 1) - 1n : 0n))
  );
}

function rowsOf({ words, mods, form }: Spelling): bigint[][] {
  const classes = form.operands(mods);
  const read = form.slots
    .map(({ name }) => classes[name])
    .filter((each) => each !== undefined && "access" in each && each.access === "read");
  const random = scattered(hash(words.join(".")));
  const next = (): bigint => random.next().value as bigint;
  return Array.from({ length: count }, () => {
    const row: bigint[] = [];
    const draw = (bits: number, kind: string, near: bigint): bigint => {
      const list = cornersOf(bits);
      const roll = next() % 16n;
      if (roll < 8n) return list[Number(next() % BigInt(list.length))] ?? 0n;
      if (roll < 12n) return moderate(bits, kind, next()) ?? next() & BigInt.asUintN(bits, (1n << (next() % 64n)) - 1n);
      if (roll < 14n) return BigInt.asUintN(bits, next());
      return BigInt.asUintN(bits, near + (next() % 5n) - 2n);
    };
    for (const each of read) {
      const kind = words.at(-1) ?? "";
      const near = row[0] ?? 0n;
      if (each?.kind !== "register") row.push(next() & 1n);
      else if (kind === "f32x2") row.push(draw(32, "f32", near & 0xffff_ffffn) | (draw(32, "f32", near >> 32n) << 32n));
      else row.push(draw(each.bits, kind, near));
    }
    return row;
  });
}

type Judge = (words: readonly string[], row: readonly bigint[]) => readonly (bigint | undefined)[];

const hex = (x: bigint): string => `0x${x.toString(16)}`;
const nanFormat = (words: readonly string[]) => {
  const type = words.at(-1);
  return type === "f64" ? formats.get("f64") : undefined;
};

function judge(spelling: Spelling, verdict: Judge): string[] {
  const rows = rowsOf(spelling);
  const wrong: string[] = [];
  const f64 = nanFormat(spelling.words);
  runRows(spelling, rows).forEach(({ results }, at) => {
    const row = rows[at] ?? [];
    verdict(spelling.words, row).forEach((wanted, index) => {
      const got = results[index] ?? 0n;
      if (wanted === undefined || got === wanted) return;
      if (f64 && spelling.words[0] !== "setp" && isNan(f64, got) && isNan(f64, wanted)) return;
      wrong.push(`${spelling.words.join(".")} ${row.map(hex).join(", ")}: ${hex(got)}, not ${hex(wanted)}`);
    });
  });
  return wrong.slice(0, 3);
}

const formsOf = (...sections: readonly string[]): Form[] =>
  table
    .filter(({ name }) => sections.includes(name))
    .flatMap(({ forms }) => forms.filter(({ executable, undocumented }) => executable && !undocumented));
const named = (forms: readonly Form[]): [string, Form][] => forms.map((form) => [form.syntax, form]);
/** Its table is no register; `lop3.test.ts` goes through all of them. */
const hasTable = ({ mnemonic }: Form): boolean => mnemonic === "lop3";
const isPredicate = ({ syntax }: Form): boolean => syntax.includes(".pred");
const exact = (form: Form): boolean => !form.syntax.includes(".approx");

describe("integers", () => {
  const prmt = formsOf("data-movement").filter(({ mnemonic }) => mnemonic === "prmt");

  test.each(
    named(
      formsOf("integer", "logic-shift")
        .filter((form) => !isPredicate(form) && !hasTable(form))
        .concat(prmt),
    ),
  )("%s", (_, form) => {
    const verdict: Judge = (words, row) => [integer(words, row)];
    expect(share([...spellings(form)], 40, 2).flatMap((spelling) => judge(spelling, verdict))).toEqual([]);
  });

  test.each(named(formsOf("extended-precision")))("%s, with the carry flag", (_, form) => {
    const wrong = share([...spellings(form)], 40, 2).flatMap((spelling) =>
      ([0, 1] as const).flatMap((carryIn) => {
        const rows = rowsOf(spelling);
        return runRows(spelling, rows, carryIn).flatMap(({ results, carry }, at) => {
          const wanted = carried(spelling.words, rows[at] ?? [], BigInt(carryIn));
          if (results[0] === wanted.d && carry === wanted.carry) return [];
          return [`${spelling.words.join(".")} ${rows[at]?.map(hex)}: ${hex(results[0] ?? 0n)}, carry ${carry}`];
        });
      }),
    );
    expect(wrong).toEqual([]);
  });
});

describe("floats", () => {
  test.each(named(formsOf("floating-point").filter(exact)))("%s", (_, form) => {
    const verdict: Judge = (words, row) => [float(words, row)];
    expect(share([...spellings(form)], 40, 2).flatMap((spelling) => judge(spelling, verdict))).toEqual([]);
  });
});

describe("comparisons", () => {
  const setp = formsOf("comparison-selection").filter(({ mnemonic }) => mnemonic === "setp");
  test.each(named(setp))("%s", (_, form) => {
    const verdict: Judge = (words, row) => {
      const holds = formats.has(words.at(-1) ?? "") ? floatsCompare(words, row) : integersCompare(words, row);
      const other = row[2] === 1n;
      const join = (x: boolean): boolean => {
        if (words[2] === "and") return x && other;
        if (words[2] === "or") return x || other;
        return words[2] === "xor" ? x !== other : x;
      };
      return [join(!holds), join(holds)].map((x) => (x ? 1n : 0n));
    };
    const half = (words: readonly string[]): boolean => /^b?f16$/.test(words.at(-1) ?? "");
    const one: Judge = (words, row) => verdict(words, row).slice(1);
    // Of packed halves q has the high one's answer and p the low one's.
    const both: Judge = (words, [a = 0n, b = 0n, c = 0n]) =>
      [16n, 0n].flatMap((down) =>
        one(
          [...words.slice(0, -1), words.at(-1)?.slice(0, -2) ?? ""],
          [(a >> down) & 0xffffn, (b >> down) & 0xffffn, c],
        ),
      );
    const judgeOf = (words: readonly string[]): Judge => {
      if (words.at(-1)?.endsWith("x2")) return both;
      return half(words) ? one : verdict;
    };
    expect(share([...spellings(form)], 40, 2).flatMap((each) => judge(each, judgeOf(each.words)))).toEqual([]);
  });

  const set = formsOf("comparison-selection").filter(({ mnemonic }) => mnemonic === "set");
  test.each(named(set))("%s", (_, form) => {
    const one: Judge = (words, [a = 0n, b = 0n, c]) => {
      const [dtype = "", stype = ""] = words.slice(-2);
      const given = formats.has(stype)
        ? floatsCompare(words, [a, b])
        : integersCompare([...words.slice(0, 2), stype], [a, b]);
      const holds =
        {
          and: given && c === 1n,
          or: given || c === 1n,
          xor: given !== (c === 1n),
        }[words[2] ?? ""] ?? given;
      const float = formats.get(dtype);
      const yes = float === undefined ? 2n ** BigInt(dtype.slice(1)) - 1n : oneOf(float);
      return [holds ? yes : 0n];
    };
    const both: Judge = (words, row) => {
      const [dtype = "", stype = ""] = words.slice(-2).map((word) => word.replace("x2", ""));
      const half = [...words.slice(0, -2), /^[us]32$/.test(dtype) ? "u16" : dtype, stype];
      const [a = 0n, b = 0n, c = 0n] = row;
      const [low = 0n] = one(half, [a & 0xffffn, b & 0xffffn, c]);
      const [high = 0n] = one(half, [a >> 16n, b >> 16n, c]);
      return [low | (high << 16n)];
    };
    // Of packed integers one type says all: each lane is all ones or zeros of its own.
    const each: Judge = (words, [a = 0n, b = 0n]) => {
      const [, type = "", count = ""] = /^(\w+)x(\d)$/.exec(words.at(-1) ?? "") ?? [];
      const bits = BigInt(type.slice(1));
      const lanes = Array.from({ length: Number(count) }, (_, at) => {
        const [x, y] = [a, b].map((all) => BigInt.asUintN(Number(bits), all >> (BigInt(at) * bits)));
        return integersCompare([...words.slice(0, 2), type], [x!, y!])
          ? ((1n << bits) - 1n) << (BigInt(at) * bits)
          : 0n;
      });
      return [lanes.reduce((all, lane) => all | lane)];
    };
    const judgeOf = (words: readonly string[]): Judge =>
      words.length === 3 ? each : words.at(-1)?.endsWith("x2") ? both : one;
    expect(share([...spellings(form)], 40, 2).flatMap((each) => judge(each, judgeOf(each.words)))).toEqual([]);
  });

  test.each(named(formsOf("comparison-selection").filter(({ mnemonic }) => mnemonic === "selp")))("%s", (_, form) => {
    const verdict: Judge = (_words, [a, b, c]) => [c === 1n ? a : b];
    expect(share([...spellings(form)], 40, 2).flatMap((spelling) => judge(spelling, verdict))).toEqual([]);
  });

  test.each(named(formsOf("comparison-selection").filter(({ mnemonic }) => mnemonic === "slct")))("%s", (_, form) => {
    const verdict: Judge = (words, [a = 0n, b = 0n, c = 0n]) => {
      const flush = words.includes("ftz") ? ["ftz"] : [];
      const first = words.at(-1) === "f32" ? floatsCompare(["setp", "ge", ...flush, "f32"], [c, 0n]) : c >> 31n === 0n;
      return [first ? a : b];
    };
    expect(share([...spellings(form)], 40, 2).flatMap((spelling) => judge(spelling, verdict))).toEqual([]);
  });
});
