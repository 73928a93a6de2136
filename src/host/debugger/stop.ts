import type { ThreadId } from "../../interp/contract/launch/thread-id.ts";
import type { HostSpace } from "../../interp/contract/space.ts";
import type { Edit } from "../../interp/tools/edit.ts";
import type { Sliced } from "../../interp/tools/sliced.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";

/** What can be caught besides breakpoints and watchpoints. */
export type Event = "fault" | "nan" | "divergence" | "barrier" | "race";

/** Why the debugger stopped. */
export type DebugStop = {
  /** Warp instructions executed so far. */
  readonly step: number;
  /** The thread that stopped, and the instruction that it is about to execute; one past the last when it has exited. */
  readonly thread: ThreadId;
  readonly pc: number;
} & (
  | /** Nothing has run yet, or going back has reached the beginning. */ { readonly reason: "start" }
  /** A step, `finish`, `until`, `goTo` or a write is done. */
  | { readonly reason: "step" }
  | { readonly reason: "interrupt" }
  | { readonly reason: "breakpoint"; readonly id: number }
  /**
   * The value has changed from `old` to `new`, in the direction of travel; `writer` is the instruction that changed it.
   */
  | {
      readonly reason: "watchpoint";
      readonly id: number;
      readonly old: bigint | undefined;
      readonly new: bigint | undefined;
      readonly writer: number;
    }
  /**
   * Memory was read or written, in the direction of travel: `old` and `new` are its values, `writer` is the
   * instruction.
   */
  | {
      readonly reason: "access";
      readonly id: number;
      readonly access: "read" | "write";
      readonly old: bigint | undefined;
      readonly new: bigint | undefined;
      readonly writer: number;
    }
  /**
   * For `nan`, `divergence` and `race` the thread and `cause` identify the instruction; a barrier is about to be
   * executed.
   */
  | { readonly reason: "catch"; readonly id: number; readonly event: Event; readonly cause: number }
  /** A fault, a finding that ends the run, a gap or a limit; `id` when it was caught. */
  | { readonly reason: "trap"; readonly diagnostic: Diagnostic; readonly id?: number }
  | { readonly reason: "exit" }
);

/** What a point reports when it stops the run. */
export type Hit =
  | { readonly reason: "breakpoint"; readonly id: number; readonly thread: ThreadId }
  | {
      readonly reason: "watchpoint";
      readonly id: number;
      readonly thread: ThreadId;
      readonly old: bigint | undefined;
      readonly new: bigint | undefined;
      readonly writer: number;
    }
  | {
      readonly reason: "access";
      readonly id: number;
      readonly thread: ThreadId;
      readonly access: "read" | "write";
      readonly old: bigint | undefined;
      readonly new: bigint | undefined;
      readonly writer: number;
    }
  | {
      readonly reason: "catch";
      readonly id: number;
      readonly thread: ThreadId;
      readonly event: Event;
      readonly cause: number;
    };

/** Called every few milliseconds: true ends the run, and the debugger stops where it is. */
export interface Travel {
  readonly interrupt?: () => boolean;
}

/**
 * A move of the debugger, executed incrementally, so that the caller can do other things: `next(true)` ends it between
 * two slices, and the debugger stops where it is. Its value is the position and reason of the stop. Nothing else may
 * move the debugger meanwhile.
 */
export type Move = Sliced<DebugStop>;

/** Something that can be written: a register of a thread, CC.CF of a thread, or bytes of memory. */
export type WriteTarget =
  | {
      readonly kind: "register";
      readonly thread: ThreadId;
      readonly name: string;
      /**
       * The function of the register, an index or the kernel's; by default the thread's current function, then the
       * kernel.
       */
      readonly scope?: number | "kernel";
    }
  | { readonly kind: "carry"; readonly thread: ThreadId }
  | {
      readonly kind: "memory";
      readonly space: HostSpace;
      readonly address: bigint;
      readonly bytes: number;
      /** The thread whose memory is meant, for spaces that belong to a block or a thread. */
      readonly thread?: ThreadId;
    };

/**
 * The write of a target: by an instruction, where `step` is the position just before it ran; or with `edit` a manual
 * change at `step`, where `pc` is the instruction that the thread was about to execute.
 */
export interface Write {
  readonly edit?: Edit;
  readonly step: number;
  readonly thread: ThreadId;
  readonly pc: number;
  /** The value as one number, first element or byte lowest; undefined where it could not be read. */
  readonly old: bigint | undefined;
  readonly new: bigint | undefined;
}
