import type { Diagnostic } from "../../source/diagnostic.ts";
import { Asynchrony } from "../async/asynchrony.ts";
import type { AsyncFinding } from "../async/judge.ts";
import { MapChanges } from "../async/map-changes.ts";
import type { Moving } from "../async/moving.ts";
import { type Dim3, volume } from "../contract/launch/dim3.ts";
import { LANES } from "../contract/launch/lane-mask.ts";
import { Random } from "../contract/launch/random.ts";
import type { ThreadId } from "../contract/launch/thread-id.ts";
import { cellAt, columnOf, laneOf, mostColumns, TENSOR_BYTES, TENSOR_LANES } from "../contract/matrix/tensor-memory.ts";
import type { Observer } from "../contract/observer.ts";
import { hasProxies, reachOf, usesTensorMemory } from "../contract/plan/effects.ts";
import type { Plan } from "../contract/plan/plan.ts";
import type { Program } from "../contract/program.ts";
import { type HostSpace, isOwn } from "../contract/space.ts";
import { spaceOf } from "../contract/window.ts";
import type { Memory } from "../memory/memory.ts";
import { ALLOCATED, INITIALISED, READ_ONLY, WINDOWED } from "../memory/shadow.ts";
import { type CtaNeeds, type CtaSlot, registerBytes } from "../schedule/cta-slot.ts";
import { mayWait } from "../schedule/may-wait.ts";
import type { Part } from "../schedule/schedule.ts";
import { Scheduler } from "../schedule/scheduler.ts";
import { AwaitedStores } from "../state/awaited-stores.ts";
import { COPY_ROOM, type Context, MATRIX_ROOM } from "../state/context.ts";
import { DeviceLaunches } from "../state/device-launches.ts";
import type { Executor, LinkedProgram } from "../state/executor.ts";
import { whoIs } from "../state/fault.ts";
import { type LaunchGeometry, reservedShared } from "../state/special-registers.ts";
import { type InitialRegisters, type OwnVariables, template } from "../state/template.ts";
import type { Findings } from "./findings.ts";

/** Bytes of each space, and of the columns of one lane of tensor memory. */
interface HostSizes {
  readonly shared: number;
  readonly local: number;
  readonly stride: number;
  readonly param: number;
  readonly tensor: number;
}

/** Translates the host's addresses of a space to offsets. */
class HostAddresses {
  readonly #memory: Memory;
  readonly #sizes: HostSizes;
  readonly #parameters: number;
  readonly #slots: () => readonly CtaSlot[];
  #closed = false;

  constructor(memory: Memory, sizes: HostSizes, parameters: number, slots: () => readonly CtaSlot[]) {
    this.#memory = memory;
    this.#sizes = sizes;
    this.#parameters = parameters;
    this.#slots = slots;
  }

  /** From now on only global and constant memory is accessible. */
  close(): void {
    this.#closed = true;
  }

  /** All of it is again. */
  open(): void {
    this.#closed = false;
  }

  /**
   * The offset in memory's buffer of `bytes` bytes. Throws a RangeError when they do not lie in the space, when a
   * space of a block or a thread is named without a thread, when the block's memory has gone to another block, or when
   * the launch was closed.
   */
  find(space: HostSpace, address: bigint, bytes: number, thread?: ThreadId): number {
    if (space === "generic") return this.#generic(address, bytes, thread);
    if (space !== "tensor" && !isOwn(space)) {
      if (spaceOf(address) !== space || !this.#memory.holds(address, bytes)) throw miss(space, address);
      return Number(BigInt.asUintN(32, address));
    }
    if (this.#closed) throw new RangeError(`${space} memory of a launch that was closed`);
    if (space === "tensor") return this.#tensor(address, bytes, thread);
    const offset = Number(address);
    if (offset < 0 || offset + bytes > this.#sizes[space]) throw miss(space, address);
    if (space === "param") return this.#parameters + offset;
    const slot = this.#slots().find(({ block }) => block === thread?.block);
    const start = (space === "shared" ? slot?.shared : slot?.local)?.start;
    if (thread === undefined || start === undefined) throw new RangeError(`${space} memory of a block that has none`);
    return space === "shared"
      ? start + offset
      : start + (thread.warp * LANES + thread.lane) * this.#sizes.stride + offset;
  }

  /** Bytes of one lane, from a column on. */
  #tensor(address: bigint, bytes: number, thread?: ThreadId): number {
    const slot = this.#slots().find(({ block }) => block === thread?.block);
    if (slot?.tensor === undefined) throw new RangeError("tensor memory of a block that has none");
    const lane = laneOf(Number(BigInt.asUintN(32, address)));
    const column = columnOf(Number(BigInt.asUintN(32, address)));
    if (address >> 32n !== 0n || lane >= TENSOR_LANES || 4 * column + bytes > this.#sizes.tensor)
      throw miss("tensor", address);
    return slot.tensor.start + cellAt(lane, column);
  }

  #generic(address: bigint, bytes: number, thread?: ThreadId): number {
    const space = spaceOf(address);
    if (space === undefined) throw miss("generic", address);
    return this.find(space, isOwn(space) ? BigInt.asUintN(32, address) : address, bytes, thread);
  }
}

const miss = (space: HostSpace, address: bigint): RangeError =>
  new RangeError(`0x${address.toString(16)} is outside ${space} memory`);

/** A finding of the engine as a diagnostic, with the names of the threads and both places. */
function asyncDiagnostic(
  { code, severity, thread, site, message, related, help }: AsyncFinding,
  grid: Dim3,
  block: Dim3,
): Diagnostic {
  return {
    code,
    severity,
    source: site.source,
    span: site.span,
    message: `${site.opcode} ${message}, in ${whoIs(thread, grid, block)}`,
    related: related.map(({ site: { source, span }, thread: other, message: what }) => ({
      source,
      span,
      message: `${what}, in ${whoIs(other, grid, block)}`,
    })),
    ...(help.length > 0 && { help: help.map((text) => ({ message: text })) }),
  };
}

/** The machine's checks: all enabled by default. */
export interface Sanitize {
  /** Accesses outside of allocations. */
  readonly mem: boolean;
  /** Reads of uninitialised memory. */
  readonly init: boolean;
  /** Barriers that threads have missed. */
  readonly sync?: boolean;
  /** Accesses that overrun the variable they name into its neighbour: notes, and only on request. */
  readonly bounds?: boolean;
}

/** The parameters of a launch. The host has checked sizes and names: an error here throws. */
export interface MachineOptions {
  readonly program: Program;
  readonly memory: Memory;
  /** The executor of the program's instructions. */
  readonly executor: Executor;
  readonly grid: Dim3;
  readonly block: Dim3;
  /** The parameter block, `program.parameterBytes` long. */
  readonly parameters: Uint8Array;
  /** Bytes of shared memory behind the program's own. */
  readonly dynamicShared?: number;
  /** The address of a module's variable. */
  readonly addressOf: (variable: string) => bigint;
  /** For SIMD threads: the addresses of their variables, where they do not share those of the module. */
  readonly own?: OwnVariables;
  /** Initial values of registers, in all threads. */
  readonly registers?: InitialRegisters;
  /** Initial CC.CF, in all threads. */
  readonly carry?: 0 | 1;
  /** Kinds of findings: all by default. */
  readonly sanitize?: Sanitize;
  /** Blocks of a cluster, which run together (PTX ISA 2.2.1.1); the grid is a multiple of it. */
  readonly cluster?: Dim3;
  /** Draws the order of blocks and warps and the length of their turns; deterministic for a seed (32 bits). */
  readonly schedule?: { readonly seed: number };
  /** Address of a cooperative launch's workspace, which the kernel reads in %envreg1 (high word) and %envreg2. */
  readonly workspace?: bigint;
  /** When data of asynchronous operations move: by default as late as possible, or as the seed of `schedule` draws. */
  readonly moving?: Moving;
  /** Limit of warp instructions: PTX6001 ends the run there. */
  readonly maxSteps?: number;
  /** Bytes of stack a thread, for programs that need one; by default as many as the program declares. */
  readonly stack?: number;
  /** Bytes of the device heap; 8 MiB by default. */
  readonly heap?: number;
  /** `sm_90a`: whose tensor cores compute; the program's target by default. */
  readonly target?: string;
  /** For a program that launches kernels: those of its module by their names, and those that copy and set memory. */
  readonly programOf?: (name: string) => Program | undefined;
  /** How many launches are around this one; 0 for the host's. */
  readonly depth?: number;
  /** Receives the output of device printf, a call at a time. */
  readonly print?: (text: string) => void;
  /**
   * Whether registers can be read while the launch runs and afterwards; by default they can. `if small`: where those of
   * all threads need at most 1 MiB. Registers that cannot be read cost nothing, see `Context.observable`.
   */
  readonly registersReadable?: boolean | "if small";
  /** The blocks that run here, one after the other; the others run elsewhere (see `workerPool`). */
  readonly part?: Part;
  /** Receives each block that ends, where the registers of `part` are kept elsewhere. */
  readonly ended?: (slot: CtaSlot) => void;
}

/** Registers of a whole launch that count as small, bytes. */
const SMALL = 1 << 20;

/** Default size of the device heap, bytes: cudaLimitMallocHeapSize. */
const HEAP = 8 << 20;

/** The complete state of a launch. Tools may read it; code that changes it must keep it consistent. */
export interface LaunchState {
  /** The launch's parameters. */
  readonly options: MachineOptions;
  readonly context: Context;
  readonly executor: Executor;
  readonly linked: LinkedProgram;
  readonly scheduler: Scheduler;
  readonly geometry: LaunchGeometry;
  readonly addresses: HostAddresses;
  /** The address of a module's variable. */
  readonly addressOf: (variable: string) => bigint;
  /** Frees what the launch has of its own in memory, apart from its blocks. */
  giveBack(): void;
}

/** Prepares a launch; undefined when the memory's limit does not allow even one block. */
export function prepare(options: MachineOptions, findings: () => Findings): LaunchState | undefined {
  const { program, memory, grid, block, dynamicShared = 0 } = options;
  const ownShared = sharedOf(options);
  const { reserved } = reservedShared(program, ownShared);
  const needs = needsOf(options);
  const { sharedBytes, localBytes } = needs;
  const { lanes } = needs.shape;
  const parameters = placeParameters(options);
  if (parameters === undefined) return undefined;
  const blockMemory = placeBlockMemory(options);
  const matrixRoom = placeMatrixRoom(options);
  const copyRoom = placeCopyRoom(options);
  const giveBack = (): void => {
    memory.release(memory.allocations.find(parameters)!);
    for (const room of [matrixRoom, copyRoom]) if (room !== undefined) memory.release(memory.allocations.find(room)!);
    if (blockMemory) memory.release(memory.allocations.find(Number(BigInt.asUintN(32, blockMemory.address)))!);
  };
  if (blockMemory === null) {
    giveBack();
    return undefined;
  }
  const observers: Observer[] = [];
  const report: Context["report"] = (finding) => findings().add(finding);
  const asynchrony = new Asynchrony({
    memory,
    observers,
    moving: movingOf(options),
    proxies: hasProxies(program),
    report: (finding) => report(asyncDiagnostic(finding, grid, block)),
  });
  const mapChanges = new MapChanges();
  const context: Context = {
    program,
    memory,
    grid,
    block,
    lanes,
    sharedBytes,
    parameters,
    matrixRoom,
    copyRoom,
    report,
    awaited: new AwaitedStores(
      { program, memory, who: (thread) => whoIs(thread, grid, block, program.simd?.width) },
      (finding, by) => findings().amend(finding, by),
    ),
    target: options.target ?? program.target,
    localBytes: needs.localBytes,
    localStride: needs.localStride,
    asynchrony,
    mapChanges,
    cancelCluster: () => scheduler.cancel(),
    sanitize: { mem: true, init: true, ...options.sanitize, sync: options.sanitize?.sync ?? true },
    observers,
    undefinedWord: options.schedule === undefined ? 0 : new Random(options.schedule.seed).below(2 ** 32),
    observable: isObservable(options, needs),
    cluster: options.cluster,
    launches: new DeviceLaunches(options.depth ?? 0, options.programOf ?? (() => undefined)),
    heapBytes: options.heap ?? HEAP,
    print: options.print ?? (() => {}),
    scratch: { low: new Uint32Array(LANES), high: new Uint32Array(LANES), at: new Int32Array(LANES) },
  };
  const geometry: LaunchGeometry = {
    grid,
    block,
    sharedBytes: ownShared,
    dynamicShared,
    reserved,
    cluster: options.cluster,
    workspace: options.workspace ?? 0n,
    blockMemory,
  };
  const initial = options.registers ?? new Map<string, readonly bigint[]>();
  const fresh = template(context, needs.shape, geometry, options.addressOf, initial, options.own);
  fresh.hold(options.parameters);
  const scheduler: Scheduler = new Scheduler(memory, {
    program,
    needs,
    grid,
    fresh,
    cluster: options.cluster,
    observers,
    asynchrony,
    mapChanges,
    cooperative: options.workspace !== undefined,
    waits: mayWait(program),
    keepsRegisters: context.observable,
    carry: options.carry ?? 0,
    seed: options.schedule?.seed,
    ...(options.part && { part: options.part }),
    ...(options.ended && { ended: options.ended }),
  });
  if (!scheduler.begin()) {
    giveBack();
    return undefined;
  }
  const { executor, addressOf } = options;
  const sizes = {
    shared: sharedBytes,
    local: localBytes,
    stride: needs.localStride,
    param: program.parameterBytes,
    tensor: 4 * mostColumns(true, program.target),
  };
  const addresses = new HostAddresses(memory, sizes, parameters, () => scheduler.slots);
  return {
    options,
    context,
    executor,
    linked: executor.link(context),
    scheduler,
    geometry,
    addresses,
    addressOf,
    giveBack,
  };
}

/** Programs whose instructions reach no further than memory, or do. */
const within = new WeakMap<Program, boolean>();

function staysWithin(program: Program): boolean {
  const { limits, code } = program;
  const found =
    within.get(program) ?? (limits.blockMemory === undefined && code.every(({ plan }) => reachOf(plan) !== "beyond"));
  within.set(program, found);
  return found;
}

/**
 * Prepares an ended and closed launch to run once more with other parameters: undefined where it has to be prepared anew. What is
 * bound to the launch stays, so nothing in it may remember more than a block's end lets it: no instruction reaches beyond memory.
 */
export function prepareAgain(state: LaunchState, parameters: Uint8Array): LaunchState | undefined {
  const { context, scheduler, addresses } = state;
  const { memory, program } = context;
  const options = { ...state.options, parameters };
  if (!staysWithin(program) || state.linked.isOutdated?.()) return undefined;
  const at = placeParameters(options);
  if (at === undefined) return undefined;
  const [matrixRoom, copyRoom] = [placeMatrixRoom(options), placeCopyRoom(options)];
  const same = at === context.parameters && matrixRoom === context.matrixRoom && copyRoom === context.copyRoom;
  if (same && scheduler.again(parameters)) {
    addresses.open();
    return { ...state, options };
  }
  for (const room of [at, matrixRoom, copyRoom]) if (room !== undefined) memory.release(memory.allocations.find(room)!);
  return undefined;
}

/** A seed for the order of warps also draws the moments of asynchronous operations. */
const movingOf = ({ moving, schedule }: MachineOptions): Moving =>
  moving ?? (schedule === undefined ? { when: "late" } : { when: "random", seed: schedule.seed });

function isObservable({ registersReadable = true, grid }: MachineOptions, needs: CtaNeeds): boolean {
  if (registersReadable !== "if small") return registersReadable;
  return volume(grid) * registerBytes(needs) <= SMALL;
}

const sharedOf = ({ program, dynamicShared = 0 }: MachineOptions): number =>
  dynamicShared === 0 ? program.sharedBytes : program.dynamicShared + dynamicShared;

/** The memory needs of a launch's block. */
export function needsOf(options: MachineOptions): CtaNeeds {
  const { program, block } = options;
  const { reservedBytes, bytes: sharedBytes } = reservedShared(program, sharedOf(options));
  const localBytes = localBytesOf(options);
  return {
    shape: { lanes: lanesOf(block), ...program.banks, code: program.code.length },
    block,
    sharedBytes,
    reservedBytes,
    localBytes,
    // Each lane's memory is aligned like the window, with at least a byte between two of them.
    localStride: Math.ceil((localBytes + 1) / 256) * 256,
    tensorBytes: program.code.some(({ plan }) => usesTensorMemory(plan)) ? TENSOR_BYTES : 0,
  };
}

/** Lanes are a multiple of four: the compiled executor computes four at a time, also in a small block. */
const lanesOf = (block: Dim3): number => Math.min(LANES, 4 * Math.ceil(volume(block) / 4));

/** Variables, and behind them the stack where the program uses one. */
function localBytesOf({ program, stack = program.stackBytes }: MachineOptions): number {
  if (program.stackSlot === undefined) return program.localBytes;
  return Math.ceil(program.localBytes / 16) * 16 + Math.ceil(stack / 16) * 16;
}

/** Bytes that blocks have for themselves in global memory, all blocks of the grid together. */
export const blockMemoryOf = ({ program, grid }: MachineOptions): number =>
  (program.limits.blockMemory ?? 0) * volume(grid);

/**
 * The global memory of each block of the grid (`.minperctamemory`), one behind the other in the order of blocks, new and
 * uninitialised for each launch; null where memory does not suffice. On a GPU the blocks that are resident share the
 * places: which block has which is open.
 */
function placeBlockMemory(options: MachineOptions): { address: bigint; bytes: number } | undefined | null {
  const { blockMemory: bytes } = options.program.limits;
  if (bytes === undefined || bytes === 0) return undefined;
  const address = options.memory.allocate({ name: "the memory of each block", bytes: blockMemoryOf(options) });
  return address === undefined ? null : { address, bytes };
}

/** Room in which compiled code multiplies matrices; undefined where nothing does, or memory does not suffice. */
const placeMatrixRoom = (options: MachineOptions): number | undefined =>
  placeRoom(options, "multiply", "products of matrices", MATRIX_ROOM);

/** Room in which it holds copies in flight. */
const placeCopyRoom = (options: MachineOptions): number | undefined =>
  placeRoom(options, "copy async", "copies in flight", COPY_ROOM);

/** Room for instructions of a shape; undefined where the program has none, or memory does not suffice. */
function placeRoom(
  { program, memory }: MachineOptions,
  shape: Plan["shape"],
  name: string,
  bytes: number,
): number | undefined {
  if (!program.code.some(({ plan }) => plan.shape === shape)) return undefined;
  return memory.reserve({ name, bytes, align: 256, kind: "state", shadow: 0 });
}

/** Copies the parameter block into memory; returns its offset. */
function placeParameters({ program, memory, parameters }: MachineOptions): number | undefined {
  if (parameters.length !== program.parameterBytes)
    throw new Error(`${parameters.length} bytes of parameters, not ${program.parameterBytes}`);
  const start = memory.reserve({
    name: "the parameters",
    bytes: parameters.length,
    align: 256,
    kind: "window",
    shadow: ALLOCATED | INITIALISED | READ_ONLY | WINDOWED,
  });
  if (start === undefined) return undefined;
  if (parameters.length > 0) memory.put(start, parameters);
  // The gaps between parameters stay uninitialised.
  let end = 0;
  for (const { offset, bytes } of program.parameters) {
    if (offset > end) memory.forget(start + end, offset - end);
    end = Math.max(end, offset + bytes);
  }
  return start;
}
