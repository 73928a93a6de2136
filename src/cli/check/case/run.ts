import type { Launch } from "../../../host/index.ts";
import type { Inputs } from "../../../launch/input/launch-inputs.ts";
import type { Loaded } from "../../../launch/program.ts";
import type { Expectation } from "./expectation.ts";
import type { Watched } from "./watched.ts";

/** The launches of a case: one, or those of its pipeline up to the first that stopped. */
export interface CaseRun {
  readonly loaded: Loaded;
  readonly inputs: Pick<Inputs, "buffers">;
  /** Initial values of registers. */
  readonly start: Inputs["registers"];
  readonly watched: readonly Watched[];
  readonly launches: readonly Launch[];
  /** What printf printed. */
  readonly printed: string;
  /** The command that repeats it. */
  readonly repeat: (expectations: readonly Expectation[]) => string;
}
