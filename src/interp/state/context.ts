import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Asynchrony } from "../async/asynchrony.ts";
import type { MapChanges } from "../async/map-changes.ts";
import type { Dim3 } from "../contract/launch/dim3.ts";
import type { Observer } from "../contract/observer.ts";
import type { Program } from "../contract/program.ts";
import type { Memory } from "../memory/memory.ts";

/** What is the same for a whole launch, and known before its instructions are bound. */
export interface Context {
  readonly program: Program;
  readonly memory: Memory;
  /** Whose tensor cores compute: the program's target unless the launch says otherwise. */
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
  /** Tools that listen; they may come while the launch runs. */
  readonly observers: Observer[];
  /**
   * Whether somebody may look at registers: then all of them are as the program says wherever the launch can stop.
   * Otherwise only those count that some instruction may still read, and nobody looks at `executed` either.
   */
  readonly observable: boolean;
  /** Blocks of a cluster in each direction; undefined without clusters. */
  readonly cluster: Dim3 | undefined;
  readonly scratch: Scratch;
  /** Operations that instructions have asked for and nobody has waited for yet. */
  readonly asynchrony: Asynchrony;
  /** Tensor maps that somebody has changed and nobody has acquired yet. */
  readonly mapChanges: MapChanges;
  /** Takes away the next cluster that has not begun: its first block, or undefined when all have begun. */
  cancelCluster(): number | undefined;
  /** Bytes that malloc of the device may give out together. */
  readonly heapBytes: number;
  /** Takes what device printf prints. */
  print(text: string): void;
  /** Keeps a finding, the first one of each instruction. */
  report(finding: Diagnostic): void;
}

/** The addresses of the memory instruction that runs, one a lane; the next one overwrites them. */
export interface Scratch {
  /** The address as two words, before any window is applied. */
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  /** Where it lies in memory's buffer; negative when it lies in no window that the instruction reaches. */
  readonly at: Int32Array;
}
