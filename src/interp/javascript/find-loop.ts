import { fingerprintOf } from "../../numeric/operation/fingerprint.ts";
import type { Operation } from "../../numeric/operation/operation.ts";
import type { AtomicLoop, CarryLoop, CompareLoop, ComputeLoop, Loops } from "./loop.ts";
import * as generated from "./loops.generated.ts";

const finder =
  <T>(loops: Loops<T>) =>
  (operation: Operation): T | undefined =>
    loops.get(fingerprintOf(operation));

// The generated loop of an operation; undefined if it has none.
export const computeLoopOf = finder<ComputeLoop>(generated.computeLoops);
export const compareLoopOf = finder<CompareLoop>(generated.compareLoops);
export const carryLoopOf = finder<CarryLoop>(generated.carryLoops);
export const atomicLoopOf = finder<AtomicLoop>(generated.atomicLoops);
