import { expect, test } from "vitest";
import { errorCodes, readRecords, resolveRecord } from "./record.ts";

/**
 * ptxas's categories and the codes that say the same. Where several things are wrong with one instruction ptxas names
 * one of them, in its own order; ptxrun names them all, so one of ours has to agree.
 */
const causes: ReadonlyMap<string, string> = new Map([
  ["target", "PTX1212 PTX1510"],
  ["version", "PTX1213"],
  // .approx is a rounding to ptxas, and mad.rn.f32 has one too many for sm_1x.
  ["rounding", "PTX1203 PTX1204 PTX1205 PTX1209 PTX1212"],
  // A type that a modifier does not go with may be told as the type's fault, and .cc with 16 bits too.
  ["illegal-modifier", "PTX1203 PTX1205 PTX1206 PTX1207 PTX1208 PTX1210 PTX1211"],
  // .full and .arrive are unknown to ptxas in all instructions but their own; ADD.F16 is unknown from its name on.
  ["unknown-modifier", "PTX1201 PTX1202 PTX1206"],
  ["bad-type", "PTX1206 PTX1209 PTX1210 PTX1211"],
  // mad.f32.bf16 has types that no mad has; ptxas finds its registers at fault.
  ["operand-mismatch", "PTX1210 PTX1301 PTX1302 PTX1303 PTX1304 PTX1306 PTX1307 PTX1309 PTX1310 PTX1312 PTX1320"],
  // "Result register required" is filed here.
  ["missing-modifier", "PTX1209 PTX1304 PTX1313"],
  ["predicate-or-negation", "PTX1309 PTX1310 PTX1311 PTX1320"],
  ["vector-or-selector", "PTX1307 PTX1308"],
  // "p add.u32 d, a, b;" is an unknown name to ptxas, and lacks its @ to us.
  ["other", "PTX1103 PTX1308 PTX1312"],
  ["special-register", "PTX1306"],
  ["bad-destination", "PTX1305"],
  // mad24 without a part is no instruction to ptxas.
  ["unknown-opcode", "PTX1201 PTX1206 PTX1209 PTX1210"],
]);

/** Here ptxas looks at registers before it looks at modifiers that do not exist; we say what is wrong with those. */
const misspelt = /^(shl\.(lo|hi|cc)|mad\.wide.*\.cc)/;

const records = readRecords("rejected-seed.jsonl.gz");

test.each([...causes])("what ptxas rejects as %s is rejected for the same reason", (cat, list) => {
  const codes = list.split(" ");
  const asked = records.filter((record) => record.cat === cat);
  expect(asked.length).toBeGreaterThan(0);
  const wrong = asked.flatMap((record) => {
    const found = errorCodes(resolveRecord(record));
    const agreed = cat === "operand-mismatch" && misspelt.test(record.text) ? ["PTX1206", "PTX1207"] : codes;
    return found.some((code) => agreed.includes(code)) ? [] : [`${record.text}: ${found.join(" ")}`];
  });
  expect(wrong.slice(0, 20)).toEqual([]);
});

test("what ptxas cannot parse is a syntax error, or an operand of a shape that the instruction does not take", () => {
  const wrong = records
    .filter(({ cat }) => cat === "syntax")
    .filter((record) => !errorCodes(resolveRecord(record)).some((code) => /^PTX1([01]|301|305|311|312)/.test(code)))
    .map(({ text }) => text);
  expect(wrong.slice(0, 20)).toEqual([]);
});

test("every category has its codes, and every message about a spelling proposes something", () => {
  const known = new Set([...causes.keys(), "syntax"]);
  expect(records.filter(({ cat = "" }) => !known.has(cat))).toEqual([]);
  const silent = records
    .flatMap((record) => resolveRecord(record).diagnostics)
    .filter(({ code, expected, help }) => code.startsWith("PTX12") && expected === undefined && !help?.length)
    .map(({ code, message }) => `${code} ${message}`);
  expect(silent.slice(0, 20)).toEqual([]);
});
