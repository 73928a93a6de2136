import type { ColourChoice } from "../../../src/environment/colour.ts";
import type { Shard } from "../../../src/system/shard.ts";

/** The options of `ptxrun sweep`. */
export interface SweepOptions {
  readonly against?: string;
  readonly count?: number;
  readonly all?: boolean;
  readonly seed: number;
  readonly shard?: Shard;
  readonly examples: number;
  readonly format: "text" | "json";
  readonly color: ColourChoice;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** What is swept: how many cases there are in all, and this shard's share of them. */
export interface Plan {
  readonly kind: "all" | "random";
  readonly total: number;
  readonly from: number;
  readonly to: number;
}
