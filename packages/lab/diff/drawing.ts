import type { Io } from "../../../src/environment/io.ts";
import type { Loaded } from "../../../src/launch/program.ts";
import type { Source } from "../../../src/source/source.ts";
import type { Constants } from "../launches/constants.ts";
import type { GuessedLaunch } from "../launches/guess.ts";
import type { Way } from "../launches/run.ts";
import type { PairResult } from "./pair.ts";
import type { SideOptions } from "./side.ts";

/** What many runs with drawn inputs showed. */
export interface RandomComparison {
  /** The last run that was compared, or the smallest one whose results differ. */
  readonly result: PairResult;
  /** Its inputs: of a kernel a launch, of a snippet values of `-r`. */
  readonly inputs:
    | { readonly kind: "launch"; readonly launch: GuessedLaunch; readonly way: Way }
    | { readonly kind: "registers"; readonly registers: readonly string[] };
  readonly compared: number;
  /** Runs that were not compared, since they took too many steps. */
  readonly tooLong: number;
  /** How much there was to do in the launches that were drawn; none for a snippet. */
  readonly sizes: readonly number[];
  /** Results that differ are equal within `NEAR`. */
  readonly isNear: boolean;
}

/** Rounding apart: what contraction, another order of sums, or approximations may make of a result. */
export const NEAR = { ulps: 16n } as const;

/** What a pair is compared with in each run, and how far that is. */
export interface Drawing {
  readonly source: Source;
  /** The first program, whose inputs are drawn. */
  readonly loaded: Loaded;
  /** Undefined where it cannot be loaded, which a comparison says. */
  readonly second: Loaded | undefined;
  /** Undefined where the programs have none. */
  readonly constants: Constants | undefined;
  readonly options: SideOptions;
  readonly io: Io;
  /** Compares both programs with these options instead. */
  compare(more: Partial<SideOptions>): Promise<PairResult>;
  /** Says that so many runs have been tried. */
  begin(compared: number): void;
}

/** Warp instructions of a run, unless the command line says how many. */
export const MAX_STEPS = 1_000_000;

/** Whether a run was not compared because the first program took too long for it. */
export const isTooLong = ({ differences, a }: PairResult): boolean =>
  differences === undefined && a.stop?.code === "PTX6001";

/** Whether results were compared and differ. */
export const isDifferent = ({ differences = [] }: PairResult): boolean => differences.length > 0;

/** A run whose results differ, once more: where from, and whether that is rounding. */
export async function explained(
  { compare, options }: Drawing,
  inputs: Partial<SideOptions>,
): Promise<{ readonly result: PairResult; readonly isNear: boolean }> {
  const near = await compare({ ...inputs, outputsOnly: true, tolerance: NEAR });
  return {
    isNear: options.tolerance === undefined && !isDifferent(near),
    result: await compare({ ...inputs, outputsOnly: options.outputsOnly ?? false }),
  };
}
