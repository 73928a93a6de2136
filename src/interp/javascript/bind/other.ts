import { firstLane } from "../../contract/launch/lane-mask.ts";
import { type Operand, slot } from "../../contract/operand.ts";
import { Fault } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";

/** `trap`: the launch is aborted. */
export const trap: Step = ({ active }) => {
  throw new Fault("PTX3004", firstLane(active), "stops the launch");
};

/** Help for programs that use what ptxrun does not execute. */
const waysOn: readonly string[] = [
  "the program is valid, and so is what ran before; nothing after this has run",
  "to test the rest, comment this instruction out and give what it writes with -r NAME=VALUE",
  "ptxrun lint FILE lists all instructions of a file that are not implemented",
];

/** Valid PTX that ptxrun does not execute; the message names `opcode` already. */
export function gap(form: string, opcode: string): Step {
  const which = form === opcode ? "" : `: ${form}`;
  return ({ active }) => {
    throw new Fault("PTX5001", firstLane(active), `is not implemented yet${which}`, [], undefined, waysOn);
  };
}

/** vISA calls or names what none of the dumps that are read together defines. */
export const undefinedFunction =
  (name: string): Step =>
  ({ active }) => {
    const help =
      "a function stands in the kernel's dump or beside it, in NAME_f0.visaasm: not one that is linked later";
    throw new Fault("PTX5001", firstLane(active), `is not executed: nothing defines ${name}`, [], undefined, [help]);
  };

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
/** Performance counters stay 0. */
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
