import { isHold, readsByAsyncProxy, settles, usesTensorMemory } from "../contract/plan/effects.ts";
import type { Instruction, Program } from "../contract/program.ts";

/**
 * The first instruction of a program that has to do with asynchronous operations: those change memory at moments of their
 * own, of which weak memory is not told.
 */
export const asynchronousIn = ({ code }: Program): Instruction | undefined =>
  code.find(({ plan }) => isHold(plan) || settles(plan) || readsByAsyncProxy(plan) || usesTensorMemory(plan));
