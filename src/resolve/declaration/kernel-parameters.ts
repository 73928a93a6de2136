import type { Parameter } from "../../interp/contract/program.ts";
import { factsOf, isStateSpace } from "../../interp/contract/space.ts";
import type * as ast from "../../parser/ast.ts";
import type { Header } from "../module/header/header.ts";
import { type Report, reject } from "../report.ts";
import { countOf, readAlign, readDimensions, readElement } from "./declared-type.ts";

/** A kernel's parameters, laid out one after another, each at the next multiple of its alignment. */
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
    return reject(report, "PTX1412", node.space, "a kernel's parameters are in .param", { expected: ".param" });
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
export function readParamElement(node: ast.Parameter, header: Header, report: Report): ReturnType<typeof readElement> {
  if (node.vector || node.type.text === "f16x2")
    return reject(report, "PTX1403", node.vector ?? node.type, "vectors and packed halves are not passed in .param", {
      expected: "a scalar or an array of .b8",
    });
  if (node.type.text === "samplerref" && header.texmode === "unified")
    return reject(report, "PTX1418", node.type, ".samplerref needs .target texmode_independent");
  return readElement(node, header, report);
}

function readPointer({ pointer }: ast.Parameter, report: Report): void {
  if (!pointer) return;
  const { space, align } = pointer;
  if (space && !(isStateSpace(space.text) && factsOf(space.text).pointee))
    reject(report, "PTX1412", space, `.ptr does not point into .${space.text}`, {
      expected: ".global, .const, .shared or .local",
    });
  if (align) readAlign([align], report);
}
