import { expect, test } from "vitest";
import { draws } from "../share.ts";
import { type Asked, errorCodes, type Outcome, readRecords, resolveRecord, someOf } from "./record.ts";

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

/**
 * What else may be said of the other families, whose forms share more: `.v8` may be told as a word that the form has
 * no place for, or as more bits than a vector holds; a type that goes with none of the words as the words' fault.
 */
const wider: ReadonlyMap<string, string> = new Map([
  // ptxas says that ld.red is not there before it looks at its words.
  ["target", "PTX1511 PTX1206 PTX1207 PTX1213"],
  ["version", "PTX1509"],
  ["rounding", "PTX1206"],
  // "Unexpected number of arguments specified" is filed here.
  ["illegal-modifier", "PTX1204 PTX1209 PTX1301"],
  ["unknown-modifier", "PTX1210"],
  ["bad-type", "PTX1207 PTX1422"],
  // ptxas finds the operands wrong before it misses .block_scale.
  ["operand-mismatch", "PTX1203 PTX1206 PTX1209 PTX1315 PTX1316"],
  // A word that asks for an operand, or an operand that asks for a word.
  ["missing-modifier", "PTX1207 PTX1301 PTX1318"],
  ["predicate-or-negation", "PTX1206 PTX1315 PTX1318"],
  ["vector-or-selector", "PTX1206 PTX1207 PTX1302 PTX1305"],
  ["other", "PTX1206 PTX1207 PTX1210 PTX1301 PTX1303 PTX1320 PTX1325 PTX1414 PTX1421 PTX1422 PTX1606"],
  ["special-register", "PTX1302 PTX1307"],
  ["bad-destination", "PTX1306"],
  ["unknown-opcode", "PTX1207"],
  ["constant-or-range", "PTX1206 PTX1210 PTX1303 PTX1309 PTX1313 PTX1315 PTX1602 PTX1603 PTX1604 PTX1605 PTX1608"],
  ["state-space", "PTX1202 PTX1206 PTX1207 PTX1209 PTX1312 PTX1314 PTX1315 PTX1412 PTX1422"],
  ["address-size", "PTX1206 PTX1210 PTX1302 PTX1315"],
  ["undefined-symbol", "PTX1312 PTX1316 PTX1320 PTX1421 PTX1423"],
  ["address-operand", "PTX1206 PTX1315 PTX1320"],
]);

/** Several tests ask for the same record. */
const outcomes = new Map<Asked, Outcome>();
function outcomeOf(record: Asked): Outcome {
  const known = outcomes.get(record) ?? resolveRecord(record);
  outcomes.set(record, { program: undefined, diagnostics: known.diagnostics });
  return known;
}

/** Here ptxas looks at registers before it looks at modifiers that do not exist; we say what is wrong with those. */
const misspelt = /^(shl\.(lo|hi|cc)|mad\.wide.*\.cc)/;

const seeds = new Set(["half", "mixed", "extint"]);
// Where ptxas crashed there is no verdict.
const records = someOf(readRecords("rejected.jsonl.gz")).filter(({ cat }) => cat !== "ptxas-crash");
const seed = records.filter(({ family = "" }) => seeds.has(family));
const others = records.filter(({ family = "" }) => !seeds.has(family));

test.each([...causes])("what ptxas rejects of the seed families as %s is rejected for the same reason", (cat, list) => {
  const codes = list.split(" ");
  const asked = seed.filter((record) => record.cat === cat);
  expect(asked.length).toBeGreaterThan(0);
  const wrong = asked.flatMap((record) => {
    const found = errorCodes(outcomeOf(record));
    const agreed = cat === "operand-mismatch" && misspelt.test(record.text) ? ["PTX1206", "PTX1207"] : codes;
    return found.some((code) => agreed.includes(code)) ? [] : [`${record.text}: ${found.join(" ")}`];
  });
  expect(wrong.slice(0, 20)).toEqual([]);
});

const syntax = /^PTX1([01]|202|30[13456]|311|312|320|402)/;

test("what ptxas cannot parse is a syntax error, or an operand of a shape that the instruction does not take", () => {
  const wrong = records
    .filter(({ cat }) => cat === "syntax")
    .filter((record) => !errorCodes(outcomeOf(record)).some((code) => syntax.test(code)))
    .map(({ text }) => text);
  expect(wrong.slice(0, 20)).toEqual([]);
});

test("what ptxas rejects of the other families is rejected, and 99 in 100 for a matching cause", () => {
  const taken: string[] = [];
  const otherwise: string[] = [];
  for (const record of others) {
    const { cat = "", text } = record;
    const found = errorCodes(outcomeOf(record));
    if (found.length === 0 && !known.some((pattern) => pattern.test(text))) taken.push(text);
    const agreed = `${causes.get(cat) ?? ""} ${wider.get(cat) ?? ""}`.split(" ");
    if (cat !== "syntax" && !found.some((code) => agreed.includes(code))) otherwise.push(`${text}: ${found.join(" ")}`);
  }
  expect(taken).toEqual([]);
  expect(otherwise.slice(Math.ceil(others.length / draws(50, 100)))).toEqual([]);
});

/** What we take on purpose. */
const known: readonly RegExp[] = [
  // ptxas 13.0 takes these when it is asked again; the record says "Constant overflow".
  /0f3F800000;$/,
  // A constant beside a float register in a vector.
  /^mov\.b(32|64) d, \{x0, 2\};$/,
  // The address of a kernel: ptxas takes it for other targets.
  /^mov\.[bu](32|64) d, k;$/,
];

test("every category has its codes, and every message about a spelling proposes something", () => {
  const all = new Set([...causes.keys(), ...wider.keys(), "syntax"]);
  expect(records.filter(({ cat = "" }) => !all.has(cat))).toEqual([]);
  const silent = records
    .flatMap((record) => outcomeOf(record).diagnostics)
    .filter(({ code, expected, help }) => code.startsWith("PTX12") && expected === undefined && !help?.length)
    .map(({ code, message }) => `${code} ${message}`);
  expect(silent.slice(0, 20)).toEqual([]);
});
