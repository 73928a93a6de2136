import type { Operand } from "../../interp/contract/operand.ts";
import type { Register } from "../../interp/contract/program.ts";
import type { StateSpace } from "../../interp/contract/space.ts";
import type { RegisterType } from "../../isa/form/operands.ts";
import type { IntegerWidth } from "../../numeric/operation/type.ts";
import type * as ast from "../../parser/ast.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Source, Span } from "../../source/source.ts";
import type { Arch } from "../module/header/target.ts";
import type { Signature } from "../module/names/signature.ts";
import type { FunctionEntry } from "../module/names/symbols.ts";

/** What a name stands for at a place in the program. */
export type Symbol =
  | RegisterSymbol
  /** A variable in memory; `offset` is fixed for shared, local and param, and known at load time for global and const. */
  | VariableSymbol
  | { readonly kind: "label"; readonly name: string; readonly span: Span }
  | { readonly kind: "function"; readonly name: string; readonly span: Span }
  /** A label that stands before `.branchtargets`, `.calltargets` or `.callprototype`. */
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
  /** Functions whose addresses it holds at the start. */
  readonly functions: readonly string[];
  readonly span: Span;
}

/** A variable of `.param`, which holds no address of a function at the start. */
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
  readonly span: Span;
  /** The register that was allotted to it last, and in which body: `Slots` alone looks at it. */
  allotted?: Register | undefined;
  allottedIn?: object | undefined;
}

/** What the resolution of one instruction may ask of the function around it. */
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
  /** Names in reach of one kind, for did-you-mean. */
  names(kind: Symbol["kind"]): Iterable<string>;
  /** The register's slots, allotted at first use. */
  use(register: RegisterSymbol): Register;
  /** A slot that holds these bits for the whole launch. */
  constant(bits: bigint, width: IntegerWidth | 128): Operand & { kind: "slot" };
  /** A predicate that holds in every thread, or in none. */
  truth(value: boolean): Operand & { kind: "predicate" };
  /** A slot that holds the address of a module variable plus `offset`. */
  addressOf(variable: string, offset: bigint, width: 32 | 64): Operand & { kind: "slot" };
  /** A slot that holds a special register that is fixed for a thread's life, such as `tid.x`. */
  special(name: string, width: 16 | 32 | 64): Operand & { kind: "slot" };
  /** The index in `code` of a label, which may come later: filled in when the body is complete. */
  label(name: ast.Name): Operand & { kind: "target" };
  /** The list or prototype that a label before this place stands for. */
  listAt(name: ast.Name): ast.Targets | ast.CallPrototype | undefined;
  /** A slot that holds the local address of what lies at `offset` in the frame of a recursive function. */
  inFrame(offset: number, width: 32 | 64): Operand & { kind: "slot" };
  /** A slot that holds a register plus a constant when the instruction begins: an addition of its own, before it. */
  sum(register: Operand & { kind: "slot" }, offset: bigint, at: Span): Operand;
  /** True in a device function. */
  readonly device: boolean;
  readonly callables: Callables;
  diagnose(diagnostic: Diagnostic): void;
}

/** Functions as instructions see them. */
export interface Callables {
  /** Undefined for what is no function; kernels are. */
  entry(name: string): FunctionEntry | undefined;
  /** The index into `Program.functions`. */
  index(name: string): number;
  /** Indices of those whose address somebody has and that a call for `signature` may reach. */
  pointed(signature: Signature): readonly number[];
  /** The signature of a prototype, read without a word about its mistakes. */
  prototype(node: ast.CallPrototype): Signature;
}
