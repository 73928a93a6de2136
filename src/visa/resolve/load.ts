import type { ModuleVariable, Program } from "../../interp/contract/program.ts";
import type { SimdThreads } from "../../interp/contract/simd.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import type * as ast from "../ast.ts";
import { Body } from "./body.ts";
import { inferred } from "./infer.ts";
import { groupIds, inputsOf } from "./inputs.ts";
import { type Platform, platformOf } from "./platform.ts";
import { Report } from "./report.ts";
import { Storage } from "./storage.ts";
import { Symbols } from "./symbols.ts";

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

/** Bytes of local memory that a group has at most: what it gets where nothing says how many it needs. */
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

/** The lanes that begin: as many as a thread has work-items, all 32 where the kernel does not say how many. */
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
  // Registers that do not fit are spilled behind what the kernel itself has there.
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
    // A view lies in another, and all threads have the same surfaces.
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
