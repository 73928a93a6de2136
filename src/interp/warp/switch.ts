import { elements, slot } from "../contract/operand.ts";
import type { Instruction } from "../contract/program.ts";
import { Fault } from "../state/fault.ts";
import type { Warp } from "../state/warp.ts";
import { diverge, reconverge } from "./groups.ts";

/** `index, targets`: brx.idx (PTX ISA 9.7.12.3); each lane goes where its index says. */
export function branchByIndex(
  { operands: [index, list] }: Instruction,
  pc: number,
  width: number,
  lanes: (warp: Warp) => number,
): (warp: Warp) => void {
  const from = slot(index).slot * width;
  const targets = elements(list).map((target) => {
    if (target.kind !== "target") throw new Error(`a ${target.kind} in a list of labels`);
    return target.pc;
  });
  return (warp) => {
    const { active, r } = warp;
    const taken = lanes(warp);
    const masks = new Map<number, number>();
    for (let lane = 0; lane < width; lane++) {
      if (!((taken >>> lane) & 1)) continue;
      const target = targets[r[from + lane]!];
      if (target === undefined)
        throw new Fault("PTX3023", lane, `has index ${r[from + lane]} and ${targets.length} labels`);
      masks.set(target, ((masks.get(target) ?? 0) | (1 << lane)) >>> 0);
    }
    const rest = (active & ~taken) >>> 0;
    if ([...masks.keys()].some((target) => target <= pc)) warp.fuel--;
    if (rest !== 0) diverge(warp, pc + 1, rest);
    for (const [target, mask] of masks) diverge(warp, target, mask);
    warp.active = 0;
    reconverge(warp);
  };
}
