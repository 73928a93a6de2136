import type { Width } from "../../numeric/operation/type.ts";
import type { Location } from "../../source/diagnostic.ts";
import type { Source, Span } from "../../source/source.ts";
import type { Constant } from "./constant.ts";
import type { SimdThreads } from "./launch/simd.ts";
import type { Bank, Operand } from "./operand.ts";
import type { Plan } from "./plan/plan.ts";

/**
 * A kernel, ready to run: types resolved, registers allotted to banks, symbols turned into numbers. This is the
 * contract between front ends (PTX's resolver, vISA's) and everything that executes or inspects. It does not depend on
 * syntax.
 */
export interface Program {
  /** The entry's name; "" for a snippet. */
  readonly name: string;
  readonly source: Source;
  /** The `.target`, by its name as `sm_90a`: it decides how tensor cores compute. "" for vISA. */
  readonly target: string;
  /** Made for a debugger (nvcc -G), which keeps every variable in memory: registers pass through it. */
  readonly debug?: true;
  /** The kernel's instructions, from 0; behind them those of the functions that it may call. */
  readonly code: readonly Instruction[];
  /** Functions that a call may reach, directly or through an address. */
  readonly functions: readonly FunctionCode[];
  /** Bytes of a thread's stack, for frames of recursive functions and alloca, unless the launch says otherwise. */
  readonly stackBytes: number;
  /** The bank-r slot that holds how much of the stack a thread uses; absent when the program uses no stack. */
  readonly stackSlot?: number;
  /** Registers in the order of their declaration, those the code never mentions left out. */
  readonly registers: readonly Register[];
  /** Slots in each bank, registers and constants together. */
  readonly banks: { readonly p: number; readonly r: number; readonly q: number };
  /** Slots that hold one value for the whole launch, filled when a warp is made and never written. */
  readonly constants: readonly Constant[];
  /** Special registers that are fixed for a thread's life (`%tid.x`, `%laneid`); filled when a warp is made. */
  readonly specials: readonly SpecialSlot[];
  readonly parameters: readonly Parameter[];
  /** Bytes of the parameter block. */
  readonly parameterBytes: number;
  /** Statically declared shared memory, bytes; dynamic shared memory begins at `dynamicShared`. */
  readonly sharedBytes: number;
  /** Offset at which `extern .shared` arrays lie: `sharedBytes` rounded up to their alignment. */
  readonly dynamicShared: number;
  /** Local memory of one thread, bytes. */
  readonly localBytes: number;
  /** Variables in memory that belong to the kernel: name to window and offset, for dumps and fault messages. */
  readonly variables: readonly WindowVariable[];
  /** The first instruction that may read CC.CF before anything has set it. */
  readonly carryIn?: Span;
  /** `.maxntid`, `.reqntid` and the like, which bound a launch. */
  readonly limits: LaunchLimits;
  /** Initial values of registers, by name, unless the launch says otherwise; 0 where neither does. */
  readonly initial?: ReadonlyMap<string, readonly bigint[]>;
  /** The bank-p slot with the lanes that a warp starts with; without it all lanes start. */
  readonly dispatchSlot?: number;
  /** Warps are SIMD threads with private variables. */
  readonly simd?: SimdThreads;
  /** Labels in the order of the code, those of the kernel first; for debuggers. */
  readonly labels?: readonly Label[];
  /** For a program that may launch kernels: the names of those of its module, by the values of pointers to them. */
  readonly kernels?: ReadonlyMap<bigint, string>;
  /** The device function that is run directly: the kernel's code is a call of it. */
  readonly calls?: string;
  /** The results of that function, or of a snippet that was a device function's body: registers written at the end. */
  readonly results?: readonly Result[];
}

/** A result of a device function: one register, or one for each element of an array. */
export interface Result {
  readonly name: string;
  readonly registers: readonly Register[];
}

/** A named place in the code. An inner block may reuse a name. */
export interface Label {
  readonly name: string;
  /** The device function that contains it; absent in the kernel itself. */
  readonly within?: string;
  readonly pc: number;
}

/** A device function as calls see it. */
export interface FunctionCode {
  readonly name: string;
  /** The value of a pointer to it: in the window `code`, the same in all kernels of the module. */
  readonly address: bigint;
  /** Index of its first instruction; the name of a function without a body, which the driver may supply (malloc). */
  readonly entry: number | string;
  /** The function's registers, except those that the code never mentions. */
  readonly registers: readonly Register[];
  /** Where its formal parameters and results lie while it runs. */
  readonly parameters: readonly ParameterLocation[];
  readonly results: readonly ParameterLocation[];
  /** For a function that may be re-entered or uses stack: a call saves its registers and allocates a frame. */
  readonly recursive?: {
    /** Slots that belong to the function. */
    readonly saves: { readonly p: readonly number[]; readonly r: readonly number[]; readonly q: readonly number[] };
    readonly frameBytes: number;
    readonly frameAlign: number;
    /** Slots that are set at entry to the local address `frame + offset` of its variables. */
    readonly frameSlots: readonly { readonly bank: "r" | "q"; readonly slot: number; readonly offset: number }[];
  };
}

/** A formal parameter or result: a register, or `bytes` of local memory at an address operand. */
export type ParameterLocation =
  | { readonly kind: "slot"; readonly slot: Operand & { kind: "slot" | "predicate" } }
  | { readonly kind: "memory"; readonly at: Operand & { kind: "address" }; readonly bytes: number };

/** A register as written in the program. */
export interface Register {
  readonly name: string;
  /**
   * The manual's type name without its dot: `b32`, `f16x2`, `pred`. Of an inferred register it may be one that only
   * instructions have: `bf16`.
   */
  readonly type: string;
  readonly bits: Width;
  readonly bank: Bank;
  /** First slot; a 128-bit register takes two of bank q, low half first; a vector one slot an element. */
  readonly slot: number;
  /** Elements of a vector register; 1 for a scalar. */
  readonly elements: 1 | 2 | 4;
  /** One register for all lanes, a bit each (bank p): its value is the mask. */
  readonly across?: true;
  /** Where it is declared, or first used if inferred. */
  readonly span: Span;
}

/** A slot that holds a special register. */
export interface SpecialSlot {
  readonly bank: "r" | "q";
  readonly slot: number;
  /** The name with its component, without the percent sign: `tid.x`, `ntid.y`, `laneid`. */
  readonly name: string;
}

/** One instruction, with everything known about it before a launch. */
export interface Instruction {
  readonly plan: Plan;
  /** In the order of the form's syntax line; an optional operand that is not written is undefined. */
  readonly operands: readonly (Operand | undefined)[];
  readonly guard?: { readonly slot: number; readonly negated: boolean };
  readonly span: Span;
  /** The mnemonic with its modifiers as written, for messages. */
  readonly opcode: string;
  /** The source line that was compiled to this, where `.loc` names it. */
  readonly location?: Location;
}

/** A kernel parameter. */
export interface Parameter {
  readonly name: string;
  readonly type: string;
  /** Where it lies in the parameter block, bytes. */
  readonly offset: number;
  readonly bytes: number;
  readonly align: number;
  /** True for `.b8 s[24]`: bytes without an inner type. */
  readonly aggregate: boolean;
  /** What a pointer leads to, where the program says it (vISA). */
  readonly element?: string;
  readonly span: Span;
}

/** A variable in shared or local memory at a fixed offset of its window. */
export interface WindowVariable {
  readonly name: string;
  readonly space: "shared" | "local";
  readonly type: string;
  readonly offset: number;
  readonly bytes: number;
}

/** A kernel's constraints on launch sizes. */
export interface LaunchLimits {
  readonly maxThreads?: readonly [number, number, number];
  readonly requiredThreads?: readonly [number, number, number];
  /** Size of a cluster, by `.reqnctapercluster`; a launch may omit it. */
  readonly requiredCluster?: readonly [number, number, number];
  /** Bytes of global memory that each block has for itself, by `.minperctamemory`. */
  readonly blockMemory?: number;
}

/** A variable of module scope, in global or constant memory; one for all kernels of the module. */
export interface ModuleVariable {
  readonly name: string;
  readonly space: "global" | "const";
  readonly type: string;
  readonly bytes: number;
  readonly align: number;
  /** The nonzero initial bytes, by offset; never overlapping. */
  readonly initial: readonly { readonly offset: number; readonly bytes: Uint8Array }[];
  /** Addresses to fill in: `width` bytes at `offset` get the variable's address + addend, shifted and cut by `mask`. */
  readonly relocations: readonly Relocation[];
  readonly span: Span;
  /** The fields of an opaque variable's initial value (PTX ISA 5.3): numbers by field; modes by their list index. */
  readonly fields?: ReadonlyMap<string, number>;
  /** It is an alias of these bytes of an earlier variable, and has no storage. */
  readonly part?: { readonly of: string; readonly offset: number };
}
/** An address that is written into a variable when the module is loaded. */
export interface Relocation {
  readonly offset: number;
  readonly width: 1 | 2 | 4 | 8;
  readonly variable: string;
  readonly addend: bigint;
  /** `0xFF00(x)`: only these bits, shifted down. */
  readonly mask?: bigint;
  readonly generic: boolean;
}
