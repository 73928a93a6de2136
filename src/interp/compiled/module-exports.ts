/** What the module exports, see `turn-code.ts`. */
export interface Exports {
  run(block: number, base: number, active: number, live: number, meet: number, limit: number): number;
  turns(warps: number, limit: number): void;
  readonly state: { value: number };
  readonly active: { readonly value: number };
  readonly live: { readonly value: number };
}
