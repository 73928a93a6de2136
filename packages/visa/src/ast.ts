import type { Span } from "../../../src/source/source.ts";

/**
 * The syntax tree of a vISA file, whether text or object (versions 3.4 to 4.1): names are not resolved, nothing is
 * checked. Spans are offsets in the text, or bytes of the object.
 */
export interface File {
  /** `.version 3.8`, or the object's. */
  readonly version: Version;
  readonly kernels: readonly Kernel[];
}

export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly span: Span;
}

/** One kernel (or stand-alone function), its statements in order. */
export interface Kernel {
  readonly kind: "kernel" | "function";
  readonly name: Name;
  readonly statements: readonly Statement[];
}

/** A name where it stands. */
export interface Name {
  readonly text: string;
  readonly span: Span;
}

export type Statement = Declaration | Input | Attribute | Label | Subroutine | Scope | Remark | Instruction;

/** The types of elements, by their suffix in text; `v`, `uv` and `vf` are immediates only. */
export const types = [
  "ud", "d", "uw", "w", "ub", "b", "df", "f", "v", "vf", "bool", "uq", "uv", "q", "hf", "bf",
] as const; // biome-ignore format: in the order of their numbers in an object
export type Type = (typeof types)[number];

/** Alignments by their canonical spelling; `GRF` depends on the platform. */
export type Align =
  "byte" | "word" | "dword" | "qword" | "oword" | "hword" | "GRF" | "GRFx2" | "wordx32" | "wordx64"; // biome-ignore format: a list of names

export type Declaration = VariableDeclaration | FlagDeclaration;

/** `.decl X v_type=G type=d num_elts=8 align=GRF alias=<Y, 4> attrs={Input}`. */
export interface VariableDeclaration {
  readonly kind: "variable";
  readonly name: Name;
  readonly type: Type;
  readonly elements: number;
  readonly align?: Align;
  readonly alias?: { readonly of: Name; readonly offset: number };
  readonly attributes: readonly Attribute[];
  readonly span: Span;
}

/** `.decl P1 v_type=P num_elts=8`: a predicate, an address, a sampler (S) or a surface (T). */
export interface FlagDeclaration {
  readonly kind: "predicate" | "address" | "sampler" | "surface";
  readonly name: Name;
  readonly elements: number;
  /** Another name for it in text: `v_name=x`. */
  readonly label?: string;
  readonly attributes: readonly Attribute[];
  readonly span: Span;
}

/** `.input X offset=32 size=256`, in bytes; `.implicit_LOCAL_ID X offset=32 size=64` of an argument that no source names. */
export interface Input {
  readonly kind: "input";
  /** `LOCAL_ID` and the like. */
  readonly implicit?: string;
  readonly variable: Name;
  readonly offset: number;
  readonly size?: number;
  readonly span: Span;
}

/** `.kernel_attr Name=value` as a statement, `name=value` in a declaration's `attrs`. */
export interface Attribute {
  readonly kind: "attribute";
  readonly name: Name;
  readonly value?: number | string;
  readonly span: Span;
}

/** `L1:`, alone at the start of its line. */
export interface Label {
  readonly kind: "label";
  readonly name: Name;
  readonly span: Span;
}

/** `.function "sub"`: a subroutine of the kernel begins, under this label. */
export interface Subroutine {
  readonly kind: "subroutine";
  readonly name: Name;
  readonly span: Span;
}

/** `{ ... }`: names declared within may hide outer ones. */
export interface Scope {
  readonly kind: "scope";
  readonly statements: readonly Statement[];
  readonly span: Span;
}

/** Information for a debugger or a register allocator: LOC, FILE, lifetime; it has no effect. */
export interface Remark {
  readonly kind: "remark";
  readonly about: "line" | "file" | "lifetime.start" | "lifetime.end" | "forward declaration";
  readonly value: number | string;
  readonly span: Span;
}

/** `(!P1.any) add.sat (M3, 8) X(0,0)<1> (-)Y(0,0)<8;8,1> 0x1:d`. */
export interface Instruction {
  readonly kind: "instruction";
  /** In lower case. */
  readonly opcode: Name;
  /** `sat`, `lt` ..., in lower case and without dots. */
  readonly modifiers: readonly Name[];
  readonly predicate?: Predicate;
  /** Channels; absent for an instruction without an execution size. */
  readonly execution?: Execution;
  /** Destinations first. */
  readonly operands: readonly Operand[];
  readonly span: Span;
}

/** `(!P1.any)`: the channels are combined first and then inverted. */
export interface Predicate {
  readonly name: Name;
  readonly inverted: boolean;
  readonly combine?: "any" | "all";
}

/** `(M3_NM, 8)`: `size` channels from channel 4 * (group - 1); without a mask, all of them are enabled. */
export interface Execution {
  readonly group: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  readonly noMask: boolean;
  readonly size: number;
  readonly span: Span;
}

export type Modifier = "abs" | "neg" | "neg-abs" | "not";

/**
 * `<v;w,h>`, in elements. A destination and a scalar-per-address source have only h; an indirect source with one
 * address a row has w and h.
 */
export interface Region {
  readonly vertical?: number;
  readonly width?: number;
  readonly horizontal: number;
}

export type Operand =
  /** `(-)X(1,2)<8;8,1>`: row and column count registers and elements. */
  | {
      readonly kind: "general";
      readonly modifier?: Modifier;
      readonly variable: Name;
      readonly row: number;
      readonly column: number;
      readonly region: Region;
      readonly span: Span;
    }
  /** `(-)r[A0(2),-16]<8;8,1>:d`: offset in bytes. */
  | {
      readonly kind: "indirect";
      readonly modifier?: Modifier;
      readonly address: Name;
      readonly element: number;
      readonly offset: number;
      readonly region: Region;
      readonly type: Type;
      readonly span: Span;
    }
  | Immediate
  /** `A0(0)<2>`: elements, beginning with the first. */
  | {
      readonly kind: "address";
      readonly name: Name;
      readonly element: number;
      readonly count: number;
      readonly span: Span;
    }
  /** `P1`, `!P1` as an operand. */
  | {
      readonly kind: "predicate";
      readonly name: Name;
      readonly inverted: boolean;
      readonly combine?: "any" | "all";
      readonly span: Span;
    }
  /** `&X[16]`: the address of a variable, offset in bytes. */
  | { readonly kind: "address of"; readonly variable: Name; readonly offset: number; readonly span: Span }
  /** `T6(0)<1>`: surfaces and samplers, beginning with an element. */
  | { readonly kind: "state"; readonly name: Name; readonly element: number; readonly span: Span }
  /** `X(1,2)`: the registers of a matrix, from an element on (the last source of dpas). */
  | {
      readonly kind: "matrix";
      readonly variable: Name;
      readonly row: number;
      readonly column: number;
      readonly span: Span;
    }
  /** `1`, `0x20c`: a number without a type, such as how many registers a stack call uses. */
  | { readonly kind: "count"; readonly value: number; readonly hex?: true; readonly span: Span }
  /** `(8, 4)`: the size of a block, the options of a search, or the labels of a jump. */
  | { readonly kind: "list"; readonly operands: readonly Operand[]; readonly span: Span }
  /** `X.32`: the bytes of a variable from an offset. */
  | { readonly kind: "raw"; readonly variable: Name; readonly offset: number; readonly span: Span }
  /**
   * `X.64:d32x4t`: the data of a message from a byte of a variable on, `count` elements a channel; `widened` to 32 bits, as
   * IGC 1 (c32) or IGC 2 (u32) writes it; `transposed`: of one block.
   */
  | {
      readonly kind: "data";
      readonly variable: Name;
      readonly start: number;
      readonly bits: number;
      readonly widened?: "c32" | "u32";
      readonly count: number;
      /** `.xyw`: which of four dwords behind an address. */
      readonly mask?: string;
      readonly transposed: boolean;
      readonly span: Span;
    }
  /** `X:d16.2x16x8nt`: so many blocks of width times height elements, transposed (t) or not, transformed for dpas (t) or not. */
  | {
      readonly kind: "block";
      readonly variable: Name;
      readonly bits: number;
      readonly blocks: number;
      readonly width: number;
      readonly height: number;
      readonly transposed: boolean;
      readonly transformed: boolean;
      readonly span: Span;
    }
  /**
   * `flat[B,W,H,P,X,Y]`: base, width, height and pitch of a surface, and where in it a block is; or `flat[V + (16,0)]`, one
   * variable with all of them, and how far from there the block is.
   */
  | {
      readonly kind: "surface";
      readonly model: Name;
      readonly parts: readonly Name[];
      readonly shift?: readonly [x: number, y: number];
      readonly span: Span;
    }
  /**
   * `flat[X+16]:a64`, `bti(2)[X]:a32`, `flat(B)[4*X.64+16]:a32s`: addresses of `bits` bits, one a channel, by a model: flat,
   * bti, ss, bss, surf.
   */
  | {
      readonly kind: "memory";
      readonly model: Name;
      /** By number, or by the variable that holds where its description is; of flat the address that all begin at. */
      readonly surface?: number | Name;
      /** What the addresses in registers are multiplied with. */
      readonly scale: number;
      readonly variable: Name;
      /** Coordinates besides the first, of an image. */
      readonly further?: readonly Name[];
      /** The byte of the variable with the first address. */
      readonly start: number;
      readonly offset: number;
      readonly bits: 16 | 32 | 64;
      /** How 32 bits are extended to those of a 64-bit base. */
      readonly extended?: "s" | "u";
      readonly span: Span;
    }
  /** `quoted`: a symbol's name that is none of text, such as ".str". */
  | { readonly kind: "label"; readonly name: Name; readonly quoted?: true; readonly span: Span };

export interface Immediate {
  readonly kind: "immediate";
  readonly type: Type;
  /** The field as an object holds it: 64 bits for df, q and uq, else 32 with w and b extended by their sign. */
  readonly bits: bigint;
  /** The integer as written, which the bits may not hold completely. */
  readonly written?: bigint;
  readonly span: Span;
}
