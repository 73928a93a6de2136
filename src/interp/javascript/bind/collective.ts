import type { Operand } from "../../contract/operand.ts";
import type { Plan } from "../../contract/plan/plan.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { CollectiveShape } from "../../contract/plan/shapes.ts";
import type { Context } from "../../state/context.ts";
import type { Step } from "../../state/warp.ts";
import { mapCopy } from "../bulk/map-change.ts";
import { loadLines, storeLines } from "../matrix/lines.ts";
import { multiply } from "../matrix/multiply.ts";
import { transpose } from "../matrix/transpose.ts";
import { wgmma } from "../matrix/wgmma.ts";
import { wgmmaCommit, wgmmaFence, wgmmaWait } from "../matrix/wgmma-groups.ts";
import { noting } from "../note-writes.ts";
import { tensorAllocation } from "../tensor-memory/allocate.ts";
import { tensorLoad, tensorStore } from "../tensor-memory/load-store.ts";
import { tensorWait } from "../tensor-memory/wait.ts";

type CollectiveBinder<S extends CollectiveShape> = (
  plan: PlanOf<S>,
  operands: readonly (Operand | undefined)[],
  context: Context,
) => Step;

const binders: { readonly [S in CollectiveShape]: CollectiveBinder<S> } = {
  "load lines": loadLines,
  "store lines": storeLines,
  "map copy": (_, operands, context) => mapCopy(operands, context),
  wgmma,
  "wgmma fence": (_, __, context) => wgmmaFence(context),
  "wgmma commit": (_, __, context) => wgmmaCommit(context),
  "wgmma wait": (_, operands, context) => wgmmaWait(operands, context),
  transpose: (_, operands, { lanes }) => transpose(operands, lanes),
  multiply,
  "tcgen05 alloc": tensorAllocation,
  "tcgen05 load": tensorLoad,
  "tcgen05 store": tensorStore,
  "tcgen05 wait": tensorWait,
};

/** Binds a step that all 32 lanes of a warp execute together; together.ts makes them reconverge first. */
export function bindCollective(
  plan: Plan & { shape: CollectiveShape },
  operands: readonly (Operand | undefined)[],
  context: Context,
): Step {
  // TypeScript does not see that an entry accepts the plans of its key's shape.
  const binder = binders[plan.shape] as CollectiveBinder<CollectiveShape>;
  return noting(binder(plan, operands, context), { plan, operands }, context);
}
