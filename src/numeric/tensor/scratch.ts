import { compileModule, hasVectors, instantiate, type SharedMemory, sharedMemory } from "../../wasm/engine.ts";
import { ModuleWriter } from "../../wasm/module.ts";

/** Pages of the memory, and their bytes. */
const PAGES = 4;
export const SCRATCH_BYTES = PAGES * 65536;

/** Memory that all modules of sums share: nothing is kept there. If the system refuses it, there is no second try. */
let memory: SharedMemory | undefined;
let refused = false;

/** A function of a module that works in the shared memory: it takes the address of its places there, 0. */
export interface InScratch<P> {
  readonly run: (at: number) => number;
  readonly places: P;
  readonly buffer: SharedArrayBuffer | ArrayBuffer;
}

/** Makes a module whose function `run` is written by `write`; undefined where the engine has no vectors, or refuses it. */
export function inScratch<P>(write: (module: ModuleWriter) => P): InScratch<P> | undefined {
  if (refused || !hasVectors()) return undefined;
  try {
    memory ??= sharedMemory(PAGES);
    const module = new ModuleWriter(PAGES);
    const places = write(module);
    const { run } = instantiate(compileModule(module.result()), { memory });
    return { run: run as (at: number) => number, places, buffer: memory.buffer };
  } catch {
    refused = true;
    return undefined;
  }
}
