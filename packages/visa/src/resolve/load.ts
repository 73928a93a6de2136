import type { AssumedSize, SimdFact, SimdFill, SimdThreads } from "../../../../src/interp/contract/launch/simd.ts";
import type { ModuleVariable, Parameter, Program } from "../../../../src/interp/contract/program.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../../../src/source/diagnostic.ts";
import type { Source } from "../../../../src/source/source.ts";
import type * as ast from "../ast.ts";
import { formOf } from "../isa/table.ts";
import { bytesOfType, factsOf } from "../type.ts";
import { Body } from "./body.ts";
import { type Platform, platformOf } from "./platform.ts";
import { predefinedNamed } from "./predefined.ts";
import { Report } from "./report.ts";
import { elementType, Storage } from "./storage.ts";
import { Symbols } from "./symbols.ts";

/** The launch inputs of a kernel. */
interface Inputs {
  readonly parameters: readonly Parameter[];
  readonly parameterBytes: number;
  /** The variable of each parameter. */
  readonly variables: readonly string[];
  readonly fills: readonly SimdFill[];
  readonly assumed: readonly AssumedSize[];
}

interface Place {
  readonly input: ast.Input;
  readonly type: ast.Type;
  readonly elements: number;
  readonly place: string;
}

/** Words of %r0 with the id of the group, along x, y and z (D/4_visa_header.md; Intel's dumps read them there). */
const GROUP_WORDS = [1, 6, 7] as const;

/**
 * The last inputs of three dwords, from the last one on, as Intel's OpenCL compiler appends them: only those that a
 * kernel uses, and a dump does not name them. The last is the size from which the ids of work-items follow.
 */
const trailing: readonly SimdFact[] = ["local size", "local size", "global size", "group count"];

/** With two, the first may be any of them; a kernel without local memory mostly strides by the global size. */
const trailingOf = (sizes: number, usesLocal: boolean): readonly SimdFact[] =>
  sizes === 2 && !usesLocal ? ["local size", "global size"] : trailing;

const named: Readonly<Record<string, SimdFact>> = {
  LOCAL_SIZE: "local size",
  UNDEFINED_1: "local size",
  GROUP_COUNT: "group count",
  UNDEFINED_2: "group count",
};

/**
 * Separates a kernel's arguments from the launch's own inputs: local ids are words at the front, three times as many
 * as a thread has work-items, or none; behind them stand eight dwords of a header; sizes are three dwords each, at the
 * end.
 */
function inputsOf(
  inputs: readonly ast.Input[],
  symbols: Symbols,
  { width, usesLocal }: { readonly width: number; readonly usesLocal: boolean },
): Inputs {
  const places = inputs.flatMap((input): Place[] => {
    const found = symbols.find(input.variable.text);
    if (found?.kind !== "variable") return [];
    return [{ input, type: found.type, elements: found.elements, place: found.root }];
  });
  const implicit = places.filter(({ input }) => input.implicit !== undefined);
  const all = places.filter(({ input }) => input.implicit === undefined);
  const ids = all.findIndex(({ type }) => type !== "w" && type !== "uw");
  const words = all.slice(0, ids < 0 ? all.length : ids);
  const local = words.length > 0 && words.length % 3 === 0 ? words : [];
  const rest = all.slice(local.length);
  const header = rest[0]?.elements === 8 && bytesOfType(rest[0].type) === 4 ? rest.slice(0, 1) : [];
  const others = rest.slice(header.length);
  let sizes = 0;
  while (isTriple(others.at(-1 - sizes)) && sizes < trailing.length) sizes++;
  const given = others.slice(0, others.length - sizes);
  const triples = others.slice(others.length - sizes);
  const facts = trailingOf(sizes, usesLocal);
  const factOf = (at: number): SimdFact => facts[triples.length - 1 - at] ?? "local size";
  // With all four there is nothing to guess, and the last is never another.
  const assumed = sizes === trailing.length ? [] : triples.slice(0, -1);
  const fills: SimdFill[] = [
    ...localIds(local, width),
    ...header.map(({ place }): SimdFill => ({ variable: place, offset: 0, bytes: 4, count: 8, of: "zero" })),
    ...triples.map(({ place }, at): SimdFill => axes(place, factOf(at))),
    ...implicit.flatMap(({ input, place }) => {
      const of = named[input.implicit ?? ""];
      return of === undefined ? [] : [axes(place, of)];
    }),
  ];
  return {
    ...parametersOf(given),
    fills,
    assumed: assumed.map(({ input: { variable } }, at) => ({
      name: variable.text,
      span: variable.span,
      of: factOf(at),
    })),
  };
}

const isTriple = (place: Place | undefined): boolean =>
  place !== undefined && place.elements === 3 && bytesOfType(place.type) === 4;

const axes = (variable: string, of: SimdFact): SimdFill => ({ variable, offset: 0, bytes: 4, count: 3, of });

/** Variables of words, one after the other, for each axis as many as contain the work-items of a thread. */
function localIds(places: readonly Place[], width: number): SimdFill[] {
  const each = places.length / 3;
  return places.map(({ place, elements }, at): SimdFill => {
    const axis = Math.floor(at / each) as 0 | 1 | 2;
    const first = (at % each) * elements;
    const count = Math.max(0, Math.min(elements, width - first));
    return { variable: place, offset: 0, bytes: 2, count, of: "local id", axis, first };
  });
}

/** Byte of %r0 with the number of the thread in its group. */
const THREAD_BYTE = 8;

/** The ids of the group and of the thread in it, where %r0 and the predefined variables have them. */
const groupIds = (symbols: Symbols): SimdFill[] => [
  ...fact(symbols, "%sr0", 0, undefined).map((each): SimdFill => ({ ...each, of: "hardware thread" })),
  ...fact(symbols, "%r0", THREAD_BYTE, undefined),
  ...GROUP_WORDS.flatMap((word, axis) => fact(symbols, "%r0", 4 * word, axis)),
  ...["x", "y", "z"].flatMap((letter, axis) => fact(symbols, `%group_id_${letter}`, 0, axis)),
];

/** One word: the id of the group along an axis, or the thread's number without an axis. */
function fact(symbols: Symbols, name: string, offset: number, axis: number | undefined): SimdFill[] {
  const found = symbols.known(name);
  if (found === undefined) return [];
  const word = { variable: found, offset, bytes: 4, count: 1 } as const;
  return [axis === undefined ? { ...word, of: "thread" } : { ...word, of: "group id", axis: axis as 0 | 1 | 2 }];
}

function parametersOf(places: readonly Place[]): Omit<Inputs, "fills" | "assumed"> {
  let end = 0;
  const parameters = places.map(({ input, type, elements }): Parameter => {
    const bytes = elements * bytesOfType(type);
    const align = bytesOfType(type);
    const offset = Math.ceil(end / align) * align;
    end = offset + bytes;
    const { text: name, span } = input.variable;
    return { name, type: elementType[type] ?? "b8", offset, bytes, align, aggregate: elements > 1, span };
  });
  return { parameters, parameterBytes: end, variables: places.map(({ place }) => place) };
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
}

/** Checks a file and places its variables. Never throws for bad input. */
export function loadFile(source: Source, file: ast.File, options: LoadOptions = {}): Staged<VisaImage> {
  const chosen = options.platform ?? platformOf(source.text);
  const platform: Platform = { ...chosen, grf: options.grf ?? chosen.grf };
  const kernels = new Map<string, Staged<Program>>();
  const variables: ModuleVariable[] = [];
  for (const [at, kernel] of file.kernels.entries()) {
    // Variables of further kernels have their kernel's name as a prefix.
    const storage = new Storage(at === 0 ? "" : `${kernel.name.text}.`);
    const report = new Report(source);
    const whole = options.infer ? inferred(kernel, platform.grf, report) : kernel;
    const made = program(report, whole, platform, storage);
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

const inputsIn = (statements: readonly ast.Statement[]): readonly ast.Input[] =>
  statements.filter((each): each is ast.Input => each.kind === "input");

function program(report: Report, kernel: ast.Kernel, platform: Platform, storage: Storage): Staged<Program> {
  const { name } = kernel;
  const dispatchSlot = storage.predicate(DISPATCH, name.span);
  const symbols = new Symbols(report, platform, storage);
  // Registers that do not fit are spilled behind the kernel's own scratch data.
  symbols.scratchBytes = attributeOf(kernel, "spillmemoffset") || symbols.scratchBytes;
  // The host may set it even if the kernel does not use it.
  symbols.find("%cr0");
  const body = new Body(report, platform, storage, symbols, dispatchSlot);
  body.statements(kernel.statements);
  const last = kernel.statements.at(-1)?.span ?? name.span;
  body.finish({ start: last.end, end: last.end });
  const width = Math.min(32, attributeOf(kernel, "simdsize") || 32);
  const taken = inputsOf(inputsIn(kernel.statements), symbols, { width, usesLocal: body.usesLocalMemory });
  const surfaces = symbols.surfaceTable;
  const simd: SimdThreads = {
    width,
    inputs: taken.variables,
    fills: [...taken.fills, ...groupIds(symbols)],
    assumed: taken.assumed,
    // A view is part of another variable, and all threads have the same surfaces.
    variables: storage.variables.filter(({ name, part }) => part === undefined && name !== surfaces),
    views: storage.variables.flatMap(({ name, part }) => (part === undefined ? [] : [{ name, ...part }])),
    ...(surfaces === undefined ? {} : { surfaces }),
    localBytes: body.usesLocalMemory ? 1024 * attributeOf(kernel, "slmsize") || MOST_LOCAL : 0,
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
