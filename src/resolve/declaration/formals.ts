import type { Operand } from "../../interp/contract/operand.ts";
import type { ParameterLocation } from "../../interp/contract/program.ts";
import type * as ast from "../../parser/ast.ts";
import { slotOf } from "../instruction/operand/register.ts";
import { duplicate } from "../module/names/functions.ts";
import type { FunctionParameter, Signature } from "../module/names/signature.ts";
import type { Report } from "../report.ts";
import { BlockNames, spanOf } from "./block-names.ts";
import { isRegisterType } from "./fundamental-types.ts";
import type { ParameterBlock } from "./kernel-parameters.ts";
import { paramVariable, type RegisterSymbol, type Scope, type VariableSymbol } from "./scope.ts";
import type { LocalArea } from "./windows.ts";

/** A kernel's parameters as variables of its body. */
export const parameterSymbols = ({ parameters }: ParameterBlock): readonly VariableSymbol[] =>
  parameters.map(({ name, type, bytes, align, offset, span }) =>
    paramVariable({ name, type, bytes, align, offset, span }),
  );

/** A kernel's parameters as names of its body; they share a block with the body's outermost names (measured). */
export function kernelNames(block: ParameterBlock, func: ast.Func, report: Report): BlockNames {
  const blockNames = new BlockNames();
  const names = new Map(func.parameters.flatMap(({ name }) => (name ? [[name.text, name] as const] : [])));
  const symbols = parameterSymbols(block);
  const known = new Set(symbols.map(({ name }) => name));
  for (const symbol of symbols) {
    // No text can name `_`: it is the sink.
    const first = blockNames.declare(symbol, symbol.name === "_" ? "" : symbol.name);
    if (first) duplicate({ text: symbol.name, ...symbol.span }, first, report);
  }
  // A parameter with an error is entered anyway, so that its uses are not reported, too.
  for (const [text, name] of names)
    if (!known.has(text))
      blockNames.declare(paramVariable({ name: text, type: "b64", bytes: 8, align: 8, offset: 0, span: spanOf(name) }));
  return blockNames;
}

type Formal = RegisterSymbol | VariableSymbol;

/** A device function's parameters and results: symbols in their order, undefined for one without a name. */
export interface Formals {
  readonly blockNames: BlockNames;
  readonly results: readonly Formal[];
  readonly parameters: readonly Formal[];
}

/** Places a device function's parameters: `.reg` ones are registers, `.param` ones are in `local` memory. */
export function functionNames({ results, parameters }: Signature, local: LocalArea, report: Report): Formals {
  const blockNames = new BlockNames();
  const enter =
    (passes: "parameter" | "result") =>
    (formal: FunctionParameter): Formal => {
      const symbol = symbolOf(formal, passes, local);
      const first = formal.name && formal.name.text !== "_" ? blockNames.declare(symbol) : undefined;
      if (first && formal.name) duplicate(formal.name, first, report);
      return symbol;
    };
  return { blockNames, results: results.map(enter("result")), parameters: parameters.map(enter("parameter")) };
}

function symbolOf(formal: FunctionParameter, passes: "parameter" | "result", local: LocalArea): Formal {
  const { name: written, type, elements, align, bytes = 0, space } = formal;
  const name = written?.text ?? "_";
  const span = written ? spanOf(written) : { start: 0, end: 0 };
  if (space === "reg" && isRegisterType(type)) return { kind: "register", name, type, elements, span };
  const offset = local.place(bytes, align);
  const framed = local.framed ? { framed: true as const } : {};
  return paramVariable({ name, type, bytes, align, offset, ...framed, passes, span });
}

/** Where the parameters of a function are while it runs; a vector register has one location for each element. */
export function placesOf(
  formals: readonly Formal[],
  scope: Pick<Scope, "use" | "inFrame">,
): readonly ParameterLocation[] {
  return formals.flatMap((formal): readonly ParameterLocation[] => {
    if (formal.kind === "register") {
      const register = scope.use(formal);
      return Array.from({ length: formal.elements }, (_, element) => {
        const slot = slotOf(register, element);
        if (slot.kind !== "slot" && slot.kind !== "predicate") throw new Error(`${formal.name} is in no bank`);
        return { kind: "slot", slot };
      });
    }
    const offset = BigInt(formal.offset ?? 0);
    const base = formal.framed ? { base: scope.inFrame(0, 64) } : {};
    const at: Operand & { kind: "address" } = { kind: "address", ...base, offset };
    return [{ kind: "memory", at, bytes: formal.bytes }];
  });
}

/** The same for a function without a body, of which only the sizes matter. */
export const sizesOf = (formals: readonly FunctionParameter[]): readonly ParameterLocation[] =>
  formals.map(({ bytes = 0 }) => ({ kind: "memory", at: { kind: "address", offset: 0n }, bytes }));
