/** How many bytes from `at` on, or before it, are in words that hold `want` under `mask`; `bytes` at most. See `scan-code.ts`. */
export interface Scan {
  above(at: number, bytes: number, mask: number, want: number): number;
  below(at: number, bytes: number, mask: number, want: number): number;
}

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
