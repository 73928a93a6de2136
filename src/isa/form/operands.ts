import type { OpaqueType } from "../../interp/contract/image.ts";
import type { Space, StateSpace } from "../../interp/contract/space.ts";
import type { BitsName, IntegerName, IntegerWidth } from "../../numeric/operation/type.ts";
import type { InstructionType } from "./instruction-type.ts";

/**
 * What an operand position of a form accepts. Data only: `src/resolve` checks operands against it, `ptxrun isa`
 * prints it, and the conformance tests draw operands from it.
 */
export type OperandClass =
  | RegisterClass
  | PredicateClass
  | AddressClass
  | TensorAddressClass
  | VectorClass
  | TupleClass
  | HandleClass
  | TargetClass
  | LiteralClass
  | CallClass
  | AbsentClass;

/** Register types of PTX ISA 5.2, without the dot; `.reg .bf16` does not exist. */
export type RegisterType = BitsName | IntegerName | "f16" | "f16x2" | "f32" | "f64";

/** A register of one of `types`, or what is allowed in its place. */
export interface RegisterClass {
  readonly kind: "register";
  readonly access: "read" | "write";
  /** How the instruction reads or writes it: `s32`, `bf16x2`. */
  readonly type: InstructionType;
  readonly types: readonly RegisterType[];
  /** The operation's width in bits. */
  readonly bits: IntegerWidth | 128;
  /** The register may be wider than the operation (ld, st, cvt: PTX ISA 9.4.1). */
  readonly wider?: boolean;
  /** Which constants is allowed here; none by default. `bits` is an integer or a `0f`/`0d` pattern (mov.b32). */
  readonly immediate?: "integer" | "f32" | "f64" | "bits";
  /** Limits of a constant: at least, at most, and a multiple of. */
  readonly most?: number;
  readonly least?: number;
  readonly multiple?: number;
  /** The only constants that are allowed. */
  readonly among?: readonly number[];
  /** A float constant is more than 0 and at most 1. */
  readonly share?: true;
  /** `%tid.x` and the like is allowed here (mov). */
  readonly special?: boolean;
  /** The name of a variable or function, meaning its address, is allowed here (mov, cvta). */
  readonly symbol?: boolean;
  /** With `symbol`: only variables of this state space. */
  readonly space?: StateSpace;
  /** `reg+constant` is allowed here (cvta). */
  readonly offset?: boolean;
  /** `{a}` means the same as `a` (ld, st). */
  readonly braced?: boolean;
  /** `_` is allowed here. */
  readonly sink?: boolean;
  /** It may be left out, whatever the modifiers are. */
  readonly loose?: true;
  /** Using it requires this version and target. */
  readonly brings?: Brings;
  /** What is allowed here only from a version and target on: `_`, or a register of a type. */
  readonly late?: Readonly<Partial<Record<RegisterType | "_", Brings>>>;
}

/** The minimum PTX ISA version and target that an operand requires. */
export interface Brings {
  readonly ptx: number;
  readonly sm: number;
}

/** A predicate register; `negatable` where `!p` is allowed. */
export interface PredicateClass {
  readonly kind: "predicate";
  readonly access: "read" | "write";
  readonly negatable?: boolean;
  /** `%is_explicit_cluster` is allowed here (mov). */
  readonly special?: boolean;
  /** `_` is allowed here. */
  readonly sink?: boolean;
  /** An integer constant is allowed here: true when it is not 0. */
  readonly immediate?: boolean;
  /** Using it requires this version and target. */
  readonly brings?: Brings;
  /** The greatest such constant; the least is 0. */
  readonly most?: number;
}

/** `[reg]`, `[reg+imm]`, `[var+imm]`, `[imm]`. */
export interface AddressClass {
  readonly kind: "address";
  readonly space: Space;
  /** The base may have any width, whatever the space. */
  readonly narrow?: true;
  /** The coordinates after the address: `[map, {x, y}]`. The operand is then a vector, the address first. */
  readonly coordinates?: VectorClass;
  /** What stands between the two, in place of what the map has: `[map, address, {x, y}]`. */
  readonly overrides?: readonly (RegisterClass | VectorClass)[];
}

/**
 * `[reg]`, `[reg+imm]`: a place in tensor memory, lane and column in one word of 32 bits (PTX ISA, Tensor Memory
 * Addressing).
 */
export interface TensorAddressClass {
  readonly kind: "tensor address";
  /** Registers that hold it: ptxas differs by instruction. */
  readonly types: readonly RegisterType[];
  /** `[imm]` is allowed here. */
  readonly immediate?: true;
  /** A register is allowed instead of the address: the descriptor of a matrix in shared memory. */
  readonly or?: RegisterClass;
}

/** `{a, b}` or a vector register of as many elements; fragments of matrices have up to 128. */
export interface VectorClass {
  readonly kind: "vector";
  readonly count: number;
  readonly of: RegisterClass;
  /** The class of each element where they differ, as `of` but for the limits of constants. */
  readonly each?: readonly RegisterClass[];
  /** Beside a register of bits all are bits: other registers of this width, and constants where it is read (mma, measured). */
  readonly mixed?: true;
}

/**
 * `{a, b}` or a vector register, where each element has a class of its own: coordinates of a texture. Longer ones are
 * taken where `lengths` says so; what is behind the elements named here is ignored.
 */
export interface TupleClass {
  readonly kind: "tuple";
  readonly of: readonly [RegisterClass, ...RegisterClass[]];
  readonly lengths: readonly number[];
  /** A scalar without braces, for a tuple of one. */
  readonly bare?: RegisterClass;
  /** How many elements at the beginning may be of another kind than their neighbours: a layer's index beside floats. */
  readonly apart?: number;
  /** It may be left out, whatever the modifiers are. */
  readonly loose?: true;
  /** Using it requires this version and target. */
  readonly brings?: Brings;
}

/** The name of an opaque variable or parameter of one of these types, or a 64-bit register that holds a handle. */
export interface HandleClass {
  readonly kind: "handle";
  readonly of: readonly OpaqueType[];
  /** It has separate brackets (txq). */
  readonly bracketed?: true;
  /** The query concerns the sampler: a `.texref`'s, or where a module keeps samplers apart, a `.samplerref`'s. */
  readonly sampling?: true;
  /** It may be left out, except where a module keeps samplers apart (`.target texmode_independent`). */
  readonly loose?: true;
}

/** A label (`label`), a function (`function`), a `.branchtargets` or `.callprototype` label (`list`, `prototype`). */
export interface TargetClass {
  readonly kind: "target";
  readonly what: "label" | "function" | "list" | "prototype";
}

/** An integer constant that the instruction encodes. */
export interface LiteralClass {
  readonly kind: "literal";
  /** Higher bits are cut off, as ptxas does. */
  readonly bits: 8 | 32;
  /** The only value that is allowed. */
  readonly only?: number;
  /** Limits of the value: at least, at most, and a multiple of. */
  readonly least?: number;
  readonly most?: number;
  readonly multiple?: number;
  /** The only values that are allowed. */
  readonly among?: readonly number[];
  /** It is a power of two, at most this. */
  readonly power?: number;
  /** Limits are those of a number with a sign. */
  readonly signed?: true;
}

/** The operands of a call, whose shape depends on the function: `src/resolve/instruction/call.ts` reads them together. */
export interface CallClass {
  readonly kind: "results" | "callee" | "arguments" | "callees";
}

/** An optional operand that is absent with these modifiers; `unless` names the modifier that adds it. */
export interface AbsentClass {
  readonly kind: "absent";
  readonly unless: string;
  /** `_` is allowed here anyway. */
  readonly sink?: boolean;
}
