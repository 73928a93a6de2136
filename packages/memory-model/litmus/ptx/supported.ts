import { elements } from "../../../../src/interp/contract/operand.ts";
import {
  completesAsync,
  imagesOf,
  isControl,
  isStep,
  reachOf,
  touchesOf,
} from "../../../../src/interp/contract/plan/effects.ts";
import type { Plan } from "../../../../src/interp/contract/plan/plan.ts";
import type { Instruction, Program } from "../../../../src/interp/contract/program.ts";
import type { Diagnostic } from "../../../../src/source/diagnostic.ts";
import { barrierAccessOf } from "./mbarrier.ts";

/** cp.async of all its bytes, and what its groups are made of and waited for by. */
const isCopying = (plan: Plan): boolean =>
  (plan.shape === "copy async" && plan.fills === undefined) ||
  ((plan.shape === "commit group" || plan.shape === "wait group") && plan.line === "cp.async");

/** What one thread can do alone, though it goes beyond its block. */
const followed: ReadonlySet<Plan["shape"]> = new Set<Plan["shape"]>(["rank", "proxy fence", "cluster barrier"]);

/** Whether one thread can do it alone: nothing asynchronous, and nothing that a warp does together. */
const isFollowed = (plan: Plan): boolean =>
  followed.has(plan.shape) ||
  barrierAccessOf(plan) !== undefined ||
  isCopying(plan) ||
  ((isStep(plan) || isControl(plan)) && reachOf(plan) !== "beyond" && !completesAsync(plan) && plan.shape !== "gap");

/** Why a program cannot be followed by the memory model, thread by thread; empty where it can. */
export function unsupported({ code, source }: Pick<Program, "code" | "source">): Diagnostic[] {
  return code.flatMap((instruction) => {
    const why = reasonAgainst(instruction);
    if (why === undefined) return [];
    const message = `${instruction.opcode} ${why}`;
    return [{ code: "PTX1917", severity: "error", message, source, span: instruction.span }];
  });
}

function reasonAgainst({ plan, operands }: Instruction): string | undefined {
  if (plan.shape === "warp")
    return plan.op.among === "sync"
      ? undefined
      : "takes values from other threads, and here each thread is followed by itself";
  if (plan.shape === "barrier" && plan.act !== "sync" && plan.act !== "arrive")
    return "reduces over threads, and here each thread is followed by itself";
  if (imagesOf(plan) !== undefined) return "goes through an image, which is not followed here";
  if (!isFollowed(plan)) return "is not followed here: it is asynchronous, or works among threads";
  for (const { how, data } of touchesOf(plan))
    if (how === "atomic" && data !== undefined && elements(operands[data]).length > 1)
      return "is an atomic operation on several elements, which is not followed here";
  return undefined;
}

/** The same program for a single thread: barriers do not wait. */
export function byItself(program: Program, specials: (name: string) => number | undefined): Program {
  const kept = program.specials.filter(({ name }) => specials(name) === undefined);
  const fixed = program.specials.flatMap(({ bank, slot, name }) => {
    const value = specials(name);
    return value === undefined ? [] : [{ bank, slot, value: BigInt(value) }];
  });
  return {
    ...program,
    limits: {},
    specials: kept,
    constants: [...program.constants, ...fixed],
    code: program.code.map((instruction) =>
      waits(instruction) ? { ...instruction, plan: goesOn, operands: [] } : instruction,
    ),
  };
}

const goesOn: Plan = { shape: "nothing", why: "here each thread is followed by itself" };

/** Whether an instruction waits for other threads, or what it does to memory is the model's to say. */
const waits = ({ plan }: Instruction): boolean =>
  plan.shape === "barrier" ||
  plan.shape === "cluster barrier" ||
  plan.shape === "warp" ||
  barrierAccessOf(plan) !== undefined ||
  isCopying(plan);
