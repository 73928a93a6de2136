import { describe, expect, test } from "vitest";
import { createSession, Memory } from "../../src/interp/index.ts";
import type { Program } from "../../src/interp/program.ts";
import { errorCodes, readRecords, resolveRecord } from "./record.ts";

const records = readRecords("accepted-seed.jsonl.gz");
const language = records.filter(({ quirk }) => quirk === undefined);

/** Runs a kernel of one thread to its end; "" when it gets there. */
function run(program: Program): string {
  const stop = createSession({
    ...{ program, memory: new Memory({ limit: 1 << 20 }) },
    grid: [1, 1, 1],
    block: [1, 1, 1],
    parameters: new Uint8Array(program.parameterBytes),
    addressOf: () => 0n,
  }).run();
  return stop.reason === "exit" ? "" : stop.reason === "trap" ? stop.diagnostic.message : stop.reason;
}

describe.each(["half", "mixed", "extint"])("what ptxas accepts of the family %s", (family) => {
  test("is resolved and runs", () => {
    const wrong = language
      .filter((record) => record.family === family)
      .flatMap((record) => {
        const { program, diagnostics } = resolveRecord(record);
        const failed = program ? run(program) : diagnostics.map(({ message }) => message).join("; ");
        return failed === "" ? [] : [`${record.text} ${record.target} ${record.version}: ${failed}`];
      });
    expect(wrong.slice(0, 20)).toEqual([]);
  });
});

/** What says that a quirk is one: the code, and a word of the message or its help. */
const quirks: ReadonlyMap<string, readonly [code: string, says: RegExp]> = new Map([
  ["reg+imm operand", ["PTX1313", /ptxas lets this pass/]],
  ["unchecked vector operand (bf16)", ["PTX1307", /vector/]],
  ["undocumented rounding on fma.bf16; generated code is wrong", ["PTX1203", /code ptxas makes is wrong/]],
]);

test("quirks of ptxas are rejected with the reason", () => {
  const wrong = records.flatMap((record) => {
    if (record.quirk === undefined) return [];
    const [code, says] = quirks.get(record.quirk) ?? ["none", /nothing/];
    const found = resolveRecord(record).diagnostics.find((diagnostic) => diagnostic.code === code);
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
