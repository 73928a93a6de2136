import type * as ast from "../../../parser/ast.ts";
import { countOf, readDimensions, readType, readVector } from "../../declaration/declared-type.ts";
import { bitsOf, isOpaque } from "../../declaration/fundamental-types.ts";
import { readParamElement } from "../../declaration/kernel-parameters.ts";
import { type Report, reject } from "../../report.ts";
import type { Header } from "../header/header.ts";

/** One parameter or result of a device function. */
export interface FunctionParameter {
  readonly name: ast.Name | undefined;
  readonly space: "reg" | "param";
  readonly type: string;
  /** Elements of a vector register; 1 for a scalar. */
  readonly elements: 1 | 2 | 4;
  readonly align: number;
  /** Elements of an array in `.param`, 1 for a scalar; `undefined` for `[]`. */
  readonly count: number | undefined;
  /** `undefined` for `[]`. */
  readonly bytes: number | undefined;
}

/** The parameters and results of a device function, or of a `.callprototype`. */
export interface Signature {
  readonly results: readonly FunctionParameter[];
  readonly parameters: readonly FunctionParameter[];
}

/** Checks a device function's parameters and results (PTX ISA 7.1); those with errors are left out. */
export function readSignature(head: ast.Func | ast.CallPrototype, header: Header, report: Report): Signature {
  const stacked = head.returns.filter(({ space }) => space.text === "param");
  if (head.returns.length > 1 && stacked[0])
    reject(report, "PTX1412", stacked[0], "several results are returned in registers only", {
      expected: "one .param, or .reg",
    });
  const read = (list: readonly ast.Parameter[], open: boolean): readonly FunctionParameter[] =>
    list.flatMap((node, index) => {
      // A `.callprototype`'s may be called so, and a kernel's (measured).
      if (head.kind === "function" && node.name?.text === "_") {
        reject(report, "PTX1117", node.name, "`_` is the sink and names no parameter", { expected: "another name" });
        return [];
      }
      return readFunctionParameter(node, open && index === list.length - 1, header, report) ?? [];
    });
  return { results: read(head.returns, false), parameters: read(head.parameters, true) };
}

/** Reports what is wrong with a `.callprototype`. */
export function checkPrototype(node: ast.CallPrototype, header: Header, report: Report): void {
  readSignature(node, header, report);
  const noreturn = node.directives.find(({ name }) => name.text === "noreturn");
  if (noreturn && node.returns.length > 0)
    reject(report, "PTX1414", noreturn, "a function that does not return has no results", {
      expected: "a prototype without results",
    });
}

function readFunctionParameter(
  node: ast.Parameter,
  open: boolean,
  header: Header,
  report: Report,
): FunctionParameter | undefined {
  const space = node.space.text;
  if (node.pointer) return reject(report, "PTX1412", node, ".ptr describes parameters of kernels only");
  if (space === "reg") return readRegisterParameter(node, header, report);
  if (space !== "param")
    return reject(report, "PTX1412", node.space, "a function's parameters are .reg or .param", {
      expected: ".reg or .param",
    });
  if (header.target.sm < 20)
    return reject(report, "PTX1412", node.space, `${header.target.name} passes arguments in registers only`, {
      expected: ".reg",
    });
  const element = readParamElement(node, header, report);
  const dimensions = readDimensions(node.dimensions, node, report);
  if (!element || !dimensions) return undefined;
  const count = countOf(dimensions);
  if (count === undefined && !open)
    return reject(report, "PTX1406", node, "this array has no length", {
      expected: "a length, only the last parameter may go without",
    });
  const { type, align, bytes } = element;
  return { name: node.name, space, type, elements: 1, align, count, bytes: count && count * bytes };
}

function readRegisterParameter(node: ast.Parameter, header: Header, report: Report): FunctionParameter | undefined {
  const type = readType(node.type, header, report);
  if (type === undefined) return undefined;
  if (node.dimensions.length > 0)
    return reject(report, "PTX1404", node, "a register is not an array", { expected: ".param" });
  if (isOpaque(type)) return reject(report, "PTX1403", node.type, `a .${type} is not held in a register`);
  const bits = bitsOf(type) ?? 8;
  const elements = readVector(node.vector, bits, report);
  if (elements === undefined) return undefined;
  const bytes = Math.ceil(bits / 8);
  return { name: node.name, space: "reg", type, elements, align: bytes, count: 1, bytes: bytes * elements };
}

const alike = (
  one: readonly FunctionParameter[],
  two: readonly FunctionParameter[],
  same: (a: FunctionParameter, b: FunctionParameter) => boolean,
): boolean => one.length === two.length && one.every((each, index) => same(each, two[index] ?? each));

/** True when two declarations agree. */
export function sameSignature(one: Signature, two: Signature): boolean {
  const same = (a: FunctionParameter, b: FunctionParameter): boolean =>
    a.space === b.space && a.type === b.type && a.elements === b.elements && a.align === b.align && a.count === b.count;
  return alike(one.results, two.results, same) && alike(one.parameters, two.parameters, same);
}

/** True when a call made for one matches the other: values of one size in one state space. */
export function fitsPrototype(one: Signature, two: Signature): boolean {
  const same = (a: FunctionParameter, b: FunctionParameter): boolean =>
    a.space === b.space && a.elements === b.elements && a.bytes === b.bytes;
  return alike(one.results, two.results, same) && alike(one.parameters, two.parameters, same);
}
