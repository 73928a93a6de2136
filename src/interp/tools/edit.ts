import type { Diagnostic } from "../../source/diagnostic.ts";
import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { Program } from "../contract/program.ts";
import type { HostSpace } from "../contract/space.ts";
import type { Session } from "../machine/session.ts";
import { inject } from "./injected-instruction.ts";

/** A change by hand to a launch that has stopped between two instructions, as data: it can be made again. */
export type Edit =
  | {
      readonly kind: "register";
      readonly thread: ThreadId;
      readonly name: string;
      /** One value an element, cut to the register's width. */
      readonly bits: readonly bigint[];
      /** The index of the function whose register it is; undefined for the kernel's. */
      readonly callee?: number | undefined;
    }
  | { readonly kind: "carry"; readonly thread: ThreadId; readonly value: 0 | 1 }
  | {
      readonly kind: "memory";
      readonly space: HostSpace;
      readonly address: bigint;
      readonly bytes: Uint8Array;
      /** The thread whose memory is meant, for spaces that belong to a block or a thread. */
      readonly thread?: ThreadId | undefined;
    }
  /** Instructions of another program, executed for one thread; see `inject`. */
  | {
      readonly kind: "instructions";
      readonly thread: ThreadId;
      readonly program: Program;
      readonly callee?: number | undefined;
    };

/** An edit, and its position. */
export interface MadeEdit {
  readonly step: number;
  readonly edit: Edit;
}

/**
 * Makes an edit. Returns the fault of instructions that failed; what they wrote before stays. Throws a RangeError, and
 * changes nothing, where there is no such register, address or thread.
 */
export function make(session: Session, edit: Edit): Diagnostic | undefined {
  switch (edit.kind) {
    case "register":
      session.writeRegister(edit.thread, edit.name, edit.bits, edit.callee);
      return undefined;
    case "carry":
      session.writeCarry(edit.thread, edit.value);
      return undefined;
    case "memory":
      session.write(edit.space, edit.address, edit.bytes, edit.thread);
      return undefined;
    case "instructions":
      return inject(session, edit.program, edit.thread, edit.callee);
  }
}
