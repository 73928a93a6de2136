import type { Scan } from "../../memory/scan-code.ts";

/** What the module exports, see `round-robin-code.ts`. */
export interface Exports extends Scan {
  run(block: number, base: number, active: number, live: number, meet: number, limit: number): number;
  roundRobin(warps: number, limit: number): void;
  settle(): void;
  readonly state: { value: number };
  readonly late: { value: number };
  readonly active: { readonly value: number };
  readonly live: { readonly value: number };
}
