import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Program, Register } from "../contract/program.ts";
import { advance } from "../javascript/advance.ts";
import { bind } from "../javascript/bind.ts";
import { blankWarp } from "../schedule/cta-slot.ts";
import type { Context } from "../state/context.ts";
import { Fault, report } from "../state/fault.ts";
import { setRegister, viewRegisters, type Writers, writersOf } from "../state/registers.ts";
import type { LaunchGeometry } from "../state/special-registers.ts";
import { template } from "../state/template.ts";
import { view, type Warp } from "../state/warp.ts";
import { link } from "../warp/control.ts";

/** Nobody asks what of the launch's registers has been written. */
const NOBODY: Writers = { p: new Map(), r: new Map(), q: new Map() };

/** Instructions that are executed at most: a program that loops for ever must come back. */
const MOST = 1_000_000;

/** Where instructions are injected: one lane of a warp of another program's launch. */
export interface InjectionSite {
  readonly context: Context;
  readonly geometry: LaunchGeometry;
  readonly addressOf: (variable: string) => bigint;
  readonly warp: Warp;
  readonly lane: number;
  /** The registers of the function that the lane is in. */
  readonly registers: readonly Register[];
  /** Warp instructions that the launch has executed. */
  readonly steps: number;
}

/**
 * Executes a program for one lane of a launch, apart from the launch's own: on its memory, with the registers and the
 * carry flag that it shares by name with the program that runs there. What it has written by then stays when it faults.
 * The program must not wait for other lanes, call, or take stack.
 */
export function executeInjected(
  program: Program,
  { context, geometry, addressOf, warp, lane, registers, steps }: InjectionSite,
): Diagnostic | undefined {
  // Its memory is that of the launch: so are the bounds of the windows, and what lies there.
  const { parameters, parameterBytes, variables, sharedBytes, localBytes } = context.program;
  const placed = { ...program, parameters, parameterBytes, variables, sharedBytes, localBytes };
  const inner: Context = { ...context, program: placed, observers: [] };
  const shape = { lanes: context.lanes, ...program.banks, code: program.code.length };
  const fresh = template(inner, shape, geometry, addressOf, new Map());
  const injected = blankWarp(warp.index, 0, context.lanes);
  const bit = (1 << lane) >>> 0;
  Object.assign(injected, { block: warp.block, live: bit, active: bit, carry: warp.carry });
  Object.assign(injected, { shared: warp.shared, local: warp.local });
  injected.ctaSync.warps[warp.index] = injected;
  view(injected, fresh.bytes.slice().buffer as ArrayBuffer, shape);
  fresh.fill(injected);
  const known = new Map(
    viewRegisters(context.program, registers, NOBODY, warp, lane, () => true).map((each) => [each.name, each]),
  );
  for (const { name } of program.registers) {
    const bits = known.get(name)?.bits;
    if (bits !== undefined) setRegister(program, injected, lane, name, bits);
  }
  const fault = runToEnd(injected, inner, steps);
  for (const { name, bits, written } of viewRegisters(
    program,
    program.registers,
    writersOf(program),
    injected,
    lane,
    () => false,
  ))
    if (written && known.has(name)) setRegister({ registers }, warp, lane, name, bits);
  warp.carry = ((warp.carry & ~bit) | (injected.carry & bit)) >>> 0;
  return fault;
}

function runToEnd(warp: Warp, context: Context, steps: number): Diagnostic | undefined {
  const code = link(context, (instruction, pc) => bind(instruction, pc, context));
  try {
    for (let executed = 0; warp.active !== 0; ) {
      const lane = Math.clz32(warp.active) ^ 31;
      if (executed >= MOST)
        return report(context, warp, lane, "PTX6001", `is where it stands after ${MOST} steps, the limit`);
      warp.fuel = Number.POSITIVE_INFINITY;
      executed += advance(warp, code, MOST - executed, steps);
    }
    return undefined;
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    const diagnostic = report(context, warp, fault.lane, fault.code, fault.message, fault.pc ?? warp.pc);
    return fault.related.length === 0 ? diagnostic : { ...diagnostic, related: fault.related };
  }
}
