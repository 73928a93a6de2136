import type { SimdFill, SimdThreads } from "../../../../src/interp/contract/launch/simd.ts";
import type { ModuleVariable, Program } from "../../../../src/interp/contract/program.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../../../src/source/diagnostic.ts";
import type { Source } from "../../../../src/source/source.ts";
import type * as ast from "../ast.ts";
import { formOf } from "../isa/table.ts";
import { bytesOfType, factsOf } from "../type.ts";
import type { Beside } from "../zeinfo/beside.ts";
import { type Layout, layoutsIn } from "../zeinfo/layout.ts";
import { Body } from "./body.ts";
import { StackFunctions } from "./functions.ts";
import { type InputFacts, type Inputs, placesOf } from "./inputs.ts";
import { inputsByLayout } from "./inputs-by-layout.ts";
import { inputsByOrder } from "./inputs-by-order.ts";
import { type Platform, platformOf } from "./platform.ts";
import { predefinedNamed } from "./predefined.ts";
import { Report } from "./report.ts";
import { Storage } from "./storage.ts";
import { Symbols } from "./symbols.ts";

/** Words of %r0 with the id of the group, along x, y and z (D/4_visa_header.md; Intel's dumps read them there). */
const GROUP_WORDS = [1, 6, 7] as const;

/** Byte of %r0 with the number of the thread in its group. */
const THREAD_BYTE = 8;

/** The ids of the group and of the thread in it, where %r0 and the predefined variables have them. */
const groupIds = (symbols: Symbols): SimdFill[] => [
  ...fact(symbols, "%sr0", 0, undefined).map((each): SimdFill => ({ ...each, of: "hardware thread" })),
  ...fact(symbols, "%r0", THREAD_BYTE, undefined),
  ...GROUP_WORDS.flatMap((word, axis) => fact(symbols, "%r0", 4 * word, axis)),
  ...["x", "y", "z"].flatMap((letter, axis) => fact(symbols, `%group_id_${letter}`, 0, axis)),
];

/** The variable with the address of a thread's scratch space. */
const SCRATCH_ADDRESS = "%scratchloc";

function scratchAddress(symbols: Symbols): SimdFill[] {
  const variable = symbols.known(SCRATCH_ADDRESS);
  return variable === undefined
    ? []
    : [{ variable, offset: 0, bytes: 8, count: 1, of: "address", target: symbols.scratch() }];
}

const frameAddress = ({ frames }: Symbols): SimdFill[] =>
  frames === undefined
    ? []
    : [{ variable: frames.next, offset: 0, bytes: 8, count: 1, of: "address", target: frames.whole }];

/** One word: the id of the group along an axis, or the thread's number without an axis. */
function fact(symbols: Symbols, name: string, offset: number, axis: number | undefined): SimdFill[] {
  const found = symbols.known(name);
  if (found === undefined) return [];
  const word = { variable: found, offset, bytes: 4, count: 1 } as const;
  return [axis === undefined ? { ...word, of: "thread" } : { ...word, of: "group id", axis: axis as 0 | 1 | 2 }];
}

/**
 * Declarations for a snippet that has none: a variable has the type of the immediates in the same instruction, and is
 * as large as its largest use.
 */
function inferred(kernel: ast.Kernel, grf: number, report: Report): ast.Kernel {
  const declared = new Set(
    kernel.statements.flatMap((each) => ("name" in each && each.kind !== "attribute" ? [each.name.text] : [])),
  );
  const found = new Map<string, InferredVariable>();
  for (const statement of kernel.statements) if (statement.kind === "instruction") gather(statement, grf, found);
  const made: ast.Declaration[] = [];
  for (const [name, { kind, type, bytes, span }] of found) {
    if (declared.has(name) || predefinedNamed(name) !== undefined) continue;
    const own = { name: { text: name, span }, attributes: [], span };
    if (kind !== "variable") made.push({ ...own, kind, elements: kind === "predicate" ? 32 : 16 });
    else {
      if (type === undefined) report.note("PTX8307", `${name} is taken as elements of type d`, span);
      const size = bytesOfType(type ?? "d");
      made.push({ ...own, kind, type: type ?? "d", elements: Math.max(1, Math.ceil(bytes / size)) });
    }
  }
  return { ...kernel, statements: [...made, ...kernel.statements] };
}

interface InferredVariable {
  readonly kind: "variable" | "predicate" | "address";
  readonly type?: ast.Type;
  readonly bytes: number;
  readonly span: ast.Name["span"];
}

function gather(instruction: ast.Instruction, grf: number, found: Map<string, InferredVariable>): void {
  const { operands, execution, predicate } = instruction;
  const beside = operands.find(({ kind }) => kind === "immediate");
  const type = beside?.kind === "immediate" && factsOf(beside.type).kind !== "packed" ? beside.type : undefined;
  const note = ({ text, span }: ast.Name, kind: InferredVariable["kind"], bytes = 0): void => {
    const known = found.get(text);
    const chosen = known?.type ?? (kind === "variable" ? type : undefined);
    found.set(text, {
      kind: known?.kind ?? kind,
      bytes: Math.max(bytes, known?.bytes ?? 0),
      span: known?.span ?? span,
      ...(chosen === undefined ? {} : { type: chosen }),
    });
  };
  if (predicate !== undefined) note(predicate.name, "predicate");
  const labels = formOf(instruction)?.operands.some(({ kinds }) => kinds.includes("label"));
  for (const operand of operands) {
    if (operand.kind === "general") {
      const size = bytesOfType(found.get(operand.variable.text)?.type ?? type ?? "d");
      note(
        operand.variable,
        "variable",
        operand.row * grf + (operand.column + reach(operand.region, execution?.size ?? 1)) * size,
      );
    } else if (operand.kind === "indirect") note(operand.address, "address");
    else if (operand.kind === "address") note(operand.name, "address");
    else if (operand.kind === "predicate" && !labels) note(operand.name, "predicate");
    else if (operand.kind === "address of") note(operand.variable, "variable", grf);
  }
}

/** How many elements a region spans. */
function reach({ vertical = 0, width, horizontal }: ast.Region, size: number): number {
  const columns = Math.max(1, Math.min(width ?? size, size));
  const rows = Math.ceil(size / columns);
  return (rows - 1) * vertical + (columns - 1) * horizontal + 1;
}

/** The name of the register that holds a thread's initial lanes: all 32 unless the host says otherwise. */
export const DISPATCH = "%em";

/** A vISA file whose kernels can run: what a host needs from a module, whatever its language. */
export interface VisaImage {
  readonly source: Source;
  readonly variables: readonly ModuleVariable[];
  readonly entries: readonly string[];
  /** Functions of vISA are not run by themselves. */
  readonly functions: readonly string[];
  kernel(name: string): Staged<Program | undefined>;
  lint(): readonly Diagnostic[];
}

/** The most local memory of a group, bytes: the default where the kernel gives no size. */
const MOST_LOCAL = 65_536;

export interface LoadOptions {
  readonly platform?: Platform;
  /** Bytes of a register, where they are not the platform's. */
  readonly grf?: 32 | 64;
  /** Undeclared names are inferred from their uses. */
  readonly infer?: boolean;
  /** The `.zeinfo` of the compilation, which says what the inputs of each kernel are, and the program's constants. */
  readonly beside?: Beside;
}

/** Checks a file and places its variables. Never throws for bad input. */
export function loadFile(source: Source, file: ast.File, options: LoadOptions = {}): Staged<VisaImage | undefined> {
  const chosen = options.platform ?? platformOf(source.text);
  const platform: Platform = { ...chosen, grf: options.grf ?? chosen.grf };
  const kernels = new Map<string, Staged<Program>>();
  const variables: ModuleVariable[] = [];
  const { beside } = options;
  const layouts = beside && layoutsIn(beside.zeinfo);
  if (layouts !== undefined && layouts.value === undefined)
    return { value: undefined, diagnostics: layouts.diagnostics };
  // Functions alone are read, too, as they are checked alone.
  const functions = file.kernels.filter(({ kind }) => kind === "function");
  const whole =
    functions.length === file.kernels.length ? file.kernels : file.kernels.filter(({ kind }) => kind === "kernel");
  const called = new StackFunctions(whole === file.kernels ? [] : functions);
  for (const [at, kernel] of whole.entries()) {
    // Variables of further kernels have their kernel's name as a prefix.
    const storage = new Storage(at === 0 ? "" : `${kernel.name.text}.`);
    const report = new Report(source);
    const complete = options.infer ? inferred(kernel, platform.grf, report) : kernel;
    const layout = layouts?.value?.get(kernel.name.text);
    const made = programOf(report, complete, platform, storage, {
      isNew: file.version.major > 4 || (file.version.major === 4 && file.version.minor >= 2),
      functions: called,
      ...(beside && { beside, layout }),
    });
    if (!kernels.has(kernel.name.text)) {
      kernels.set(kernel.name.text, made);
      variables.push(...storage.variables);
    }
  }
  const all = [...kernels.values()].flatMap(({ diagnostics }) => diagnostics);
  return {
    value: {
      source,
      variables,
      entries: [...kernels.keys()],
      functions: [],
      kernel(name) {
        const made = kernels.get(name);
        if (made === undefined) return { value: undefined, diagnostics: [] };
        return { value: hasErrors(made.diagnostics) ? undefined : made.value, diagnostics: made.diagnostics };
      },
      lint: () => all,
    },
    diagnostics: [],
  };
}

/** The initial lanes: as many as a thread has work-items, all 32 where the kernel does not give the number. */
function dispatched(kernel: ast.Kernel): bigint {
  const size = attributeOf(kernel, "simdsize");
  return size > 0 ? BigInt.asUintN(32, (1n << BigInt(Math.min(32, size))) - 1n) : 0xffff_ffffn;
}

/** The number that an attribute gives; 0 for none. */
function attributeOf({ statements }: ast.Kernel, name: string): number {
  for (const each of statements)
    if (each.kind === "attribute" && each.name.text.toLowerCase() === name) return Number(each.value) || 0;
  return 0;
}

function inputsOf(
  { name, statements }: ast.Kernel,
  symbols: Symbols,
  report: Report,
  { isNew, beside, layout }: Origin,
  facts: InputFacts,
): Inputs {
  const places = placesOf(inputsIn(statements), symbols);
  if (beside === undefined) return inputsByOrder(places, isNew, facts);
  if (layout !== undefined) {
    if (layout.simd !== facts.width)
      report.warning(
        "PTX8402",
        `${beside.zeinfo.name} describes ${layout.simd} work-items a thread, and this is for ${facts.width}`,
        name.span,
        "the dump that the compiler took in the end",
      );
    return inputsByLayout(places, layout, facts, { report, beside, span: name.span, symbols });
  }
  if (places.length === 0) return inputsByOrder(places, isNew, facts);
  report.error(
    "PTX8402",
    `${beside.zeinfo.name} has no kernel ${name.text}`,
    name.span,
    "the .zeinfo of the same compilation",
  );
  return inputsByOrder(places, isNew, facts);
}

const inputsIn = (statements: readonly ast.Statement[]): readonly ast.Input[] =>
  statements.filter((each): each is ast.Input => each.kind === "input");

/** What says how the kernel's inputs are laid out. */
interface Origin {
  /** Written by IGC 2. */
  readonly isNew: boolean;
  /** What it may call by the stack. */
  readonly functions: StackFunctions;
  readonly beside?: Beside;
  /** What the `.zeinfo` says of this kernel. */
  readonly layout?: Layout | undefined;
}

/** A kernel's statements as a program. */
export function programOf(
  report: Report,
  kernel: ast.Kernel,
  platform: Platform,
  storage: Storage,
  origin: Origin,
): Staged<Program> {
  const { name } = kernel;
  const dispatchSlot = storage.predicate(DISPATCH, name.span);
  const symbols = new Symbols(report, platform, storage);
  // Registers that do not fit are spilled behind the kernel's own scratch data.
  symbols.scratchBytes = attributeOf(kernel, "spillmemoffset") || symbols.scratchBytes;
  symbols.programConstants = origin.beside?.constants;
  // The host may set it even if the kernel does not use it.
  symbols.find("%cr0");
  const body = new Body(report, platform, storage, symbols, dispatchSlot, origin.functions);
  body.statements(kernel.statements);
  const last = kernel.statements.at(-1)?.span ?? name.span;
  body.finish({ start: last.end, end: last.end });
  const width = Math.min(32, attributeOf(kernel, "simdsize") || 32);
  // The payload, or a variable, may have its address.
  if (
    symbols.known(SCRATCH_ADDRESS) !== undefined ||
    origin.layout?.payload.some(({ type }) => type === "scratch_pointer")
  )
    symbols.scratch();
  const taken = inputsOf(kernel, symbols, report, origin, {
    width,
    grf: platform.grf,
    perThread: attributeOf(kernel, "perthreadinputsize") || undefined,
    usesLocal: body.usesLocalMemory,
    handles: body.handles,
  });
  const table = symbols.surfaceTable;
  const { shared } = symbols;
  const simd: SimdThreads = {
    width,
    registerBytes: platform.grf,
    inputs: taken.inputs,
    locals: taken.locals,
    ownLocalBytes: origin.layout?.localBytes ?? 0,
    fills: [...taken.fills, ...groupIds(symbols), ...scratchAddress(symbols), ...frameAddress(symbols)],
    assumed: taken.assumed,
    // A view is part of another variable, and all threads have the same surfaces and constants.
    variables: storage.variables.filter(({ name, part }) => part === undefined && !shared.has(name)),
    views: storage.variables.flatMap(({ name, part }) => (part === undefined ? [] : [{ name, ...part }])),
    ...(table === undefined
      ? {}
      : { surfaces: { variable: table, ...(taken.surfaces === undefined ? {} : { entries: taken.surfaces }) } }),
    ...(symbols.samplerTable === undefined
      ? {}
      : { samplers: { variable: symbols.samplerTable, entries: taken.samplers ?? [] } }),
    localBytes: !body.usesLocalMemory
      ? 0
      : taken.locals.length > 0
        ? MOST_LOCAL
        : 1024 * attributeOf(kernel, "slmsize") || MOST_LOCAL,
  };
  const value: Program = {
    name: name.text,
    source: report.source,
    code: body.code,
    labels: body.labels,
    functions: body.functions,
    stackBytes: 0,
    target: "",
    registers: storage.registers,
    banks: storage.banks,
    constants: storage.constants,
    specials: storage.specials,
    parameters: taken.parameters,
    parameterBytes: taken.parameterBytes,
    simd,
    sharedBytes: 0,
    dynamicShared: 0,
    localBytes: 0,
    variables: [],
    limits: {},
    dispatchSlot,
    initial: new Map([[DISPATCH, [dispatched(kernel)]]]),
  };
  return { value, diagnostics: report.diagnostics };
}
