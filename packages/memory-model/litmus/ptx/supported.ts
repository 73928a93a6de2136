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
import { isTogether } from "./meetings.ts";

/** What one thread can do alone, though it goes beyond its block. */
const followed: ReadonlySet<Plan["shape"]> = new Set<Plan["shape"]>(["rank", "proxy fence", "cluster barrier"]);

/** Asynchronous operations, and what waits for them. */
const asynchronous: ReadonlySet<Plan["shape"]> = new Set<Plan["shape"]>([
  "copy async",
  "bulk copy",
  "store async",
  "copies arrive",
  "commit group",
  "wait group",
]);

/** Whether the model has what it does to memory, and to other threads. */
const isFollowed = (plan: Plan): boolean =>
  followed.has(plan.shape) ||
  barrierAccessOf(plan) !== undefined ||
  asynchronous.has(plan.shape) ||
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

function reasonAgainst({ plan, operands, opcode }: Instruction): string | undefined {
  if (opcode.startsWith("griddepcontrol")) return "speaks of another grid, and a test has the threads of one";
  if (plan.shape === "special" && plan.name === "activemask")
    return "asks which threads of a warp run together, which the manual leaves open; shfl.sync and others name them";
  if (plan.shape === "copy async" && plan.fills !== undefined) return "fills with zeros, which is not followed here";
  if (plan.shape === "bulk copy" && (plan.masked || plan.ignores || plan.inspects))
    return "leaves bytes out, or inspects them, which is not followed here";
  if ((plan.shape === "bulk copy" || plan.shape === "store async") && plan.multimem)
    return "is for several devices at once, which is not followed here";
  if (plan.shape === "tensor copy" || plan.shape === "map field")
    return "goes through a tensor map, which is not followed here; a bulk copy has the same order";
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
  isTogether(plan) || plan.shape === "rank" || barrierAccessOf(plan) !== undefined || asynchronous.has(plan.shape);
