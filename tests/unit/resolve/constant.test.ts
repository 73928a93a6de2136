import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Expr } from "../../../src/parser/ast.ts";
import { evaluate } from "../../../src/resolve/index.ts";
import { Source } from "../../../src/source/source.ts";
import { header, load, wrongIn } from "./load.ts";

/** A constant expression of a type, and the value that ptxas 13.0 gives it: decimal, hexadecimal for floats, null if rejected. */
interface Measured {
  readonly type: string;
  readonly expr: string;
  readonly value: string | null;
}

const measured = gunzipSync(readFileSync(new URL("../../data/constant_values.jsonl.gz", import.meta.url)))
  .toString("utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Measured);

function bytesOf(type: string, expr: string): bigint | undefined {
  const { image, diagnostics } = load(`${header}.global .${type} g = ${expr};\n.entry k(){ret;}\n`);
  if (diagnostics.some(({ severity }) => severity === "error")) return undefined;
  const [variable] = image.variables;
  const bytes = variable?.initial[0]?.bytes ?? [];
  return [...bytes].reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

describe("constant expressions as ptxas 13.0 computes them", () => {
  it("has all 265", () => expect(measured).toHaveLength(265));

  it.each(measured.map(({ type, expr, value }) => [type, expr, value] as const))(".%s %s = %s", (type, expr, value) => {
    const width = BigInt(/\d+/.exec(type)![0]);
    const expected = value === null ? undefined : BigInt.asUintN(Number(width), BigInt(value));
    expect(bytesOf(type, expr)).toBe(expected);
  });
});

describe("result types (measured with a division, which tells signed from unsigned)", () => {
  it.each([
    ["-100/(2&2)", 0xffffffffffffffcen],
    ["-100/(~~2)", 0x7fffffffffffffcen],
    ["-100/(7 % 5)", 0x7fffffffffffffcen],
    ["-100/((1U<2)+1)", 0xffffffffffffffcen],
    ["-100/(1?2:2U)", 0xffffffffffffffcen],
    ["-100/(WARP_SZ/16)", 0xffffffffffffffcen],
    ["-(1U)/2", 0x7fffffffffffffffn],
    ["92233720368547758070", 0xfffffffffffffff6n],
    ["0x70000000000000000", 0n],
  ])("%s", (expr, value) => expect(bytesOf("u64", expr)).toBe(value));
});

describe("floats", () => {
  it.each([
    ["f32", "0d7FF0000020000000", 0x7fc00001n],
    ["f32", "0dFFF0000000000001", 0xffc00000n],
    ["f32", "0d7FFFFFFFFFFFFFFF", 0x7fffffffn],
    ["f64", "0d7FF0000000000001+1.0", 0x7ff8000000000001n],
    ["f64", "-0d7FF0000000000001", 0xfff0000000000001n],
    ["b32", "1.0", 0x3f800000n],
    ["b64", "1.0", 0x3ff0000000000000n],
    ["b64", "0f3f800000", 0x3f800000n],
  ])(".%s %s", (type, expr, value) => expect(bytesOf(type, expr)).toBe(value));
});

describe("mistakes in constant expressions", () => {
  it.each([
    ["PTX1601", "u64", "99999999999999999999"],
    ["PTX1601", "u64", "0x80000000000000000"],
    ["PTX1602", "f64", "1e-400"],
    ["PTX1602", "f64", "1e309"],
    ["PTX1603", "u32", "7/0"],
    ["PTX1603", "u32", "1?2:(1/0)"],
    ["PTX1603", "f32", "1.0/0.0"],
    ["PTX1604", "f32", "1+1.0"],
    ["PTX1605", "u32", "~1.0"],
    ["PTX1605", "f32", "1?1.0:2.0"],
    ["PTX1606", "u32", "(.s32)1"],
    ["PTX1607", "f32", "-(0f40000000)"],
    ["PTX1608", "u8", "0xFF(0xFF(x))"],
    ["PTX1609", "u8", "0x7F(x)"],
    ["PTX1609", "u8", "0xFFFF(x)"],
  ])("%s: .%s %s", (code, type, expr) => {
    expect(wrongIn(`.global .u32 x; .global .${type} g = ${expr};`)).toEqual([code]);
  });

  it("walks sums of any length without recursion", () => {
    const one: Expr = { kind: "integer", text: "1", start: 0, end: 1 };
    let sum: Expr = one;
    for (let at = 0; at < 100_000; at++)
      sum = { kind: "binary", operator: "+", left: sum, right: one, start: 0, end: 1 };
    const context = { source: new Source("sum", ""), diagnose: () => undefined };
    expect(evaluate(sum, context)).toEqual({ kind: "integer", value: 100_001n, signed: true });
  });
});
