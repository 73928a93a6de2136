import { problem } from "../host/problem.ts";
import { readsCarry } from "../interp/contract/plan/effects.ts";
import type { Candidate } from "../isa/match/match.ts";
import { type Assignment, optionSource, readAssignment } from "../launch/value/assignment.ts";
import { scalars } from "../launch/value/scalar.ts";
import { isValueType } from "../numeric/format/value-type.ts";
import type { Palette } from "../present/text/palette.ts";
import { type Formal, formalsOf, inputTypes, isInput, placesOf } from "../present/working/form.ts";
import { workingOf } from "../present/working/plan.ts";
import { linesOf, rowsToJson } from "../present/working/row.ts";
import { type Diagnostic, hasErrors } from "../source/diagnostic.ts";
import { type Answer, hexJson, refused } from "./answer.ts";
import { elementOperands, explainElement } from "./matrix.ts";
import { multipliedBy } from "./multiplied.ts";
import { sidesJson, sidesOf, sidesText } from "./roundings.ts";

/** The command line's inputs for the derivation of a form. */
export interface Given {
  /** `NAME=VALUE` words. */
  readonly values: readonly string[];
  /** Values alone, of the operands that have none by name, in the order of the form's line. */
  readonly inOrder: readonly string[];
  readonly arch: string | undefined;
  readonly rnd: string | undefined;
}

/** True for `a=0x3c00`, which gives an operand its value. */
export const isAssignment = (word: string): boolean => /^%?[\w.]+(?::\w+)?=/.test(word);

const FLAG = "cc.cf";

/**
 * The derivation of a form for the values that `NAME=VALUE` words and plain values give its operands, which are named as in its line;
 * the carry flag is `cc.cf`. Operands without a value are 0, and a note names them. With `rnd`, the results of these
 * roundings follow.
 */
export function explainWorking(
  spelling: string,
  candidates: readonly Candidate[],
  { values: byName, inOrder, arch, rnd }: Given,
  colours: Palette,
): Answer {
  const diagnostics: Diagnostic[] = [];
  const given: Assignment[] = [];
  const words = withNames(spelling, candidates, byName, inOrder);
  if ("code" in words) return refused(words);
  for (const word of words) {
    const { value, diagnostics: found } = readAssignment(optionSource("explain", word));
    diagnostics.push(...found);
    if (value !== undefined) given.push(value);
  }
  if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
  const typeOf = (operand: string): string | undefined =>
    given.find(({ name }) => plainName(name.text) === operand)?.type?.text;
  const multiplied = candidates.map((each) => multipliedBy(each.plan(), typeOf)).find((each) => each !== undefined);
  if (multiplied !== undefined && rnd !== undefined) return refused(withoutRoundings(spelling));
  if (multiplied !== undefined) return explainElement(spelling, multiplied, given, arch, colours);
  if (arch !== undefined) return refused(withoutMatrices(spelling));
  const names = given.map(({ name }) => plainName(name.text));
  const candidate = candidates.find((each) => names.every((name) => inputsOf(each).includes(name))) ?? candidates[0];
  if (candidate === undefined) return { value: undefined, diagnostics };
  const formals = formalsOf(candidate);
  const { values, problems } = valuesOf(spelling, candidate, formals, given);
  diagnostics.push(...problems);
  if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
  diagnostics.push(...missing(formals, values));
  const carry = values.get(FLAG)?.[0] === 1n ? 1 : 0;
  const rows = workingOf(candidate.plan(), placesOf(formals, values), carry);
  const line = [spelling, ...candidate.form.syntax.split(" ").slice(1)].join(" ");
  const text = `${[colours.strong(line), ...linesOf(rows)].join("\n")}\n`;
  const types = inputTypes(candidate, formals);
  const operands = formals.filter(isInput).flatMap(({ name }) => {
    const bits = values.get(name)?.map(hexJson);
    return bits === undefined ? [] : [{ name, type: types.get(name), bits }];
  });
  const target = formals.find(({ written }) => written)?.name;
  const result = rows.findLast(({ label }) => label === target)?.value;
  const json = {
    kind: "working",
    form: line,
    operands,
    ...(result && { result: { name: target, type: result.type, bits: hexJson(result.bits) } }),
    rows: rowsToJson(rows),
  } as const;
  if (rnd === undefined) return { value: { text, json }, diagnostics };
  const sides = sidesOf(spelling, rnd, result, filled(formals, values));
  if ("code" in sides) return refused(sides);
  return {
    value: { text: text + sidesText(sides, colours), json: { ...json, roundings: sidesJson(sides) } },
    diagnostics,
  };
}

/** `NAME=VALUE` for all values: those without a name belong to the operands that have none yet, in their order. */
function withNames(
  spelling: string,
  candidates: readonly Candidate[],
  byName: readonly string[],
  inOrder: readonly string[],
): readonly string[] | Diagnostic {
  if (inOrder.length === 0) return byName;
  const taken = byName.map((word) => plainName(word.split(/[:=]/, 1)[0] ?? ""));
  const lists = candidates.map((each) => {
    const multiplied = multipliedBy(each.plan(), () => undefined);
    if (multiplied !== undefined) return elementOperands(multiplied).map((name) => ({ name, optional: true }));
    return formalsOf(each).filter((formal) => isInput(formal) && formal.takes.kind !== "absent");
  });
  for (const list of lists) {
    const free = list.filter(({ name }) => !taken.includes(name));
    const least = free.filter(({ optional }) => !optional).length;
    if (inOrder.length < least || inOrder.length > free.length) continue;
    return [...byName, ...inOrder.map((value, at) => `${free[at]?.name}=${value}`)];
  }
  const count = byName.length + inOrder.length;
  const takes = lists.map((list) => {
    const names = list.length === 0 ? "" : ` (${list.map(({ name }) => name).join(", ")})`;
    return `${list.length || "no"} value${list.length === 1 ? "" : "s"}${names}`;
  });
  const few = lists.every((list) => count < list.length);
  return problem(
    few ? "PTX2205" : "PTX2201",
    `${spelling} takes ${[...new Set(takes)].join(" or ")}, and ${count} ${count === 1 ? "is" : "are"} given`,
  );
}

/** Zeros for the operands without a value. */
const filled = (formals: readonly Formal[], values: ReadonlyMap<string, readonly bigint[]>) =>
  new Map([
    ...formals
      .filter((each) => isInput(each) && !each.optional)
      .map((each) => [each.name, Array.from({ length: countOf(each) }, () => 0n)] as const),
    ...[...values].filter(([name]) => name !== FLAG),
  ]);

/** Tensor cores have a fixed rounding. */
const withoutRoundings = (what: string): Diagnostic =>
  problem("PTX2003", `--rnd says how an instruction rounds, and ${what} leaves no choice`, {
    expected: "an instruction whose syntax has .rnd, such as add.f32",
  });

/** Only matrices are multiplied by tensor cores. */
export const withoutMatrices = (what: string): Diagnostic =>
  problem("PTX2003", `--arch says whose tensor cores compute, and ${what} does not use them`, {
    expected: "a matrix multiplication with NAME=VALUE operands, such as mma.sync",
  });

const plainName = (name: string): string => name.replace(/^%/, "");

/** The operands that can be given a value. */
function inputsOf(candidate: Candidate): string[] {
  const plan = candidate.plan();
  const inputs = formalsOf(candidate).filter(isInput);
  return [...inputs.map(({ name }) => name), ...(readsCarry(plan) ? [FLAG] : [])];
}

function valuesOf(spelling: string, candidate: Candidate, formals: readonly Formal[], given: readonly Assignment[]) {
  const problems: Diagnostic[] = [];
  const values = new Map<string, readonly bigint[]>();
  const types = inputTypes(candidate, formals);
  const inputs = inputsOf(candidate);
  for (const { source, name, type, value } of given) {
    const known = plainName(name.text);
    const place = { source, span: name.span };
    if (!inputs.includes(known)) {
      const expected = inputs.length === 0 ? "no values" : inputs.join(", ");
      problems.push(problem("PTX2201", `${spelling} reads no operand ${known}`, { ...place, expected }));
      continue;
    }
    if (values.has(known)) {
      problems.push(problem("PTX2004", `${known} is given twice`, place));
      continue;
    }
    const formal = formals.find((each) => each.name === known);
    const read = scalars(value, type?.text ?? readable(types.get(known), formal), source, countOf(formal), type);
    problems.push(...read.diagnostics);
    if (read.value !== undefined) values.set(known, read.value);
  }
  return { values, problems };
}

const countOf = (formal: Formal | undefined): number => (formal?.takes.kind === "vector" ? formal.takes.count : 1);

/** A type for reading a value: that of the operation, or the bits of a register for a rare one. */
function readable(type: string | undefined, formal: Formal | undefined): string {
  if (formal === undefined) return "pred";
  if (type !== undefined && isValueType(type)) return type;
  const { takes } = formal;
  const register = takes.kind === "vector" ? takes.of : takes;
  return `b${"bits" in register ? register.bits : 64}`;
}

function missing(formals: readonly Formal[], values: ReadonlyMap<string, unknown>): Diagnostic[] {
  const names = formals.filter((each) => isInput(each) && !each.optional && !values.has(each.name));
  if (names.length === 0) return [];
  const list = names.map(({ name }) => name).join(", ");
  return [
    problem("PTX2205", `${list} ${names.length === 1 ? "is" : "are"} 0, because no value was given`, {
      severity: "note",
      help: [{ message: `give ${names.length === 1 ? "it" : "them"} as ${names[0]?.name}=VALUE` }],
    }),
  ];
}
