import type { ImageObject } from "../../interp/contract/image.ts";
import { type Dim3, unlinear, volume } from "../../interp/contract/launch/dim3.ts";
import { LANES, lowest } from "../../interp/contract/launch/lane-mask.ts";
import type {
  SamplerTable,
  SimdFill,
  SimdInput,
  SimdThreads,
  SurfaceTable,
} from "../../interp/contract/launch/simd.ts";
import type { Program } from "../../interp/contract/program.ts";
import { windows } from "../../interp/contract/window.ts";
import type { Memory } from "../../interp/index.ts";
import type { OwnVariables } from "../../interp/state/template.ts";
import { answer } from "../../interp/texture/query.ts";

/** Bytes between two variables of a thread, so that overruns are detected. */
const GAP = 64;

/** By device memory: the variables of a launch's further threads, and the values that the launch has filled in. */
const kept = new WeakMap<
  Memory,
  {
    readonly address: bigint | undefined;
    readonly privately: bigint | undefined;
    readonly printed: bigint | undefined;
    readonly filled: Set<string>;
    /** Handles of samplers that programs define. */
    readonly samplers: Map<string, bigint>;
  }
>();

/** How many groups and work-items a launch of SIMD threads has. */
export interface WorkItems {
  readonly groups: Dim3;
  readonly items: Dim3;
}

/** Threads of a group. */
export const threadsOf = ({ width }: SimdThreads, items: Dim3): number => Math.ceil(volume(items) / width);

/**
 * Allocates private variables for each thread of a launch: the first has those of the module, the others copies of
 * them. Arguments are copied into their variables, and values that only the launch knows into variables that contain 0.
 * Undefined when the device's memory is full.
 */
export function ownVariables(
  { simd, parameters }: Program,
  memory: Memory,
  addressOf: (variable: string) => bigint,
  { groups, items }: WorkItems,
  block: Uint8Array,
): OwnVariables | undefined {
  if (simd === undefined) throw new Error("the program has no SIMD threads");
  const threadsOfBlock = threadsOf(simd, items);
  const count = threadsOfBlock * volume(groups);
  const before = kept.get(memory);
  for (const each of [before?.address, before?.privately, before?.printed]) if (each !== undefined) memory.free(each);
  const filled = before?.filled ?? new Set<string>();
  const samplers = before?.samplers ?? new Map<string, bigint>();
  const offsets = new Map<string, number>();
  let stride = 0;
  for (const { name, bytes } of simd.variables) {
    offsets.set(name, stride);
    stride = Math.ceil((stride + bytes + GAP) / GAP) * GAP;
  }
  for (const { name, of, offset } of simd.views) offsets.set(name, (offsets.get(of) ?? 0) + offset);
  const further = (count - 1) * stride;
  const name = "the registers of further threads";
  const address = count === 1 ? undefined : memory.allocate({ name, bytes: further });
  const privateBytes = simd.fills.find(({ of }) => of === "private memory")?.value ?? 0;
  const privately =
    privateBytes === 0
      ? undefined
      : memory.allocate({
          name: "private memory",
          bytes: privateBytes * (hardwareThread(Math.min(count, MOST_HARDWARE) - 1) + 1),
        });
  const prints = simd.fills.some(({ of }) => of === "printf buffer");
  const printed = prints ? memory.allocate({ name: "the printf buffer", bytes: PRINTED }) : undefined;
  // What is printed stands behind the count of bytes that are taken.
  if (printed !== undefined) memory.write(printed, new Uint8Array(Uint32Array.of(4).buffer));
  kept.set(memory, { address, privately, printed, filled, samplers });
  if (
    (count > 1 && address === undefined) ||
    (privateBytes > 0 && privately === undefined) ||
    (prints && printed === undefined)
  )
    return undefined;
  if (block.length > 0) {
    const local = localPointers(simd, parameters, block);
    for (const input of simd.inputs)
      memory.write(addressOf(input.variable) + BigInt(input.offset), bytesFor(input, parameters, block, local));
    if (simd.surfaces !== undefined)
      memory.write(addressOf(simd.surfaces.variable), surfacesOf(simd.surfaces, parameters, block, addressOf));
    if (simd.samplers !== undefined)
      memory.write(addressOf(simd.samplers.variable), samplersOf(simd.samplers, parameters, block, memory, samplers));
  }
  const own: OwnVariables = {
    threadsOfBlock,
    addressOf(variable, thread) {
      const offset = offsets.get(variable);
      if (thread === 0 || offset === undefined || address === undefined) return addressOf(variable);
      return address + BigInt((thread - 1) * stride + offset);
    },
    lanes: (thread) => lowest(Math.min(simd.width, volume(items) - (thread % threadsOfBlock) * simd.width)),
  };
  const open = simd.fills.filter((fill) => filled.has(keyOf(fill)) || !isSet(fill, memory, addressOf));
  for (let thread = 1; thread < count; thread++)
    for (const variable of simd.variables) copy(variable, memory, own, thread);
  for (const fill of open) {
    filled.add(keyOf(fill));
    for (let thread = 0; thread < count; thread++)
      memory.write(
        own.addressOf(fill.variable, thread) + BigInt(fill.offset),
        contentsOf(fill, thread, { groups, items }, simd, {
          threadsOfBlock,
          privately,
          printed,
          addressOf: (variable) => own.addressOf(variable, thread),
          imageOf: (parameter) => imageIn(parameters[parameter]?.offset, block, memory),
        }),
      );
  }
  return own;
}

/** Pointers to local memory, by the parameter: one after the other, each as large as its argument says; those of 0 share the rest. */
function localPointers(
  { locals, ownLocalBytes, localBytes }: SimdThreads,
  parameters: Program["parameters"],
  block: Uint8Array,
) {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  const whole = (bytes: number): number => Math.ceil(bytes / PART) * PART;
  const sizes = locals.map((at) => whole(view.getUint32(parameters[at]?.offset ?? 0, true)));
  const left = localBytes - whole(ownLocalBytes) - sizes.reduce((all, each) => all + each, 0);
  const share = PART * Math.max(0, Math.floor(left / sizes.filter((each) => each === 0).length / PART));
  let end = whole(ownLocalBytes);
  return new Map(
    locals.map((at, index) => {
      const start = end;
      end += sizes[index] || share;
      return [at, start] as const;
    }),
  );
}

/** To how many bytes parts of local memory are aligned. */
const PART = 128;

/** The bytes of an argument that a variable holds. */
function bytesFor(
  { parameter, from, bytes }: SimdInput,
  parameters: Program["parameters"],
  block: Uint8Array,
  local: ReadonlyMap<number, number>,
): Uint8Array {
  const start = (parameters[parameter]?.offset ?? 0) + from;
  const pointer = local.get(parameter);
  if (pointer !== undefined)
    return new Uint8Array(BigUint64Array.of(BigInt(pointer)).buffer).subarray(from, from + bytes);
  return block.subarray(start, start + bytes);
}

/**
 * The table of surfaces: the addresses in the arguments, where its entries say, or in their order. A number that is no
 * valid address is left out there.
 */
function surfacesOf(
  { entries }: SurfaceTable,
  parameters: Program["parameters"],
  block: Uint8Array,
  addressOf: (variable: string) => bigint,
): Uint8Array {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  if (entries !== undefined) {
    const table = new BigUint64Array(1 + Math.max(-1, ...entries.map(({ index }) => index)));
    for (const entry of entries)
      table[entry.index] =
        "variable" in entry
          ? addressOf(entry.variable) + BigInt(entry.offset)
          : view.getBigUint64(parameters[entry.parameter]?.offset ?? 0, true);
    return new Uint8Array(table.buffer);
  }
  const pointers = parameters.filter(({ type, bytes, offset }) => {
    if (type !== "u64" || bytes !== 8) return false;
    const value = view.getBigUint64(offset, true);
    return value === 0n || Number(value >> 32n) === windows.global;
  });
  const table = new Uint8Array(8 * pointers.length);
  for (const [index, { offset }] of pointers.entries()) table.set(block.subarray(offset, offset + 8), 8 * index);
  return table;
}

/** The table of samplers: handles in the arguments, and of those that the program defines. */
function samplersOf(
  { entries }: SamplerTable,
  parameters: Program["parameters"],
  block: Uint8Array,
  { images }: Memory,
  made: Map<string, bigint>,
): Uint8Array {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  const table = new BigUint64Array(1 + Math.max(-1, ...entries.map(({ index }) => index)));
  for (const entry of entries) {
    if ("parameter" in entry) {
      table[entry.index] = view.getBigUint64(parameters[entry.parameter]?.offset ?? 0, true);
      continue;
    }
    const key = JSON.stringify(entry.sampler);
    const { sampler } = entry;
    const handle =
      made.get(key) ?? images.add({ kind: "samplerref", name: "the program's sampler", sampler, forced: false });
    made.set(key, handle);
    table[entry.index] = handle;
  }
  return new Uint8Array(table.buffer);
}

const keyOf = ({ variable, offset }: SimdFill): string => `${variable}+${offset}`;

/** Bytes for what a kernel prints; Intel's compiler counts on as many. */
const PRINTED = 0x400000;

/** Positions that hardware threads have. */
const MOST_HARDWARE = 0x1000;

const at = (address: bigint): number => Number(BigInt.asUintN(32, address));

/** Whether the host has set it: registers begin as 0. */
const isSet = ({ variable, offset, bytes, count }: SimdFill, memory: Memory, addressOf: (variable: string) => bigint) =>
  memory.read(addressOf(variable) + BigInt(offset), bytes * count).some((byte) => byte !== 0);

/** Copies bytes, and which of them are initialised; the gap behind them counts as uninitialised. */
function copy(
  { name, bytes }: { readonly name: string; readonly bytes: number },
  memory: Memory,
  own: OwnVariables,
  thread: number,
): void {
  const [from, to] = [at(own.addressOf(name, 0)), at(own.addressOf(name, thread))];
  memory.know(from, bytes);
  memory.know(to, bytes + GAP);
  memory.data.u8.copyWithin(to, from, from + bytes);
  memory.shadow.u8.copyWithin(to, from, from + bytes);
  memory.shadow.u8.fill(0, to + bytes, to + bytes + Math.min(GAP, GAP - (bytes % GAP)));
}

interface Places {
  readonly threadsOfBlock: number;
  /** Private memory of all threads. */
  readonly privately: bigint | undefined;
  readonly printed: bigint | undefined;
  readonly addressOf: (variable: string) => bigint;
  /** The image whose handle a parameter is. */
  readonly imageOf: (parameter: number) => ImageObject | undefined;
}

function imageIn(offset: number | undefined, block: Uint8Array, { images }: Memory): ImageObject | undefined {
  if (offset === undefined || offset + 8 > block.length) return undefined;
  return images.find(new DataView(block.buffer, block.byteOffset).getBigUint64(offset, true))?.object;
}

function contentsOf(
  { of, count, bytes, axis = 0, first = 0, value: number = 0, target = "", query }: SimdFill,
  thread: number,
  { groups, items }: WorkItems,
  { width }: SimdThreads,
  { threadsOfBlock, privately = 0n, printed = 0n, addressOf, imageOf }: Places,
): Uint8Array {
  const group = unlinear(Math.floor(thread / threadsOfBlock), groups);
  const start = (thread % threadsOfBlock) * width + first;
  const value = (index: number): number => {
    switch (of) {
      case "local id":
        return start + index < volume(items) ? (unlinear(start + index, items)[axis] ?? 0) : 0;
      case "group id":
        return group[axis] ?? 0;
      case "thread":
        return thread % threadsOfBlock;
      case "hardware thread":
        return hardwareThread(thread);
      case "local size":
        return items[first + index] ?? 0;
      case "group count":
        return groups[first + index] ?? 0;
      case "global size":
        return (items[first + index] ?? 0) * (groups[first + index] ?? 0);
      case "dimensions":
        return ([2, 1].find((each) => (items[each] ?? 1) * (groups[each] ?? 1) > 1) ?? 0) + 1;
      case "private memory":
      case "printf buffer":
      case "address":
        return 0;
      case "image": {
        const image = imageOf(number);
        return image === undefined || query === undefined ? 0 : answer(image, query, 0);
      }
      case "number":
        return number;
    }
  };
  const places = {
    "private memory": privately,
    "printf buffer": printed,
    address: of === "address" ? addressOf(target) + BigInt(number) : 0n,
  };
  if (of in places) return new Uint8Array(BigUint64Array.of(places[of as keyof typeof places]).buffer);
  const values = Array.from({ length: count }, (_, index) => value(index));
  if (bytes === 8) return new Uint8Array(BigUint64Array.from(values, BigInt).buffer);
  return new Uint8Array((bytes === 2 ? Uint16Array.from(values) : Uint32Array.from(values)).buffer);
}

/** Machine lanes that a group uses: each thread is a warp. */
export const lanesOfGroup = (simd: SimdThreads, items: Dim3): Dim3 => [threadsOf(simd, items) * LANES, 1, 1];

/**
 * The hardware position of a thread, as in %sr0: its number with zeros inserted at bits 3 and 6, which Intel's compiler
 * removes again to address each thread's private memory.
 */
function hardwareThread(thread: number): number {
  const at = thread & (MOST_HARDWARE - 1);
  const outer = (at & 7) | ((at >> 3) << 4);
  return (outer & 0x3f) | ((outer >> 6) << 7);
}
