import { amongLanes, type LaneValues, sourceLane } from "../../numeric/lower/warp.ts";
import { type WarpOperation, warpKey, warpOperands } from "../../numeric/operation/warp.ts";
import { isConstant } from "../contract/constant.ts";
import { firstLane, LANES, lowest } from "../contract/launch/lane-mask.ts";
import { type Operand, predicate, slot } from "../contract/operand.ts";
import type { PlanOf } from "../contract/plan/shapes/shape-facts.ts";
import type { Instruction } from "../contract/program.ts";
import type { Context } from "../state/context.ts";
import { Fault, report } from "../state/fault.ts";
import type { LaneExchange, Parked, Warp } from "../state/warp.ts";
import { checkDivergence } from "./divergence.ts";
import { diverge, park, reconverge, wake } from "./groups.ts";
import { guardOf } from "./guard.ts";

type WaitingForLanes = Parked & { readonly on: { readonly kind: "lanes" } };

/**
 * Warp operations, which read other lanes (shfl.sync, vote.sync, bar.warp.sync ...): each waits
 * until all live lanes of its membermask have come to an instruction with the same qualifiers and the same
 * membermask. That may be another instruction, so each group of lanes has separate registers for operands and results.
 */
export function warpOperation(
  { op }: PlanOf<"warp">,
  { operands, guard }: Instruction,
  pc: number,
  context: Context,
): (warp: Warp) => void {
  const lanes = guardOf(guard);
  const exchange = bindExchange(op, operands, pc, context);
  const { takes, gives } = warpOperands(op);
  const among = amongLanes(op);
  const key = warpKey(op);
  const membermask = operands[gives.length + takes.length];
  const uniform = membermask === undefined || isConstant(membermask, context.program);
  const scratch = scratchOf(op);
  const full = lowest(context.lanes);
  const run = (warp: Warp, mask: number, members: number): void => {
    if (mask !== full) for (const values of scratch.operands) clear(values);
    exchange.take(warp, mask, scratch.operands);
    if (members !== mask) exchange.miss(warp, mask, members & ~mask, scratch.operands);
    among(scratch.results, scratch.operands, mask, warp.lanes);
    exchange.give(warp, mask, scratch.results);
    exchange.notify(warp, mask);
  };
  const from = membermask === undefined ? -1 : slot(membermask).slot * context.lanes;

  return (warp) => {
    const taken = lanes(warp);
    const { active, live } = warp;
    if (taken === active && everyone(warp, from, taken, uniform)) {
      run(warp, taken, from < 0 ? taken : warp.r[from + firstLane(taken)]!);
      warp.pc = pc + 1;
      reconverge(warp);
      return;
    }
    if (taken === 0) {
      warp.pc = pc + 1;
      reconverge(warp);
      return;
    }
    for (let rest = taken; rest !== 0; ) {
      const members = membermask === undefined ? taken : warp.r[from + firstLane(rest)]!;
      const group = membermask === undefined ? taken : alike(warp, from, rest, members);
      const stranger = group & ~members;
      if (stranger !== 0)
        throw new Fault("PTX3013", firstLane(stranger), `is executed by a lane outside its membermask ${hex(members)}`);
      rest = (rest & ~group) >>> 0;
      if ((members & live & ~group) === 0) {
        run(warp, group, members);
        diverge(warp, pc + 1, group);
      } else {
        park(warp, { pc, mask: group, depth: warp.depth, on: { kind: "lanes", members, exchange } });
        completeExchange(warp, members, key);
      }
    }
    if (taken !== active) diverge(warp, pc + 1, (active & ~taken) >>> 0);
    warp.active = 0;
    reconverge(warp);
    checkDivergence(warp);
  };
}

/** True when `taken` are all live lanes of their common membermask, at `from` in bank r; -1 means no membermask. */
function everyone({ r, live, lanes }: Warp, from: number, taken: number, uniform: boolean): boolean {
  if (taken === 0) return false;
  if (from < 0) return true;
  const members = r[from + firstLane(taken)]!;
  if ((members & live) >>> 0 !== taken) return false;
  if (uniform) return true;
  for (let lane = 0; lane < lanes; lane++) if ((taken >>> lane) & 1 && r[from + lane] !== members) return false;
  return true;
}

/** The lanes of `among` whose register holds `value`. */
function alike({ r, lanes }: Warp, from: number, among: number, value: number): number {
  let found = 0;
  for (let lane = 0; lane < lanes; lane++) if ((among >>> lane) & 1 && r[from + lane] === value) found |= 1 << lane;
  return found >>> 0;
}

/** Releases the parked lanes of a membermask once all of them have arrived. */
function completeExchange(warp: Warp, members: number, key: string): void {
  const groups = warp.parked.filter(
    (group): group is WaitingForLanes =>
      group.on.kind === "lanes" && group.on.members === members && warpKey(group.on.exchange.op) === key,
  );
  const mask = groups.reduce((all, group) => all | group.mask, 0) >>> 0;
  const [first] = groups;
  if (first === undefined || (members & warp.live & ~mask) !== 0) return;
  const { op } = first.on.exchange;
  const { results, operands } = scratchOf(op);
  for (const { on, mask } of groups) on.exchange.take(warp, mask, operands);
  const absent = members & ~mask;
  if (absent !== 0) for (const { on, mask } of groups) on.exchange.miss(warp, mask, absent, operands);
  amongLanes(op)(results, operands, mask, warp.lanes);
  for (const group of groups) {
    group.on.exchange.give(warp, group.mask, results);
    wake(warp, group);
  }
  first.on.exchange.notify(warp, mask);
}

/** Called after lanes have exited: releases lanes that waited for them alone. */
export function warpOperationsAfterExit(warp: Warp): void {
  for (const { on } of [...warp.parked])
    if (on.kind === "lanes") completeExchange(warp, on.members, warpKey(on.exchange.op));
}

function clear(values: LaneValues): void {
  if (values instanceof Uint32Array) values.fill(0);
  else values.fill(0n);
}

const values = (bits: 1 | 32 | 64): LaneValues =>
  bits === 64 ? new BigUint64Array(LANES) : new Uint32Array(bits === 1 ? 1 : LANES);

const scratchOf = (op: WarpOperation) => {
  const { takes, gives } = warpOperands(op);
  return { operands: takes.map(values), results: gives.map(values) };
};

function bindExchange(
  op: WarpOperation,
  operands: readonly (Operand | undefined)[],
  pc: number,
  context: Context,
): LaneExchange {
  const widths = warpOperands(op);
  const count = widths.gives.length;
  const takes = widths.takes.map((bits, at) => taking(bits, operands[count + at], at, context.lanes));
  const gives = widths.gives.flatMap((bits, at) => {
    const operand = operands[at];
    return operand === undefined || operand.kind === "sink" ? [] : [giving(bits, operand, at, context.lanes)];
  });
  const { observers, asynchrony } = context;
  return {
    op,
    miss: op.among === "shuffle" ? missingSources(op, pc, context) : () => {},
    take: (warp, mask, into) => {
      for (const take of takes) take(warp, mask, into);
    },
    give: (warp, mask, from) => {
      for (const give of gives) give(warp, mask, from);
      warp.executed[pc]! |= mask;
    },
    notify: (warp, mask) => {
      const { block, index } = warp;
      asynchrony.fences.proxies.met([warp]);
      for (const observer of observers) observer.warpSync?.(block, index, mask);
    },
  };
}

/**
 * What lanes read that their membermask names and that have exited, or never were, is undefined (PTX ISA, shfl.sync): it is
 * `context.undefinedWord`, and a note says that it is read. Where the mask does not name them the result is seldom used.
 */
function missingSources(op: WarpOperation & { among: "shuffle" }, pc: number, context: Context): LaneExchange["miss"] {
  const source = sourceLane(op);
  return (warp, mask, absent, [a, b, c]) => {
    for (let lane = 0; lane < LANES; lane++) if ((absent >>> lane) & 1) a![lane] = context.undefinedWord;
    if (!context.sanitize.sync) return;
    for (let lane = 0; lane < warp.lanes; lane++) {
      if (!((mask >>> lane) & 1)) continue;
      const read = source(lane, Number(b![lane]), Number(c![lane]));
      if (read < 0 || !((absent >>> read) & 1)) continue;
      const what = `takes the value of lane ${read}, which is in its membermask and does not take part`;
      context.report({ ...report(context, warp, lane, "PTX4012", what, pc), severity: "note" });
      return;
    }
  };
}

type Copy = (warp: Warp, mask: number, values: readonly LaneValues[]) => void;

function taking(bits: 1 | 32 | 64, operand: Operand | undefined, at: number, lanes: number): Copy {
  if (bits === 1) {
    const { slot: from, negated } = predicate(operand);
    return ({ p }, mask, into) => {
      const word = into[at] as Uint32Array;
      word[0] = (word[0]! & ~mask) | ((negated ? ~p[from]! : p[from]!) & mask);
    };
  }
  const from = slot(operand).slot * lanes;
  if (bits === 64)
    return ({ q }, mask, into) => {
      const words = into[at] as BigUint64Array;
      for (let lane = 0; lane < lanes; lane++) if ((mask >>> lane) & 1) words[lane] = q[from + lane]!;
    };
  return ({ r }, mask, into) => {
    const words = into[at] as Uint32Array;
    for (let lane = 0; lane < lanes; lane++) if ((mask >>> lane) & 1) words[lane] = r[from + lane]!;
  };
}

function giving(bits: 1 | 32 | 64, operand: Operand, at: number, lanes: number): Copy {
  if (bits === 1) {
    const to = predicate(operand).slot;
    return ({ p }, mask, from) => {
      p[to] = (p[to]! & ~mask) | ((from[at] as Uint32Array)[0]! & mask);
    };
  }
  if (bits === 64) throw new Error("nothing among lanes gives 64 bits");
  const to = slot(operand).slot * lanes;
  return ({ r }, mask, from) => {
    const words = from[at] as Uint32Array;
    for (let lane = 0; lane < lanes; lane++) if ((mask >>> lane) & 1) r[to + lane] = words[lane]!;
  };
}

const hex = (mask: number): string => `0x${mask.toString(16).padStart(8, "0")}`;
