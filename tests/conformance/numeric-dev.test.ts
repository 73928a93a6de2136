import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bf16, f16, f32, type Rounding } from "../../src/numeric/index.ts";
import { type Lowered, lowerCarry } from "../../src/numeric/lower/lowered.ts";
import { carryOf } from "../unit/numeric/entry.ts";
import { fabs, fadd, fex2, ffma, fmax, fmin, fmul, fneg, fsub, ftanh, pair } from "../unit/numeric/float-entry.ts";

/**
 * The golden set of carries, half and mixed precision: expectations of an exact rational oracle that agrees with
 * Berkeley TestFloat. Here the operations are called directly; whole programs are run elsewhere.
 */
interface Case {
  readonly id: string;
  readonly instr: string;
  readonly args: readonly string[];
  readonly expect?: string;
  readonly cr?: string;
  readonly cfIn?: 0 | 1;
  readonly cfOut?: 0 | 1;
}
interface Chain {
  readonly id: string;
  readonly kind: "cc-chain";
  readonly init: readonly string[];
  readonly prog: readonly string[];
  readonly final: readonly string[];
  readonly cfTrace: readonly number[];
}

const records: readonly (Case | Chain)[] = gunzipSync(readFileSync(new URL("../data/dev.jsonl.gz", import.meta.url)))
  .toString()
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const cases = records.filter((record): record is Case => "instr" in record);
const chains = records.filter((record): record is Chain => "kind" in record);

const binary = { add: fadd, sub: fsub, mul: fmul, fma: ffma, min: fmin, max: fmax } as const;
const formats = { f16, bf16, f32 } as const;

/** `fma.rn.ftz.f16x2` to the operation that it names. */
function operation(instr: string): Lowered {
  const [mnemonic = "", ...modifiers] = instr.split(".");
  const has = (name: string) => modifiers.includes(name);
  const types = modifiers.filter((name) => /^b?f\d/.test(name));
  const format = formats[types[0]!.replace("x2", "") as keyof typeof formats];
  const from = types[1] ? formats[types[1] as keyof typeof formats] : undefined;
  const mode = {
    rnd: modifiers.find((name): name is Rounding => /^r[nzmp]$/.test(name)),
    ftz: has("ftz"),
    sat: has("sat"),
    relu: has("relu"),
    oob: has("oob"),
    nan: has("NaN"),
    xorsignAbs: has("xorsign"),
    from,
  };
  const unary = { neg: fneg, abs: fabs, tanh: ftanh, ex2: fex2 } as const;
  const op =
    mnemonic in unary
      ? unary[mnemonic as keyof typeof unary](format, mode)
      : binary[mnemonic as keyof typeof binary](format, mode);
  return types[0]!.endsWith("x2") ? pair(op) : op;
}

const digits = (bits: number | bigint, width: number) => bits.toString(16).padStart(width / 4, "0");

function runCarry(instr: string, operands: readonly bigint[], flag: bigint): { result: bigint; carry: bigint } {
  const { op, carryIn, carryOut } = carryOf(instr);
  const { js, width } = lowerCarry(op);
  const [a = 0n, b = 0n, c = 0n] = operands;
  const carry = carryIn ? flag : 0n;
  const wide = width === 64 ? BigInt(js(a, b, c, carry)) : BigInt(js(Number(a), Number(b), Number(c), Number(carry)));
  return { result: BigInt.asUintN(width, wide), carry: carryOut ? wide >> BigInt(width) : flag };
}

describe("the golden set, operations called directly", () => {
  it("has all its cases", () => expect([cases.length, chains.length]).toEqual([4608, 400]));

  const floats = cases.filter(({ instr }) => /f16|f32/.test(instr));
  const spellings = groupBy(floats);
  it.each([...spellings.keys()])("%s", (instr) => {
    const op = operation(instr);
    for (const { id, args, expect: exact, cr } of spellings.get(instr)!) {
      const got = (op.js as (...all: number[]) => number)(...args.map((arg) => Number.parseInt(arg, 16)));
      expect(`${id} ${digits(got, op.gives)}`).toBe(`${id} ${exact ?? cr}`);
    }
  });

  it("carries as the manual and ptxas do", () => {
    const integers = cases.filter(({ instr }) => !/f16|f32/.test(instr));
    expect(integers.length).toBeGreaterThan(700);
    for (const { id, instr, args, cfIn = 0, expect: exact, cfOut } of integers) {
      const { result, carry } = runCarry(
        instr,
        args.map((arg) => BigInt(`0x${arg}`)),
        BigInt(cfIn),
      );
      const got = [id, digits(result, args[0]!.length * 4), cfOut === undefined ? undefined : Number(carry)];
      expect(got).toEqual([id, exact, cfOut]);
    }
  });

  it("carries through chains", () => {
    for (const { id, init, prog, final, cfTrace } of chains) {
      const registers = init.map((text) => BigInt(`0x${text}`));
      let flag = 0n;
      const trace = prog.map((line) => {
        const [instr = "", ...names] = line.split(/[ ,]+/);
        const [d = 0, ...sources] = names.map((name) => Number(name.slice(1)));
        const { result, carry } = runCarry(
          instr,
          sources.map((at) => registers[at]!),
          flag,
        );
        registers[d] = result;
        flag = carry;
        return Number(flag);
      });
      const got = registers.map((bits) => digits(bits, init[0]!.length * 4));
      expect([id, got, trace]).toEqual([id, final, cfTrace]);
    }
  });
});

function groupBy(list: readonly Case[]): Map<string, Case[]> {
  const groups = new Map<string, Case[]>();
  for (const one of list) groups.set(one.instr, [...(groups.get(one.instr) ?? []), one]);
  return groups;
}
