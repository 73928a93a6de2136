import type { Instruction } from "../../interp/contract/program.ts";
import type { ThreadId } from "../../interp/contract/thread-id.ts";
import type { Session } from "../../interp/machine/session.ts";

/** What one lane's cp.async reads of global memory and writes to shared memory; nothing where it only fills with zeros. */
export interface LaneCopy {
  readonly bytes: number;
  readonly to: number;
  readonly from: number | undefined;
}

/** True for cp.async, whose lanes are told of later, together, and not always one by one. */
export const isLaneCopy = (instruction: Instruction | undefined): boolean => instruction?.plan.shape === "copy async";

/** What a lane asks for by the cp.async that it is about to execute. */
export function laneCopy(session: Session, { plan, operands }: Instruction, at: ThreadId): LaneCopy | undefined {
  const value = (index: number): bigint | undefined => {
    const operand = operands[index];
    return operand && session.operand(at, operand)[0];
  };
  const [to, from, bytes] = [value(0), value(1), value(2)];
  if (plan.shape !== "copy async" || to === undefined || from === undefined || bytes === undefined) return undefined;
  // Of a part of the source it reads the sectors all the same.
  const isRead = plan.fills === undefined || (plan.fills === "size" ? value(3) !== 0n : value(3) !== 1n);
  const low = (address: bigint): number => Number(address & 0xffff_ffffn);
  return { bytes: Number(bytes), to: low(to), from: isRead ? low(from) : undefined };
}
