import { ThreadMemory } from "../access/thread-memory.ts";
import { type Dim3, volume } from "../contract/launch/dim3.ts";
import { kernelName } from "../contract/launch/kernel-name.ts";
import type { Program } from "../contract/program.ts";
import type { DeviceLaunch } from "../state/device-launches.ts";
import { who } from "../state/fault.ts";
import type { Builtin, BuiltinCall, DriverFunction } from "../warp/builtin-call.ts";
import { answer, eachLane, long, word } from "./argument-word.ts";
import { free, malloc } from "./heap.ts";

/** Errors of the runtime, by their numbers (`cudaError_t`). */
const success = 0;
const invalidValue = 1;
const outOfMemory = 2;
const invalidConfiguration = 9;
const invalidDeviceFunction = 98;
const depthExceeded = 65;

/** Their names and texts. */
const errors: ReadonlyMap<number, readonly [name: string, text: string]> = new Map([
  [success, ["cudaSuccess", "no error"]],
  [invalidValue, ["cudaErrorInvalidValue", "invalid argument"]],
  [outOfMemory, ["cudaErrorMemoryAllocation", "out of memory"]],
  [invalidConfiguration, ["cudaErrorInvalidConfiguration", "invalid configuration argument"]],
  [invalidDeviceFunction, ["cudaErrorInvalidDeviceFunction", "invalid device function"]],
  [depthExceeded, ["cudaErrorLaunchMaxDepthExceeded", "launch would exceed maximum depth of nested launches"]],
]);

/** How deep launches may be nested. */
const MAX_DEPTH = 24;
const MAX_THREADS = 1024;
/** The handle of the stream whose launches run after all others of the grid (`cudaStreamTailLaunch`). */
const TAIL = 3n;

/** What the device's runtime says its version is, as the host's does. */
const RUNTIME_VERSION = 13000n;

const threadOf = ({ warp }: BuiltinCall, lane: number): number => (warp.block * 32 + warp.index) * 32 + lane;

/** The result of a call, which is also the thread's last error unless it is 0. */
function give(call: BuiltinCall, lane: number, error: number): void {
  const { launches } = call.context;
  if (error !== success) launches.errors = new Map([...launches.errors, [threadOf(call, lane), error]]);
  answer(call, lane, BigInt(error));
}

/** A function of each lane that gives an error. */
const perLane =
  (act: (call: BuiltinCall, lane: number) => number): Builtin =>
  (call) =>
    eachLane(call, (lane) => give(call, lane, act(call, lane)));

/** Stores a value where the first argument points, which may be local memory. */
const out = (call: BuiltinCall, lane: number, bytes: 4 | 8, value: bigint): void =>
  new ThreadMemory(call.context, call.warp, lane).store(long(call, 0, lane), bytes, value, "its result");

/** A `dim3`, which is passed as three words. */
function extent({ passed, parameters }: BuiltinCall, index: number, lane: number): Dim3 {
  const at = lane * passed.stride + parameters[index]!;
  return [passed.values[at]!, passed.values[at + 1]!, passed.values[at + 2]!];
}

/** The kernel at an address; undefined for anything else. */
function kernelAt({ context }: BuiltinCall, address: bigint): Program | undefined {
  const name = context.program.kernels?.get(address);
  return name === undefined ? undefined : context.launches.programOf(name);
}

/** Why a grid cannot be launched; 0 where it can. */
function wrong({ context }: BuiltinCall, program: Program | undefined, grid: Dim3, block: Dim3): number {
  if (program === undefined) return invalidDeviceFunction;
  if (context.launches.depth >= MAX_DEPTH) return depthExceeded;
  const { maxThreads, requiredThreads } = program.limits;
  if (volume(grid) === 0 || volume(block) === 0 || volume(block) > MAX_THREADS) return invalidConfiguration;
  if (maxThreads !== undefined && volume(block) > volume(maxThreads)) return invalidConfiguration;
  if (requiredThreads !== undefined && requiredThreads.join() !== block.join()) return invalidConfiguration;
  return success;
}

/** What memory for parameters is called; no other memory is taken for them. */
const PARAMETERS = "the parameters of ";

function allocate({ context }: BuiltinCall, name: string, bytes: number): bigint | undefined {
  return context.memory.allocate({ name, bytes: Math.max(bytes, 1), align: 256 });
}

/** `void *cudaGetParameterBufferV2(func, grid, block, sharedBytes)`: null where the launch is not possible. */
function parameterBufferV2(call: BuiltinCall): void {
  const { launches } = call.context;
  eachLane(call, (lane) => {
    const program = kernelAt(call, long(call, 0, lane));
    const [grid, block] = [extent(call, 1, lane), extent(call, 2, lane)];
    let error = wrong(call, program, grid, block);
    const bytes = program?.parameterBytes ?? 0;
    const address = error === success ? allocate(call, `${PARAMETERS}${program!.name}`, bytes) : undefined;
    if (error === success && address === undefined) error = outOfMemory;
    give(call, lane, error);
    answer(call, lane, address ?? 0n);
    if (address === undefined) return;
    const made = { program: program!, grid, block, dynamicShared: word(call, 3, lane) };
    launches.configurations = new Map([...launches.configurations, [address, made]]);
  });
}

/** `void *cudaGetParameterBuffer(alignment, bytes)`: the launch says of which kernel. */
function parameterBuffer(call: BuiltinCall): void {
  eachLane(call, (lane) => {
    const address = allocate(call, `${PARAMETERS}a launch`, Number(long(call, 1, lane)));
    if (address === undefined) give(call, lane, outOfMemory);
    answer(call, lane, address ?? 0n);
  });
}

/** Notes a launch, to be run when the grid has ended. */
function request(
  call: BuiltinCall,
  lane: number,
  stream: bigint,
  asked: Pick<DeviceLaunch, "program" | "grid" | "block" | "dynamicShared" | "parameters">,
): void {
  const { warp, context } = call;
  const { program, grid, block, launches } = context;
  const message = `${kernelName(asked.program)} is launched here, by ${who(warp, lane, grid, block)}`;
  const made: DeviceLaunch = {
    ...asked,
    by: { block: warp.block, warp: warp.index, lane },
    pc: warp.pc,
    related: { source: program.source, span: program.code[warp.pc]!.span, message },
  };
  if (stream === TAIL) launches.tail = [...launches.tail, made];
  else launches.queue = [...launches.queue, made];
}

/** The parameters behind `address`, whose memory is freed; undefined where none were asked for. */
function taken({ context: { memory } }: BuiltinCall, address: bigint, bytes: number): Uint8Array | undefined {
  const owner = memory.holds(address, Math.max(bytes, 1))
    ? memory.allocations.find(Number(BigInt.asUintN(32, address)))
    : undefined;
  const isOwn = owner?.name.startsWith(PARAMETERS) === true && owner.start === Number(BigInt.asUintN(32, address));
  if (owner === undefined || !isOwn) return undefined;
  const parameters = memory.read(address, bytes);
  memory.release(owner);
  return parameters;
}

/** `cudaLaunchDeviceV2(parameters, stream)`. */
const launchV2 = perLane((call, lane) => {
  const { launches } = call.context;
  const address = long(call, 0, lane);
  const asked = launches.configurations.get(address);
  const parameters = asked && taken(call, address, asked.program.parameterBytes);
  if (asked === undefined || parameters === undefined) return invalidValue;
  launches.configurations = new Map([...launches.configurations].filter(([each]) => each !== address));
  request(call, lane, long(call, 1, lane), { ...asked, parameters });
  return success;
});

/** `cudaLaunchDevice(func, parameters, grid, block, sharedBytes, stream)`. */
const launch = perLane((call, lane) => {
  const program = kernelAt(call, long(call, 0, lane));
  const [grid, block] = [extent(call, 2, lane), extent(call, 3, lane)];
  const error = wrong(call, program, grid, block);
  if (program === undefined || error !== success) return error;
  const address = long(call, 1, lane);
  const parameters = program.parameterBytes === 0 ? new Uint8Array() : taken(call, address, program.parameterBytes);
  if (parameters === undefined) return invalidValue;
  request(call, lane, long(call, 5, lane), { program, grid, block, dynamicShared: word(call, 4, lane), parameters });
  return success;
});

/** A kernel of the runtime's own, which copies or sets memory in its turn among the launches. */
const memoryKernel =
  (name: string, stream: number, words: (call: BuiltinCall, lane: number) => readonly bigint[]): Builtin =>
  (call) =>
    perLane((_, lane) => {
      const program = call.context.launches.programOf(name);
      if (program === undefined) throw new Error(`${name}: the host has not supplied it`);
      const parameters = new Uint8Array(BigUint64Array.from(words(call, lane)).buffer);
      request(call, lane, long(call, stream, lane), {
        program,
        grid: [1, 1, 1],
        block: [32, 1, 1],
        dynamicShared: 0,
        parameters,
      });
      return success;
    })(call);

/** The names of the kernels that copy and set memory: rows of bytes, each a pitch behind the one before. */
export const copyKernel = "cudaMemcpy2DAsync";
export const setKernel = "cudaMemset2DAsync";

/** `cudaStreamCreateWithFlags(stream *, flags)`, `cudaEventCreateWithFlags(event *, flags)`: handles that nothing else has. */
const handle = perLane((call, lane) => {
  const { launches } = call.context;
  launches.handles += 1;
  // Smaller numbers are streams that CUDA itself names.
  out(call, lane, 8, BigInt(0x100 + launches.handles));
  return success;
});

/** All launches of a grid run in the order of their requests, so that every stream and event is in order. */
const nothing = perLane(() => success);

/** `cudaDeviceSynchronize()`: what the grid has launched so far runs now. */
const wait: Builtin = (call) => {
  call.context.launches.wait();
  nothing(call);
};

/** A pointer to the name or the text of an error, in memory of its own. */
const described =
  (which: 0 | 1): Builtin =>
  (call) =>
    eachLane(call, (lane) => {
      const { memory } = call.context;
      const words = errors.get(word(call, 0, lane))?.[which] ?? "unrecognized error code";
      const address = memory.allocate({ name: `"${words}"`, bytes: words.length + 1, initialised: true });
      if (address !== undefined) memory.write(address, new TextEncoder().encode(`${words}\0`));
      answer(call, lane, address ?? 0n);
    });

/** Stores a number of 32 bits. */
const tells = (value: bigint): Builtin =>
  perLane((call, lane) => {
    out(call, lane, 4, value);
    return success;
  });

const lastError =
  (keeps: boolean): Builtin =>
  (call) =>
    eachLane(call, (lane) => {
      const { launches } = call.context;
      const thread = threadOf(call, lane);
      answer(call, lane, BigInt(launches.errors.get(thread) ?? success));
      if (!keeps) launches.errors = new Map([...launches.errors].filter(([each]) => each !== thread));
    });

const one = (run: Builtin, ...takes: number[]): DriverFunction => ({ takes, gives: [4], run });

/**
 * The runtime on the device, which programs link as libcudadevrt (CUDA C++ Programming Guide, CUDA Dynamic Parallelism), by the names
 * behind `cuda`. Streams and events order what runs in order anyway.
 */
const functions: Readonly<Record<string, DriverFunction>> = {
  GetParameterBufferV2: { takes: [8, 12, 12, 4], gives: [8], run: parameterBufferV2 },
  GetParameterBuffer: { takes: [8, 8], gives: [8], run: parameterBuffer },
  LaunchDeviceV2: one(launchV2, 8, 8),
  LaunchDevice: one(launch, 8, 8, 12, 12, 4, 8),
  MemcpyAsync: one(
    memoryKernel(copyKernel, 4, (call, lane) => {
      const [to, from, bytes] = [0, 1, 2].map((index) => long(call, index, lane));
      return [to!, 0n, from!, 0n, bytes!, 1n];
    }),
    ...[8, 8, 8, 4, 8],
  ),
  Memcpy2DAsync: one(
    memoryKernel(copyKernel, 7, (call, lane) => [0, 1, 2, 3, 4, 5].map((index) => long(call, index, lane))),
    ...[8, 8, 8, 8, 8, 8, 4, 8],
  ),
  MemsetAsync: one(
    memoryKernel(setKernel, 3, (call, lane) => [
      ...[long(call, 0, lane), 0n],
      ...[BigInt(word(call, 1, lane)), long(call, 2, lane), 1n],
    ]),
    ...[8, 4, 8, 8],
  ),
  Memset2DAsync: one(
    memoryKernel(setKernel, 5, (call, lane) => [
      ...[long(call, 0, lane), long(call, 1, lane)],
      ...[BigInt(word(call, 2, lane)), long(call, 3, lane), long(call, 4, lane)],
    ]),
    ...[8, 8, 4, 8, 8, 8],
  ),
  Malloc: one(
    perLane((call, lane) => {
      const address = malloc(call, lane, long(call, 1, lane));
      if (address === 0n) return outOfMemory;
      out(call, lane, 8, address);
      return success;
    }),
    ...[8, 8],
  ),
  Free: one(
    perLane((call, lane) => {
      free(call, lane, long(call, 0, lane));
      return success;
    }),
    8,
  ),
  StreamCreateWithFlags: one(handle, 8, 4),
  StreamDestroy: one(nothing, 8),
  StreamWaitEvent: one(nothing, 8, 8, 4),
  EventCreateWithFlags: one(handle, 8, 4),
  EventRecord: one(nothing, 8, 8),
  EventRecordWithFlags: one(nothing, 8, 8, 4),
  EventDestroy: one(nothing, 8),
  DeviceSynchronize: one(wait),
  GetLastError: one(lastError(false)),
  PeekAtLastError: one(lastError(true)),
  GetErrorName: { takes: [4], gives: [8], run: described(0) },
  GetErrorString: { takes: [4], gives: [8], run: described(1) },
  GetDevice: one(tells(0n), 8),
  GetDeviceCount: one(tells(1n), 8),
  RuntimeGetVersion: one(tells(RUNTIME_VERSION), 8),
};

/** By each name that compilers give them: of CUDA 11, of 12 and later, and for programs whose default stream is a thread's own. */
export const deviceRuntime: ReadonlyMap<string, DriverFunction> = new Map([
  ...Object.entries(functions).flatMap(([name, made]) =>
    [`cuda${name}`, `__cudaCDP2${name}`].flatMap((each) => [[each, made] as const, [`${each}_ptsz`, made] as const]),
  ),
  // What headers of CUDA 11.6 and later call in place of cudaDeviceSynchronize, to avoid a warning.
  ["__cudaDeviceSynchronizeDeprecationAvoidance", one(wait)],
]);

/** Whether a program that calls this function may launch kernels. */
export const mayLaunch = (name: string): boolean => deviceRuntime.has(name);
