import { describe, expect, it } from "vitest";
import type { Channels } from "../../../src/interp/contract/launch/channels.ts";
import { goesOn, leaves } from "../../../src/interp/contract/plan/effects.ts";
import type { Plan } from "../../../src/interp/contract/plan/plan.ts";
import type { Instruction } from "../../../src/interp/contract/program.ts";

const channels: Channels = { first: 0, count: 16, all: false, dispatch: 0, predicate: { slot: 1, inverted: false } };
const guard = { slot: 1, negated: false };
const instruction = (plan: Plan, more: Partial<Instruction> = {}): Instruction => ({
  plan,
  operands: [],
  span: { start: 0, end: 0 },
  opcode: plan.shape,
  ...more,
});

describe("the instruction behind", () => {
  it.each<[string, boolean, boolean, Instruction]>([
    ["an exit", false, true, instruction({ shape: "exit" })],
    ["an exit under a guard", true, false, instruction({ shape: "exit" }, { guard })],
    ["an exit of some channels", true, false, instruction({ shape: "exit", channels })],
    ["a return", false, true, instruction({ shape: "return" })],
    ["a branch", false, false, instruction({ shape: "branch" })],
    ["a branch of some channels", true, false, instruction({ shape: "branch", channels })],
    ["a call", true, false, instruction({ shape: "call" })],
    ["a trap", false, false, instruction({ shape: "trap" })],
    ["a gap", false, false, instruction({ shape: "gap", form: "" })],
    [
      "a fence",
      true,
      false,
      instruction({ shape: "nothing", why: "of the test", fence: { sem: "acq_rel", scope: "gpu" } }),
    ],
  ])("%s: may be next %s, and all have left there %s", (_name, next, left, each) => {
    expect([goesOn(each), leaves(each)]).toEqual([next, left]);
  });
});
