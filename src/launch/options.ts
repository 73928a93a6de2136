import type { Platform } from "../../packages/visa/src/resolve/platform.ts";
import type { ColourChoice } from "../environment/colour.ts";
import type { Moving } from "../interp/async/moving.ts";
import type { Checks } from "../interp/create-session.ts";
import type { DumpView } from "./dump/view.ts";

/**
 * How a program is launched and what is shown of it: the options of `run` as data; a `//@ args:` line has some of them.
 */
export interface RunCommandOptions {
  readonly eval?: string;
  /** Files that the program is linked with. */
  readonly linkedWith?: readonly string[];
  readonly reg?: readonly string[];
  readonly arg?: readonly string[];
  readonly global?: readonly string[];
  readonly dump?: readonly string[];
  /** The default view of buffers. */
  readonly as?: DumpView;
  readonly entry?: string;
  /** The folder of cached programs. */
  readonly cache?: string;
  readonly grid?: readonly [number, number, number];
  readonly block?: readonly [number, number, number];
  readonly cluster?: readonly [number, number, number];
  readonly smem?: number;
  readonly stack?: number;
  readonly cooperative?: boolean;
  readonly schedule?: ScheduleOption;
  /** When the data of asynchronous operations move. */
  readonly async?: Moving;
  /** The executor, by its name; by default WebAssembly where a launch is long enough. */
  readonly executor?: string;
  readonly seeds?: readonly [first: number, last: number];
  readonly target?: string;
  readonly ptx?: string;
  /** The GPU whose tensor cores compute, instead of the text's target. */
  readonly arch?: string;
  /** For vISA: decides which instructions are accepted and the size of registers. */
  readonly platform?: Platform;
  readonly grf?: 32 | 64;
  /** For vISA: the file that says what the inputs of its kernels are, where none lies beside the dump. */
  readonly zeinfo?: string;
  readonly thread?: "all" | readonly [block: number, thread: number];
  readonly sanitize: Checks;
  readonly maxSteps?: number;
  readonly timeout?: number;
  /** When the command began, from which `--timeout` counts; else it counts from loading, and again from the launch. */
  readonly begun?: number;
  /** Threads that run blocks; or as many as there are processors. */
  readonly jobs?: number | "auto";
  readonly maxMem?: number;
  /** `weak`, `weak:random`, or a file with memory at its own addresses: `value/weak.ts` distinguishes them. */
  readonly memory?: string;
  /** The seed of the one run with `weak:random`. */
  readonly seed?: number;
  /** Folders with the programs that the PTX was compiled from. */
  readonly sourceDir?: readonly string[];
  readonly format: "text" | "json";
  readonly output?: string;
  readonly stats?: boolean;
  /** Exact values beside those of the run, to say where digits are lost. */
  readonly precision?: boolean;
  /** A file for a page about the launch. */
  readonly report?: string;
  /** Places whose values are explained. */
  readonly why?: readonly string[];
  readonly color: ColourChoice;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** In order, or permuted by a seed; the same seed gives the same order everywhere. */
export type ScheduleOption = "fixed" | { readonly seed: number };
