import type { Related } from "../../source/diagnostic.ts";
import { targetsOf } from "../contract/control-flow.ts";
import { firstLane } from "../contract/launch/lane-mask.ts";
import { keysOf } from "../contract/liveness.ts";
import { touchesOf, writtenBy } from "../contract/plan/effects.ts";
import type { Program } from "../contract/program.ts";
import { isOwn, type Space } from "../contract/space.ts";
import type { Stop } from "../contract/stop.ts";
import { spaceOf } from "../contract/window.ts";
import { isAddressed } from "../memory/allocation.ts";
import type { Context } from "../state/context.ts";
import { report, whoIs } from "../state/fault.ts";
import { readOperand } from "../state/read-operand.ts";
import type { Warp } from "../state/warp.ts";
import { barrierNeeds } from "../warp/barrier-needs.ts";
import { waitingPlaces } from "../warp/waiting.ts";

/** The stop of a launch that has executed as many warp instructions as it may: where `warp` is, what it polls, and who waits meanwhile. */
export function stepLimit(warp: Warp, steps: number, context: Context): Stop {
  const { program, grid, block } = context;
  const { warps } = warp.ctaSync;
  const { pc } = warp;
  const at = { block: warp.block, warp: warp.index, lane: firstLane(warp.active) };
  const made = report(context, warp, at.lane, "PTX6001", "");
  const polled = polledBy(warp, at.lane, context);
  const missed = program.simd === undefined ? barriersThatMiss(warp) : [];
  const help = [
    ...missed.map(
      (number) => `barrier ${number} waits for this thread too: what it loops for must not come after that barrier`,
    ),
    ...(polled === undefined
      ? []
      : [`a thread that does not wait itself has to write ${polled.place}: the loop does nothing but read it`]),
    `to let it run longer, allow more: --max-steps ${tenfold(steps)}`,
  ];
  return {
    reason: "trap",
    at,
    pc,
    diagnostic: {
      ...made,
      message: `stopped after ${steps} steps, the limit: ${whoIs(at, grid, block, program.simd?.width)} is at ${program.code[pc]!.opcode}`,
      related: [
        ...(made.related ?? []),
        ...(polled === undefined ? [] : [polled.related]),
        ...waitingPlaces(warps, context, program.simd === undefined),
      ],
      help: [...(made.help ?? []), ...help.map((message) => ({ message }))],
    },
  };
}

/** Barriers at which others of the block wait and to which lanes that run now have not come. */
function barriersThatMiss({ ctaSync, index, active }: Warp): readonly number[] {
  return ctaSync.barriers.flatMap((barrier, number) => {
    const needs = barrier && barrierNeeds(ctaSync, number);
    return needs === undefined || (active & ~barrier!.arrived[index]!) === 0 ? [] : [number];
  });
}

/** The place in memory that the innermost loop around a warp's pc reads each time, where the loop does nothing else there. */
function polledBy(
  warp: Warp,
  lane: number,
  { program, memory }: Context,
): { readonly place: string; readonly related: Related } | undefined {
  const loop = loopAround(program.code, warp.pc);
  if (loop === undefined) return undefined;
  const [from, to] = loop;
  const code = program.code.slice(from, to + 1);
  const written = new Set(code.flatMap(({ plan, operands }) => operands.slice(0, writtenBy(plan)).flatMap(keysOf)));
  const all = code.flatMap(({ plan, operands, span, opcode }) =>
    touchesOf(plan).flatMap(({ how, space, address }) =>
      space === "param" || space === "const" ? [] : [{ how, space, operand: operands[address], span, opcode }],
    ),
  );
  const [poll] = all;
  if (poll?.operand === undefined || all.length > 1 || poll.how !== "load") return undefined;
  if (keysOf(poll.operand).some((key) => written.has(key))) return undefined;
  const [address] = readOperand(poll.operand, warp, lane);
  if (address === undefined) return undefined;
  const place = placeIn(poll.space, address, program, memory);
  const message = `the loop reads this again and again: ${place}`;
  return { place, related: { source: program.source, span: poll.span, message } };
}

/** The shortest stretch of code between a branch back and its target that holds `pc`. */
function loopAround(code: Program["code"], pc: number): readonly [from: number, to: number] | undefined {
  const loops = code
    .slice(pc)
    .flatMap((instruction, after) =>
      targetsOf(instruction).flatMap((target) => (target <= pc ? [[target, pc + after] as const] : [])),
    );
  return loops.sort(([a, b], [c, d]) => b - a - (d - c))[0];
}

/** `0x4f0000001004, 4 bytes into flag`. */
function placeIn(space: Space, address: bigint, { variables }: Program, { allocations }: Context["memory"]): string {
  const own = space === "generic" ? spaceOf(address) : space;
  const low = Number(BigInt.asUintN(32, address));
  const owner = allocations.find(low);
  const found =
    own !== undefined && isOwn(own)
      ? variables.find((each) => each.space === own && low >= each.offset && low < each.offset + each.bytes)
      : owner && isAddressed(owner)
        ? { name: owner.name, offset: owner.start }
        : undefined;
  const into =
    found === undefined
      ? ""
      : low === found.offset
        ? `, the start of ${found.name}`
        : `, ${low - found.offset} bytes into ${found.name}`;
  return `0x${address.toString(16)}${into}`;
}

/** Ten times a count, as an option has it: `1G` for 100000000. */
function tenfold(count: number): string {
  const units = ["", "K", "M", "G"];
  let [value, unit] = [count * 10, 0];
  for (; unit < units.length - 1 && value >= 1000; unit++) value = Math.ceil(value / 1000);
  return `${value}${units[unit]}`;
}
