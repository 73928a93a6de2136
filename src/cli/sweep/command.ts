import { palette } from "../../environment/colour.ts";
import { Exit, type ExitCode } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { report } from "../../environment/report.ts";
import { problem } from "../../host/problem.ts";
import { reference } from "../../numeric/operation/reference.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { bitsOfCase, everything, random } from "./draw.ts";
import { count, type Findings, nothing } from "./judge.ts";
import { BATCH, Sweeper, wordsOf } from "./kernel.ts";
import type { Plan, SweepOptions } from "./plan.ts";
import { readSide, type Side, type Value } from "./side.ts";
import { jsonOf, textOf } from "./text.ts";

/** Random cases unless told, against other instructions and against exact arithmetic, which is a hundred times slower. */
const USUAL = 2 ** 20;
const USUAL_EXACT = 2 ** 16;

/** `ptxrun sweep`: many inputs through two sequences of instructions, and how far their results are apart. */
export function sweep(form: string, options: SweepOptions, io: Io): ExitCode {
  const refused = (diagnostic: Diagnostic): ExitCode => {
    report([diagnostic], options, io);
    return Exit.usage;
  };
  const first = readSide(form);
  if (!("body" in first)) return refused(first);
  const second = options.against === undefined ? undefined : readSide(options.against, first);
  if (second !== undefined && !("body" in second)) return refused(second);
  const wrong = unlike(first, second);
  if (wrong !== undefined) return refused(wrong);
  const plan = planOf(first, second !== undefined, options);
  if ("code" in plan) return refused(plan);
  const begun = io.now();
  const found = swept(first, second, plan, options);
  const seconds = (io.now() - begun) / 1000;
  if (options.verbose)
    io.err(
      `${seconds.toFixed(1)} s, ${(found.cases / 1e6 / Math.max(seconds, 0.001)).toFixed(1)} million cases a second\n`,
    );
  const shown = { first, second, plan, found, options };
  io.out(options.json ? jsonOf(shown) : textOf(shown, palette(options.color, "out", io)));
  return found.differ > 0 ? Exit.check : Exit.ok;
}

/** Results that cannot be compared; instructions alone that have no exact meaning of their own. */
function unlike(first: Side, second: Side | undefined): Diagnostic | undefined {
  if (first.inputs.length === 0)
    return problem("PTX2301", `${first.text} reads no operands`, { expected: "an instruction with inputs" });
  if (second === undefined)
    return first.operation !== undefined && first.operation.takes.length === first.inputs.length
      ? undefined
      : problem("PTX2003", `${first.text} has no exact meaning in one step to be compared with`, {
          expected: "--against with instructions that should give the same",
        });
  if (first.result.bits === second.result.bits) return undefined;
  return problem("PTX2301", `the results have ${first.result.bits} and ${second.result.bits} bits`, {
    expected: "results of one width",
  });
}

function planOf(first: Side, fast: boolean, options: SweepOptions): Plan | Diagnostic {
  const bits = bitsOfCase(first.inputs);
  const half = first.inputs.every((input) => input.bits <= 16) && bits <= (fast ? 32 : 16);
  const all = options.count === undefined && (options.all === true || half);
  if (options.all && bits > 40)
    return problem("PTX2003", `${first.text} has 2^${bits} inputs, which are too many for --all`, {
      expected: "--count for random ones",
    });
  const total = all ? 2 ** bits : (options.count ?? (fast ? USUAL : USUAL_EXACT));
  const { index, count } = options.shard ?? { index: 1, count: 1 };
  const part = (at: number): number => Math.floor((total / count) * at);
  const to = index === count ? total : part(index);
  return { kind: all ? "all" : "random", total, from: part(index - 1), to };
}

function swept(first: Side, second: Side | undefined, plan: Plan, { seed, examples }: SweepOptions): Findings {
  const found = nothing();
  const draws = plan.kind === "all" ? everything(first.inputs) : random(first.inputs, seed);
  const sweeper = new Sweeper(second === undefined ? [first] : [first, second], draws);
  for (let from = plan.from; from < plan.to; from += BATCH) {
    const cases = Math.min(BATCH, plan.to - from);
    const { inputs, results } = sweeper.run(from, cases);
    const operands = (at: number): bigint[] =>
      first.inputs.map((value, index) => bitsAt(value, inputs[index] ?? new Uint32Array(), at));
    const a = results[0] ?? new Uint32Array();
    const b = results[1];
    const words = wordsOf(first.result);
    for (let at = 0; at < cases; at++) {
      let expected: bigint;
      if (b === undefined) {
        expected = BigInt.asUintN(first.result.bits, exactly(first, operands(at)));
      } else {
        if (a[words * at] === b[words * at] && (words === 1 || a[words * at + 1] === b[words * at + 1])) continue;
        expected = bitsAt(first.result, b, at);
      }
      const got = bitsAt(first.result, a, at);
      if (got !== expected) count(found, first.result, from + at, [got, expected], () => operands(at), examples);
    }
    found.cases += cases;
  }
  return found;
}

/** By exact arithmetic on bigints, which shares nothing with the loops that the sweep runs. */
const exactly = ({ operation }: Side, operands: readonly bigint[]): bigint =>
  operation === undefined ? 0n : reference(operation, operands);

const bitsAt = (value: Value, words: Uint32Array, at: number): bigint =>
  wordsOf(value) === 1 ? BigInt(words[at] ?? 0) : (BigInt(words[2 * at + 1] ?? 0) << 32n) | BigInt(words[2 * at] ?? 0);
