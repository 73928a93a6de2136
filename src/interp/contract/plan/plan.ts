import type { Operation } from "../../../numeric/operation/operation.ts";
import type { WarpOperation } from "../../../numeric/operation/warp.ts";
import type { Beyond } from "../launch/beyond.ts";
import type { Channels, ElementAccess } from "../launch/channels.ts";
import type { FencedProxy, MemoryOrder, MemoryScope, PlannedFence } from "../memory-consistency.ts";
import type { Operand, SlotOperand } from "../operand.ts";
import type { Cell, Space, StateSpace } from "../space.ts";
import type { AsyncPlan } from "./plan-async.ts";
import type { BulkPlan } from "./plan-bulk.ts";
import type { LinesPlan } from "./plan-lines.ts";
import type { MatrixPlan } from "./plan-matrix.ts";
import type { TensorMemoryPlan } from "./plan-tensor-memory.ts";
import type { TexturePlan } from "./plan-texture.ts";
import type { WarpgroupPlan } from "./plan-warpgroup.ts";

/**
 * What an instruction does, as data: one of a few shapes, with a named operation. The interpreter binds a plan
 * to operands, a compiled tier can emit it, documentation prints it. Operands come in the order of the form's syntax
 * line, with a hole for each optional one that is not written.
 */
export type Plan =
  | MatrixPlan
  | BulkPlan
  | AsyncPlan
  | LinesPlan
  | TexturePlan
  | TensorMemoryPlan
  | WarpgroupPlan
  /** `d, a{, b{, c{, e}}}`: one operation a lane, registers to register; a vector is its elements. */
  | { readonly shape: "compute"; readonly op: Operation; readonly extend?: "sign" | "zero" }
  /** `d, a, b{, c}` with CC.CF in, out or both (PTX ISA, Extended-Precision Integer Arithmetic). */
  | { readonly shape: "carry"; readonly op: Operation; readonly carryIn: boolean; readonly carryOut: boolean }
  /** `d|p, a, b, c, e, {!}q`: d = op(a, b, c, e), p = combine(d != 0, q). */
  | { readonly shape: "test"; readonly op: Operation; readonly combine: PredicateOp }
  /** `p{|q}, a, b{, {!}c}`: p = combine(a op b, c), q = combine(!(a op b), c). */
  | {
      readonly shape: "compare";
      readonly op: Operation;
      /** The comparison for q, in place of the opposite: of the high halves where op compares the low ones. */
      readonly second?: Operation;
      readonly combine?: PredicateOp;
    }
  /** `d, a, b, p`: d = p ? a : b. */
  | { readonly shape: "select" }
  /** `d, a`: the same bits, whatever the width, predicates and vectors of one length included. */
  | { readonly shape: "move" }
  /** `m, c, d, s`: keeps two of each four elements of d in c, and their indices in m, as the descriptor s says. */
  | { readonly shape: "compress"; readonly elementBits: 8 | 16; readonly indexBits: 2 | 4 }
  /** `d, m, c`: of each `of` elements of d, `num` times, `stored` are those of c, at the indices in m; others are 0. */
  | {
      readonly shape: "decompress";
      readonly elementBits: 8 | 16;
      readonly indexBits: 2 | 4;
      readonly stored: number;
      readonly of: number;
      readonly num: number;
    }
  /** `d, {a, b, ...}`: the first element takes the low bits. */
  | { readonly shape: "pack" }
  /** `{d, e, ...}, a`. */
  | { readonly shape: "unpack" }
  /** `p, q{, r}` on predicates, a whole warp at once. */
  | { readonly shape: "logic"; readonly op: PredicateOp | "not" }
  /** `d, [a]` or `{d, e, ...}, [a]`. */
  | {
      readonly shape: "load";
      readonly space: Space;
      readonly cell: Cell;
      /** Through a cache that no store reaches. */
      readonly proxy?: "readonly";
      /** Weak by default. */
      readonly sem?: MemoryOrder;
      readonly scope?: MemoryScope;
      readonly beyond?: Beyond;
      /** An address may be any byte (messages of vISA). */
      readonly unaligned?: true;
    }
  /** `[a], b` or `[a], {b, c, ...}`. */
  | {
      readonly shape: "store";
      readonly space: Space;
      readonly cell: Cell;
      readonly sem?: MemoryOrder;
      readonly scope?: MemoryScope;
      readonly beyond?: Beyond;
      /** An address may be any byte (messages of vISA). */
      readonly unaligned?: true;
    }
  /** `d, a`: cvta, an address of `space` to or from generic. */
  | {
      readonly shape: "address";
      readonly space: StateSpace;
      readonly to: "generic" | "space";
      readonly bits: 32 | 64;
    }
  /** `d, [a], b{, c}` (atom) or `[a], b` (red): memory = op(memory, b{, c}) and d = the old value, atomically. */
  | {
      readonly shape: "atomic";
      readonly space: Space;
      /** On one element: the value in memory, then b, then c. */
      readonly op: Operation;
      /** The operation for shared memory, where it differs (add.f32 keeps subnormals there). */
      readonly shared?: Operation;
      readonly bits: 16 | 32 | 64 | 128;
      /** False for red: no d. */
      readonly gives: boolean;
      readonly sem: MemoryOrder;
      readonly scope: MemoryScope;
    }
  /** `[a], size`: the bytes may be dropped unread; a read before the next write returns garbage. */
  | { readonly shape: "discard"; readonly space: Space; readonly bytes: number }
  /** `p, a`: isspacep, whether a generic address lies in `space`. */
  | { readonly shape: "within"; readonly space: StateSpace }
  /** `d, a`: getctarank, the block whose shared memory contains an address of `shared::cluster` or a generic one. */
  | { readonly shape: "rank" }
  /** `target`: with channels, the enabled ones branch, or all lanes together if any is enabled (`uniform`). */
  | { readonly shape: "branch"; readonly channels?: Channels; readonly uniform?: boolean }
  /**
   * No operands: loads one element a channel into slots, executes `inner` on slots, and stores. All reads come before
   * all writes.
   */
  | {
      readonly shape: "channels";
      readonly channels: Channels;
      readonly loads: readonly ElementAccess[];
      /** Predicates whose mask over all lanes is passed to every lane as a number. */
      readonly masks?: readonly { readonly predicate: number; readonly slot: SlotOperand }[];
      readonly inner: readonly Inner[] | ((control: number) => readonly Inner[]);
      /** The address of the control word for `inner`: a slot with the same value in all lanes. */
      readonly control?: SlotOperand;
      readonly stores: readonly ElementAccess[];
    }
  /** `index, targets`: brx.idx; an index behind the last target is a fault. */
  | { readonly shape: "switch" }
  /**
   * `results, callee, arguments{, candidates}`: vectors of `address` (a `.param` variable of the body), `slot` or
   * `predicate`, and a `target` (the index into `Program.functions`) or a `slot` with a function's address, which must
   * be one of the candidates, a vector of targets. With channels, the enabled ones call.
   */
  | { readonly shape: "call"; readonly channels?: Channels; readonly uniform?: boolean }
  /** `results..., operands..., membermask`: for the lanes of the mask, or the active ones (shfl.sync ...). */
  | { readonly shape: "warp"; readonly op: WarpOperation }
  /** `a{, b}` or, for a reduction, `d, a{, b}, p`: the CTA's barrier `a`, for `b` threads. */
  | {
      readonly shape: "barrier";
      readonly act: "sync" | "arrive" | "popc" | "and" | "or";
      /** All threads of a warp execute the same one. */
      readonly aligned: boolean;
    }
  /**
   * `a{, role, producers, consumers}` to signal, `a` to wait: the two halves of split barrier `a` of the block, for
   * SIMD threads (vISA's sbarrier and nbarrier). Without counts it is for the whole block.
   */
  | { readonly shape: "split barrier"; readonly act: "signal" | "wait" }
  /** No operands: arrives at the cluster's barrier, or waits for it. */
  | {
      readonly shape: "cluster barrier";
      readonly act: "arrive" | "wait";
      readonly aligned: boolean /** Orders nothing. */;
      readonly relaxed?: true;
    }
  /** `d, a{, b}`: alloca of a bytes, aligned to b; `d`: stacksave; `a`: stackrestore. */
  | { readonly shape: "stack"; readonly act: "alloca" | "save" | "restore" }
  | { readonly shape: "exit"; readonly channels?: Channels }
  | { readonly shape: "return"; readonly channels?: Channels }
  | { readonly shape: "trap" }
  /** May do nothing, for the reason `why`: a hint to the caches, or a fence, which only observers need. */
  | {
      readonly shape: "nothing";
      readonly why: string;
      readonly fence?: PlannedFence;
      readonly fencedProxy?: FencedProxy;
      /** Only accesses to this space are ordered. */
      readonly fencedSpace?: "global";
    }
  /** `d`: a special register that changes while the program runs. */
  | { readonly shape: "special"; readonly name: string }
  /** No operands: valid PTX that ptxrun cannot execute: a run that reaches it exits with 5. `form`: its syntax line. */
  | {
      readonly shape: "gap";
      readonly form: string;
      /** The names in its operands: such registers may be given a value, though the program does not have them. */
      readonly names?: readonly string[];
      /** What it calls or names, and no text defines: the instruction itself would be executed. */
      readonly lacks?: string;
    };

export type PredicateOp = "and" | "or" | "xor";
export type PlanShape = Plan["shape"];

/** A step on slots within an instruction of channels. */
export interface Inner {
  readonly plan: Plan;
  readonly operands: readonly (Operand | undefined)[];
}
