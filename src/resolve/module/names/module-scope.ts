import type { LaunchLimits } from "../../../interp/contract/program.ts";
import { functionAddress } from "../../../interp/contract/window.ts";
import type * as ast from "../../../parser/ast.ts";
import { integerLiteral } from "../../constant/literal.ts";
import type { FindInitialSymbol } from "../../declaration/initial-value.ts";
import { type ParameterBlock, readKernelParameters } from "../../declaration/kernel-parameters.ts";
import { readVariables } from "../../declaration/variables.ts";
import { nearest } from "../../nearest.ts";
import { type Report, reject } from "../../report.ts";
import { checkCodeBlock, readFiles } from "../header/debug-information.ts";
import { requireFeature } from "../header/feature.ts";
import { type Header, type HeaderDefaults, readHeader } from "../header/header.ts";
import { checkPragma } from "../header/pragma.ts";
import { checkDefined, declareAlias, declareFunction, duplicate } from "./functions.ts";
import type { ModuleSymbol, VariableEntry } from "./symbols.ts";

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
  ["minperctamemory", { least: 1, most: 1, zero: true }],
]);
const ofFunctions: ReadonlyMap<string, Arity> = new Map([
  ["noreturn", { least: 0, most: 0 }],
  ["abi_preserve", { least: 1, most: 1, zero: true }],
  ["abi_preserve_control", { least: 1, most: 1, zero: true }],
]);

/** What `.language` calls a language, by its number; 1 and 2 are reserved (PTX ISA 11.8.2). */
const languages = ["unknown", "", "", "ptx", "nvvm", "cuda c++", "cuda c++ tile", "tile ir", "python-cutile", "fortran", "optix"]; // biome-ignore format: by number

function checkLanguages({ values, texts }: ast.FunctionDirective, report: Report): void {
  const names = languages.filter((each) => each !== "");
  for (const text of texts)
    if (!names.includes(text.text.toLowerCase()))
      reject(report, "PTX1414", text, `unknown language "${text.text}"`, { expected: names.join(", ") });
  for (const value of values) {
    const number = value.kind === "integer" ? integerLiteral(value.text)?.value : undefined;
    if (number === undefined || number >= languages.length)
      reject(report, "PTX1414", value, "languages have the numbers 0 to 10", { expected: "0 to 10, or a name" });
  }
}

/** Bytes of global memory that each block has for itself: a multiple of 1024 (PTX ISA 10.35). */
const perBlock = (least: number): number => Math.ceil(least / 1024) * 1024;

/** Checks the directives of a function and returns those that bound a launch; problems are PTX1414 and PTX1415. */
function readDirectives(func: ast.Func, header: Header, report: Report): LaunchLimits {
  const known = func.entry ? ofKernels : ofFunctions;
  const seen = new Map<string, { readonly at: ast.FunctionDirective; readonly values: readonly number[] }>();
  for (const at of func.directives) {
    const { name } = at;
    if (name.text === "pragma") {
      checkPragma(at, "head", header, report);
      continue;
    }
    if (name.text === "language") {
      requireFeature(".language", name, header, report);
      checkLanguages(at, report);
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
      reject(report, "PTX1414", one.at, `.${a} and .${b} cannot be combined`, {
        related: [{ span: other.at, message: `.${b} is here` }],
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
  const memory = seen.get("minperctamemory");
  return {
    ...(max && { maxThreads: triple(max.values) }),
    ...(required && { requiredThreads: triple(required.values) }),
    ...(memory && { blockMemory: perBlock(memory.values[0] ?? 0) }),
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

/** Everything in the module that a function body may see. */
export interface ModuleScope {
  readonly header: Header;
  readonly report: Report;
  readonly names: ReadonlyMap<string, ModuleSymbol>;
  readonly files: ReadonlyMap<number, string>;
  readonly kernels: ReadonlyMap<string, KernelHead>;
}

/** What is known about a kernel before its body is read. */
export interface KernelHead {
  readonly func: ast.Func;
  readonly block: ParameterBlock;
  readonly limits: LaunchLimits;
}

/** Reads all of a module except its bodies. */
export function readModuleScope(module: ast.Module, report: Report, defaults: HeaderDefaults): ModuleScope {
  const header = readHeader(module, report, defaults);
  const names = new Map<string, ModuleSymbol>();
  const kernels = new Map<string, KernelHead>();
  const find = initialSymbols(names, report);
  const files = readFiles(module, report);
  for (const item of module.items)
    switch (item.kind) {
      case "declaration":
        if (item.space.text === "reg") outsideFunction(item, report);
        else
          readVariables(item, { scope: "module", header, report, find }, (variable, at) =>
            declareVariable(variable, at, names, report),
          );
        break;
      case "function": {
        declareFunction(item, names, header, report);
        const limits = readDirectives(item, header, report);
        if (!item.entry) break;
        const block = readKernelParameters(item, header, report);
        if (item.body && !kernels.has(item.name.text)) kernels.set(item.name.text, { func: item, block, limits });
        break;
      }
      case "alias":
        declareAlias(item, names, header, report);
        break;
      case "pragma":
        checkPragma(item, "module", header, report);
        break;
      case "sources":
        requireFeature(".nv_intermediate_source_section", item, header, report);
        for (const block of item.blocks) checkCodeBlock(block, files, report);
        break;
    }
  checkDefined(names, report);
  checkConstantMemory(names, report);
  return { header, report, names, files, kernels };
}

/** Resolves names in initial values: PTX1614 for a name that is not allowed there. */
export function initialSymbols(names: ReadonlyMap<string, ModuleSymbol>, report: Report): FindInitialSymbol {
  return (name) => {
    const found = names.get(name.text);
    if (found?.kind === "function") return functionAddress(found.index);
    if (found && (found.space === "global" || found.space === "const")) return "variable";
    const near = found ? undefined : nearest(name.text, names.keys());
    return reject(
      report,
      "PTX1614",
      name,
      found ? `${name.text} is in .${found.space}` : `nothing named ${name.text} is declared before this`,
      {
        expected: "a variable in .global or .const, or a function",
        ...(near && {
          help: [
            { message: `did you mean ${near}?`, replace: { span: { start: name.start, end: name.end }, text: near } },
          ],
        }),
        manual: "initializers",
      },
    );
  };
}

function outsideFunction(node: ast.Declaration, report: Report): void {
  reject(report, "PTX1408", node, "registers belong in functions", {
    expected: ".global, .const or .shared at module scope",
    manual: "register-state-space",
  });
}

/** Enters a variable, or checks it against an earlier `.extern` declaration. */
function declareVariable(
  variable: VariableEntry,
  at: ast.Name,
  names: Map<string, ModuleSymbol>,
  report: Report,
): void {
  const known = names.get(variable.name);
  if (known === undefined) {
    names.set(variable.name, variable);
    return;
  }
  if (known.kind === "function" || (known.linkage !== "extern" && variable.linkage !== "extern")) {
    duplicate(at, known.span, report);
    return;
  }
  const same = known.space === variable.space && known.element.type === variable.element.type;
  const open = known.bytes === 0 || variable.bytes === 0;
  if (!same || known.element.vector !== variable.element.vector || (known.bytes !== variable.bytes && !open))
    reject(report, "PTX1411", at, `${variable.name} was declared before with a different type or size`, {
      related: [{ span: known.span, message: "declared here" }],
    });
  else if (known.linkage === "extern" && variable.linkage === undefined)
    reject(report, "PTX1409", at, `${variable.name} was .extern before and is internal here`, {
      expected: ".visible",
      related: [{ span: known.span, message: "declared here" }],
    });
  else if (variable.linkage !== "extern") names.set(variable.name, variable);
}

const constantBytes = 65536;

/** All `.const` variables of a module share 64 KiB (PTX ISA 5.1.3). */
function checkConstantMemory(names: ReadonlyMap<string, ModuleSymbol>, report: Report): void {
  let bytes = 0;
  for (const symbol of names.values()) {
    if (symbol.kind !== "variable" || symbol.space !== "const") continue;
    bytes = Math.ceil(bytes / symbol.element.align) * symbol.element.align + symbol.bytes;
    if (bytes <= constantBytes) continue;
    reject(report, "PTX1407", symbol.span, `the module's constants take ${bytes} bytes up to here`, {
      expected: `at most ${constantBytes}`,
      manual: "constant-state-space",
    });
    return;
  }
}
