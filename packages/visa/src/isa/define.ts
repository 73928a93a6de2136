import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import type * as ast from "../ast.ts";
import type { Modifier, Type } from "../ast.ts";
import type { Combination } from "./types.ts";

/**
 * The vocabulary of vISA's table. A form is the manual's syntax line, plus what the line cannot express: the allowed
 * combinations of types, and the operation.
 */
export interface Form {
  /** As under "Text" in the manual: `[(<P>)] ADD[.sat] (<exec_size>) <dst> <src0> <src1>`. */
  readonly syntax: string;
  readonly mnemonic: string;
  /** Its number in an object. */
  readonly opcode: number;
  readonly predicable: boolean;
  readonly saturates: boolean;
  /** `.sat` is for floats only. */
  readonly saturatesFloats?: true;
  /** `.<rel>`: one of these follows the mnemonic. */
  readonly relations: readonly string[];
  readonly operands: readonly SyntaxOperand[];
  /** So many of the last operands may be absent. */
  readonly optional?: number;
  readonly types: Combination;
  /** Source modifiers: (-) (abs) (-abs), or (~). */
  readonly modifiers: "arithmetic" | "logic" | "none";
  readonly about: string;
  /** Undefined for control flow, which the resolver knows by `control`. */
  readonly run?: (context: Instance) => ChannelOperation | undefined;
  /** A message to memory: the request that a line's dotted words encode, or the error in them. */
  readonly message?: (line: ast.Instruction) => Message | string;
  /** A move of blocks of a surface, likewise. */
  readonly blocks?: (line: ast.Instruction) => BlockMove | string;
  /** A typed message to an image, likewise. */
  readonly image?: (line: ast.Instruction) => ImageMessage | string;
  /** A product of matrices, likewise. */
  readonly product?: (line: ast.Instruction) => Product | string;
  /** The second result is behind the first, starting at a register boundary. */
  readonly wide?: true;
  readonly control?:
    | "label"
    | "jump"
    | "goto"
    | "leave"
    | "call"
    | "stack call"
    | "indirect call"
    | "barrier"
    | "signal"
    | "wait"
    | "fence"
    | "address";
  /** The thread executes it once: it has no channels. */
  readonly whole?: true;
  readonly check: readonly Check[];
}

/** An operand of the syntax line: `<dst>` is written, the others are read. */
export interface SyntaxOperand {
  readonly name: string;
  readonly written: boolean;
  readonly kinds: readonly OperandKind[];
}

/** The kind of operand: elements, an immediate, a predicate, addresses, the address of a variable, a label. */
export type OperandKind =
  | "elements"
  | "immediate"
  | "predicate"
  | "address"
  | "address of"
  | "state"
  | "raw"
  | "data"
  | "memory"
  | "label"
  | "count"
  | "matrix"
  | "block"
  | "surface";

/** One instruction as the table sees it: types of elements in the order of the operands, predicates as undefined. */
export interface Instance {
  readonly types: readonly (Type | undefined)[];
  readonly modifiers: readonly (Modifier | undefined)[];
  readonly sat: boolean;
  readonly relation: string;
  /** The sources that are immediates. */
  readonly immediate: readonly boolean[];
  /** The lane of its first channel. */
  readonly first: number;
}

/**
 * The computation of a channel: for each destination an operation on the sources. Sources of the operation come in the
 * order of the line; an extra source is the instruction's own `predicate` (sel), the channel's `lane` (setp), or a
 * predicate operand as a complete `mask` (mov).
 */
export type ChannelOperation =
  | { readonly results: readonly Operation[]; readonly extra?: "predicate" | "lane" | "mask" }
  /** The same, depending on %cr0. */
  | { readonly controlled: (cr0: number) => readonly Operation[]; readonly extra?: "predicate" };

/** The data that a line moves between registers and memory, for each channel. */
export interface Message {
  readonly does: "load" | "store" | "atomic";
  /** For an atomic operation: the new value in memory, from the old value `held` and one or two sources. */
  readonly update?: Update;
  /** Bits of an element in memory. */
  readonly bits: 8 | 16 | 32 | 64;
  /** Bits of an element in registers; loaded values are zero-extended. */
  readonly held: 32 | 64;
  /** Which elements behind the address, the first is 0. In registers each begins at a register boundary. */
  readonly elements: readonly number[];
  /** Addresses are multiples of an element. */
  readonly aligned?: true;
  /** One address for a block: its elements are adjacent in registers, too. */
  readonly block: boolean;
  /**
   * One block of the thread, independent of its channels: as many owords as the line gives, from `unit` bytes times the
   * offset on.
   */
  readonly owords?: { readonly unit: 1 | 16 };
}

/** A typed message: what it does with an image, and its operands by their places in the line. */
export interface ImageMessage {
  readonly how: "sample" | "fetch" | "store" | "size";
  /** Positions of R, G, B and A in memory. */
  readonly channels: readonly number[];
  readonly surface: ast.Operand | undefined;
  readonly sampler?: ast.Operand | undefined;
  readonly data: ast.Operand | undefined;
  /** Coordinates, then the layer. */
  readonly coordinates: readonly ast.Operand[];
  readonly level?: ast.Operand | undefined;
  /** What is read outside of the image: 1 in the fourth channel. */
  readonly alpha?: 1;
}

/** What a line with dotted words of its own asks for, or the error in them; undefined where it has none. */
export const askedBy = (
  form: Form,
  line: ast.Instruction,
): Message | BlockMove | ImageMessage | Product | string | undefined =>
  form.message?.(line) ?? form.blocks?.(line) ?? form.image?.(line) ?? form.product?.(line);

/** Blocks of a surface of two dimensions that a line moves, in the order of its words. */
export type BlockMove = Pick<
  ast.Operand & { kind: "block" },
  "bits" | "blocks" | "width" | "height" | "transposed" | "transformed"
> & {
  readonly does: "load" | "store";
};

/** A product of matrices, `D = C + A x B`, as a line's words say it. */
export interface Product {
  /** Types that src0 and dst may have. */
  readonly sums: readonly ast.Type[];
  /** Rows of A, C and D. */
  readonly repeat: number;
  /** Elements of A and B that a channel multiplies in one of the eight steps of a row. */
  readonly perStep: number;
  /** Bits of an element of B (src1) and of A (src2). */
  readonly bits: readonly [b: number, a: number];
  /**
   * One step: `c` plus the products of elements of the dwords `b` and `a`, from these bits of them on. Undefined for a
   * format that the manual names and does not define.
   */
  readonly step: ((lowB: number, lowA: number) => Operation) | undefined;
}

/** The new value of an atomic operation; `constant` replaces a source that the line does not have. */
export interface Update {
  readonly op: Operation;
  /** It does not depend on the old value, which may be one that nobody wrote if nobody asks for it. */
  readonly replaces?: true;
  readonly constant?: bigint;
  /** Sources by their names in the syntax line, in the operation's order. */
  readonly sources: readonly string[];
}

/** A worked example of one channel: types of the operands, then their bits. */
export interface Check {
  readonly types: readonly string[];
  readonly modifiers?: readonly (Modifier | undefined)[];
  readonly sat?: true;
  readonly relation?: string;
  readonly cr0?: number;
  readonly sources: readonly (number | bigint)[];
  readonly gives: readonly (number | bigint)[];
}

type FormSpec = Pick<Form, "opcode" | "about"> &
  Partial<
    Pick<Form, "types" | "modifiers" | "relations" | "saturatesFloats" | "run" | "wide" | "control" | "check">
  > & {
    /** Kinds of operands that differ from what their names imply (dst: elements, src: elements or an immediate). */
    readonly kinds?: Readonly<Record<string, readonly OperandKind[]>>;
  };

/** One entry of the table, from the manual's line of text. */
export function form(syntax: string, given: FormSpec): Form {
  const found =
    /^(\[\(<P>\)\] )?([A-Z_0-9]+)(\[\.sat\])?(\.<rel>|\.x\[BooleanFuncCtrl\])? {1,2}\(<exec_size>\)((?: <\w+>)*)$/.exec(
      syntax,
    );
  if (found === null) throw new Error(`${syntax} is not a line of the manual`);
  const [, predicable, mnemonic = "", sat, rel, operands = ""] = found;
  const { kinds = {}, ...others } = given;
  return {
    types: () => undefined,
    modifiers: "none" as const,
    relations: [],
    check: [],
    ...others,
    syntax,
    mnemonic: mnemonic.toLowerCase(),
    predicable: predicable !== undefined,
    saturates: sat !== undefined,
    ...(rel === undefined ? { relations: [] } : {}),
    operands: [...operands.matchAll(/<(\w+)>/g)].map(({ 1: name = "" }) => {
      const written = name === "dst" || name === "carry";
      return { name, written, kinds: kinds[name] ?? (written ? ["elements"] : ["elements", "immediate"]) };
    }),
  };
}
