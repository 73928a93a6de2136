import type { LaunchLimits, Program } from "../interp/program.ts";
import type * as ast from "../parser/ast.ts";
import type { Source } from "../source/source.ts";
import { Body } from "./body.ts";
import { carryRead } from "./carry.ts";
import type { Frame } from "./frame.ts";
import type { Header } from "./header.ts";
import { type Layout, layOut } from "./layout.ts";
import { liveIn } from "./liveness.ts";
import type { ParameterBlock } from "./parameters.ts";
import type { Report } from "./report.ts";
import type { ModuleSymbol } from "./symbols.ts";

/** A body and everything around it that matters to it. */
export interface ProgramInput {
  readonly source: Source;
  /** "" for a snippet. */
  readonly name: string;
  readonly body: ast.Block;
  /** Holds the parameters, or what a snippet inferred. */
  readonly outermost: Frame;
  readonly header: Header;
  readonly names: ReadonlyMap<string, ModuleSymbol>;
  readonly files: ReadonlyMap<number, string>;
  readonly parameters: ParameterBlock;
  readonly limits: LaunchLimits;
  readonly report: Report;
}

/** Resolves a body into a program. What went wrong is in the report; then the program is not fit to run. */
export function assemble(input: ProgramInput): { readonly program: Program; readonly layout: Layout } {
  const { source, name, parameters, limits } = input;
  const parameterBytes = parameters.bytes;
  const layout = layOut({ ...input, parameterBytes });
  const body = new Body({ ...input, layout, parameterBytes });
  body.resolve();
  const code = body.code;
  const allotted = body.slots.done((offset) => source.position(offset).line);
  const carryIn = carryRead(code);
  const program: Program = {
    name,
    source,
    code,
    functions: [],
    stackBytes: 0,
    ...allotted,
    parameters: parameters.parameters,
    parameterBytes,
    sharedBytes: layout.sharedBytes,
    dynamicShared: layout.dynamicShared,
    localBytes: layout.localBytes,
    variables: layout.placed,
    liveIn: liveIn(code, allotted.registers),
    ...(carryIn && { carryIn }),
    limits,
  };
  return { program, layout };
}
