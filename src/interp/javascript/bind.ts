import { isCollective, isStep } from "../contract/plan/effects.ts";
import type { PlanOf } from "../contract/plan/shapes/shape-facts.ts";
import type { StepShape } from "../contract/plan/shapes.ts";
import type { Instruction } from "../contract/program.ts";
import type { Context } from "../state/context.ts";
import type { Step, Warp } from "../state/warp.ts";
import { arrive, checkLayout, copiesArrive, mbarrier } from "./async/barrier.ts";
import { testBarrier } from "./async/barrier-test.ts";
import { copyAsync } from "./async/copy.ts";
import { commitGroup, waitGroup } from "./async/groups.ts";
import { storeAsync } from "./async/store.ts";
import { address, rank, within } from "./bind/address.ts";
import { atomic } from "./bind/atomic.ts";
import { carry } from "./bind/carry.ts";
import { channels } from "./bind/channels.ts";
import { bindCollective } from "./bind/collective.ts";
import { compare, logic, select, test } from "./bind/compare.ts";
import { compress, decompress } from "./bind/compress.ts";
import { compute } from "./bind/compute.ts";
import { discard, load, store } from "./bind/memory.ts";
import { move, pack, unpack } from "./bind/move.ts";
import { changing, gap, trap, undefinedFunction } from "./bind/other.ts";
import { stack } from "./bind/stack.ts";
import { cancelAnswer, cancelCluster } from "./bulk/cancel.ts";
import { bulkCopy } from "./bulk/copy.ts";
import { zeroFill } from "./bulk/fill.ts";
import { mapFence, mapField } from "./bulk/map-change.ts";
import { multimem } from "./bulk/multimem.ts";
import { tensorCopy } from "./bulk/tensor.ts";
import { proxyFence } from "./matrix/wgmma-groups.ts";
import { noting } from "./note-writes.ts";
import { tensorCommit } from "./tensor-memory/commit.ts";
import { copyToTensorMemory, tensorShift } from "./tensor-memory/copy.ts";
import { tensorMultiply } from "./tensor-memory/matrix/bind-multiply.ts";
import { tensorFence } from "./tensor-memory/wait.ts";
import { imageQuery, imageType } from "./texture/bind-query.ts";
import { surface } from "./texture/bind-surface.ts";
import { texture } from "./texture/bind-texture.ts";
import { typed } from "./texture/bind-typed.ts";

/**
 * Turns a plan and its operands into a step. Everything that can be decided before the run is decided here. Branches
 * and exits are not steps: they end straight-line code (control.ts).
 */
export function bind(instruction: Instruction, pc: number, context: Context, notify?: Notifier): Step {
  const { guard, plan } = instruction;
  // together.ts, which waits for all lanes of the warp, handles the guard.
  if (isCollective(plan)) return bindCollective(plan, instruction.operands, context);
  const step = unguarded(instruction, context, notify);
  return guard === undefined ? step : guarded(step, pc, guard.slot, guard.negated);
}

/** Wraps one step of an instruction, to notify observers. */
export type Notifier = (step: Step, inner: Instruction) => Step;

function unguarded(instruction: Instruction, context: Context, notify?: Notifier): Step {
  const { plan } = instruction;
  if (!isStep(plan)) throw new Error(`${plan.shape} is control flow, not a step`);
  // TypeScript does not see that an entry accepts the plans of its key's shape.
  const binder = binders[plan.shape] as StepBinder<StepShape>;
  return noting(binder(plan, instruction.operands, context, instruction, notify), instruction, context);
}

type StepBinder<S extends StepShape> = (
  plan: PlanOf<S>,
  operands: Instruction["operands"],
  context: Context,
  instruction: Instruction,
  notify: Notifier | undefined,
) => Step;

const binders: { readonly [S in StepShape]: StepBinder<S> } = {
  compute: (plan, operands, { lanes }) => compute(plan, operands, lanes),
  carry: (plan, operands, { lanes }) => carry(plan, operands, lanes),
  compare: (plan, operands, { lanes }) => compare(plan, operands, lanes),
  test: (plan, operands, { lanes }) => test(plan, operands, lanes),
  select: (_, operands, { lanes }) => select(operands, lanes),
  move: (_, operands, { lanes }) => move(operands, lanes),
  pack: (_, operands, { lanes }) => pack(operands, lanes),
  unpack: (_, operands, { lanes }) => unpack(operands, lanes),
  logic,
  compress,
  decompress,
  load,
  store,
  atomic,
  discard,
  address: (plan, operands, { lanes }) => address(plan, operands, lanes),
  within,
  rank: (_, operands, context) => rank(operands, context),
  stack,
  "copy async": copyAsync,
  mbarrier,
  "mbarrier arrive": arrive,
  "mbarrier layout": checkLayout,
  "mbarrier test": testBarrier,
  "copies arrive": copiesArrive,
  "store async": storeAsync,
  "commit group": commitGroup,
  "wait group": waitGroup,
  texture,
  surface,
  typed,
  "image query": imageQuery,
  "image type": imageType,
  "bulk copy": bulkCopy,
  "tensor copy": tensorCopy,
  "map field": mapField,
  "map fence": mapFence,
  "zero fill": zeroFill,
  "proxy fence": ({ inits }, _, context) => proxyFence(inits, context),
  "cancel cluster": cancelCluster,
  "cancel answer": cancelAnswer,
  multimem,
  special: ({ name }, operands, { lanes }) => changing(name, operands, lanes),
  nothing: () => () => {},
  trap: () => trap,
  gap: ({ form, names, lacks }, _operands, _context, { opcode }) =>
    lacks === undefined ? gap(names === undefined ? form : opcode, opcode) : undefinedFunction(lacks),
  "tcgen05 copy": copyToTensorMemory,
  "tcgen05 shift": tensorShift,
  "tcgen05 multiply": tensorMultiply,
  "tcgen05 commit": tensorCommit,
  "tcgen05 fence": tensorFence,
  channels: (plan, _, context, instruction, notify) =>
    channels(plan, context, (part) => {
      const inner = { ...instruction, ...part };
      const step = unguarded(inner, context);
      return notify === undefined ? step : notify(step, inner);
    }),
};

/** `@p` narrows the mask for one step; the step never sees it. */
const guarded =
  (step: Step, pc: number, slot: number, negated: boolean): Step =>
  (warp: Warp) => {
    const { active } = warp;
    const p = warp.p[slot]!;
    const taken = (active & (negated ? ~p : p)) >>> 0;
    if (taken === 0) return;
    warp.active = taken;
    step(warp);
    warp.active = active;
    warp.executed[pc]! |= taken;
  };
