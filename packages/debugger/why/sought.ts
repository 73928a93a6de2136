import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import type { HostSpace } from "../../../src/interp/contract/space.ts";

/** Something that is written: bits of a register's slot, CC.CF, or memory as a thread sees it. */
export type Sought =
  | {
      readonly kind: "slot";
      readonly thread: ThreadId;
      readonly bank: "p" | "r" | "q";
      readonly slot: number;
      /** The bits of it that are meant. */
      readonly low: number;
      readonly bits: number;
    }
  | { readonly kind: "carry"; readonly thread: ThreadId }
  | {
      readonly kind: "memory";
      readonly thread: ThreadId;
      readonly space: HostSpace;
      readonly address: bigint;
      readonly bytes: number;
    };

/** What is sought, as a key: of one thread. */
export const keyOf = (sought: Sought | undefined): string =>
  sought === undefined
    ? ""
    : sought.kind === "slot"
      ? `${sought.thread.lane} ${sought.bank}${sought.slot} ${sought.low}`
      : sought.kind === "carry"
        ? "cc"
        : `${sought.space} ${sought.address}`;

/** A moment of a run: before a step, and where lanes write one after the other, behind those below `lane` in it. */
export interface Moment {
  readonly step: number;
  readonly lane?: number;
}
