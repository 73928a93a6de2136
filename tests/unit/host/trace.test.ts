import { describe, expect, it } from "vitest";
import { Device, must } from "../../../src/host/index.ts";
import { type Traced, traceSession } from "../../../src/host/trace.ts";
import type { Session } from "../../../src/interp/machine/session.ts";

const module_ = (body: string): string => `.version 8.3
.target sm_80
.address_size 64
.entry k()
{
  .reg .pred p; .reg .b32 a, b, c; .reg .b64 q, w; .reg .v2 .b32 v; .reg .b128 z;
  .shared .align 8 .b32 s[4];
${body}
}
`;
const session = (body: string, block = 1): Session =>
  must(must(must(new Device().module(module_(body))).kernel("k")).session({ block }));

function traced(body: string, block = 1, options = {}): Traced[] {
  const found: Traced[] = [];
  const running = session(body, block);
  const finish = traceSession(running, options, (each) => found.push(each));
  running.run();
  finish();
  return found;
}

describe("observers of instructions", () => {
  it("hear of each before and after it, with the lanes that pass its guard", () => {
    const heard: string[] = [];
    const running = session("mov.u32 a, %tid.x; setp.lt.u32 p, a, 2; @p add.u32 a, a, 1; @!p mov.u32 a, 0; ret;", 3);
    running.observe({
      instruction: (_, warp, pc, active, taken) => heard.push(`${warp}.${pc} ${active}/${taken}`),
      after: (_, warp, pc, active, taken) => heard.push(`end ${warp}.${pc} ${active}/${taken}`),
    });
    running.run();
    const lanes = ["7/7", "7/7", "7/3", "7/4", "7/7"];
    expect(heard).toEqual(lanes.flatMap((each, pc) => [`0.${pc} ${each}`, `end 0.${pc} ${each}`]));
  });

  it("hear of no end of an instruction that faults", () => {
    const ended: number[] = [];
    const running = session("mov.u32 a, 1; ld.shared.u32 b, [a]; ret;");
    running.observe({ after: (_block, _warp, pc) => ended.push(pc) });
    expect(running.run()).toMatchObject({ reason: "trap", pc: 1 });
    expect(ended).toEqual([0]);
  });
});

describe("operands of a session", () => {
  const values = (body: string, pc: number, at: number) => {
    const running = session(body);
    running.run({ budget: pc });
    return running.operand({ block: 0, warp: 0, lane: 0 }, running.program.code[pc]!.operands[at]!);
  };
  it.each([
    ["a register", "mov.u32 a, 7; mov.u32 b, a; ret;", 1, 1, [7n]],
    ["a constant", "mov.u32 a, 7; ret;", 0, 1, [7n]],
    ["64 bits", "mov.u64 q, 0x123456789abcdef0; not.b64 w, q; ret;", 1, 1, [0x123456789abcdef0n]],
    ["128 bits", "mov.u64 q, 5; mov.b128 z, {q, 9}; mov.b128 {q, w}, z; ret;", 2, 1, [(9n << 64n) | 5n]],
    ["a predicate", "setp.eq.u32 p, 1, 1; selp.u32 a, 1, 2, p; ret;", 1, 3, [1n]],
    ["a vector", "mov.u32 a, 1; mov.u32 b, 2; mov.b64 q, {a, b}; ret;", 2, 1, [1n, 2n]],
    ["an address, by its sum", "mov.u64 q, s; ld.shared.u32 a, [q+8]; ret;", 1, 1, [8n]],
    ["an address of 32 bits, which wraps", "mov.u32 a, 0xfffffffc; st.shared.u32 [a+8], a; ret;", 1, 0, [4n]],
    ["an address without a register", "st.shared.u32 [s+12], 1; ret;", 0, 0, [12n]],
    ["a target, which has no value", "bra L; L: ret;", 0, 0, []],
  ])("%s", (_, body, pc, at, expected) => {
    expect(values(body, pc, at)).toEqual(expected);
  });
});

describe("a trace", () => {
  it("has operands as they were before, and results as they are after", () => {
    const [, add] = traced("mov.u32 a, 5; add.u32 a, a, a; ret;");
    expect(add).toMatchObject({
      step: 1,
      pc: 1,
      completed: true,
      lanes: [{ operands: [[5n], [5n]], results: [[10n]] }],
    });
  });

  it("leaves out what nobody wants, and other threads", () => {
    const body = "mov.u32 a, %tid.x; setp.lt.u32 p, a, 1; @p bra L; mov.u32 b, 2; L: ret;";
    expect(traced(body, 2, { wants: (pc: number) => pc === 0 })).toHaveLength(1);
    const lane = traced(body, 2, { thread: { block: 0, warp: 0, lane: 0 } });
    // Lane 0 jumps over one instruction.
    expect(lane.map(({ pc }) => pc)).toEqual([0, 1, 2, 4]);
    expect(lane.every(({ lanes }) => lanes.every((each) => each.lane === 0))).toBe(true);
  });

  it("gives no results to lanes that wait for others", () => {
    const body = "mov.u32 a, %tid.x; setp.lt.u32 p, a, 40; barrier.red.popc.u32 b, 0, p; ret;";
    const [first, second] = traced(body, 64).filter(({ pc }) => pc === 2);
    expect(first?.lanes.map(({ results }) => results)).toEqual(Array(32).fill(undefined));
    expect(second?.lanes.map(({ results }) => results)).toEqual(Array(32).fill([[40n]]));
    expect([first?.completed, second?.completed]).toEqual([true, true]);
  });

  it("ends with the instruction that faults", () => {
    const found = traced("mov.u32 a, 1; ld.shared.u32 b, [a]; ret;");
    expect(found.map(({ pc, completed }) => [pc, completed])).toEqual([
      [0, true],
      [1, false],
    ]);
    expect(found[1]?.lanes).toEqual([{ lane: 0, operands: [[1n], undefined] }]);
  });

  it("names the places of atomics, vectors and generic addresses", () => {
    const found = traced("mov.u32 a, 1; atom.shared.add.u32 b, [s], a; st.shared.v2.u32 [s+8], {a, b}; ret;");
    expect(found[1]?.lanes).toMatchObject([{ memory: { space: "shared", address: 0n, bytes: 4 }, results: [[0n]] }]);
    expect(found[2]?.lanes).toMatchObject([{ memory: { space: "shared", address: 8n, bytes: 8 } }]);
  });
});
