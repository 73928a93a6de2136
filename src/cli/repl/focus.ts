import type { ThreadId } from "../../interp/contract/thread-id.ts";
import { launchExtents } from "../run/extents.ts";
import { threadName } from "./expression/place.ts";
import { type LinePart, refuse } from "./expression/refusal.ts";
import { position } from "./motion.ts";
import type { Shell } from "./shell.ts";

/** `focus block 1 thread 3`, `focus thread 3`, `focus 1/3`, `focus thread 1,2,0`. */
export function focusOn(shell: Shell, argument: LinePart): void {
  const { grid, block } = launchExtents(shell.debugger.session.program, shell.options);
  const before = shell.debugger.focus;
  if (argument.text !== "") {
    const found =
      /^(?:(?:block\s+(?<block>[\d,]+))?\s*(?:(?:thread\s+)(?<thread>[\d,]+))?|(?<b>\d+)\/(?<t>\d+)|(?<only>\d+))$/.exec(
        argument.text,
      )?.groups;
    if (found === undefined)
      throw refuse("PTX2402", `${argument.text} names no thread`, argument, { expected: "focus block X thread Y" });
    const one = linear(found["block"] ?? found["b"], grid, argument) ?? before.block;
    const thread =
      linear(found["thread"] ?? found["t"] ?? found["only"], block, argument) ??
      (one === before.block ? before.warp * 32 + before.lane : 0);
    const chosen: ThreadId = { block: one, warp: thread >> 5, lane: thread & 31 };
    try {
      shell.debugger.focus = chosen;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw refuse("PTX2407", `the launch has no such thread`, argument);
    }
  }
  const thread = shell.debugger.focus;
  const pc = shell.debugger.pcOf();
  if (pc === undefined) shell.out(`${threadName(thread)} does not run now\n`);
  else shell.out(`${position(shell, { step: shell.debugger.position, thread, pc })}\n`);
}

/** A linear index from `5` or `1,2,0`. */
function linear(
  text: string | undefined,
  [x, y, z]: readonly [number, number, number],
  part: LinePart,
): number | undefined {
  if (text === undefined) return undefined;
  const numbers = text.split(",").map(Number);
  const [first = 0, second = 0, third = 0] = numbers;
  const fits = numbers.length === 1 ? first < x * y * z : first < x && second < y && third < z;
  if (!fits || numbers.length > 3 || numbers.some((each) => !Number.isInteger(each)))
    throw refuse("PTX2407", `there is no ${text} in ${x},${y},${z}`, part, { expected: `0 to ${x * y * z - 1}` });
  return first + x * (second + y * third);
}
