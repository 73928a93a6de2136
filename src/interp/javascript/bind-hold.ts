import type { Operand } from "../contract/operand.ts";
import type { Plan } from "../contract/plan/plan.ts";
import type { PlanOf } from "../contract/plan/shape-facts.ts";
import type { HoldShape } from "../contract/plan/shapes.ts";
import type { Context } from "../state/context.ts";
import type { Hold } from "../warp/holding.ts";
import { waitBarrier } from "./async/barrier-test.ts";

type HoldBinder<S extends HoldShape> = (
  plan: PlanOf<S>,
  operands: readonly (Operand | undefined)[],
  context: Context,
) => Hold;

const binders: { readonly [S in HoldShape]: HoldBinder<S> } = {
  "mbarrier wait": waitBarrier,
};

/** What an instruction does behind which lanes may wait; holding.ts lets them. */
export function bindHold(
  plan: Plan & { shape: HoldShape },
  operands: readonly (Operand | undefined)[],
  context: Context,
): Hold {
  // TypeScript does not see that an entry takes plans of the shape that it stands under.
  const binder = binders[plan.shape] as HoldBinder<HoldShape>;
  return binder(plan, operands, context);
}
