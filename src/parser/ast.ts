import type { Span } from "../source/source.ts";

/**
 * The syntax tree of a PTX module (PTX ISA 4 and 5).
 *
 * Plain data with offsets. Nothing here knows which instructions, types or modifiers exist: `add.rn.f16x2` is a name
 * and two dotted words, and only the table knows what they mean.
 */
export interface Name extends Span {
  readonly text: string;
}

/** A text given in double quotes, without them. */
export interface Text extends Span {
  readonly text: string;
}

export interface Module extends Span {
  readonly kind: "module";
  readonly items: readonly Item[];
}

export type Item = Version | Target | AddressSize | File | Section | Sources | Pragma | Declaration | Func | Alias;

/** `.version 8.7`. */
export interface Version extends Span {
  readonly kind: "version";
  readonly major: number;
  readonly minor: number;
}

/** `.target sm_90a, texmode_independent`. */
export interface Target extends Span {
  readonly kind: "target";
  readonly names: readonly Name[];
}

/** `.address_size 64`. */
export interface AddressSize extends Span {
  readonly kind: "addressSize";
  readonly bits: number;
}

/** `.file 1 "axpy.cu", 1700000000, 812`. */
export interface File extends Span {
  readonly kind: "file";
  readonly index: number;
  readonly path: Text;
  readonly timestamp?: bigint;
  readonly size?: bigint;
}

/** `.section .debug_info { ... }`: DWARF data, kept as lines of typed constants and labels. */
export interface Section extends Span {
  readonly kind: "section";
  readonly name: Name;
  /** From `{` to just after `}`; `parseSection` reads it. */
  readonly body: Span;
  /** Empty where the module was parsed for its index. */
  readonly lines: readonly SectionLine[];
}
export type SectionLine =
  | ({ readonly kind: "label"; readonly name: Name } & Span)
  | ({ readonly kind: "data"; readonly type: Name; readonly values: readonly Expr[] } & Span);

/** `.nv_intermediate_source_section { .code_block { ... } }`: texts of an intermediate language, for debuggers. */
export interface Sources extends Span {
  readonly kind: "sources";
  readonly blocks: readonly CodeBlock[];
}
/** One of them: its language, the index of its file, and the text itself. */
export interface CodeBlock extends Span {
  readonly irName: Text;
  readonly file: number;
  readonly text: string;
}

/** `.pragma "nounroll";`. */
export interface Pragma extends Span {
  readonly kind: "pragma";
  readonly texts: readonly Text[];
}

/** `.loc 1 12 5, function_name $L__info_string0, inlined_at 1 40 3`, or behind one `.loc_intermediate 2 23 6`. */
export interface Location extends Span {
  readonly kind: "loc";
  readonly intermediate?: true;
  readonly file: number;
  readonly line: number;
  readonly column: number;
  readonly functionName?: { readonly symbol: Name; readonly offset?: Expr };
  readonly inlinedAt?: { readonly file: number; readonly line: number; readonly column: number };
}

/** `.alias a, f;`. */
export interface Alias extends Span {
  readonly kind: "alias";
  readonly alias: Name;
  readonly aliasee: Name;
}

/** `.extern`, `.visible`, `.weak`, `.common`; absent means internal. */
export type Linkage = "extern" | "visible" | "weak" | "common";

/**
 * One declaration statement in any state space, at module or block scope:
 * `.reg .b32 %r<10>, x;`, `.global .align 4 .f32 t[2][2] = {{1.0, 2.0}, {3.0, 4.0}};`.
 */
export interface Declaration extends Span {
  readonly kind: "declaration";
  readonly linkage?: Name;
  /** `reg`, `global`, `const`, `shared`, `local`, `param`, `sreg`, `tex`. */
  readonly space: Name;
  /** `.const[2]`. */
  readonly bank?: Expr;
  readonly attributes: readonly Attribute[];
  readonly align: readonly Expr[];
  /** `v2` or `v4`. */
  readonly vector?: Name;
  /** `b32`, `pred`, `texref` ... */
  readonly type: Name;
  readonly variables: readonly Variable[];
}

/** `.attribute(.managed, .unified(1, 2))`. */
export interface Attribute extends Span {
  readonly name: Name;
  readonly arguments: readonly Expr[];
}

export interface Variable extends Span {
  readonly name: Name;
  /** `%r<10>`: the number of registers, named `%r0` to `%r9`. */
  readonly count?: Expr;
  /** One entry a dimension; `undefined` for `[]`. */
  readonly dimensions: readonly (Expr | undefined)[];
  readonly initial?: Initial;
}

export type Initial =
  | ({ readonly kind: "list"; readonly items: readonly Initial[] } & Span)
  /** `{ addr_mode_0 = wrap }` of a texture or sampler reference. */
  | ({ readonly kind: "fields"; readonly fields: readonly { readonly name: Name; readonly value: Expr }[] } & Span)
  | ({ readonly kind: "value"; readonly value: Expr } & Span);

/** `.entry` or `.func`, with or without a body. */
export interface Func extends Span {
  readonly kind: "function";
  readonly linkage?: Name;
  readonly entry: boolean;
  readonly attributes: readonly Attribute[];
  readonly name: Name;
  readonly returns: readonly Parameter[];
  readonly parameters: readonly Parameter[];
  /** `.maxntid 256, 1, 1`, `.noreturn`, `.language "ptx", 5`, `.pragma "nounroll";` between head and body. */
  readonly directives: readonly FunctionDirective[];
  /** From `{` to just after `}`; `parseBody` reads it. Absent for a declaration. */
  readonly body?: Span;
  /** The body's statements, where the module was parsed with all bodies. */
  readonly block?: Block;
}

export interface FunctionDirective extends Span {
  readonly name: Name;
  readonly values: readonly Expr[];
  readonly texts: readonly Text[];
}

/** `.param .u64 .ptr .global .align 16 x`, `.reg .b32 a`, `.param .align 8 .b8 s[24]`. */
export interface Parameter extends Span {
  readonly space: Name;
  readonly align: readonly Expr[];
  readonly vector?: Name;
  readonly type: Name;
  /** `.ptr`, with the space and alignment of what it points to. */
  readonly pointer?: { readonly space?: Name; readonly align?: Expr };
  /** `_` or absent in a `.callprototype`. */
  readonly name?: Name;
  readonly dimensions: readonly (Expr | undefined)[];
}

export interface Block extends Span {
  readonly kind: "block";
  readonly statements: readonly Statement[];
}

export type Statement =
  | Instruction
  | Label
  | Block
  | Declaration
  | Pragma
  | Location
  | Targets
  | CallPrototype
  /** `.target`, `.section` and the like, which ptxas passes over inside a body. */
  | Target
  | Section;

/** `L1:`. */
export interface Label extends Span {
  readonly kind: "label";
  readonly name: Name;
}

/** `Ltable: .branchtargets L1, L2;` and `.calltargets`; the label stands before it as a statement of its own. */
export interface Targets extends Span {
  readonly kind: "branchtargets" | "calltargets";
  readonly names: readonly Name[];
}

/** `P: .callprototype (.param .b32 _) _ (.param .b64 _);`. */
export interface CallPrototype extends Span {
  readonly kind: "callprototype";
  readonly returns: readonly Parameter[];
  readonly parameters: readonly Parameter[];
  readonly directives: readonly FunctionDirective[];
}

/** `@!%p add.rn.f16x2 %r1, %r2, %r3;`. */
export interface Instruction extends Span {
  readonly kind: "instruction";
  readonly guard?: Guard | undefined;
  /** `add`. */
  readonly mnemonic: Name;
  /** `rn`, `f16x2`: each without its dot; spans include it. `L1::evict_last` is one. */
  readonly modifiers: readonly Name[];
  readonly operands: readonly Operand[];
}

export interface Guard extends Span {
  readonly negated: boolean;
  readonly predicate: Name;
}

/**
 * An operand, by its syntax alone. A register, a special register, a label, a function and a variable are all `name`;
 * anything computed (`1 + 2`, `sym + 4`, `-x`, `!p`) is `expr`.
 */
export type Operand =
  | OperandName
  | ({ readonly kind: "expr"; readonly value: Expr } & Span)
  /** `[a]`, `[a + 4]`, `[tex, {x, y}]`: what stands before and after the first comma. */
  | ({ readonly kind: "address"; readonly base: Operand; readonly more: readonly Operand[] } & Span)
  /** `t[2]`, `t[%r1]`, `t[%r1+1]`: an array's element (PTX ISA 6.4.2); the instruction uses its address or contents. */
  | ({ readonly kind: "element"; readonly array: Name; readonly index: Operand } & Span)
  | ({ readonly kind: "vector"; readonly items: readonly Operand[] } & Span)
  /** `d|p`. */
  | ({ readonly kind: "pair"; readonly first: Operand; readonly second: Operand } & Span)
  /** `(a, b)` of a call. `(1)` alone is an `expr`: a call treats that as a list of one. */
  | ({ readonly kind: "list"; readonly items: readonly Operand[] } & Span);

/** `%r1`, `_`, `v.x`, `%tid.x`, `a.b0`. */
export interface OperandName extends Span {
  readonly kind: "name";
  readonly name: Name;
  /** `x` of `v.x`. */
  readonly component?: Name;
}

/** A constant expression (PTX ISA 4.5), which in an operand may also name registers and variables. */
export type Expr =
  /** As written, sign apart: `0x1F`, `017`, `0b1`, `42U`. */
  | ({ readonly kind: "integer"; readonly text: string } & Span)
  /** As written, sign apart: `1.5`, `1e3`, `0f3f800000`, `0d3FF0000000000000`. */
  | ({ readonly kind: "float"; readonly text: string } & Span)
  | ({ readonly kind: "symbol"; readonly name: Name; readonly component?: Name } & Span)
  | ({ readonly kind: "unary"; readonly operator: "+" | "-" | "!" | "~"; readonly operand: Expr } & Span)
  | ({ readonly kind: "binary"; readonly operator: BinaryOperator; readonly left: Expr; readonly right: Expr } & Span)
  | ({ readonly kind: "conditional"; readonly test: Expr; readonly then: Expr; readonly otherwise: Expr } & Span)
  /** `(.s64) x`. */
  | ({ readonly kind: "cast"; readonly type: Name; readonly operand: Expr } & Span)
  /** `generic(x)`, and `0xFF00(x)` which takes one byte of an address. */
  | ({ readonly kind: "apply"; readonly callee: Expr; readonly argument: Expr } & Span);

export type BinaryOperator =
  | "*" | "/" | "%" | "+" | "-" | "<<" | ">>"
  | "<" | "<=" | ">" | ">=" | "==" | "!="
  | "&" | "^" | "|" | "&&" | "||"; // biome-ignore format: by precedence
