import type { Palette } from "../../present/palette.ts";
import { unitOf } from "../../present/working/distance.ts";
import { valueText } from "../../present/working/value.ts";
import type { Difference, Findings } from "./judge.ts";
import type { Plan, SweepOptions } from "./plan.ts";
import type { Side, Value } from "./side.ts";

/** A sweep and what it found. */
export interface Shown {
  readonly first: Side;
  readonly second: Side | undefined;
  readonly plan: Plan;
  readonly found: Findings;
  readonly options: SweepOptions;
}

const EXACT = "exact arithmetic";

const thousands = (count: number): string => count.toLocaleString("en");

/** The sweep as lines: what was compared, how many cases differ and how, the worst one and the first ones. */
export function textOf({ first, second, plan, found, options }: Shown, colours: Palette): string {
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
export function jsonOf({ first, second, plan, found, options }: Shown): string {
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
