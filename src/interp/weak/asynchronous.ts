import { completesAsync, isHold, readsByAsyncProxy, usesTensorMemory } from "../contract/plan/effects.ts";
import type { Instruction, Program } from "../contract/program.ts";

/**
 * The first asynchronous instruction of a program: asynchronous operations change memory at moments of which weak
 * memory is not notified.
 */
export const asynchronousIn = ({ code }: Program): Instruction | undefined =>
  code.find(({ plan }) => isHold(plan) || completesAsync(plan) || readsByAsyncProxy(plan) || usesTensorMemory(plan));
