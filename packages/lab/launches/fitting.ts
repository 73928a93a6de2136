import type { Operand } from "../../../src/interp/contract/operand.ts";
import type { Program } from "../../../src/interp/contract/program.ts";
import { type Sliced, whole } from "../../../src/interp/tools/sliced.ts";
import type { Diagnostic, Staged } from "../../../src/source/diagnostic.ts";
import type { Bench } from "./bench.ts";
import type { GuessedLaunch } from "./guess.ts";
import { inferred } from "./infer.ts";
import { type Checked, ranWith, tryToBegin } from "./run.ts";
import { shapesOf } from "./shapes.ts";

const ORDINARY = { data: "ordinary", seed: 1 } as const;
/** Problems that a fault counts for: it hides what would have come behind it. */
const HIDDEN = 10;

/**
 * The first launch whose shape has no problem, since a kernel is written for certain shapes; where there is none, the one that its
 * code says, or else that with the fewest problems.
 */
export const fittingLaunch = (bench: Bench): Staged<GuessedLaunch | undefined> => whole(fitting(bench));

/** The same, a shape a slice; what has been found so far when it is ended early. */
export function* fitting(bench: Bench): Sliced<Staged<GuessedLaunch | undefined>> {
  const { program, given } = bench;
  const { grid, block } = given;
  const shapes = shapesOf(program).map((each) => ({ ...each, ...(grid && { grid }), ...(block && { block }) }));
  let refused: readonly Diagnostic[] | undefined;
  let best: { readonly launch: GuessedLaunch; readonly wrong: number } | undefined;
  for (const extents of block === undefined ? shapes : shapes.slice(0, 1)) {
    if (yield) break;
    const launch = inferred(bench, extents, false);
    const run = ranWith(bench, launch, ORDINARY);
    if (run === undefined) refused ??= tryToBegin(bench, launch, ORDINARY).diagnostics;
    if (run === undefined) continue;
    // One that takes long, or has no end, is looked at more closely later.
    const isLong = run.problems.some(({ code }) => code === "PTX6001");
    const count = misfits(run) + (isLong ? -1 : run.stop.reason === "trap" ? HIDDEN : 0);
    if (count === 0) return { value: launch, diagnostics: [] };
    if (best === undefined || (!best.launch.fixed && count < best.wrong)) best = { launch, wrong: count };
  }
  return { value: best?.launch, diagnostics: best === undefined ? (refused ?? []) : [] };
}

/**
 * Problems that another shape may not have. A missing barrier is none: with fewer warps it would only be hidden. But what races with
 * itself is done by too many warps.
 */
function misfits({ problems }: Checked): number {
  return problems.filter((problem) => {
    const { code, severity, span, related = [] } = problem;
    if (code === "PTX4002") return related.some((each) => each.span.start === span.start);
    return severity === "error" && !isReadEarly(problem);
  }).length;
}

/** Whether memory that nothing has written is written later. */
const isReadEarly = ({ code, related = [] }: Diagnostic): boolean =>
  code === "PTX4001" && related.some(({ message }) => message.includes(" writes it later"));

/** Whether an integer parameter is compared, which bounds what there is to do; code that was not optimised keeps it on its stack. */
export function isGuarded({ code, parameters }: Program): boolean {
  const numbers = new Set<string>();
  const isNumber = (operand: Operand | undefined): boolean => operand !== undefined && numbers.has(placeOf(operand));
  for (const { opcode, operands } of code) {
    const [to, from] = operands;
    if (to === undefined || from === undefined) continue;
    if (opcode.startsWith("ld.param") && from.kind === "address" && to.kind === "slot") {
      const at = Number(BigInt.asUintN(32, from.offset));
      if (parameters.some(({ offset, type }) => offset === at && /^[usb](32|64)$/.test(type))) numbers.add(placeOf(to));
    } else if (/^(?:st|ld)\b/.test(opcode) && isNumber(from)) numbers.add(placeOf(to));
  }
  return code.some(({ opcode, operands }) => opcode.startsWith("setp") && operands.some(isNumber));
}

/** A register, or memory at one, by its name. */
const placeOf = (operand: Operand): string =>
  operand.kind === "slot"
    ? `${operand.bank}${operand.slot}`
    : operand.kind === "address" && operand.base !== undefined && operand.index === undefined
      ? `[${operand.base.bank}${operand.base.slot}+${operand.offset}]`
      : "";
