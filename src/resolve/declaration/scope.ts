import type { Operand } from "../../interp/contract/operand.ts";
import type { Register } from "../../interp/contract/program.ts";
import type { StateSpace } from "../../interp/contract/space.ts";
import type { InstructionType } from "../../isa/form/instruction-type.ts";
import type { RegisterType } from "../../isa/form/operands.ts";
import type { IntegerWidth } from "../../numeric/operation/type.ts";
import type * as ast from "../../parser/ast.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Source, Span } from "../../source/source.ts";
import type { Arch } from "../module/header/target.ts";
import type { Signature } from "../module/names/signature.ts";
import type { FunctionEntry } from "../module/names/symbols.ts";

/** The meaning of a name at a position in the program. */
export type Symbol =
  | RegisterSymbol
  /** A variable in memory; `offset` is fixed for shared, local and param, and known at load time for global and const. */
  | VariableSymbol
  | { readonly kind: "label"; readonly name: string; readonly span: Span }
  | { readonly kind: "function"; readonly name: string; readonly span: Span }
  /** A label before `.branchtargets`, `.calltargets` or `.callprototype`. */
  | { readonly kind: "list" | "prototype"; readonly name: string; readonly span: Span };

export interface VariableSymbol {
  readonly kind: "variable";
  readonly name: string;
  readonly space: StateSpace;
  readonly type: string;
  readonly bytes: number;
  readonly align: number;
  readonly offset: number | undefined;
  /** The offset counts from the frame of a recursive function. */
  readonly framed?: true;
  /** A `.param` variable that lies in local memory: of a device function, or one that passes something in a call. */
  readonly passes?: "parameter" | "result" | "argument";
  /** Functions whose addresses it contains initially. */
  readonly functions: readonly string[];
  readonly span: Span;
}

/** A variable of `.param`, which contains no address of a function initially. */
export const paramVariable = (known: Omit<VariableSymbol, "kind" | "space" | "functions">): VariableSymbol => ({
  kind: "variable",
  space: "param",
  functions: [],
  ...known,
});

export interface RegisterSymbol {
  readonly kind: "register";
  readonly name: string;
  readonly type: RegisterType | "pred";
  readonly elements: 1 | 2 | 4;
  /** What the instructions take its bits for, where nobody declared it and no register has that type: `bf16`. */
  readonly meaning?: InstructionType;
  readonly span: Span;
  /** The register last allocated to it, and in which body: only `Slots` uses it. */
  allotted?: Register | undefined;
  allottedIn?: object | undefined;
}

/** Registers declared together: `%r<10>`. Stored as a range, so that two billion registers need no memory. */
export interface RegisterRange {
  readonly stem: string;
  readonly count: number;
  readonly type: RegisterSymbol["type"];
  readonly elements: RegisterSymbol["elements"];
  readonly span: Span;
}

/** What the resolution of one instruction needs from the function around it. */
export interface Scope {
  readonly source: Source;
  /** The module's (or the snippet's) `.version` as 90 for 9.0, and its `.target`. */
  readonly version: number;
  readonly target: Arch;
  /** `.target texmode_independent`: a texture has no sampler of its own. */
  readonly independent: boolean;
  /** True in a snippet, where registers need no declaration. */
  readonly infers: boolean;
  /** True in a text without a header: a filter may have hidden declarations. */
  readonly filtered: boolean;
  /** Finds a name from the inside out. `%tid` and other special registers are not symbols, unless redeclared. */
  lookup(name: string): Symbol | undefined;
  /** Visible names of one kind, for did-you-mean. */
  names(kind: Symbol["kind"]): Iterable<string>;
  /** The registers declared together (`%r<10>`) that a name would be one of, if there were more of them. */
  rangeOf(name: string): RegisterRange | undefined;
  /** Where a name is declared that is not visible here: later, or in another block. */
  declaredElsewhere(name: string): Span | undefined;
  /** The register's slots, allocated at first use. */
  use(register: RegisterSymbol): Register;
  /** A slot that contains these bits for the complete launch. */
  constant(bits: bigint, width: IntegerWidth | 128): Operand & { kind: "slot" };
  /** A predicate that holds in every thread, or in none. */
  truth(value: boolean): Operand & { kind: "predicate" };
  /** A slot that contains the address of a module variable plus `offset`. */
  addressOf(variable: string, offset: bigint, width: 32 | 64): Operand & { kind: "slot" };
  /** A slot that contains a special register that is constant for a thread, such as `tid.x`. */
  special(name: string, width: 16 | 32 | 64): Operand & { kind: "slot" };
  /** The index in `code` of a label, which may come later: filled in when the body is complete. */
  label(name: ast.Name): Operand & { kind: "target" };
  /** The list or prototype of an earlier label. */
  listAt(name: ast.Name): ast.Targets | ast.CallPrototype | undefined;
  /** A slot that contains the local address of `offset` in the frame of a recursive function. */
  inFrame(offset: number, width: 32 | 64): Operand & { kind: "slot" };
  /** A slot that contains a register plus a constant when the instruction begins: a separate addition before it. */
  sum(register: Operand & { kind: "slot" }, offset: bigint, at: Span): Operand;
  /** True in a device function. */
  readonly device: boolean;
  /** True in a kernel with `.minperctamemory`. */
  readonly hasBlockMemory: boolean;
  readonly callables: Callables;
  /** The instruction that is being resolved, for what a message says of all of it. */
  current?: ast.Instruction;
  diagnose(diagnostic: Diagnostic): void;
}

/** Functions as instructions see them. */
export interface Callables {
  /** Undefined for an unknown name; kernels are functions, too. */
  entry(name: string): FunctionEntry | undefined;
  /** The index into `Program.functions`. */
  index(name: string): number;
  /** Indices of functions whose address is taken and that a call for `signature` may reach. */
  pointed(signature: Signature): readonly number[];
  /** The signature of a prototype; its errors are not reported. */
  prototype(node: ast.CallPrototype): Signature;
}
