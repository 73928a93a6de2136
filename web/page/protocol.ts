import type { Client } from "./client.ts";

/** What the worker does for each method of a client, and for tests the state at the end as `run --json` prints it. */
export type Methods = Omit<Client, "onProgress"> & { finalState(): Promise<unknown> };

/** A call by its number; without one nobody waits for an answer. */
export interface Call {
  readonly id?: number;
  readonly method: keyof Methods;
  readonly values: readonly unknown[];
}

/**
 * A message of the Debug Adapter Protocol, to the adapter in the worker or from it: `launch` takes the program as `text`. Its
 * launch is another one than the page's. For whoever brings an interface of their own.
 */
export interface Adapted {
  readonly dap: object;
}

/** What the worker says: an answer, or how far a move has come. */
export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string }
  | { readonly progress: number }
  | Adapted;
