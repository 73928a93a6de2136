import { describe, expect, it } from "vitest";
import { left } from "./on-device.ts";

/** A flag of each lane: set by the body's instructions, read by the last one into the lane's word. */
const flags = (body: string, lanes = 8): number[] =>
  left(`${body} addc.u32 %r9, 0, 0; st.global.u32 [%at], %r9;`, lanes, { launch: { block: lanes } });

const set = "add.cc.u32 %r1, 0xffffffff, 1;";
const clear = "add.cc.u32 %r1, 0, 1;";
const odd = "and.b32 %r2, %lane, 1; setp.eq.u32 %p1, %r2, 1;";

describe.each([
  ["32 bits", "add.cc.u32 %r3, 0xffffffff, 1;", "add.cc.u32 %r3, 1, 1;"],
  ["64 bits", "add.cc.u64 %rd3, 0xffffffffffffffff, 1;", "add.cc.u64 %rd3, 1, 1;"],
  ["a product of 32 bits", "mad.lo.cc.u32 %r3, 1, 0xffffffff, 1;", "mad.lo.cc.u32 %r3, 1, 1, 1;"],
  ["a product of 64 bits", "mad.lo.cc.u64 %rd3, 1, 0xffffffffffffffff, 1;", "mad.lo.cc.u64 %rd3, 1, 1, 1;"],
])("CC.CF of the lanes that do not take part: %s", (_, sets, clears) => {
  it("stays as it was under a guard", () => {
    expect(flags(`${odd} ${set} @%p1 ${clears}`)).toEqual([1, 0, 1, 0, 1, 0, 1, 0]);
    expect(flags(`${odd} ${clear} @%p1 ${sets}`)).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
    expect(flags(`${odd} ${set} @%p1 ${sets}`)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    expect(flags(`${odd} ${clear} @!%p1 ${clears}`)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it("stays as it was in lanes that go another way", () => {
    const apart = (odds: string, evens: string) => `${odd} @%p1 bra ODD;\n${evens} bra MEET;\nODD: ${odds}\nMEET:`;
    expect(flags(apart(clears, sets))).toEqual([1, 0, 1, 0, 1, 0, 1, 0]);
    expect(flags(apart(sets, clears))).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
  });
});

it("is kept by the last lane of a full warp as by the first", () => {
  const last = "setp.ge.u32 %p1, %lane, 31;";
  expect(flags(`${last} ${set} @%p1 ${clear}`, 32)).toEqual(Array.from({ length: 32 }, (_, lane) => Number(lane < 31)));
  expect(flags(`${last} ${clear} @%p1 ${set}`, 32)).toEqual(
    Array.from({ length: 32 }, (_, lane) => Number(lane === 31)),
  );
});
