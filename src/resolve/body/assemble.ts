import type { FunctionCode, Instruction, Label, LaunchLimits, Program } from "../../interp/contract/program.ts";
import { functionAddress } from "../../interp/contract/window.ts";
import { mayLaunch } from "../../interp/driver/device-runtime.ts";
import type * as ast from "../../parser/ast.ts";
import type { Source } from "../../source/source.ts";
import { BlockNames } from "../declaration/block-names.ts";
import { type Formals, functionNames, placesOf, sizesOf } from "../declaration/formals.ts";
import type { ParameterBlock } from "../declaration/kernel-parameters.ts";
import { type BodyLayout, layOut } from "../declaration/layout.ts";
import { paramVariable } from "../declaration/scope.ts";
import { LocalArea, Windows } from "../declaration/windows.ts";
import { type Reached, referencesOf } from "../module/call-graph.ts";
import type { Header } from "../module/header/header.ts";
import { callables } from "../module/names/callables.ts";
import { nameIn } from "../module/names/names-in.ts";
import { readSignature, type Signature } from "../module/names/signature.ts";
import type { FunctionEntry, ModuleSymbol } from "../module/names/symbols.ts";
import { type Report, reject, without } from "../report.ts";
import { Body } from "./body.ts";
import { callOf, type LaunchedFunction } from "./function-call.ts";
import { inferRegisters } from "./infer-registers.ts";
import { type InferredResult, returnResults } from "./results.ts";
import { Slots } from "./slots.ts";
import { stemOf, typeByName } from "./type-of-uses.ts";
import { carryRead } from "./undefined-carry.ts";

interface Place {
  readonly type: string;
  readonly bytes: number;
  readonly align: number;
}

/**
 * Declares the `.param` variables in which a block passes arguments and takes results without declaring them (`param0`,
 * `retval0`): as large as the function's own, or, of a function that is not known, as what is stored and loaded.
 */
function inferArguments(
  block: ast.Block,
  namesByBlock: ReadonlyMap<ast.Block, BlockNames>,
  local: LocalArea,
  signature: (name: string) => Signature | undefined,
): void {
  const places = new Map<string, Place>();
  const passed = new Set<string>();
  for (const statement of block.statements) {
    if (statement.kind === "block") inferArguments(statement, namesByBlock, local, signature);
    if (statement.kind !== "instruction") continue;
    if (statement.mnemonic.text === "call") fromCall(statement, signature, passed, places);
    else if (statement.modifiers[0]?.text.startsWith("param")) fromAccess(statement, places);
  }
  const blockNames = namesByBlock.get(block);
  for (const name of passed) {
    const place = places.get(name);
    if (!place || !blockNames || blockNames.find(name, Number.POSITIVE_INFINITY)) continue;
    const { type, bytes, align } = place;
    const offset = local.place(bytes, align);
    const framed = local.framed ? { framed: true as const } : {};
    const span = { start: block.start, end: block.start + 1 };
    blockNames.declare(paramVariable({ name, type, bytes, align, offset, passes: "argument", ...framed, span }));
  }
}

/** Notes what a call passes by name; a known function gives its size. */
function fromCall(
  { operands }: ast.Instruction,
  signature: (name: string) => Signature | undefined,
  passed: Set<string>,
  places: Map<string, Place>,
): void {
  const [first, ...others] = operands;
  const results = first?.kind === "list" ? first : undefined;
  const [callee, list] = results ? others : operands;
  const known = callee?.kind === "name" ? signature(callee.name.text) : undefined;
  for (const [given, formals] of [
    [results, known?.results],
    [list, known?.parameters],
  ] as const) {
    if (given?.kind !== "list") continue;
    for (const [index, operand] of given.items.entries()) {
      if (operand.kind !== "name" || operand.component || operand.name.text.startsWith("%")) continue;
      passed.add(operand.name.text);
      const formal = formals?.[index];
      if (formal?.space === "param" && formal.bytes !== undefined)
        places.set(operand.name.text, { type: formal.type, bytes: formal.bytes, align: formal.align });
    }
  }
}

/** `st.param.v2.b32 [param0+8], ...` reaches to byte 16. */
function fromAccess({ modifiers, operands }: ast.Instruction, places: Map<string, Place>): void {
  const at = operands.find(({ kind }) => kind === "address");
  const name = at && nameIn(at)?.text;
  if (at?.kind !== "address" || name === undefined) return;
  const bits = Number(/^[a-z]+(\d+)$/.exec(modifiers.at(-1)?.text ?? "")?.[1] ?? 0);
  const elements = modifiers.some(({ text }) => text === "v4")
    ? 4
    : modifiers.some(({ text }) => text === "v2")
      ? 2
      : 1;
  const { base } = at;
  const offset =
    base.kind === "expr" && base.value.kind === "binary" && base.value.right.kind === "integer"
      ? Number(base.value.right.text)
      : 0;
  const before = places.get(name);
  const end = offset + (bits / 8) * elements;
  if (bits < 8 || !(end < 2 ** 16)) return;
  const bytes = Math.max(before?.bytes ?? 0, end);
  places.set(name, { type: `b${bits}`, bytes, align: Math.max(before?.align ?? 1, (bits / 8) * elements) });
}

/** A body with its declarations already entered. */
interface InferInput {
  readonly body: ast.Block;
  readonly outermost: BlockNames;
  readonly report: Report;
}

/** Settings that are the same for all bodies of a program. */
interface InferAround {
  readonly names: ReadonlyMap<string, ModuleSymbol>;
  /** The text lacks declarations: bodies that declare some of their registers may leave others undeclared. */
  readonly paste?: boolean;
}

/**
 * Infers the registers of a module's body that declares none: Compiler Explorer's filter of directives leaves the
 * `.reg` lines out. PTX9011 says so. In a body that declares one nothing is inferred, because a missing name there is
 * more likely a typo; in a `paste`, names by the custom of compilers (`%rd1`) are inferred even there, if it declares
 * no other of their kind.
 *
 * The result is undefined where nothing was inferred; else it is the report for the rest of the body, without what
 * would be said about names whose uses do not agree.
 */
function inferBody(
  { body, outermost, report }: InferInput,
  { namesByBlock }: BodyLayout,
  local: LocalArea,
  { names, paste = false }: InferAround,
): Report | undefined {
  const signature = (name: string): Signature | undefined => {
    const found = names.get(name);
    return found?.kind === "function" && found.missing !== "code" ? found.signature : undefined;
  };
  if (paste) inferArguments(body, namesByBlock, local, signature);
  const declared = new Set<string>();
  collectStems(body, declared);
  if (declared.size > 0 && !paste) return undefined;
  const inferred = new BlockNames(undefined, { anywhere: true });
  const disputed = inferRegisters(body, namesByBlock, inferred, report, {
    infers: (name, written) => {
      if (names.has(name)) return false;
      const usual = typeByName(name) !== undefined;
      if (declared.size > 0) return written && usual && !declared.has(stemOf(name));
      // A name that is only read and does not look like a register is a variable whose declaration
      // is missing.
      return written || usual;
    },
    signature,
  });
  const [first] = inferred.names("register");
  const symbol = first === undefined ? undefined : inferred.find(first, 0);
  if (symbol === undefined && disputed.size === 0) return undefined;
  outermost.surround(inferred);
  if (symbol !== undefined)
    reject(report, "PTX9011", symbol.span, `no .reg line declares ${symbol.name}: registers are inferred`, {
      severity: "note",
      help: [{ message: "each gets the type that its uses and its name suggest; .reg lines make it certain" }],
    });
  return without(disputed, report);
}

/** The stems (`%rd` of `%rd1` and `%rd<9>`) of all registers that a block and its inner blocks declare. */
function collectStems(block: ast.Block, into: Set<string>): void {
  for (const statement of block.statements) {
    if (statement.kind === "block") collectStems(statement, into);
    if (statement.kind !== "declaration" || statement.space.text !== "reg") continue;
    for (const { name } of statement.variables) into.add(stemOf(name.text));
  }
}

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
  /** The text lacks declarations; they are inferred where possible. */
  readonly paste?: boolean;
  /** A device function that is run by itself: it is called before the body, which is empty. */
  readonly launched?: LaunchedFunction;
  /** The functions that the body may call; absent when only the body itself is checked. */
  readonly reached?: Reached;
  /** The body of a function that has one. */
  readonly bodyOf?: (entry: FunctionEntry) => FunctionBody | undefined;
}

/** A device function's definition and its statements, with a separate report. */
export interface FunctionBody {
  readonly func: ast.Func;
  readonly block: ast.Block;
  readonly report: Report;
}

const kernelsIn = (names: ReadonlyMap<string, ModuleSymbol>): ReadonlyMap<bigint, string> =>
  new Map(
    [...names.values()].flatMap((each) =>
      each.kind === "function" && each.entry ? [[functionAddress(each.index), each.name] as const] : [],
    ),
  );

/** 16 KiB, more than any GPU's default. */
const STACK = 16 << 10;
/** The least stack that a call of a recursive function takes, for its return address. */
const LEAST_FRAME = 16;

/**
 * Resolves a body, and those of its functions, into a program. Errors are in the reports; a program with errors must
 * not be run.
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
    hasBlockMemory: limits.blockMemory !== undefined,
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
    ...(functions.some(({ name }) => mayLaunch(name)) && { kernels: kernelsIn(input.names) }),
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
