import type { Step } from "./context.ts";
import { Fault } from "./fault.ts";
import { predicate, slot } from "./operand.ts";
import type { Plan } from "./plan.ts";
import type { Operand } from "./program.ts";
import { firstLane, type Warp } from "./warp.ts";
import { genericHigh, windows } from "./window.ts";

/** `trap`: the launch is aborted (PTX ISA 9.7.19). */
export const trap: Step = ({ active }) => {
  throw new Fault("PTX3004", firstLane(active), "stops the launch");
};

/** Valid PTX that ptxrun does not execute; `opcode` is what the message names already. */
export function gap(form: string, opcode: string): Step {
  const which = form === opcode ? "" : `: ${form}`;
  return ({ active }) => {
    throw new Fault("PTX5001", firstLane(active), `is not implemented yet${which}`);
  };
}

/** `d, a`: cvta adds or takes away where the space's window begins (PTX ISA 9.7.9.20). */
export function address(
  { space, to, bits }: Plan & { shape: "address" },
  [d, a]: readonly (Operand | undefined)[],
  lanes: number,
): Step {
  const [target, source] = [slot(d), slot(a)];
  const [base, from] = [target.slot * lanes, source.slot * lanes];
  if (bits === 32)
    // A 32-bit address cannot name a window, so it is the offset on both sides.
    return ({ r, active }) => {
      for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) r[base + lane] = r[from + lane]!;
    };
  const high = to === "generic" ? genericHigh(space) : -genericHigh(space);
  return ({ w, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      w[2 * (base + lane)] = w[2 * (from + lane)]!;
      w[2 * (base + lane) + 1] = w[2 * (from + lane) + 1]! + high;
    }
  };
}

/** `p, a`: whether a generic address lies in the window of `space` (PTX ISA 9.7.9.19). */
export function within(
  { space }: Plan & { shape: "within" },
  [p, a]: readonly (Operand | undefined)[],
  lanes: number,
): Step {
  const to = predicate(p).slot;
  const { bank, slot: from } = slot(a);
  // A 32-bit address names no window.
  if (bank === "r")
    return (warp) => {
      warp.p[to]! &= ~warp.active;
    };
  const window = windows[space];
  // Kernel parameters lie in a window within the global one.
  const also = space === "global" ? windows.param : window;
  return ({ w, p, active }) => {
    let found = 0;
    for (let lane = 0; lane < lanes; lane++) {
      const high = w[2 * (from * lanes + lane) + 1]!;
      if (high === window || high === also) found |= 1 << lane;
    }
    p[to] = (p[to]! & ~active) | (found & active);
  };
}

/** Special registers that change while the program runs. Time is counted in warp instructions, so a run repeats. */
export function changing(name: string, [d]: readonly (Operand | undefined)[], lanes: number): Step {
  const read = changes.get(name);
  if (read === undefined) throw new Error(`%${name} is not a special register that changes`);
  const to = slot(d);
  const base = to.slot * lanes;
  if (to.bank === "r")
    return (warp) => {
      const value = read(warp);
      for (let lane = 0; lane < lanes; lane++) if ((warp.active >>> lane) & 1) warp.r[base + lane] = value;
    };
  return (warp) => {
    const value = BigInt(read(warp));
    for (let lane = 0; lane < lanes; lane++) if ((warp.active >>> lane) & 1) warp.q[base + lane] = value;
  };
}

const clock = (warp: Warp): number => warp.clock + warp.pc - warp.from;
/** Performance counters count nothing here. */
const counters = Array.from({ length: 8 }, (_, at) => [`pm${at}`, `pm${at}_64`]).flat();
const upper = (warp: Warp): number => Math.floor(clock(warp) / 0x1_0000_0000);

/** The special registers that `changing` knows. */
export const changes: ReadonlyMap<string, (warp: Warp) => number> = new Map([
  ...counters.map((name): [string, (warp: Warp) => number] => [name, () => 0]),
  ["clock", clock],
  ["clock_hi", upper],
  ["clock64", clock],
  ["globaltimer", clock],
  ["globaltimer_lo", clock],
  ["globaltimer_hi", upper],
  ["activemask", ({ active }: Warp) => active],
]);
