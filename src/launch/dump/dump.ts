import { writeFile } from "../../environment/file.ts";
import type { Files } from "../../environment/files.ts";
import { Buffer, ImageTexels, isElementType, type Module, problem } from "../../host/index.ts";
import type { ThreadId } from "../../interp/contract/launch/thread-id.ts";
import { readsCarry, writesCarry } from "../../interp/contract/plan/effects.ts";
import type { Program, Result } from "../../interp/contract/program.ts";
import type { RegisterView } from "../../interp/contract/views.ts";
import type { Session } from "../../interp/machine/session.ts";
import { isValueType, widthOf } from "../../numeric/format/value-type.ts";
import { type FinalState, type RegisterRow, rows, type ThreadState } from "../../present/state.ts";
import { nearest } from "../../resolve/nearest.ts";
import type { Diagnostic, Staged } from "../../source/diagnostic.ts";
import { type LaunchSizes, threadId, threadsIn } from "../extents.ts";
import { findParameter } from "../find-parameter.ts";
import { findRegister } from "../find-register.ts";
import { isPicture } from "../image/picture.ts";
import { writeTexels } from "../image/write-texels.ts";
import type { Inputs, NamedBuffer } from "../input/launch-inputs.ts";
import { writeNpy } from "../input/npy.ts";
import type { RunCommandOptions } from "../options.ts";
import type { Loaded } from "../program.ts";
import { optionSource } from "../value/assignment.ts";
import { type TensorDump, tensorDump, tensorStates, writeTensor } from "./dump-tensor.ts";
import { type DumpedBuffer, shownBuffers, tooMuch } from "./shown-buffers.ts";
import { carrierOf, type DumpView, isOfBuffers, readView, sizeOf, VIEWS } from "./view.ts";

/** The selection of `--dump`, with names looked up. */
export interface DumpSelection {
  readonly registers: "all" | "changed" | ReadonlySet<string>;
  /** The types in which registers are shown, by their names, where those are not their own. */
  readonly types?: ReadonlyMap<string, string>;
  readonly buffers: readonly DumpedBuffer[];
  readonly tensor?: readonly TensorDump[];
}

/**
 * Reads the `--dump` options. By default a snippet shows all its registers and a module the beginning of each buffer
 * of the launch, or the changed registers when there is none.
 */
export function select(
  dumps: readonly string[],
  { kernel, module }: Loaded,
  { buffers }: Inputs,
  as?: DumpView,
): { readonly selection: DumpSelection; readonly diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  if (dumps.length === 0 && kernel.program.dispatchSlot !== undefined && module !== undefined && buffers.length === 0) {
    // The registers of a vISA thread are its variables and its predicates.
    const shown = module.variables.filter((name) => !name.startsWith("%") && !name.startsWith("packed "));
    const variables = shown.flatMap((name) => variableNamed(name, module) ?? []);
    const predicates = kernel.program.registers.filter(({ name }) => !name.startsWith("%"));
    const selection: DumpSelection = {
      registers: new Set(predicates.map(({ name }) => name)),
      buffers: variables.map((variable) => ({ ...variable, brief: true, few: CHANNELS })),
    };
    return { selection, diagnostics };
  }
  if (dumps.length === 0) {
    const { results } = kernel.program;
    const registers = results
      ? new Set(resultNames(results))
      : module === undefined
        ? "all"
        : buffers.length === 0
          ? "changed"
          : new Set<string>();
    const selection: DumpSelection = {
      registers,
      types: viewedRegisters(as, kernel.program),
      buffers: buffers.map((buffer) => ({ ...buffer, ...viewed(as, buffer, diagnostics) })),
    };
    return { selection, diagnostics };
  }
  const types = new Map(viewedRegisters(as, kernel.program));
  let registers: DumpSelection["registers"] = new Set<string>();
  const chosen: DumpedBuffer[] = [];
  const tensor: TensorDump[] = [];
  for (const dump of dumps) {
    const [, what = "", file] = /^(.*?)(?:=@(.*))?$/s.exec(dump) ?? [];
    if (what === "none") continue;
    if (what === "regs" || what === "changed") {
      registers = what === "regs" ? "all" : "changed";
      continue;
    }
    const find = (name: string) => findBuffer(name, { buffers }, { kernel, ...(module && { module }) });
    const whole = find(what);
    const colon = whole === undefined ? what.lastIndexOf(":") : -1;
    const buffer = whole ?? (colon < 0 ? undefined : find(what.slice(0, colon)));
    const at = { source: optionSource("--dump", dump), span: { start: colon + 1, end: what.length } };
    if (buffer !== undefined) {
      const view = colon < 0 ? as : readView(what.slice(colon + 1));
      if (colon >= 0 && (view === undefined || !isOfBuffers(view)))
        diagnostics.push(
          problem("PTX2210", `${what.slice(colon + 1)} is not a view of a buffer`, { ...at, expected: VIEWS }),
        );
      const { brief: _, ...how } = viewed(view, buffer, diagnostics, at);
      chosen.push({ ...buffer, brief: false, ...how, ...(file === undefined ? {} : { file }) });
      continue;
    }
    const array = kernel.program.results?.find(({ name, registers }) => name === what && registers.length > 1);
    if (array !== undefined && file === undefined && registers !== "all") {
      registers = new Set([...(registers === "changed" ? [] : registers), ...resultNames([array])]);
      continue;
    }
    const typed = colon < 0 ? undefined : findRegister(kernel.program, what.slice(0, colon));
    const register = findRegister(kernel.program, what) ?? typed;
    if (typed !== undefined && register === typed) {
      const type = what.slice(colon + 1);
      if (isValueType(type) && widthOf(type) === typed.bits) types.set(typed.name, type);
      else
        diagnostics.push(
          problem("PTX2210", `${type} is not a type of ${typed.bits} bits, as ${typed.name} has`, {
            ...at,
            expected: `b${typed.bits} or another type of this width`,
          }),
        );
    }
    const cells = register === undefined ? tensorDump(dump, what, file) : undefined;
    if (cells !== undefined) {
      if ("dump" in cells) tensor.push(cells);
      else diagnostics.push(cells);
      continue;
    }
    if (file !== undefined && register !== undefined) {
      const span = { start: what.length, end: dump.length };
      diagnostics.push(
        problem("PTX2210", `${what} is a register, which is not written to a file`, {
          source: optionSource("--dump", dump),
          span,
          expected: "a buffer",
        }),
      );
      continue;
    }
    if (register !== undefined && registers !== "all") {
      registers = new Set([...(registers === "changed" ? [] : registers), register.name]);
    } else if (register === undefined && what.toLowerCase() === "cc.cf" && registers instanceof Set) {
      registers = new Set([...registers, "cc.cf"]);
    } else if (register === undefined) {
      const names = [
        ...buffers.map(({ name }) => name),
        ...kernel.program.registers.map(({ name }) => name),
        "regs",
        "changed",
        "tensor",
      ];
      const meant = nearest(what, names);
      const source = optionSource("--dump", dump);
      diagnostics.push(
        problem("PTX2210", `there is no ${what} to dump`, {
          source,
          span: { start: 0, end: what.length },
          expected:
            "regs, changed, none, a register, a buffer (by parameter or variable, with a view as in 0:f32x4x4), or tensor",
          help: meant === undefined ? [] : [{ message: `did you mean ${meant}?` }],
        }),
      );
    }
  }
  return { selection: { registers, types, buffers: chosen, tensor }, diagnostics };
}

/** The registers that are as wide as the type of a view, which are shown in it. */
const viewedRegisters = (view: DumpView | undefined, { registers }: Program): ReadonlyMap<string, string> => {
  const type = view?.ofRegisters;
  if (type === undefined) return new Map();
  return new Map(registers.flatMap(({ name, bits }) => (bits === widthOf(type) ? [[name, type] as const] : [])));
};

/** Elements of a variable of vISA that its line has: one for each channel that an instruction may have. */
const CHANNELS = 32;

/** How a buffer is shown in a view; one that is too small for the view is an error. */
function viewed(
  view: DumpView | undefined,
  { name, type, buffer }: NamedBuffer,
  diagnostics: Diagnostic[],
  at: Parameters<typeof problem>[2] = { source: optionSource("--as", view?.shape?.join("x") ?? "") },
): { readonly brief: boolean; readonly view?: DumpView } {
  if (view === undefined || !isOfBuffers(view)) return { brief: true };
  const needed = (view.shape ?? []).reduce((product, each) => product * each, sizeOf(view.type ?? type));
  if (view.shape !== undefined && needed > buffer.bytes)
    diagnostics.push(
      problem("PTX2210", `${view.shape.join("x")} elements are ${needed} bytes, and ${name} has ${buffer.bytes}`, {
        ...at,
        expected: `at most ${Math.floor(buffer.bytes / sizeOf(view.type ?? type))} elements`,
      }),
    );
  return { brief: false, view };
}

/** The registers that hold the results of a function. */
const resultNames = (results: readonly Result[]): readonly string[] =>
  results.flatMap(({ registers }) => registers.map(({ name }) => name));

/** A buffer by its parameter's name or index, or a module variable by its name; `global:NAME` is always the variable. */
export function findBuffer(
  what: string,
  { buffers }: Pick<Inputs, "buffers">,
  { kernel, module }: Pick<Loaded, "kernel" | "module">,
): NamedBuffer | undefined {
  const variableOnly = /^global:(.*)$/s.exec(what)?.[1];
  if (variableOnly !== undefined) return variableNamed(variableOnly, module);
  const named = buffers.find((buffer) => buffer.name === what) ?? variableNamed(what, module);
  const parameter = named === undefined ? findParameter(kernel.program.parameters, what) : undefined;
  return named ?? buffers.find((buffer) => buffer.name === parameter?.name);
}

function variableNamed(name: string, module: Module | undefined): NamedBuffer | undefined {
  const variable = module?.variable(name);
  if (variable === undefined) return undefined;
  const declared = module?.typeOf(name) ?? "b8";
  return { name, type: isElementType(declared) ? declared : "b8", buffer: variable };
}

/** The same with the private variables of a SIMD thread, for another than the first. */
function ofThread(selection: DumpSelection, session: Session, thread: RunCommandOptions["thread"]): DumpSelection {
  if (thread === undefined || thread === "all" || session.program.simd === undefined) return selection;
  const id = threadId({ block: thread[0], thread: thread[1] }, session.program);
  const buffers = selection.buffers.map((each) => {
    const { name, buffer } = each;
    // A buffer of the launch may have the name of the variable that contains its address.
    if (!(buffer instanceof Buffer) || buffer.address !== session.variable(name, FIRST)) return each;
    return { ...each, buffer: buffer.at(session.variable(name, id) ?? buffer.address) };
  });
  return { ...selection, buffers };
}

const FIRST: ThreadId = { block: 0, warp: 0, lane: 0 };

/** Registers that are printed at most. */
const MOST_REGISTERS = 2 ** 17;

/** The state to print; too long output is cut, with a note. */
export function finalState(
  session: Session,
  selection: DumpSelection,
  options: Pick<RunCommandOptions, "thread" | "format" | LaunchSizes>,
  start: ReadonlyMap<string, readonly bigint[]>,
): Staged<FinalState> {
  const { value: buffers, diagnostics } = shownBuffers(
    ofThread(selection, session, options.thread),
    options.format === "json",
  );
  const shown = tensorStates(session, selection.tensor ?? [], options);
  diagnostics.push(...shown.diagnostics);
  const tensor = shown.value.length > 0 ? { tensor: shown.value } : {};
  const wanted = selection.registers;
  if (wanted instanceof Set && wanted.size === 0) return { value: { threads: [], buffers, ...tensor }, diagnostics };
  const most = Math.max(1, Math.floor(MOST_REGISTERS / Math.max(1, session.program.registers.length)));
  const { places, left } = threadsOf(session.program, options, most);
  if (left > 0)
    diagnostics.push(tooMuch(`${places.length + left} threads, of which the first ${places.length} are shown`));
  const has = session.program.registers.length > 0;
  let gone: BlockThread | undefined;
  const threads = places.map((place) => {
    const views = session.registers(threadId(place, session.program));
    if (has && views.length === 0) gone ??= place;
    return threadState(session, place, views, selection, start);
  });
  if (gone !== undefined) diagnostics.push({ ...notKept(gone), severity: "note" });
  return { value: { threads, buffers, ...tensor }, diagnostics };
}

/** A thread whose registers are not available: its block never ran, or too many blocks ran to keep all. */
export const notKept = ({ block, thread }: BlockThread): Diagnostic =>
  problem("PTX2210", `block ${block}, thread ${thread} has no registers: it did not run, or they were not kept`, {
    help: [{ message: "the registers of block 0 are always kept" }],
  });

/**
 * Writes the buffers of `--dump NAME=@FILE`: as .npy, a surface as a picture where the name has its suffix, or the bare
 * bytes under any other name.
 */
export const writeDumps = (
  { buffers, tensor = [] }: DumpSelection,
  files: Files,
  session: Session,
  options: Pick<RunCommandOptions, "thread">,
): Diagnostic[] => [
  ...buffers.flatMap(({ name, file, type, buffer, view, shape: own }) => {
    if (file === undefined) return [];
    if (buffer instanceof ImageTexels || isPicture(file)) return writeTexels(name, file, buffer, files);
    const bytes = buffer.read();
    const { type: as = type, shape = view?.type === undefined ? own : undefined } = view ?? {};
    const count = shape?.reduce((product, each) => product * each, sizeOf(as)) ?? bytes.length;
    const part = bytes.subarray(0, count);
    return [...writeFile(file, file.endsWith(".npy") ? writeNpy(part, carrierOf(as), shape) : part, files)];
  }),
  ...tensor.flatMap((each) => (each.file === undefined ? [] : writeTensor(session, each, each.file, files, options))),
];

interface BlockThread {
  readonly block: number;
  readonly thread: number;
}

/** The first `most` of the threads to show, and how many there are besides. */
function threadsOf(
  program: Program,
  options: Pick<RunCommandOptions, "thread" | LaunchSizes>,
  most: number,
): { readonly places: readonly BlockThread[]; readonly left: number } {
  const { thread = [0, 0] } = options;
  if (thread !== "all") return { places: [{ block: thread[0], thread: thread[1] }], left: 0 };
  const { blocks, threads } = threadsIn(program, options);
  // The work-items of a SIMD thread share its registers.
  const width = program.simd?.width ?? 1;
  const own = Math.ceil(threads / width);
  const count = Math.min(blocks * own, most);
  const places = Array.from({ length: count }, (_, at) => ({
    block: Math.floor(at / own),
    thread: (at % own) * width,
  }));
  return { places, left: blocks * own - count };
}

function threadState(
  session: Session,
  place: BlockThread,
  views: readonly RegisterView[],
  { registers: wanted, types }: Pick<DumpSelection, "registers" | "types">,
  start: ReadonlyMap<string, readonly bigint[]>,
): ThreadState {
  const registers = views
    .filter(({ name, bits }) =>
      wanted === "all"
        ? true
        : wanted === "changed"
          ? bits.some((each, index) => each !== (start.get(name)?.[index] ?? 0n))
          : wanted.has(name),
    )
    .flatMap((register) => rows({ ...register, type: types?.get(register.name) ?? register.type }));
  const carries = session.program.code.some(({ plan }) => readsCarry(plan) || writesCarry(plan));
  if (wanted instanceof Set ? !wanted.has("cc.cf") : !carries) return { ...place, registers };
  const carry: RegisterRow = {
    name: "cc.cf",
    type: "pred",
    width: 1,
    bits: BigInt(session.carry(threadId(place, session.program))),
  };
  return { ...place, registers: [...registers, carry] };
}
