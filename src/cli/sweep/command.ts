import { bitsOfCase, type Draw, everything, random } from "../../../packages/lab/sweep/draw.ts";
import { count, type Difference, type Findings, nothing } from "../../../packages/lab/sweep/judge.ts";
import type { Plan, SweepOptions } from "../../../packages/lab/sweep/plan.ts";
import { readSide, type Side, type Value } from "../../../packages/lab/sweep/side.ts";
import { palette } from "../../environment/colour.ts";
import { Exit, type ExitCode, exitOfSignal } from "../../environment/exit.ts";
import type { Io, Signal } from "../../environment/io.ts";
import { report } from "../../environment/report.ts";
import { inSlices, type WatchedSlicing } from "../../environment/slicing.ts";
import { type Buffer, Device } from "../../host/index.ts";
import { HostError, must, problem } from "../../host/problem.ts";
import { reference } from "../../numeric/operation/reference.ts";
import type { Palette } from "../../present/text/palette.ts";
import { unitOf } from "../../present/working/distance.ts";
import { valueText } from "../../present/working/value.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";

/** A sweep and what it found. */
interface Shown {
  readonly first: Side;
  readonly second: Side | undefined;
  readonly plan: Plan;
  readonly found: Findings;
  readonly options: SweepOptions;
}

const EXACT = "exact arithmetic";

const thousands = (count: number): string => count.toLocaleString("en");

/** The sweep as lines: what was compared, how many cases differ and how, the worst one and the first ones. */
function textOf({ first, second, plan, found, options }: Shown, colours: Palette): string {
  const { cases, differ, nan, zeroSign, payload, worst, examples } = found;
  const which = plan.kind === "all" ? "all" : "random";
  const part = options.shard === undefined ? "" : `, shard ${options.shard.index}/${options.shard.count}`;
  const drawn = plan.kind === "all" ? "" : ` (seed ${options.seed})`;
  const share = differ === 0 ? "" : ` (${((100 * differ) / Math.max(cases, 1)).toPrecision(3)} %)`;
  const row = (label: string, text: string): string => `  ${label.padEnd(10)}${text}`;
  const lines = [
    colours.strong(`${first.text}  against  ${second?.text ?? EXACT}`),
    row("inputs", `${thousands(cases)} ${which}${drawn}${part}`),
    row("differ", `${thousands(differ)}${share}`),
    ...(nan > 0 ? [row("NaN", `${thousands(nan)} of them: one is NaN, the other a number`)] : []),
    ...(zeroSign > 0 ? [row("zeros", `${thousands(zeroSign)} of them: nothing but the sign of a zero`)] : []),
    ...(payload > 0 ? [row("payloads", `${thousands(payload)} more are NaN on both sides, with other bits`)] : []),
    ...(worst === undefined || options.quiet ? [] : [row("worst", lineOf(worst, first))]),
    ...(options.quiet ? [] : examples).map((each, at) => row(at === 0 ? "first" : "", lineOf(each, first))),
  ];
  return `${lines.join("\n")}\n`;
}

function lineOf({ inputs, results, ulp }: Difference, { inputs: names, result }: Side): string {
  const given = names.map((value, at) => `${value.name}=${shown(value, inputs[at] ?? 0n)}`).join(" ");
  const apart = ulp === undefined ? "" : ulp === 0n ? ", zeros" : `, ${ulp} ${unitOf(result.type, ulp)}`;
  return `${given}: ${shown(result, results[0])} and ${shown(result, results[1])}${apart}`;
}

const shown = (value: Value, bits: bigint): string => valueText(value.bits === 1 ? "pred" : value.type, bits);

/** The same as JSON: bits in hexadecimal, distances as decimal texts. */
function jsonOf({ first, second, plan, found, options }: Shown): string {
  const hex = (bits: bigint): string => `0x${bits.toString(16)}`;
  const difference = (each: Difference) => ({
    case: each.number,
    inputs: Object.fromEntries(first.inputs.map(({ name }, at) => [name, hex(each.inputs[at] ?? 0n)])),
    results: each.results.map(hex),
    ulps: each.ulp === undefined ? null : each.ulp.toString(),
  });
  const { cases, differ, nan, zeroSign, payload, worst, examples } = found;
  const value = {
    schema: "ptxrun.sweep/1",
    form: first.text,
    against: second?.text ?? EXACT,
    type: first.result.type,
    inputs: plan.kind,
    ...(plan.kind === "random" && { seed: options.seed }),
    total: plan.total,
    ...(options.shard && { shard: `${options.shard.index}/${options.shard.count}` }),
    cases,
    differ,
    nan,
    zeroSign,
    payload,
    worst: worst === undefined ? null : difference(worst),
    examples: examples.map(difference),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Cases of one launch: enough that the executor compiles the kernel, few enough to fit in a processor's cache. */
const BATCH = 2 ** 18;
/** Exact arithmetic is slow: so many take a part of a second. */
const EXACT_BATCH = 2 ** 13;
const BLOCK = 256;

/** 32-bit words of a case of a value. */
const wordCount = ({ bits }: Value): 1 | 2 => (bits === 64 ? 2 : 1);

/** Runs batches of cases through the instructions of two sides, or of one, as a PTX program that computes both. */
class Sweeper {
  readonly #inputs: readonly { readonly buffer: Buffer; readonly words: Uint32Array }[];
  readonly #outputs: readonly { readonly buffer: Buffer; readonly words: 1 | 2 }[];
  readonly #kernel;
  readonly #draws: readonly Draw[];

  /** Throws a `HostError` where the instructions do not fit together. */
  constructor(sides: readonly Side[], draws: readonly Draw[]) {
    const device = new Device();
    this.#draws = draws;
    const inputs = sides[0]?.inputs ?? [];
    this.#kernel = must(must(device.module({ name: "sweep", text: programOf(sides) })).kernel("sweep"));
    this.#inputs = inputs.map((value) => {
      const words = new Uint32Array(BATCH * wordCount(value));
      return { words, buffer: device.buffer(words, { name: value.name }) };
    });
    this.#outputs = sides.map(({ result }) => {
      const words = wordCount(result);
      return { words, buffer: device.buffer(new Uint32Array(BATCH * words), { name: result.name }) };
    });
  }

  /** The inputs of the cases from `first` on, and each side's results: a word a case, two for 64 bits. */
  run(first: number, cases: number) {
    for (const [at, { buffer, words }] of this.#inputs.entries()) {
      this.#draws[at]?.(words, first, cases);
      buffer.write(words);
    }
    const args = [...this.#inputs, ...this.#outputs].map(({ buffer }) => buffer);
    const sanitize = { mem: false, init: false };
    const launch = this.#kernel.launch({ grid: Math.ceil(cases / BLOCK), block: BLOCK, args, sanitize });
    const { stop } = must(launch);
    if (stop.reason === "trap") throw new HostError([stop.diagnostic]);
    return {
      inputs: this.#inputs.map(({ words }) => words),
      results: this.#outputs.map(({ buffer, words }) => {
        const bytes = buffer.read(0, 4 * words * cases);
        return new Uint32Array(bytes.buffer, bytes.byteOffset, words * cases);
      }),
    };
  }
}

const register = ({ bits, narrow }: Value): string =>
  bits === 1 ? ".pred" : `.b${narrow === true ? bits : Math.max(bits, 16)}`;
const stored = ({ bits }: Value): number => (bits === 1 ? 32 : bits);

/** A thread a case: it loads the inputs, computes each side in a separate scope, and stores the results. */
function programOf(sides: readonly Side[]): string {
  const inputs = sides[0]?.inputs ?? [];
  const parameters = [...inputs.map((_, at) => `in${at}`), ...sides.map((_, at) => `out${at}`)];
  const place = (parameter: string, value: Value): string =>
    `ld.param.u64 %p, [${parameter}]; mul.wide.u32 %q, %i, ${4 * wordCount(value)}; add.u64 %p, %p, %q;`;
  const load = (value: Value, at: number): string => {
    const to = `v_${value.name}`;
    if (value.bits === 1) return `${place(`in${at}`, value)} ld.global.b32 %w, [%p]; setp.ne.u32 ${to}, %w, 0;`;
    return `${place(`in${at}`, value)} ld.global.b${value.bits} ${to}, [%p];`;
  };
  const store = (side: Side, at: number): string => {
    const { result } = side;
    const from = result.bits === 1 ? "%w" : `v_${result.name}`;
    const selected = result.bits === 1 ? `selp.u32 %w, 1, 0, v_${result.name};` : "";
    return `${selected} ${place(`out${at}`, result)} st.global.b${stored(result)} [%p], ${from};`;
  };
  const scope = (side: Side, at: number): string => {
    const own = side.registers.filter(({ name }) => !inputs.some((input) => input.name === name));
    return `{ ${own.map((value) => `.reg ${register(value)} v_${value.name};`).join(" ")}\n${side.body}\n${store(side, at)} }`;
  };
  return [
    `.visible .entry sweep(${parameters.map((name) => `.param .u64 ${name}`).join(", ")}) {`,
    ".reg .b64 %p, %q; .reg .b32 %w, %i, %j;",
    ...inputs.map((value) => `.reg ${register(value)} v_${value.name};`),
    `mov.u32 %i, %ctaid.x; mov.u32 %j, %tid.x; mul.lo.u32 %i, %i, ${BLOCK}; add.u32 %i, %i, %j;`,
    ...inputs.map(load),
    ...sides.map(scope),
    "ret; }",
  ].join("\n");
}

/**
 * Default number of random cases, against other instructions and against exact arithmetic, which is a hundred times
 * slower.
 */
const USUAL = 2 ** 20;
const USUAL_EXACT = 2 ** 16;

/** `ptxrun sweep`: many inputs through two sequences of instructions, and how far their results are apart. */
export const sweep = (form: string, options: SweepOptions, io: Io): Promise<ExitCode> =>
  inSlices(io, options.quiet !== true, (slicing) => sweepInSlices(form, options, slicing));

async function sweepInSlices(form: string, options: SweepOptions, slicing: WatchedSlicing): Promise<ExitCode> {
  const { io } = slicing;
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
  const { found, signal } = await swept(first, second, plan, options, slicing);
  const seconds = (io.now() - begun) / 1000;
  if (options.verbose)
    io.err(
      `${seconds.toFixed(1)} s, ${(found.cases / 1e6 / Math.max(seconds, 0.001)).toFixed(1)} million cases a second\n`,
    );
  const shown = { first, second, plan, found, options };
  io.out(options.format === "json" ? jsonOf(shown) : textOf(shown, palette(options.color, "out", io)));
  if (signal === undefined) return found.differ > 0 ? Exit.check : Exit.ok;
  const what = `interrupted: ${thousands(found.cases)} of ${thousands(plan.to - plan.from)} inputs were compared`;
  report([problem("PTX6103", what)], options, io);
  return exitOfSignal(signal);
}

/** Results that cannot be compared; for a single side, instructions without a defined exact result. */
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

/** Compares all cases of the plan, or those before a signal. */
async function swept(
  first: Side,
  second: Side | undefined,
  plan: Plan,
  { seed, examples }: SweepOptions,
  slicing: WatchedSlicing,
): Promise<{ readonly found: Findings; readonly signal: Signal | undefined }> {
  const batch = second === undefined ? EXACT_BATCH : BATCH;
  const found = nothing();
  const draws = plan.kind === "all" ? everything(first.inputs) : random(first.inputs, seed);
  const sweeper = new Sweeper(second === undefined ? [first] : [first, second], draws);
  for (let from = plan.from; from < plan.to; from += batch) {
    const done = `${thousands(found.cases)} of ${thousands(plan.to - plan.from)} inputs`;
    slicing.begin(`${done}, ${thousands(found.differ)} differ`);
    const signal = await slicing.rest();
    if (signal !== undefined) return { found, signal };
    const cases = Math.min(batch, plan.to - from);
    const { inputs, results } = sweeper.run(from, cases);
    const operands = (at: number): bigint[] =>
      first.inputs.map((value, index) => bitsAt(value, inputs[index] ?? new Uint32Array(), at));
    const a = results[0] ?? new Uint32Array();
    const b = results[1];
    const words = wordCount(first.result);
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
  return { found, signal: undefined };
}

/** By exact arithmetic on bigints, which shares nothing with the loops that the sweep runs. */
const exactly = ({ operation }: Side, operands: readonly bigint[]): bigint =>
  operation === undefined ? 0n : reference(operation, operands);

const bitsAt = (value: Value, words: Uint32Array, at: number): bigint =>
  wordCount(value) === 1
    ? BigInt(words[at] ?? 0)
    : (BigInt(words[2 * at + 1] ?? 0) << 32n) | BigInt(words[2 * at] ?? 0);
