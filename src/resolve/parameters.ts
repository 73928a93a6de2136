import type { Parameter } from "../interp/program.ts";
import type * as ast from "../parser/ast.ts";
import { countOf, readAlign, readDimensions, readElement, readType } from "./extent.ts";
import type { Header } from "./header.ts";
import { type Report, reject } from "./report.ts";
import { bitsOf, isOpaque } from "./types.ts";

/** A kernel's parameters, laid out one behind the other, each at the next multiple of its alignment. */
export interface ParameterBlock {
  readonly parameters: readonly Parameter[];
  readonly bytes: number;
}

/** Lays out the parameters of a kernel (PTX ISA 7.1); problems are PTX1403, 1405, 1406, 1407 and 1412. */
export function readKernelParameters(func: ast.Func, header: Header, report: Report): ParameterBlock {
  const parameters: Parameter[] = [];
  let bytes = 0;
  for (const node of func.parameters) {
    const made = readKernelParameter(node, header, report);
    if (!made) continue;
    const offset = Math.ceil(bytes / made.align) * made.align;
    parameters.push({ ...made, offset });
    bytes = offset + made.bytes;
  }
  for (const result of func.returns)
    reject(report, "PTX1412", result, "a kernel returns nothing", { expected: "no result" });
  const limit = limitOf(header);
  if (bytes > limit)
    reject(report, "PTX1407", func.name, `${func.name.text} has ${bytes} bytes of parameters`, {
      expected: `at most ${limit} for this .version and .target`,
      manual: "kernel-function-parameters",
    });
  return { parameters, bytes };
}

/** Largest parameter block (PTX ISA 5.1.6.1). */
function limitOf({ version, target }: Header): number {
  if (version >= 81 && target.sm >= 70) return 32764;
  return target.sm >= 20 ? 4352 : 256;
}

function readKernelParameter(
  node: ast.Parameter,
  header: Header,
  report: Report,
): Omit<Parameter, "offset"> | undefined {
  if (node.space.text !== "param")
    return reject(report, "PTX1412", node.space, "a kernel's parameters lie in .param", { expected: ".param" });
  readPointer(node, report);
  const element = readParamElement(node, header, report);
  const dimensions = readDimensions(node.dimensions, node, report);
  if (!element || !dimensions || !node.name) return undefined;
  const count = countOf(dimensions);
  if (count === undefined)
    return reject(report, "PTX1406", node.name, `${node.name.text} has no length`, {
      expected: "a length, kernels need to know it",
    });
  const { start, end } = node.name;
  return {
    name: node.name.text,
    type: element.type,
    bytes: count * element.bytes,
    align: element.align,
    aggregate: dimensions.length > 0,
    span: { start, end },
  };
}

/** The element of a `.param`; textures are handles, vectors and packed halves cannot be passed (measured). */
function readParamElement(node: ast.Parameter, header: Header, report: Report): ReturnType<typeof readElement> {
  if (node.vector || node.type.text === "f16x2")
    return reject(report, "PTX1403", node.vector ?? node.type, "vectors and packed halves are not passed in .param", {
      expected: "a scalar or an array of .b8",
    });
  if (node.type.text === "samplerref" && header.texmode === "unified")
    return reject(report, "PTX1418", node.type, ".samplerref needs .target texmode_independent");
  return readElement(node, header, report);
}

const pointees = ["const", "global", "local", "shared"];

function readPointer({ pointer }: ast.Parameter, report: Report): void {
  if (!pointer) return;
  const { space, align } = pointer;
  if (space && !pointees.includes(space.text))
    reject(report, "PTX1412", space, `.ptr does not point into .${space.text}`, {
      expected: ".global, .const, .shared or .local",
    });
  if (align) readAlign([align], report);
}

/** One parameter or result of a device function, as far as prototypes are compared. */
export interface FunctionParameter {
  readonly space: "reg" | "param";
  readonly type: string;
  readonly vector: string;
  readonly align: number;
  /** `undefined` for `[]`. */
  readonly count: number | undefined;
}

/** Checks a device function's parameters and results (PTX ISA 7.1). */
export function readFunctionParameters(func: ast.Func, header: Header, report: Report): FunctionParameter[] {
  const made: FunctionParameter[] = [];
  const stacked = func.returns.filter(({ space }) => space.text === "param");
  if (func.returns.length > 1 && stacked[0])
    reject(report, "PTX1412", stacked[0], "several results are returned in registers only", {
      expected: "one .param, or .reg",
    });
  for (const [list, result] of [
    [func.returns, true],
    [func.parameters, false],
  ] as const)
    for (const [index, node] of list.entries()) {
      const open = !result && index === list.length - 1;
      const one = readFunctionParameter(node, open, header, report);
      if (one) made.push(one);
    }
  return made;
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
  const element = readParamElement(node, header, report);
  const dimensions = readDimensions(node.dimensions, node, report);
  if (!element || !dimensions) return undefined;
  const count = countOf(dimensions);
  if (count === undefined && !open)
    return reject(report, "PTX1406", node, "this array has no length", {
      expected: "a length, only the last parameter may go without",
    });
  return { space, type: element.type, vector: "", align: element.align, count };
}

function readRegisterParameter(node: ast.Parameter, header: Header, report: Report): FunctionParameter | undefined {
  const type = readType(node.type, header, report);
  if (type === undefined) return undefined;
  if (node.dimensions.length > 0)
    return reject(report, "PTX1404", node, "a register is not an array", { expected: ".param" });
  if (isOpaque(type)) return reject(report, "PTX1403", node.type, `a .${type} is not held in a register`);
  return { space: "reg", type, vector: node.vector?.text ?? "", align: (bitsOf(type) ?? 8) / 8, count: 1 };
}
