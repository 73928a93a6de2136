import type { LaunchLimits } from "../../interp/contract/program.ts";
import type * as ast from "../../parser/ast.ts";
import { integerLiteral } from "../constant/literal.ts";
import { type Report, reject } from "../report.ts";
import { requireFeature } from "./feature.ts";
import type { Header } from "./header.ts";
import { checkPragma } from "./pragma.ts";

/** How many numbers a directive takes, and whether 0 is allowed. */
interface Arity {
  readonly least: number;
  readonly most: number;
  readonly zero?: boolean;
}

/** Directives between head and body (PTX ISA 11.4), of kernels and of device functions. */
const ofKernels: ReadonlyMap<string, Arity> = new Map([
  ["maxntid", { least: 1, most: 3 }],
  ["reqntid", { least: 1, most: 3 }],
  ["minnctapersm", { least: 1, most: 1 }],
  ["maxnreg", { least: 1, most: 1 }],
  ["local_maxnreg", { least: 1, most: 1 }],
  ["reqnctapercluster", { least: 1, most: 3, zero: true }],
  ["explicitcluster", { least: 0, most: 0 }],
  ["maxclusterrank", { least: 1, most: 1 }],
  ["blocksareclusters", { least: 0, most: 0 }],
]);
const ofFunctions: ReadonlyMap<string, Arity> = new Map([
  ["noreturn", { least: 0, most: 0 }],
  ["abi_preserve", { least: 1, most: 1, zero: true }],
  ["abi_preserve_control", { least: 1, most: 1, zero: true }],
]);

/** Checks the directives of a function and gives those that bound a launch; problems are PTX1414 and PTX1415. */
export function readDirectives(func: ast.Func, header: Header, report: Report): LaunchLimits {
  const known = func.entry ? ofKernels : ofFunctions;
  const seen = new Map<string, { readonly at: ast.FunctionDirective; readonly values: readonly number[] }>();
  for (const at of func.directives) {
    const { name } = at;
    if (name.text === "pragma") {
      checkPragma(at, "head", header, report);
      continue;
    }
    const shape = known.get(name.text);
    // The parser has reported what belongs to neither kind of function, or to the other.
    if (!shape) {
      if (name.text === "maxnctapersm")
        reject(report, "PTX1415", name, ".maxnctapersm ended with PTX 2.1", { expected: ".minnctapersm" });
      continue;
    }
    requireFeature(`.${name.text}`, name, header, report);
    const values = readNumbers(at, shape, report);
    if (values) seen.set(name.text, { at, values });
  }
  const clash = (a: string, b: string): void => {
    const [one, other] = [seen.get(a), seen.get(b)];
    if (one && other)
      reject(report, "PTX1414", one.at, `.${a} and .${b} exclude each other`, {
        related: [{ span: other.at, message: `.${b} stands here` }],
      });
  };
  clash("maxntid", "reqntid");
  clash("maxclusterrank", "reqnctapercluster");
  const blocks = seen.get("blocksareclusters");
  if (blocks && !(seen.has("reqntid") && seen.has("reqnctapercluster")))
    reject(report, "PTX1414", blocks.at, ".blocksareclusters needs .reqntid and .reqnctapercluster");
  const max = seen.get("maxntid");
  const required = seen.get("reqntid");
  const cluster = seen.get("reqnctapercluster");
  return {
    ...(max && { maxThreads: triple(max.values) }),
    ...(required && { requiredThreads: triple(required.values) }),
    // Zeros mean that the launch chooses the size of a cluster.
    ...(cluster && !cluster.values.includes(0) && { requiredCluster: triple(cluster.values) }),
  };
}

/** Dimensions that are not given are 1. */
const triple = ([x = 1, y = 1, z = 1]: readonly number[]): readonly [number, number, number] => [x, y, z];

function readNumbers(at: ast.FunctionDirective, shape: Arity, report: Report): readonly number[] | undefined {
  const { name, values } = at;
  // The parser reports none and more than three.
  if (shape.most > 0 && (values.length === 0 || values.length > 3)) return undefined;
  if (values.length < shape.least || values.length > shape.most) {
    const expected = shape.least === shape.most ? `${shape.most}` : `${shape.least} to ${shape.most}`;
    return reject(report, "PTX1414", at, `.${name.text} has ${values.length} numbers`, {
      expected: `${expected} of them`,
    });
  }
  const numbers: number[] = [];
  for (const value of values) {
    const number = value.kind === "integer" ? integerLiteral(value.text) : undefined;
    if (number === undefined || number.value >= 2n ** 32n || (number.value === 0n && !shape.zero))
      return reject(report, "PTX1414", value, `.${name.text} takes a positive number here`, { expected: "1 or more" });
    numbers.push(Number(number.value));
  }
  return numbers;
}
