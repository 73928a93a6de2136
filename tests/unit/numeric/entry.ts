import type { Plan } from "../../../src/interp/contract/plan.ts";
import { match } from "../../../src/isa/index.ts";
import type { CarryOp, Op } from "../../../src/numeric/op.ts";

/** The plan of an instruction by its spelling: `mad.hi.u32`. */
function planOf(spelling: string): Plan {
  const [mnemonic = "", ...words] = spelling.split(".");
  const found = match(mnemonic, words);
  if (found.kind !== "forms") throw new Error(`no form ${spelling}`);
  return found.candidates[0].plan();
}

/** What an entry of the table computes. */
export function opOf(spelling: string): Op {
  const plan = planOf(spelling);
  if (plan.shape === "compute" || plan.shape === "compare" || plan.shape === "atomic") return plan.op;
  throw new Error(`${spelling} has the shape ${plan.shape}`);
}

/** The same of an entry with CC.CF: what it computes, and which ends of the flag it uses. */
export function carryOf(spelling: string): Plan & { readonly shape: "carry"; readonly op: CarryOp } {
  const plan = planOf(spelling);
  if (plan.shape === "carry") return plan;
  throw new Error(`${spelling} has the shape ${plan.shape}`);
}
