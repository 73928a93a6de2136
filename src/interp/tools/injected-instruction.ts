import type { Diagnostic } from "../../source/diagnostic.ts";
import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { Program } from "../contract/program.ts";
import type { LaunchState } from "../machine/launch.ts";
import type { Session } from "../machine/session.ts";
import { newWarp } from "../schedule/cta-slot.ts";
import type { Context } from "../state/context.ts";
import type { Executor } from "../state/executor.ts";
import { Fault, report, reportFault } from "../state/fault.ts";
import { setRegister, viewRegisters, writersOf } from "../state/registers.ts";
import { template } from "../state/template.ts";
import type { Warp } from "../state/warp.ts";

/** Limit on executed instructions: a program that loops for ever must return. */
const MAX_INJECTED_STEPS = 1_000_000;

/**
 * Executes another program's instructions for one thread of a running session, apart from the launch's program: on
 * its memory, with its carry flag and the registers that have the same name in both programs, those of a function by
 * its index. For a SIMD thread all channels that are with it execute them, on the thread's variables. Returns the fault that ended it; what was written before stays. The program must not wait for other
 * lanes, call, or use stack. Throws a RangeError when the thread does not run now.
 */
export function inject(session: Session, program: Program, thread: ThreadId, callee?: number): Diagnostic | undefined {
  const { state } = session;
  const warp = state?.scheduler.slots.find(({ block }) => block === thread.block)?.warps[thread.warp];
  if (state === undefined || warp === undefined) throw new RangeError("the thread does not run now");
  const { lane } = thread;
  const context = contextFor(program, state.context);
  const injected = warpFor(program, context, state, warp, lane);
  const known = new Map(session.registers(thread, callee).map(({ name, bits }) => [name, bits]));
  for (const { name } of program.registers) {
    const bits = known.get(name);
    if (bits !== undefined) setRegister(program, injected, lane, name, bits);
  }
  const fault = runToEnd(injected, context, state.executor, session.steps);
  const after = viewRegisters(program, program.registers, writersOf(program), injected, lane, () => false);
  const changed = (name: string, bits: readonly bigint[]): boolean =>
    program.simd !== undefined && known.get(name)?.[0] !== bits[0];
  for (const { name, bits, written } of after)
    if ((written || changed(name, bits)) && known.has(name)) session.writeRegister(thread, name, bits, callee);
  session.writeCarry(thread, ((injected.carry >>> lane) & 1) as 0 | 1);
  return fault;
}

/** A context with the launch's memory: also the bounds of the windows and their contents. */
function contextFor(program: Program, launch: Context): Context {
  const { parameters, parameterBytes, variables, sharedBytes, localBytes } = launch.program;
  const placed = { ...program, parameters, parameterBytes, variables, sharedBytes, localBytes };
  return { ...launch, program: placed, observers: [], observable: true };
}

/** A warp with one live lane, or the channels of a SIMD thread, separate registers, and the memory of the launch's warp. */
function warpFor(program: Program, context: Context, state: LaunchState, warp: Warp, lane: number): Warp {
  const shape = { lanes: context.lanes, ...program.banks, code: program.code.length };
  const fresh = template(context, shape, state.geometry, state.addressOf, new Map(), state.options.own);
  const made = newWarp(warp.index, 0, new Uint8Array(fresh.bytes).buffer, shape);
  const bit = (1 << lane) >>> 0;
  const lanes = program.simd !== undefined && (warp.active & bit) !== 0 ? warp.active : bit;
  Object.assign(made, { block: warp.block, live: lanes, active: lanes, carry: warp.carry });
  Object.assign(made, { shared: warp.shared, local: warp.local });
  made.ctaSync.warps[warp.index] = made;
  fresh.fill(made);
  fresh.own?.(made);
  return made;
}

function runToEnd(warp: Warp, context: Context, executor: Executor, steps: number): Diagnostic | undefined {
  const linked = executor.link(context);
  try {
    for (let executed = 0; warp.active !== 0; ) {
      const lane = Math.clz32(warp.active) ^ 31;
      if (executed >= MAX_INJECTED_STEPS)
        return report(context, warp, lane, "PTX6001", `is stopped after ${MAX_INJECTED_STEPS} steps, the limit`);
      warp.yieldBudget = Number.POSITIVE_INFINITY;
      executed += linked.run(warp, MAX_INJECTED_STEPS - executed, steps);
    }
    return undefined;
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    return reportFault(context, warp, fault);
  }
}
