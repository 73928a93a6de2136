import type { Traced, TracedLane } from "../../host/trace.ts";
import type { Operand } from "../../interp/contract/operand.ts";
import { writtenBy } from "../../interp/contract/plan/effects.ts";
import type { Program } from "../../interp/contract/program.ts";
import { hex } from "../value.ts";

/** A traced instruction as data, with its keys in one order; values are bits in hexadecimal digits of their width. */
export function tracedToJson(traced: Traced, { source }: Program): Record<string, unknown> {
  const { step, block, warp, pc, instruction, active, taken, lanes, completed } = traced;
  const { span, opcode, location, guard, operands, plan } = instruction;
  const written = writtenBy(plan);
  return {
    step,
    block,
    warp,
    pc,
    line: source.position(span.start).line,
    ...(location === undefined ? {} : { location: `${location.file}:${location.line}` }),
    opcode,
    text: source.text.slice(span.start, span.end).replace(/\s+/g, " "),
    active: mask(active),
    ...(guard === undefined ? {} : { taken: mask(taken) }),
    ...(completed ? {} : { completed }),
    lanes: lanes.map((lane) => laneToJson(lane, warp, operands, written)),
  };
}

function laneToJson(
  { lane, operands: reads, results, carryIn, carryOut, memory }: TracedLane,
  warp: number,
  operands: readonly (Operand | undefined)[],
  written: number,
): Record<string, unknown> {
  return {
    thread: warp * 32 + lane,
    operands: trimmed(reads.map((values, at) => valuesToJson(values, operands[written + at]))),
    ...(results === undefined || written === 0
      ? {}
      : { results: trimmed(results.map((values, at) => valuesToJson(values, operands[at]))) }),
    ...(carryIn === undefined ? {} : { carryIn }),
    ...(carryOut === undefined ? {} : { carryOut }),
    ...(memory === undefined
      ? {}
      : { memory: { space: memory.space, address: hex(memory.address, 64), bytes: memory.bytes } }),
  };
}

/** Without optional operands at the end that are not written. */
const trimmed = (values: readonly unknown[]): readonly unknown[] =>
  values.slice(0, values.findLastIndex((value) => value !== null) + 1);

/** A scalar's bits, an array for a vector, null for what has no value. */
function valuesToJson(values: readonly bigint[] | undefined, operand: Operand | undefined): unknown {
  if (values === undefined || operand === undefined) return null;
  const widths = widthsOf(operand);
  // A predicate as one digit, as in the final state.
  const texts = values.map((bits, at) => hex(bits, Math.max(4, widths[at] ?? 64)));
  return operand.kind === "vector" ? texts : (texts[0] ?? null);
}

function widthsOf(operand: Operand): readonly number[] {
  switch (operand.kind) {
    case "slot":
      return [operand.bits];
    case "predicate":
      return [1];
    case "vector":
      return operand.items.flatMap(widthsOf);
    case "address":
      return [operand.base?.bank === "r" ? 32 : 64];
    case "target":
    case "sink":
      return [];
  }
}

const mask = (lanes: number): string => hex(BigInt(lanes >>> 0), 32);
