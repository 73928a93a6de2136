import { LANES } from "../../../src/interp/contract/launch/lane-mask.ts";
import { launchExtents, threadId, threadIndex } from "../../../src/launch/extents.ts";
import { threadName } from "./expression/place.ts";
import { type LinePart, refuse } from "./expression/refusal.ts";
import { position } from "./motion.ts";
import type { Shell } from "./shell.ts";

/** cuda-gdb's words for units of which there is only one here. */
const single: ReadonlySet<string> = new Set(["kernel", "grid", "device", "sm"]);

/** `focus warp 2 lane 5`, `cuda block (1,0,0) thread (3,0,0)`: other words are dropped, warps and lanes become threads. */
function plain(shell: Shell, argument: LinePart): LinePart {
  const text = argument.text.replace(/\(\s*([\d,\s]+)\)/g, (_, inside: string) => inside.replaceAll(" ", ""));
  const words = text.split(/\s+/);
  if (words.length % 2 !== 0 || !words.every((word, at) => at % 2 === 1 || /^[a-z]+$/.test(word)))
    return { ...argument, text };
  const given = new Map<string, string>();
  for (let at = 0; at < words.length; at += 2) given.set(words[at] ?? "", words[at + 1] ?? "");
  const { program } = shell.debugger.session;
  // For a SIMD thread the lanes are channels.
  if (program.simd !== undefined && given.has("channel")) {
    given.set("lane", given.get("channel") ?? "");
    if (given.has("thread")) given.set("warp", given.get("thread") ?? "");
    for (const word of ["channel", "thread"]) given.delete(word);
  }
  const { warp, lane, ...focus } = shell.debugger.focus;
  const [inWarp, inLane] = [given.get("warp"), given.get("lane")].map((each) => each && Number(each));
  if (given.has("thread") || (inWarp === undefined && inLane === undefined))
    return {
      ...argument,
      text: [...given]
        .filter(([word]) => !single.has(word))
        .flat()
        .join(" "),
    };
  const own = given.get("block") === undefined || Number(given.get("block")) === focus.block;
  const chosen = {
    warp: Number(inWarp ?? (own ? warp : 0)),
    lane: Number(inLane ?? (inWarp === undefined ? lane : 0)),
  };
  const number = threadIndex(chosen, program);
  const last = (program.simd?.width ?? LANES) - 1;
  if (chosen.lane > last || !Number.isInteger(number))
    throw refuse("PTX2407", `${argument.text} names no thread`, argument, {
      expected: program.simd === undefined ? `lanes 0 to ${last} of a warp` : `channels 0 to ${last} of a thread`,
    });
  const block = given.get("block");
  return { ...argument, text: `${block === undefined ? "" : `block ${block} `}thread ${number}` };
}

/** `focus block 1 thread 3`, `focus thread 3`, `focus 1/3`, `focus thread 1,2,0`; `focus thread 3 channel 7` of SIMD threads. */
export function focusOn(shell: Shell, said: LinePart): void {
  const argument = plain(shell, said);
  const { program } = shell.debugger.session;
  const { grid, block } = launchExtents(program, shell.options);
  const before = shell.debugger.focus;
  if (argument.text !== "") {
    const found =
      /^(?:(?:block\s+(?<block>[\d,]+))?\s*(?:(?:thread\s+)(?<thread>[\d,]+))?|b?(?<b>\d+)(?:\/|\s+t)(?<t>\d+)|t?(?<only>\d+))$/.exec(
        argument.text,
      )?.groups;
    if (found === undefined)
      throw refuse("PTX2402", `${argument.text} names no thread`, argument, {
        expected:
          program.simd === undefined
            ? "focus block X thread Y, or warp X lane Y"
            : "focus block X thread Y, where Y is a work-item, or thread Y channel Z",
      });
    const one = linear(found["block"] ?? found["b"], grid, argument) ?? before.block;
    const thread =
      linear(found["thread"] ?? found["t"] ?? found["only"], block, argument) ??
      (one === before.block ? threadIndex(before, program) : 0);
    try {
      shell.debugger.focus = threadId({ block: one, thread }, program);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw refuse("PTX2407", `the launch has no such thread`, argument);
    }
  }
  const thread = shell.debugger.focus;
  if (argument.text !== "") shell.frame = 0;
  const pc = shell.debugger.pcOf();
  if (pc === undefined) shell.out(`${threadName(thread, program)} does not run now\n`);
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
