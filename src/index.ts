/**
 * ptxrun as a library: read PTX, check it, run it.
 *
 * The table of instructions is `ptxrun/isa`, the arithmetic `ptxrun/numeric`.
 */
export {
  type Argument,
  type Arguments,
  Buffer,
  type Contents,
  Debugger,
  type DebugStop,
  Device,
  type DeviceOptions,
  type ElementType,
  type Extent,
  HostError,
  Kernel,
  type Launch,
  type LaunchOptions,
  lint,
  Module,
  must,
  type SnippetOptions,
  type Text,
} from "./host/index.ts";
export type { Space } from "./interp/contract/plan.ts";
export type { Program } from "./interp/contract/program.ts";
export type {
  Observer,
  RegisterView,
  RunOptions,
  Session,
  Snapshot,
  Stop,
  ThreadId,
} from "./interp/contract/session.ts";
export { match, table } from "./isa/index.ts";
export {
  isModule,
  parse,
  parseBody,
  parseSection,
  parseSnippet,
  print,
  printBlock,
  printExpr,
  printInstruction,
  printOperand,
  printStatement,
  printStatements,
} from "./parser/index.ts";
export { diagnosticToJson, renderDiagnostic, renderDiagnostics } from "./present/diagnostic.ts";
export {
  type Code,
  codes,
  type Diagnostic,
  hasErrors,
  type Position,
  Source,
  type Span,
  type Staged,
} from "./source/index.ts";
