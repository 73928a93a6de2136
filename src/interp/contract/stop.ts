import type { Diagnostic } from "../../source/diagnostic.ts";
import type { ThreadId } from "./launch/thread-id.ts";

/** Why a run returned: one union for exit codes, the REPL's prompt and a debug adapter's `stopped`. */
export type Stop =
  | { readonly reason: "step" | "budget" | "pause"; readonly at: ThreadId; readonly pc: number }
  | { readonly reason: "breakpoint" | "watchpoint"; readonly at: ThreadId; readonly pc: number; readonly id: number }
  /** A fault (exit 4), a sanitizer finding that ends the run (7), a gap (5) or a limit (6): see `diagnostic.code`. */
  | { readonly reason: "trap"; readonly at: ThreadId; readonly pc: number; readonly diagnostic: Diagnostic }
  | { readonly reason: "exit" };
