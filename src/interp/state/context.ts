import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Asynchrony } from "../async/asynchrony.ts";
import type { MapChanges } from "../async/map-changes.ts";
import type { Dim3 } from "../contract/launch/dim3.ts";
import type { Observer } from "../contract/observer.ts";
import type { Program } from "../contract/program.ts";
import type { Memory } from "../memory/memory.ts";
import type { AwaitedStores } from "./awaited-stores.ts";
import type { DeviceLaunches } from "./device-launches.ts";

/** Bytes that compiled code has to multiply matrices in. */
export const MATRIX_ROOM: number = 1 << 15;

/** And to hold copies in (`compiled/boundary/copy-layout.ts`). */
export const COPY_ROOM: number = 1 << 17;

/** The facts about a launch that hold for all of it and are known before its instructions are bound. */
export interface Context {
  readonly program: Program;
  readonly memory: Memory;
  /** The target whose tensor cores compute: the program's unless the launch says otherwise. */
  readonly target: string;
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly lanes: number;
  /** Sizes of the windows of a block and a thread, bytes; `localStride` from one lane's local memory to the next's. */
  readonly sharedBytes: number;
  readonly localBytes: number;
  readonly localStride: number;
  /** Where the parameter block lies in memory's buffer. */
  readonly parameters: number;
  readonly sanitize: {
    readonly mem: boolean;
    readonly init: boolean;
    readonly sync: boolean;
    readonly bounds?: boolean;
  };
  /** The observers; more may be added while the launch runs. */
  readonly observers: Observer[];
  /**
   * Whether registers may be inspected: then all of them are exact wherever the launch can stop.
   * Otherwise only live registers are, and `executed` is not used either.
   */
  readonly observable: boolean;
  /** Blocks of a cluster in each direction; undefined without clusters. */
  readonly cluster: Dim3 | undefined;
  /** A word where the manual leaves a value undefined: 0, or as the seed of the schedule draws it. */
  readonly undefinedWord: number;
  readonly scratch: Scratch;
  /** Where compiled code multiplies matrices: `MATRIX_ROOM` bytes of memory's buffer; undefined where it does not. */
  readonly matrixRoom: number | undefined;
  /** Where it holds copies in flight: `COPY_ROOM` bytes; likewise. */
  readonly copyRoom: number | undefined;
  /** Operations that have been issued and not waited for yet. */
  readonly asynchrony: Asynchrony;
  /** Tensor maps that have been changed and not acquired yet. */
  readonly mapChanges: MapChanges;
  /** Cancels the next cluster that has not begun: its first block, or undefined when all have begun. */
  cancelCluster(): number | undefined;
  /** What its threads have requested of the device. */
  readonly launches: DeviceLaunches;
  /** Bytes of the device heap. */
  readonly heapBytes: number;
  /** Receives the output of device printf. */
  print(text: string): void;
  /** Keeps a finding, the first one of each instruction; false for others. */
  report(finding: Diagnostic): boolean;
  /** Reads of what nothing had written, and who writes it later. */
  readonly awaited: AwaitedStores;
}

/** The addresses of the current memory instruction, one a lane; the next one overwrites them. */
export interface Scratch {
  /** The address as two words, before any window is applied. */
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  /** The offset in memory's buffer; negative for an address outside the windows that the instruction reaches. */
  readonly at: Int32Array;
}
