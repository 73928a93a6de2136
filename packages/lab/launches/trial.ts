import type { Argument, LaunchOptions } from "../../../src/host/index.ts";
import type { WarpAccess } from "../../../src/interp/contract/observer.ts";
import type { Parameter } from "../../../src/interp/contract/program.ts";
import type { Stop } from "../../../src/interp/contract/stop.ts";
import type { Session } from "../../../src/interp/machine/session.ts";
import type { Loaded } from "../../../src/launch/program.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";

/** What a kernel did behind one of its pointers: offsets in bytes from where that points. */
export interface Use {
  /** The least offset, and the one behind the greatest. */
  first: number;
  end: number;
  /** Whether it has read bytes that it had not stored before, stored any, and done atomic operations there. */
  reads: boolean;
  writes: boolean;
  atomics: boolean;
  /** Whether a stored byte was stored once more before anything had read it. */
  overwrites: boolean;
  /** Whether a byte at an offset was stored. */
  readonly isStored: (offset: number) => boolean;
  /** The instructions that accessed it, by their places in the code, the first one first. */
  readonly by: Set<number>;
}

/** What a run of a kernel showed about its parameters and its shared memory. */
export interface Trial {
  /** By parameter; none for one behind which nothing was accessed. */
  readonly uses: ReadonlyMap<Parameter, Use>;
  /** Bytes of shared memory that were accessed, from its beginning. */
  readonly shared: number;
  /** Whether it took more steps than it was given. */
  readonly tooLong: boolean;
  /** The fault that ended it, but for that. */
  readonly fault: Diagnostic | undefined;
}

/** Bytes behind each pointer of a trial, and before it. */
const REGION = 1 << 22;
const BEFORE = 1 << 19;
/** Warp instructions of a trial. */
const MAX_STEPS = 200_000;

/** What has happened to a byte: nothing, a store, or a store whose value a load has read. */
const STORED = 1;
const READ = 2;

interface Region {
  readonly parameter: Parameter;
  /** Where the pointer leads in memory's buffer. */
  readonly at: number;
  /** By offset from `BEFORE` bytes before the pointer. */
  readonly state: Uint8Array;
  use?: Use;
}

/**
 * Runs a kernel without checks. Each parameter in `pointers` leads to memory of its own, with as much room as a small launch could
 * want: its `contents`, and zeros; `values` are the others, but for what is `given` by hand. What it accesses says what is a pointer
 * and how far it goes.
 */
export function tried(
  { device, kernel }: Pick<Loaded, "device" | "kernel">,
  pointers: readonly Parameter[],
  values: ReadonlyMap<Parameter, bigint>,
  given: ReadonlyMap<Parameter, Argument>,
  contents: ReadonlyMap<Parameter, Uint8Array>,
  options: Pick<LaunchOptions, "grid" | "block" | "cooperative" | "dynamicShared">,
  run: (session: Session) => Stop = (session) => session.run(),
): Trial | undefined {
  const regions: Region[] = [];
  const args = kernel.program.parameters.map((parameter): Argument => {
    const known = given.get(parameter);
    if (known !== undefined) return known;
    if (parameter.aggregate) return new Uint8Array(parameter.bytes);
    if (!pointers.includes(parameter)) return { bits: values.get(parameter) ?? 0n };
    const buffer = device.buffer(REGION, { name: parameter.name });
    buffer.write((contents.get(parameter) ?? new Uint8Array()).subarray(0, REGION - BEFORE), BEFORE);
    const address = buffer.address + BigInt(BEFORE);
    regions.push({ parameter, at: Number(BigInt.asUintN(32, address)), state: new Uint8Array(REGION) });
    return { bits: address };
  });
  const { value: session } = kernel.session({
    ...options,
    args,
    sanitize: { mem: false, init: false, sync: false },
    maxSteps: MAX_STEPS,
    readableRegisters: false,
  });
  if (session === undefined) return undefined;
  let shared = 0;
  const noteOne = (how: "load" | "store", pc: number, where: number, bytes: number): void => {
    for (const region of regions) noteAt(region, how, pc, where, bytes);
  };
  session.observe({
    access(access) {
      if (access.space === "shared") shared = Math.max(shared, endIn(access));
      else for (const region of regions) note(region, access);
    },
    // Asynchronous copies, and what else is done at other addresses than a lane's.
    load: (_at, _space, _address, bytes, _sem, _scope, where, by = 0) => noteOne("load", by, where, bytes),
    store: (_at, _space, _address, bytes, _sem, _scope, where, _value, by = 0) => noteOne("store", by, where, bytes),
  });
  const stop = run(session);
  session.close();
  const uses = new Map(regions.flatMap(({ parameter, use }) => (use === undefined ? [] : [[parameter, use] as const])));
  const fault = stop.reason === "trap" ? stop.diagnostic : undefined;
  const tooLong = fault?.code === "PTX6001" || stop.reason === "budget";
  return { uses, shared, tooLong, fault: tooLong ? undefined : fault };
}

/** The end of an access in its window, of shared memory. */
function endIn({ lanes, addresses, bytes }: WarpAccess): number {
  let end = 0;
  for (let lane = 0; lane < 32; lane++)
    if ((lanes >>> lane) & 1) end = Math.max(end, (addresses[2 * lane]! & 0xff_ffff) + bytes);
  return end;
}

function note(region: Region, { how, pc, lanes, where, bytes }: WarpAccess): void {
  for (let lane = 0; lane < 32; lane++) if ((lanes >>> lane) & 1) noteAt(region, how, pc, where[lane]!, bytes);
}

/** Notes an access to a place in memory's buffer, if it is one of the region's. */
function noteAt(region: Region, how: WarpAccess["how"], pc: number, where: number, bytes: number): void {
  const { state } = region;
  const offset = where - region.at;
  if (offset < -BEFORE || offset >= REGION - BEFORE) return;
  region.use ??= {
    ...{ first: offset, end: offset, reads: false, writes: false, atomics: false, overwrites: false },
    isStored: (each) => state[each + BEFORE] !== undefined && state[each + BEFORE] !== 0,
    by: new Set(),
  };
  const { use } = region;
  use.first = Math.min(use.first, offset);
  use.end = Math.max(use.end, offset + bytes);
  use.by.add(pc);
  const byte = offset + BEFORE;
  if (how === "atomic") use.atomics = true;
  if (how !== "store" && state[byte] === 0) use.reads = true;
  if (how === "store") use.writes = true;
  if (how === "store" && state[byte] === STORED) use.overwrites = true;
  if (how === "load" && state[byte] === STORED) state.fill(READ, byte, byte + bytes);
  if (how !== "load") state.fill(STORED, byte, byte + bytes);
}
