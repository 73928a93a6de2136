import type { Program } from "../../../src/interp/contract/program.ts";
import type { OutputValue, PrecisionReport } from "./report.ts";

/** A report for JSON: what is infinite or no number is a text, and so are integers of any size. */
export function precisionToJson({ buffers, lines, wrapped, decisions, forgotten }: PrecisionReport, program: Program) {
  const at = (pc: number) => {
    const instruction = program.code[pc];
    if (instruction === undefined) return { pc };
    const { span, opcode, location } = instruction;
    const { line } = program.source.position(span.start);
    return { pc, line, opcode, ...(location === undefined ? {} : { file: location.file, fileLine: location.line }) };
  };
  const value = ({ buffer, index, made, growth, loss, ...numbers }: OutputValue) => ({
    buffer,
    index,
    value: plain(numbers.value),
    exact: plain(numbers.exact),
    relative: plain(numbers.relative),
    ulps: plain(numbers.ulps),
    excess: plain(numbers.excess),
    made: made.map(({ pc, part }) => ({ ...at(pc), part: plain(part) })),
    ...(growth === undefined ? {} : { grows: { ...at(growth.pc), bits: growth.bits } }),
    ...(loss === undefined ? {} : { leaves: { ...at(loss.pc), how: loss.kind } }),
  });
  return {
    buffers: buffers.map(({ worst, losing, firstLost, farthest: _, ...buffer }) => ({
      ...buffer,
      norm: plain(buffer.norm),
      size: plain(buffer.size),
      ...(worst === undefined ? {} : { worst: value(worst) }),
      ...(losing === undefined ? {} : { losing: value(losing) }),
      ...(firstLost === undefined ? {} : { firstLost: value(firstLost) }),
    })),
    lines: lines.map(({ pc, made, outputs, grows, overflows }) => ({
      ...at(pc),
      made: plain(made),
      outputs,
      grows,
      overflows,
    })),
    wrapped: wrapped.map(({ pc, usedAt, use, why, count, value: is, exact }) => ({
      at: at(pc),
      used: at(usedAt),
      use,
      why,
      count,
      value: String(is),
      exact: String(exact),
    })),
    decisions: decisions.map(({ pc, count, value: is, exact }) => ({
      ...at(pc),
      count,
      value: plain(is),
      exact: plain(exact),
    })),
    forgotten,
  };
}

const plain = (x: number): number | string =>
  Number.isFinite(x) ? x : Number.isNaN(x) ? "nan" : x < 0 ? "-inf" : "inf";
