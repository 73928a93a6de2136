import type { Operand } from "../../interp/contract/operand.ts";
import type { Instruction, Parameter, Result } from "../../interp/contract/program.ts";
import type * as ast from "../../parser/ast.ts";
import type { Source, Span } from "../../source/source.ts";
import { spanOf } from "../declaration/block-names.ts";
import { bitsOf, isRegisterType } from "../declaration/fundamental-types.ts";
import type { ParameterBlock } from "../declaration/kernel-parameters.ts";
import type { FunctionParameter, Signature } from "../module/names/signature.ts";
import type { FunctionEntry } from "../module/names/symbols.ts";
import { type Report, reject } from "../report.ts";
import { type ArrayElements, elementsOf, loadedType } from "./passed-types.ts";
import { checkCount, resultRegisters } from "./results.ts";
import type { Slots } from "./slots.ts";

/** A device function that is run by itself, with the parameters and results of its definition. */
export interface LaunchedFunction {
  readonly entry: FunctionEntry;
  readonly func: ast.Func;
  readonly body: ast.Block;
  readonly signature: Signature;
}

/**
 * The arguments that a launch passes to the function: its parameters as those of a kernel, in their order and by
 * their names. A predicate needs 32 bits, and a vector register is an aggregate. Problems are PTX1406 and
 * PTX1407.
 */
export function argumentsOf({ entry, func, body, signature }: LaunchedFunction, report: Report): ParameterBlock {
  const parameters: Parameter[] = [];
  let bytes = 0;
  for (const [index, formal] of signature.parameters.entries()) {
    const { name = func.name } = formal;
    const made = parameterOf(formal, body);
    if (!made) {
      reject(report, "PTX1406", name, `${entry.name} takes a list of open length, which no launch can pass`, {
        expected: "a kernel that calls it",
      });
      continue;
    }
    const offset = Math.ceil(bytes / made.align) * made.align;
    const known = name !== func.name && name.text !== "_";
    parameters.push({ ...made, name: known ? name.text : `${entry.name}_param_${index}`, offset, span: spanOf(name) });
    bytes = offset + made.bytes;
  }
  for (const { name = func.name, count = 1 } of signature.results) checkCount(count, entry.name, name, report);
  return { parameters, bytes };
}

function parameterOf(
  formal: FunctionParameter,
  body: ast.Block,
): Omit<Parameter, "name" | "offset" | "span"> | undefined {
  const { space, type, elements, align, count, bytes } = formal;
  if (bytes === undefined || count === undefined) return undefined;
  if (space === "param" && (count > 1 || !isRegisterType(type))) return { type, bytes, align, aggregate: true };
  if (type === "pred") return { type: "u32", bytes: 4, align: 4, aggregate: false };
  const own = (bitsOf(type) ?? 64) / 8;
  const aggregate = elements > 1 || own > 8;
  return { type: aggregate ? type : loadedType(formal, body), bytes: own * elements, align: own, aggregate };
}

/** The instruction that calls the function with the kernel's parameters, and the registers that get its results. */
export function callOf(
  { entry, func, body, signature }: LaunchedFunction,
  { parameters }: ParameterBlock,
  callee: number,
  { slots, source }: { readonly slots: Slots; readonly source: Source },
): { readonly instruction: Instruction; readonly results: readonly Result[] } {
  const args = parameters.flatMap(({ offset }, index) => {
    const { space, elements, type } = signature.parameters[index] as FunctionParameter;
    const each = space === "reg" ? (bitsOf(type) ?? 8) / 8 : 0;
    return Array.from({ length: elements }, (_, element): Operand => {
      return { kind: "address", of: "kernel", offset: BigInt(offset + element * each) };
    });
  });
  const made = signature.results.map((formal, index) => {
    const unnamed = signature.results.length === 1 ? "result" : `result${index}`;
    const { name, ...shape } = formal;
    const elements = elementsOf({ ...shape, ...(name && { name: name.text }) }, body);
    return resultOf(formal, unnamed, elements, func.name, slots);
  });
  const vector = (items: readonly Operand[]): Operand => ({ kind: "vector", items });
  const results = vector(made.flatMap(({ operands }) => operands));
  const operands = [results, { kind: "target" as const, pc: callee }, vector(args)];
  return {
    instruction: { plan: { shape: "call" }, operands, span: headOf(func, source), opcode: `call ${entry.name}` },
    results: made.map(({ result }) => result),
  };
}

/** The function's head up to its name, if that is one line. */
const headOf = ({ start, name }: ast.Func, { text }: Source): Span => ({
  start: text.slice(start, name.end).includes("\n") ? name.start : start,
  end: name.end,
});

function resultOf(
  { name: written, space, elements }: FunctionParameter,
  unnamed: string,
  { type, count }: ArrayElements,
  at: Span,
  slots: Slots,
): { readonly result: Result; readonly operands: readonly Operand[] } {
  const named = written && written.text !== "_" ? written : undefined;
  const place = { name: named?.text ?? unnamed, span: spanOf(named ?? at) };
  return resultRegisters(place, { type, count: space === "param" ? count : 1 }, elements, slots);
}
