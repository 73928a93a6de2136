import type { FunctionCode, Instruction, Label, LaunchLimits, Program } from "../../interp/contract/program.ts";
import { functionAddress } from "../../interp/contract/window.ts";
import type * as ast from "../../parser/ast.ts";
import type { Source } from "../../source/source.ts";
import type { BlockNames } from "../declaration/block-names.ts";
import { type Formals, functionNames, placesOf, sizesOf } from "../declaration/formals.ts";
import type { ParameterBlock } from "../declaration/kernel-parameters.ts";
import { type BodyLayout, layOut } from "../declaration/layout.ts";
import { LocalArea, Windows } from "../declaration/windows.ts";
import { type Reached, referencesOf } from "../module/call-graph.ts";
import { callables } from "../module/callables.ts";
import type { Header } from "../module/header.ts";
import { readSignature } from "../module/signature.ts";
import type { FunctionEntry, ModuleSymbol } from "../module/symbols.ts";
import type { Report } from "../report.ts";
import { Body } from "./body.ts";
import { callOf, type LaunchedFunction } from "./function-call.ts";
import { inferBody } from "./infer-body.ts";
import { type InferredResult, returnResults } from "./results.ts";
import { Slots } from "./slots.ts";
import { carryRead } from "./undefined-carry.ts";

/** A body and what it needs from its module. */
export interface ProgramInput {
  readonly source: Source;
  /** "" for a snippet. */
  readonly name: string;
  readonly body: ast.Block;
  /** Holds the parameters, or what a snippet inferred. */
  readonly outermost: BlockNames;
  /** True for a device function that is checked by itself. */
  readonly device?: boolean;
  readonly header: Header;
  readonly names: ReadonlyMap<string, ModuleSymbol>;
  readonly files: ReadonlyMap<number, string>;
  readonly parameters: ParameterBlock;
  /** What a snippet returns at its end. */
  readonly results?: readonly InferredResult[];
  readonly limits: LaunchLimits;
  readonly report: Report;
  /** The text lacks declarations; what can be inferred is. */
  readonly paste?: boolean;
  /** A device function that is run by itself: it is called before the body, which has nothing in it. */
  readonly launched?: LaunchedFunction;
  /** The functions that the body may call; absent when only the body itself is checked. */
  readonly reached?: Reached;
  /** The body of a function that has one. */
  readonly bodyOf?: (entry: FunctionEntry) => FunctionBody | undefined;
}

/** A device function's definition and its statements, with a report of its own. */
export interface FunctionBody {
  readonly func: ast.Func;
  readonly block: ast.Block;
  readonly report: Report;
}

/** 16 KiB, more than any GPU's default. */
const STACK = 16 << 10;
/** The least stack that a call of a recursive function takes, for its return address. */
const LEAST_FRAME = 16;

/**
 * Resolves a body, and those of its functions, into a program. What went wrong is in the reports; a program with errors
 * must not be run.
 */
export function assemble(input: ProgramInput): Program {
  const { source, name, parameters, limits, reached, device = false, results: returned = [] } = input;
  const { functions = [], stack = referencesOf(input.body, input.names).allocates } = reached ?? {};
  const windows = new Windows();
  // They are placed already, in this order from the beginning of local memory.
  for (const { symbol } of returned) windows.local.place(symbol.bytes, symbol.align);
  const layout = layOut({ ...input, windows, local: windows.local });
  const plans = functions.map((entry) => planned(entry, input, windows));
  windows.placeAll();

  const slots = new Slots();
  const code: Instruction[] = [];
  const stackSlot = stack ? slots.spare("r") : undefined;
  const shared = { ...input, windows, slots, code, callables: callables(input) };
  const lineOf = (offset: number): number => source.position(offset).line;
  const inferred = name === "" ? undefined : inferBody(input, layout, windows.local, input);
  const { launched } = input;
  const call = launched && callOf(launched, parameters, shared.callables.index(launched.entry.name), { slots, source });
  if (call) code.push(call.instruction);
  const main = new Body({
    ...shared,
    layout,
    device,
    infers: name === "" || inferred !== undefined,
    returns: device || returned.length > 0,
    report: inferred ?? input.report,
  });
  main.resolve();
  const { end } = input.body;
  const results = returned.length > 0 ? returnResults(code, returned, { start: end, end }, slots) : call?.results;
  const labels: Label[] = [...main.labels];
  // Behind it come those of the functions.
  const own = plans.length === 0 ? code : [...code];
  const registers = slots.registers(lineOf);
  const made = new Map<string, FunctionCode>();
  for (const plan of plans) made.set(plan.entry.name, translate(plan, stackSlot));

  const carryIn = carryRead(own);
  return {
    name,
    source,
    code,
    target: `sm_${input.header.target.sm}${input.header.target.suffix}`,
    ...(input.header.debug && { debug: true }),
    functions: functions.map(({ name, aliasee, index }) => {
      const found = made.get(aliasee ?? name);
      if (!found) throw new Error(`${name} is not among the functions`);
      return { ...found, name, address: functionAddress(index) };
    }),
    stackBytes: stack ? STACK : 0,
    ...(stackSlot !== undefined && { stackSlot }),
    registers,
    ...slots.done(),
    parameters: parameters.parameters,
    parameterBytes: parameters.bytes,
    sharedBytes: windows.sharedBytes,
    dynamicShared: windows.dynamicShared,
    localBytes: windows.local.bytes,
    variables: windows.placed,
    ...(carryIn && { carryIn }),
    limits,
    labels,
    ...(launched && { calls: launched.entry.name }),
    ...(results && { results }),
  };

  function translate(plan: Planned, stackSlot: number | undefined): FunctionCode {
    const { entry, definition } = plan;
    const base = { name: entry.name, address: functionAddress(entry.index) };
    if (!definition) {
      const { results, parameters } = entry.signature;
      return { ...base, entry: entry.name, registers: [], parameters: sizesOf(parameters), results: sizesOf(results) };
    }
    const { func, block, report, formals, layout, local, allocates } = definition;
    const at = code.length;
    const found = { body: block, outermost: formals.blockNames, report };
    const inferred = inferBody(found, layout, local, input);
    const inner = { name: func.name.text, device: true, returns: true, infers: inferred !== undefined };
    const body = new Body({ ...shared, ...found, ...inner, layout, report: inferred ?? report });
    const places = { parameters: placesOf(formals.parameters, body), results: placesOf(formals.results, body) };
    body.resolve();
    for (const label of body.labels) labels.push({ ...label, within: func.name.text });
    const registers = slots.registers(lineOf);
    const code_ = { ...base, entry: at, registers, ...places };
    if (stackSlot === undefined || (!local.framed && !allocates)) return code_;
    const frameSlots = [...body.frameSlots.values()];
    const saves: Record<"p" | "r" | "q", number[]> = { p: [], r: [stackSlot], q: [] };
    if (local.framed) {
      for (const { bank, slot, bits, elements } of registers)
        for (let each = 0; each < elements * (bits === 128 ? 2 : 1); each++) saves[bank].push(slot + each);
      for (const { bank, slot } of frameSlots) saves[bank].push(slot);
    }
    const frameBytes = local.framed ? Math.max(LEAST_FRAME, local.bytes) : 0;
    return { ...code_, recursive: { saves, frameBytes, frameAlign: Math.max(16, local.align), frameSlots } };
  }
}

/** A function whose variables have been placed in memory. */
interface Planned {
  readonly entry: FunctionEntry;
  readonly definition:
    | (FunctionBody & {
        readonly formals: Formals;
        readonly layout: BodyLayout;
        readonly local: LocalArea;
        readonly allocates: boolean;
      })
    | undefined;
}

function planned(entry: FunctionEntry, input: ProgramInput, windows: Windows): Planned {
  const found = entry.aliasee === undefined ? input.bodyOf?.(entry) : undefined;
  if (!found) return { entry, definition: undefined };
  const { func, block, report } = found;
  const local = input.reached?.recursive.has(entry.name) ? new LocalArea(true) : windows.local;
  const silent: Report = { source: input.source, diagnose: () => undefined };
  const formals = functionNames(readSignature(func, input.header, silent), local, report);
  const { header, names } = input;
  const layout = layOut({
    name: func.name.text,
    body: block,
    outermost: formals.blockNames,
    header,
    names,
    report,
    windows,
    local,
  });
  const allocates = input.reached?.allocating.has(entry.name) ?? false;
  return { entry, definition: { func, block, report, formals, layout, local, allocates } };
}
