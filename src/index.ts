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
  type Store,
  type StoreKey,
  type Supplier,
  type Text,
} from "./host/index.ts";
export type { ThreadId } from "./interp/contract/launch/thread-id.ts";
export type { Observer } from "./interp/contract/observer.ts";
export type { Program } from "./interp/contract/program.ts";
export type { HostSpace, Space } from "./interp/contract/space.ts";
export type { Stop } from "./interp/contract/stop.ts";
export type { RegisterView } from "./interp/contract/views.ts";
export type { RunOptions, Session, Snapshot } from "./interp/machine/session.ts";
export { type PoolMember, poolMember } from "./interp/pool-member.ts";
export { MachineView } from "./interp/tools/machine-view.ts";
export type { PoolMessage } from "./interp/worker-pool/message.ts";
export type { Teamwork } from "./interp/worker-pool/team.ts";
export type { WorkerPool } from "./interp/worker-pool/worker-pool.ts";
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
