import { firstLane } from "../../interp/contract/launch/lane-mask.ts";
import type { ThreadId } from "../../interp/contract/launch/thread-id.ts";
import type { Operand } from "../../interp/contract/operand.ts";
import { isComputed, mayPart, writtenBy } from "../../interp/contract/plan/effects.ts";
import type { Instruction } from "../../interp/contract/program.ts";
import type { Session } from "../../interp/machine/session.ts";
import { MachineView } from "../../interp/tools/machine-view.ts";

/** An event caused by the last instruction: which thread, which instruction. */
export interface Happening {
  readonly thread: ThreadId;
  readonly cause: number;
}

/** Detects one kind of event: called before each instruction, it examines the effect of the previous one. */
export interface Watcher {
  look(block: number, warp: number, pc: number): Happening | undefined;
  /** Called with the instruction at `pc` that is about to run, before its effect can be seen. */
  prepare(block: number, warp: number, pc: number): void;
}

/** Divergence: a branch, a call or a return has left the lanes of a group at more than one instruction. */
export function divergenceWatcher(session: Session): Watcher {
  const machine = new MachineView(session);
  let before: { block: number; warp: number; pc: number; mask: number } | undefined;
  return {
    look: () => {
      if (before === undefined) return undefined;
      const { block, warp, pc, mask } = before;
      const groups = machine.warp(block, warp)?.groups.filter((group) => (group.mask & mask) !== 0) ?? [];
      const [first] = groups;
      if (first === undefined || groups.length < 2) return undefined;
      return { thread: { block, warp, lane: firstLane(first.mask & mask) }, cause: pc };
    },
    prepare: (block, warp, pc) => {
      const plan = session.program.code[pc]?.plan;
      const running = plan !== undefined && mayPart(plan) ? machine.warp(block, warp)?.groups[0] : undefined;
      before = running && { block, warp, pc, mask: running.mask };
    },
  };
}

/** A computation has returned a NaN although none of its operands was one. */
export function nanWatcher(session: Session): Watcher {
  const machine = new MachineView(session);
  let before: { thread: (lane: number) => ThreadId; pc: number; lanes: number } | undefined;
  const formats = session.program.code.map(formatsOf);
  const isNaNIn = (thread: ThreadId, operand: Operand | undefined, format: string | undefined): boolean =>
    operand?.kind === "slot" && format !== undefined && isNaNOf(format, session.operand(thread, operand)[0] ?? 0n);
  return {
    look: () => {
      if (before === undefined) return undefined;
      const { lanes, pc, thread } = before;
      const d = session.program.code[pc]?.operands[0];
      for (let lane = 0; lane < 32; lane++)
        if ((lanes >>> lane) & 1 && machine.lives(thread(lane)) && isNaNIn(thread(lane), d, formats[pc]?.gives))
          return { thread: thread(lane), cause: pc };
      return undefined;
    },
    prepare: (block, warp, pc) => {
      before = undefined;
      const format = formats[pc];
      if (format === undefined) return;
      const instruction = session.program.code[pc];
      if (instruction === undefined) return;
      const { operands, plan } = instruction;
      const sources = operands.slice(writtenBy(plan));
      const thread = (lane: number): ThreadId => ({ block, warp, lane });
      let lanes = machine.executing(block, warp);
      for (let lane = 0; lane < 32; lane++)
        if ((lanes >>> lane) & 1 && sources.some((each) => isNaNIn(thread(lane), each, format.takes(each))))
          lanes &= ~(1 << lane);
      before = { thread, pc, lanes };
    },
  };
}

/** A race that `--sanitize race` has found. */
export function raceWatcher(session: Session): Watcher {
  const machine = new MachineView(session);
  let seen = session.findings.length;
  let before: Happening | undefined;
  return {
    look: () => {
      const { length } = session.findings;
      const found = length > seen && session.findings.slice(seen).some(({ code }) => code === "PTX4002");
      seen = length;
      return found ? before : undefined;
    },
    prepare: (block, warp, pc) => {
      seen = session.findings.length;
      before = { thread: { block, warp, lane: Math.max(0, firstLane(machine.executing(block, warp))) }, cause: pc };
    },
  };
}

const WIDTHS: ReadonlyMap<string, number> = new Map([
  ["f16", 16], ["bf16", 16], ["f32", 32], ["f16x2", 32], ["bf16x2", 32], ["f64", 64], ["f32x2", 64],
]); // biome-ignore format: a table

/** The formats of a computation's result and operands: its opcode names the result's first (PTX ISA 9.7). */
function formatsOf({
  plan,
  opcode,
  operands,
}: Instruction):
  | { readonly gives: string; readonly takes: (operand: Operand | undefined) => string | undefined }
  | undefined {
  if (!isComputed(plan) || operands[0]?.kind !== "slot") return undefined;
  const [, ...types] = opcode.split(".");
  const floats = types.filter((type) => WIDTHS.has(type));
  const [gives] = floats;
  // cvt.s32.f32 and set.lt.u32.f32 do not return a float.
  const first = types.find((type) => /^(b?f|[subte])\d+(x\d)?|^e\dm\d/.test(type));
  if (gives === undefined || gives !== first) return undefined;
  return {
    gives,
    takes: (operand) =>
      operand?.kind === "slot" ? floats.findLast((each) => WIDTHS.get(each) === operand.bits) : undefined,
  };
}

function isNaNOf(format: string, bits: bigint): boolean {
  switch (format) {
    case "f16":
      return (bits & 0x7fffn) > 0x7c00n;
    case "bf16":
      return (bits & 0x7fffn) > 0x7f80n;
    case "f32":
      return (bits & 0x7fff_ffffn) > 0x7f80_0000n;
    case "f64":
      return (bits & 0x7fff_ffff_ffff_ffffn) > 0x7ff0_0000_0000_0000n;
    case "f16x2":
    case "bf16x2":
      return isNaNOf(format.slice(0, -2), bits) || isNaNOf(format.slice(0, -2), bits >> 16n);
    case "f32x2":
      return isNaNOf("f32", bits) || isNaNOf("f32", bits >> 32n);
    default:
      return false;
  }
}
