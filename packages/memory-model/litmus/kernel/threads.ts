import type { Kernel, Module } from "../../../../src/host/index.ts";
import { type Dim3, volume } from "../../../../src/interp/contract/launch/dim3.ts";
import type { Inputs } from "../../../../src/launch/input/launch-inputs.ts";
import type { Diagnostic, Staged } from "../../../../src/source/diagnostic.ts";
import type { Initial, Litmus, Placement, Thread } from "../../model/event.ts";
import { AddressMap, type Range } from "../ptx/address-map.ts";
import { bytesOf } from "../ptx/element.ts";
import { follow } from "../ptx/follow.ts";
import { unsupported } from "../ptx/supported.ts";

/** A kernel on a separate device, with its inputs. */
export interface Prepared {
  readonly kernel: Kernel;
  readonly module?: Module | undefined;
  readonly inputs: Inputs;
}

export interface Sizes {
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly cluster?: Dim3 | undefined;
  /** Dynamic shared memory, bytes. */
  readonly smem: number;
}

/** Memory whose final contents the launch is run for, by the name that the user knows. */
export interface Shown {
  readonly name: string;
  readonly type: string;
  /** Names of its elements, as `Execution.memory` has them. */
  readonly elements: readonly string[];
}

/** A launch as threads for the memory model. */
export interface Launched {
  readonly litmus: Litmus;
  readonly shown: readonly Shown[];
}

/**
 * Every thread of a launch, each on a separate device that `make` prepares (the same way each time, so that addresses
 * are equal), and the initial contents of their shared memory.
 */
export function threadsOf(
  make: () => Staged<Prepared | undefined>,
  sizes: Sizes,
  bound: number,
): Staged<Launched | undefined> {
  const { value: first, diagnostics } = make();
  if (!first) return { value: undefined, diagnostics };
  const wrong: Diagnostic[] = unsupported(first.kernel.program);
  if (wrong.length > 0) return { value: undefined, diagnostics: wrong };
  const spots = [...spotsOf(sizes)];
  const ranges = rangesOf(first, sizes.smem);
  const places = new AddressMap(
    ranges,
    spots.map(({ placement }) => placement),
  );
  const initial = initialOf(first, spots, places);
  const threads: Thread[] = [];
  for (const [index, spot] of spots.entries()) {
    const { value: own } = index === 0 ? { value: first } : make();
    if (!own) return { value: undefined, diagnostics: [] };
    const { kernel, inputs } = own;
    threads.push(
      follow(
        {
          name: spot.name,
          placement: spot.placement,
          kernel,
          source: kernel.program.source,
          shift: 0,
          places,
          bound,
          specials: (name) => spot.specials.get(name),
          inputs: { args: inputs.args, registers: inputs.registers, carry: inputs.carry, dynamicShared: sizes.smem },
        },
        index,
      ),
    );
  }
  const shown = shownOf(first, ranges, [...places.elements({ block: 0, cluster: 0, gpu: 0 })]);
  return { value: { litmus: { threads, initial }, shown }, diagnostics };
}

/** One thread's position: its name in pictures, its scopes and the values of its special registers. */
interface Spot {
  readonly name: string;
  readonly placement: Placement;
  readonly specials: ReadonlyMap<string, number>;
}

const axes = ["x", "y", "z"] as const;

function* spotsOf({ grid, block, cluster = [1, 1, 1] }: Sizes): Generator<Spot> {
  const threads = volume(block);
  for (let cta = 0; cta < volume(grid); cta++)
    for (let thread = 0; thread < threads; thread++) {
      const ctaid = unfold(cta, grid);
      const tid = unfold(thread, block);
      const within = ctaid.map((each, i) => each % (cluster[i] ?? 1));
      const clusterid = ctaid.map((each, i) => Math.floor(each / (cluster[i] ?? 1)));
      const clusters = grid.map((each, i) => Math.ceil(each / (cluster[i] ?? 1)));
      const specials = new Map<string, number>([
        ["laneid", thread % 32],
        ["warpid", thread >> 5],
        ["nwarpid", (threads + 31) >> 5],
        ["cluster_ctarank", fold(within, cluster)],
        ["cluster_nctarank", volume(cluster)],
        ["lanemask_eq", (1 << (thread % 32)) >>> 0],
      ]);
      const vectors = {
        tid,
        ntid: block,
        ctaid,
        nctaid: grid,
        clusterid,
        nclusterid: clusters,
        cluster_ctaid: within,
        cluster_nctaid: cluster,
      };
      for (const [name, value] of Object.entries(vectors))
        for (const [i, axis] of axes.entries()) specials.set(`${name}.${axis}`, value[i] ?? 1);
      const name = volume(grid) === 1 ? `T${thread}` : `B${cta}T${thread}`;
      yield {
        name,
        placement: { block: cta, cluster: fold(clusterid, clusters), gpu: 0, warp: thread >> 5, lane: thread % 32 },
        specials,
      };
    }
}

const unfold = (linear: number, [x, y]: Dim3 | readonly number[]): number[] => {
  const [width = 1, height = 1] = [x, y];
  return [linear % width, Math.floor(linear / width) % height, Math.floor(linear / (width * height))];
};

const fold = ([x = 0, y = 0, z = 0]: readonly number[], [width = 1, height = 1]: Dim3 | readonly number[]): number =>
  x + width * (y + height * z);

/** Buffers, variables of the module, and shared memory. */
function rangesOf({ kernel, module, inputs }: Prepared, smem: number): Range[] {
  const ranges: Range[] = inputs.buffers.map(({ name, type, buffer }) => ({
    name,
    space: "global",
    start: Number(buffer.address),
    bytes: buffer.bytes,
    element: bytesOf(type),
  }));
  for (const name of module?.variables ?? []) {
    const buffer = module?.variable(name);
    if (buffer && !ranges.some((range) => range.start === Number(buffer.address)))
      ranges.push({
        name,
        space: "global",
        start: Number(buffer.address),
        bytes: buffer.bytes,
        element: bytesOf(module?.typeOf(name) ?? "b8"),
      });
  }
  for (const { name, space, type, offset, bytes } of kernel.program.variables)
    if (space === "shared" && bytes > 0) ranges.push({ name, space, start: offset, bytes, element: bytesOf(type) });
  if (smem > 0)
    ranges.push({ name: "shared", space: "shared", start: kernel.program.dynamicShared, bytes: smem, element: 4 });
  return ranges;
}

/** Initial memory: global memory once, shared memory of each block as zero. */
function initialOf({ inputs, module }: Prepared, spots: readonly Spot[], places: AddressMap): Initial[] {
  const initial = new Map<number, Initial>();
  const held = (name: string): Uint8Array | undefined =>
    inputs.buffers.find((each) => each.name === name)?.buffer.read() ?? module?.variable(name)?.read();
  const contents = new Map<string, Uint8Array | undefined>();
  for (const { placement } of spots)
    for (const { location, range, offset } of places.elements(placement)) {
      if (initial.has(location.at)) continue;
      if (!contents.has(range.name)) contents.set(range.name, range.space === "global" ? held(range.name) : undefined);
      const bytes = contents.get(range.name)?.subarray(offset, offset + range.element) ?? [];
      const value = [...bytes].reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
      initial.set(location.at, { location, value });
    }
  return [...initial.values()];
}

/** The buffers, and the variables of the module. */
function shownOf(
  { inputs, module }: Prepared,
  ranges: readonly Range[],
  elements: readonly { location: Initial["location"]; range: Range }[],
): Shown[] {
  return ranges
    .filter(({ space }) => space === "global")
    .map(({ name }) => ({
      name,
      type: inputs.buffers.find((each) => each.name === name)?.type ?? module?.typeOf(name) ?? "b8",
      elements: elements.filter(({ range }) => range.name === name).map(({ location }) => location.name),
    }));
}
