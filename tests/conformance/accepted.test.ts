import { describe, expect, test } from "vitest";
import type { Program } from "../../src/interp/contract/program.ts";
import { createSession, Memory } from "../../src/interp/index.ts";
import { draws } from "../share.ts";
import { errorCodes, readRecords, resolveRecord, someOf } from "./record.ts";

const records = someOf(readRecords("accepted.jsonl.gz"));
const language = records.filter(({ quirk }) => quirk === undefined);
const of = (family: string) => language.filter((record) => record.family === family);

/** Runs a kernel of one thread to its end; "" when it gets there. */
function run(program: Program): string {
  const stop = createSession({
    program,
    memory: new Memory({ limit: 1 << 20 }),
    grid: [1, 1, 1],
    block: [1, 1, 1],
    parameters: new Uint8Array(program.parameterBytes),
    addressOf: () => 0n,
    maxSteps: 1000,
  }).run();
  return stop.reason === "exit" ? "" : stop.reason === "trap" ? stop.diagnostic.message : stop.reason;
}

describe.each(["half", "mixed", "extint"])("what ptxas accepts of the family %s", (family) => {
  test("is resolved and runs", () => {
    const wrong = of(family).flatMap((record) => {
      const { program, diagnostics } = resolveRecord(record);
      const failed = program ? run(program) : diagnostics.map(({ message }) => message).join("; ");
      return failed === "" ? [] : [`${record.text} ${record.target} ${record.version}: ${failed}`];
    });
    expect(wrong.slice(0, 20)).toEqual([]);
  });
});

/** What ptxas takes and we refuse, each on purpose. */
const refused: readonly (readonly [why: string, text: RegExp])[] = [
  ["ptxas does not look at the type of an f16x2 register where a predicate is wanted", /^(and|xor|not|mov)\.pred /],
  ["testp without a question: ptxas writes no code for it", /^testp\.f64 d, a;$/],
  ["arithmetic on a register is no operand; elsewhere the records call it a quirk", /^mov\.u(32|64) d, a ?\+/],
  [
    "an address of another space than the one that is made generic or taken apart",
    /^cvta\.to\.global\.u64 d, \w+\+\d;$/,
  ],
  ["%gridid has 32 or 64 bits", /^mov\.u16 d, %gridid;$/],
];

describe.each(["scalar", "memory", "sync", "control", "tex"])("what ptxas accepts of the family %s", (family) => {
  test("is resolved, but for what is listed, and nothing of it is a gap", () => {
    const wrong: string[] = [];
    let listed = 0;
    for (const record of of(family)) {
      const { program, diagnostics } = resolveRecord(record);
      const gap = program?.code.some(({ plan }) => plan.shape === "gap");
      if (program !== undefined && !gap) continue;
      if (refused.some(([, text]) => text.test(record.text))) listed++;
      else wrong.push(`${record.text} ${record.target} ${record.version}: ${gap ? "a gap" : diagnostics[0]?.message}`);
    }
    expect(wrong.slice(0, 20)).toEqual([]);
    expect(listed).toBeLessThan(of(family).length / draws(20, 200));
  });

  test("runs to an end or to a fault, never to an exception", () => {
    // Registers are zero, so most addresses are null; what each form computes is the business of the oracles.
    for (const record of of(family)) {
      const { program } = resolveRecord(record);
      if (program) expect(typeof run(program)).toBe("string");
    }
  });
});

describe.each(["async", "tensor"])("what ptxas accepts of the family %s", (family) => {
  test("is resolved, and ends a run, by naming the form where that is a gap", () => {
    const wrong = of(family).flatMap((record) => {
      const { program, diagnostics } = resolveRecord(record);
      if (program === undefined) return [`${record.text}: ${diagnostics[0]?.message}`];
      const mnemonic = /^(?:@!?\w+ )?(\w+)/.exec(record.text)?.[1];
      const plan = program.code.find((each) => each.plan.shape === "gap")?.plan;
      const named = plan?.shape === "gap" && plan.form.startsWith(mnemonic ?? "?");
      const told = run(program);
      if (plan === undefined) return typeof told === "string" ? [] : [`${record.text}: ${told}`];
      return named && told.includes("is not implemented yet") ? [] : [`${record.text}: ${told}`];
    });
    expect(wrong.slice(0, 20)).toEqual([]);
  });
});

/** What says that a quirk is one: the code, and a word of the message or its help. */
const quirks: ReadonlyMap<string, readonly [code: string, says: RegExp]> = new Map([
  // Refused where the register has another width than the operand.
  ["reg+imm operand", ["PTX9018 PTX1313", /ptxas does so, although|^arithmetic on a is no operand/]],
  ["unchecked vector operand (bf16)", ["PTX1307", /vector/]],
  ["undocumented rounding on fma.bf16; generated code is wrong", ["PTX1203", /code ptxas makes is wrong/]],
]);

test("quirks of ptxas are rejected or noted with the reason", () => {
  const wrong = records.flatMap((record) => {
    if (record.quirk === undefined) return [];
    const [code, says] = quirks.get(record.quirk) ?? ["none", /nothing/];
    const found = resolveRecord(record).diagnostics.find((diagnostic) => code.includes(diagnostic.code));
    const told = [found?.message, ...(found?.help ?? []).map(({ message }) => message)].join(" ");
    return found && says.test(told) ? [] : [`${record.text}: ${told}`];
  });
  expect(wrong.slice(0, 20)).toEqual([]);
});

test("an unusual order and a repetition draw a note and nothing worse", () => {
  const asked = { decl: { d: "b16", a: "b16", b: "b16" }, target: "sm_90", version: "8.0" };
  const odd = resolveRecord({ ...asked, text: "add.f16.sat d, a, b;" });
  const twice = resolveRecord({ ...asked, text: "add.sat.sat.f16 d, a, b;" });
  expect([...errorCodes(odd), ...errorCodes(twice)]).toEqual([]);
  expect(odd.diagnostics.map(({ code }) => code)).toContain("PTX9001");
  expect(twice.diagnostics.map(({ code }) => code)).toContain("PTX9002");
});

test("a word of testp on another instruction draws a note, and two are an error", () => {
  const asked = { decl: { d: "f32", a: "f32" }, target: "sm_90", version: "8.0" };
  const one = resolveRecord({ ...asked, text: "abs.finite.f32 d, a;" });
  const two = resolveRecord({ ...asked, text: "abs.finite.normal.f32 d, a;" });
  expect(errorCodes(one)).toEqual([]);
  expect(one.diagnostics.map(({ code }) => code)).toContain("PTX9006");
  expect(errorCodes(two)).toEqual(["PTX1206"]);
});
