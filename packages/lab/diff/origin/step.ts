import type { ThreadId } from "../../../../src/interp/contract/launch/thread-id.ts";
import { type Operand, scalars } from "../../../../src/interp/contract/operand.ts";
import type { Space } from "../../../../src/interp/contract/space.ts";

/** One instruction of one thread, as it ran. */
export interface Ran {
  readonly pc: number;
  /** Warp instructions of the launch before it. */
  readonly step: number;
  /** Whether the thread passed its guard; nothing else is known of a step that did not. */
  readonly taken: boolean;
  /** What it read, an entry for each scalar of its operands, addresses as their sum. */
  readonly reads: readonly bigint[];
  /** For each read: the index of this thread's step that made the value; undefined for a constant or an input. */
  readonly from: readonly (number | undefined)[];
  /** The step that made its guard. */
  readonly guardFrom?: number;
  results: readonly bigint[];
  access?: Access;
  /** The reads of all lanes that executed it together, by lane. */
  readonly peers?: ReadonlyMap<number, string>;
}

/** Memory that a thread touched in a step. */
export interface Access {
  readonly how: "load" | "store" | "atomic";
  readonly space: Space;
  readonly address: bigint;
  readonly where: number;
  readonly bytes: number;
}

/** Bytes of a run's memory by their offset in its buffer; shared memory is that of a block while it runs. */
export interface Place {
  readonly where: number;
  readonly bytes: number;
  readonly block?: number;
}

/** The steps of a thread, in their order. */
export interface ThreadTrace {
  readonly thread: ThreadId;
  readonly steps: readonly Ran[];
  /** True when the thread had more steps than are kept. */
  readonly cut: boolean;
}

/** The scalars of an operand: registers, constants and addresses. */
export const leaves = (operand: Operand | undefined): readonly Operand[] =>
  scalars(operand).filter(({ kind }) => kind !== "sink");

/** The slots that hold a scalar, as keys. */
export function slotsOf(operand: Operand): readonly string[] {
  switch (operand.kind) {
    case "predicate":
      return [`p${operand.slot}`];
    case "slot":
      return operand.bits === 128
        ? [`${operand.bank}${operand.slot}`, `${operand.bank}${operand.slot + 1}`]
        : [`${operand.bank}${operand.slot}`];
    case "address":
      return [operand.base, operand.index?.of].flatMap((each) => (each === undefined ? [] : slotsOf(each)));
    default:
      return [];
  }
}

export const threadKey = ({ block, warp, lane }: ThreadId): string => `${block}/${warp}/${lane}`;

/** Whether an access of a block touches a place. */
export const touches = (place: Place, where: number, bytes: number, block: number): boolean =>
  where < place.where + place.bytes &&
  place.where < where + bytes &&
  (place.block === undefined || place.block === block);
