import { describe, expect, it } from "vitest";
import type { Bits } from "../../../src/numeric/bits.ts";
import { bf16, f16, f32, f64 } from "../../../src/numeric/format/format.ts";
import { lower } from "../../../src/numeric/lower/lowered.ts";
import { byReference } from "../../../src/numeric/lower/rule.ts";
import type { Operation } from "../../../src/numeric/operation/operation.ts";
import { draws } from "../../share.ts";
import { adversary, sequence } from "./patterns.ts";
import { operationsOf } from "./table-operations.ts";

const word = sequence(20);
const chosen = { f16: adversary(f16, 1), bf16: adversary(bf16, 2), f32: adversary(f32, 3), f64: adversary(f64, 4) };

/** Bits of a width: floats as adversaries choose them, packed or alone, and any bits. */
function draw(width: number): bigint {
  const kind = word() % 4;
  switch (width) {
    case 1:
      return BigInt(word() & 1);
    case 16:
      return kind === 0 ? BigInt(word() & 0xffff) : kind === 1 ? chosen.bf16() : chosen.f16();
    case 32:
      return kind === 0 ? BigInt(word()) : kind === 1 ? (draw(16) << 16n) | draw(16) : chosen.f32();
    case 64:
      return kind === 0
        ? (BigInt(word()) << 32n) | BigInt(word())
        : kind === 1
          ? (draw(32) << 32n) | draw(32)
          : chosen.f64();
    default:
      return BigInt(word() % 2 ** width);
  }
}

function differences(operations: ReadonlyMap<string, readonly [string, Operation]>, count: number): string[] {
  const wrong: string[] = [];
  for (const [syntax, operation] of operations.values()) {
    const { takes, js } = lower(operation);
    const exact = byReference(operation);
    for (let at = 0; at < count; at++) {
      const drawn = takes.map(draw);
      // Equal operands now and then, or equal but for the sign.
      if (at % 5 === 0 && takes.length > 1 && takes[0] === takes[1])
        drawn[1] = drawn[0]! ^ (at % 2 ? 1n << BigInt(takes[0]! - 1) : 0n);
      const bits = drawn.map((x, index): Bits => (takes[index]! > 32 ? x : Number(x)));
      const [got, wanted] = [js(...bits), exact(...bits)];
      if (got !== wanted) wrong.push(`${syntax} ${bits.map((x) => `0x${x.toString(16)}`)}: ${got}, not ${wanted}`);
    }
  }
  return wrong;
}

describe("what the instructions on floats compute, lowered, is what their entries say", () => {
  it.each([
    ["floating-point", 200, 150],
    ["half-precision", 100, 200],
    ["mixed-precision", 30, 200],
    ["alternate-floating-point", 200, 8],
    ["comparison-selection", 3000, 8],
    ["data-movement", 700, 40],
  ])("%s", (section, least, many) => {
    const operations = operationsOf(section);
    expect(differences(operations, draws(Math.ceil(many / 10), many)).slice(0, 5)).toEqual([]);
    expect(operations.size).toBeGreaterThan(least);
  });
});
