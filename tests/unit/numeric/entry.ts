import type { Plan } from "../../../src/interp/contract/plan/plan.ts";
import { match } from "../../../src/isa/index.ts";
import { type Lowered, lower } from "../../../src/numeric/lower/lowered.ts";
import type { Operation } from "../../../src/numeric/operation/operation.ts";

/** The plan of an instruction by its spelling: `mad.hi.u32`; undefined where the table has none. */
function planIn(spelling: string): Plan | undefined {
  const [mnemonic = "", ...words] = spelling.split(".");
  const found = match(mnemonic, words);
  return found.kind === "forms" ? found.candidates[0].plan() : undefined;
}

function planOf(spelling: string): Plan {
  const plan = planIn(spelling);
  if (plan === undefined) throw new Error(`no form ${spelling}`);
  return plan;
}

/** What an entry of the table computes, with its function, or undefined where there is none. */
export const entryOf = (spelling: string): Lowered | undefined => (planIn(spelling) ? opOf(spelling) : undefined);

/** What an entry of the table computes, with its function. */
export const opOf = (spelling: string): Lowered => lower(operationOf(spelling));

/** What an entry of the table computes, as data. */
export function operationOf(spelling: string): Operation {
  const plan = planOf(spelling);
  if (plan.shape === "compute" || plan.shape === "compare" || plan.shape === "atomic") return plan.op;
  throw new Error(`${spelling} has the shape ${plan.shape}`);
}

/** The same of an entry with CC.CF: what it computes, and which ends of the flag it uses. */
export function carryOf(spelling: string): Plan & { readonly shape: "carry" } {
  const plan = planOf(spelling);
  if (plan.shape === "carry") return plan;
  throw new Error(`${spelling} has the shape ${plan.shape}`);
}
