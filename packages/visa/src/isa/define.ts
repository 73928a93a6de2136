import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import type * as ast from "../ast.ts";
import type { Modifier, Type } from "../ast.ts";
import type { Combination } from "./types.ts";

/**
 * The vocabulary of vISA's table. A form is the manual's own syntax line, plus what the line cannot say: which types go
 * together and what it does.
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
  readonly types: Combination;
  /** Source modifiers: (-) (abs) (-abs), or (~). */
  readonly modifiers: "arithmetic" | "logic" | "none";
  readonly about: string;
  /** Undefined for control flow, which the resolver knows by `control`. */
  readonly run?: (context: Instance) => ChannelOperation | undefined;
  /** A message to memory: what a line asks for by its dotted words, or what is wrong with them. */
  readonly message?: (line: ast.Instruction) => Message | string;
  /** The second result lies behind the first, from a register on. */
  readonly wide?: true;
  readonly control?: "label" | "jump" | "goto" | "leave" | "call" | "barrier" | "signal" | "wait" | "fence";
  /** The thread executes it as a whole: it has no channels. */
  readonly whole?: true;
  readonly check: readonly Check[];
}

/** An operand of the syntax line: `<dst>` is written, the others are read. */
export interface SyntaxOperand {
  readonly name: string;
  readonly written: boolean;
  readonly kinds: readonly OperandKind[];
}

/** What is allowed there: elements, an immediate, a predicate, addresses, the address of a variable, a label. */
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
  | "label";

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
 * What a channel computes: for each destination an operation on the sources. Sources of the operation come in the order
 * of the line; an extra source is the instruction's own `predicate` (sel), the channel's `lane` (setp), or a predicate
 * operand as a whole `mask` (mov).
 */
export type ChannelOperation =
  | { readonly results: readonly Operation[]; readonly extra?: "predicate" | "lane" | "mask" }
  /** The same, depending on %cr0. */
  | { readonly controlled: (cr0: number) => readonly Operation[]; readonly extra?: "predicate" };

/** What a line asks to be moved between registers and memory, a channel each. */
export interface Message {
  readonly does: "load" | "store" | "atomic";
  /** Of an atomic operation: what memory holds afterwards, of what it `held` and of one or two sources. */
  readonly update?: Update;
  /** Bits of an element in memory. */
  readonly bits: 8 | 16 | 32 | 64;
  /** Bits of its place in registers; what is loaded is widened by zeros. */
  readonly held: 32 | 64;
  /** Which elements behind the address, the first is 0. In registers the next begins a register of its own. */
  readonly elements: readonly number[];
  /** One address for a block: its elements lie side by side in registers, too. */
  readonly block: boolean;
  /** One block of the thread, whatever its channels: as many owords as the line says, from `unit` bytes times the place on. */
  readonly owords?: { readonly unit: 1 | 16 };
}

/** What an atomic operation leaves in memory; `constant` stands for a source that the line does not have. */
export interface Update {
  readonly op: Operation;
  readonly constant?: bigint;
  /** Sources by their names in the syntax line, in the order that the operation takes them. */
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
    /** Kinds of operands that differ from what their names say (dst: elements, src: elements or an immediate). */
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
