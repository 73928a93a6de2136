import { bytesOf } from "../../../src/host/memory/element.ts";
import type { Parameter } from "../../../src/interp/contract/program.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import type { Cause, Why } from "../../debugger/why/cause.ts";
import { whyAgain } from "../../debugger/why/why.ts";
import type { Bench } from "../launches/bench.ts";
import { begun, type Checked } from "../launches/run.ts";

/** Causes that are told of one thing that is wrong. */
const EXTENT = { most: 12 };

/** Why a run had a problem, or left an element as it is; undefined where nothing can be said. */
export function whyOf(
  bench: Bench,
  { launch, way }: Pick<Checked, "launch" | "way">,
  what: { readonly problem: Diagnostic } | { readonly parameter: Parameter; readonly index: number },
): Why | undefined {
  const run = begun(bench, launch, { ...way, quick: true });
  if (run === undefined) return undefined;
  const places = [...run.buffers.values()].map(({ name, type, buffer }) => {
    const { address, bytes } = buffer;
    return { name, address, bytes, type };
  });
  if ("problem" in what) return whyAgain({ session: run.session, places }, what, EXTENT);
  const { parameter, index } = what;
  const named = run.buffers.get(parameter);
  if (named === undefined) return undefined;
  const { type, buffer } = named;
  const bytes = bytesOf(type);
  const target = { kind: "memory", space: "global", address: buffer.address + BigInt(index * bytes), bytes } as const;
  return whyAgain({ session: run.session, places }, { text: `${parameter.name}[${index}]`, target, type }, EXTENT);
}

/**
 * Whether the instruction that first made a value NaN or infinite had an operand of the caller's, as it was given, and none that
 * arithmetic made: then it is the caller who has to know what it is for.
 */
export function isGiven({ causes }: Why): boolean {
  let [cause] = causes;
  while (cause !== undefined && cause.origin.kind === "step" && cause.origin.note === undefined)
    [cause] = cause.because;
  if (cause === undefined || cause.origin.kind !== "step") return false;
  return cause.because.some(comesFromCaller) && !cause.because.some(isComputed);
}

const comesFromCaller = ({ origin, because }: Cause): boolean =>
  origin.kind === "given" || because.some(comesFromCaller);

/** Whether somebody writes later what was read too early. */
export const isEarly = ({ causes }: Why): boolean => causes.some(isLate);
const isLate = ({ role, because }: Cause): boolean => role === "late" || because.some(isLate);

/** Whether arithmetic made it; loads and moves do not. */
function isComputed({ origin, because }: Cause): boolean {
  if (origin.kind !== "step") return false;
  return origin.sum !== undefined || because.some(isComputed);
}
