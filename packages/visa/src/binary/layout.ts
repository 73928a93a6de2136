import type { Operand } from "../ast.ts";

/**
 * How each instruction is encoded: its opcode, then its fields in this order. Reader and writer know nothing more about
 * instructions.
 */
export interface CodeLayout {
  readonly opcode: number;
  /** Behind the opcode of messages to addresses (SVM), which of them. */
  readonly operation?: number;
  /** For each operand here its place in the line, where that is another. */
  readonly order?: readonly number[];
  /** One name, or one for each value of the `choice` field. */
  readonly names: readonly string[];
  /** `.lt` and the like, for each value of the `choice` field. */
  readonly relations?: readonly string[];
  /** Whether the destination may carry `.sat`. */
  readonly saturates: boolean;
  readonly fields: readonly Field[];
}

export type Field =
  /** Execution mask and size, 1 byte. */
  | { readonly kind: "execution" }
  /** The guard, 2 bytes. */
  | { readonly kind: "guard" }
  /** Which of `names` or `relations`, 1 byte. */
  | { readonly kind: "choice" }
  /** Number of a label, 2 bytes. */
  | { readonly kind: "label" }
  /** Words behind the mnemonic that one byte encodes: all of its bits, or all but those of a second word. */
  | {
      readonly kind: "words";
      readonly words: readonly string[];
      readonly besides?: readonly { readonly bit: number; readonly word: string }[];
    }
  /** The memory that a fence is for and its caches, 1 byte: the name and a word. */
  | { readonly kind: "fence" }
  /** How many owords, 1 byte, and where `.unaligned` may be said, bit 3 for it. */
  | { readonly kind: "owords"; readonly unaligned?: true }
  /** Nothing that text says. */
  | { readonly kind: "unused"; readonly bytes: 1 | 2 }
  /** The number of a surface, 1 byte. */
  | { readonly kind: "surface" }
  /** A variable from a byte on, 6 bytes. */
  | { readonly kind: "raw" }
  /** A vector operand, of one of these kinds. */
  | { readonly kind: "operand"; readonly role: "destination" | "source"; readonly takes: ReadonlySet<Operand["kind"]> };

const execution: Field = { kind: "execution" };
const guard: Field = { kind: "guard" };
const choice: Field = { kind: "choice" };
const label: Field = { kind: "label" };
const to = (...kinds: Operand["kind"][]): Field => ({ kind: "operand", role: "destination", takes: new Set(kinds) });
const from = (...kinds: Operand["kind"][]): Field => ({ kind: "operand", role: "source", takes: new Set(kinds) });

const d = to("general", "indirect");
const s = from("general", "indirect", "immediate");
const logicD = to("general", "indirect", "predicate");
const logicS = from("general", "indirect", "immediate", "predicate");

const saturating = (opcode: number, name: string, ...fields: Field[]): CodeLayout => ({
  opcode,
  names: [name],
  saturates: true,
  fields,
});
const plain = (opcode: number, name: string, ...fields: Field[]): CodeLayout => ({
  opcode,
  names: [name],
  saturates: false,
  fields,
});

const unused = (bytes: 1 | 2): Field => ({ kind: "unused", bytes });
const surface: Field = { kind: "surface" };
const raw: Field = { kind: "raw" };
const owords: Field = { kind: "owords" };
/** Bits 0 to 3 are R, G, B and A. */
const channels: Field = {
  kind: "words",
  words: Array.from({ length: 16 }, (_, bits) => [..."rgba"].filter((_, at) => (bits >> at) & 1).join("")),
};
const blocks: Field = { kind: "words", words: ["1", "2", "4"] };
const atomic: Field = {
  kind: "words",
  words: [
    ...[
      "add",
      "sub",
      "inc",
      "dec",
      "min",
      "max",
      "xchg",
      "cmpxchg",
      "and",
      "or",
      "xor",
      "minsint",
      "maxsint",
      "predec",
      "",
      "",
    ],
    ...["fmax", "fmin", "fcmpwr"],
  ],
  besides: [
    { bit: 5, word: "16" },
    { bit: 6, word: "64" },
  ],
};
/** A message to addresses. */
const svm = (operation: number, name: string, ...fields: Field[]): CodeLayout => ({
  ...plain(SVM, name, ...fields),
  operation,
});
const sizes: Field = { kind: "words", words: ["1", "4", "8"] };
const counts: Field = { kind: "words", words: ["1", "2", "4", "8"] };

/** A message to memory at offsets into a surface. */
const scaled = (opcode: number, name: string, ...fields: Field[]): CodeLayout =>
  plain(opcode, name, execution, guard, ...fields, unused(2), surface, s, raw, raw);

/** The opcode that messages to addresses share. */
export const SVM = 0x4e;

/** The instructions that objects may hold (manual, "Format" of each). */
export const layouts: readonly CodeLayout[] = [
  saturating(0x01, "add", execution, guard, d, s, s),
  saturating(0x02, "avg", execution, guard, d, s, s),
  saturating(0x03, "div", execution, guard, d, s, s),
  saturating(0x08, "exp", execution, guard, d, s),
  plain(0x09, "frc", execution, guard, d, s),
  saturating(0x0b, "log", execution, guard, d, s),
  saturating(0x0c, "mad", execution, guard, d, s, s, s),
  plain(0x0d, "mulh", execution, guard, d, s, s),
  saturating(0x0e, "lrp", execution, guard, d, s, s, s),
  saturating(0x0f, "mod", execution, guard, d, s, s),
  saturating(0x10, "mul", execution, guard, d, s, s),
  saturating(0x11, "pow", execution, guard, d, s, s),
  saturating(0x12, "rndd", execution, guard, d, s),
  saturating(0x13, "rndu", execution, guard, d, s),
  saturating(0x14, "rnde", execution, guard, d, s),
  saturating(0x15, "rndz", execution, guard, d, s),
  saturating(0x17, "sin", execution, guard, d, s),
  saturating(0x18, "cos", execution, guard, d, s),
  saturating(0x19, "sqrt", execution, guard, d, s),
  saturating(0x1a, "rsqrt", execution, guard, d, s),
  saturating(0x1b, "inv", execution, guard, d, s),
  saturating(0x1f, "lzd", execution, guard, d, s),
  plain(0x20, "and", execution, guard, logicD, logicS, logicS),
  plain(0x21, "or", execution, guard, logicD, logicS, logicS),
  plain(0x22, "xor", execution, guard, logicD, logicS, logicS),
  plain(0x23, "not", execution, guard, logicD, logicS),
  saturating(0x24, "shl", execution, guard, d, s, s),
  saturating(0x25, "shr", execution, guard, d, s, s),
  saturating(0x26, "asr", execution, guard, d, s, s),
  plain(0x27, "cbit", execution, guard, d, s),
  plain(0x28, "addr_add", execution, to("address"), from("address", "address of"), s),
  saturating(0x29, "mov", execution, guard, d, from("general", "indirect", "immediate", "predicate")),
  saturating(0x2a, "sel", execution, guard, d, s, s),
  plain(0x2b, "setp", execution, to("predicate"), s),
  {
    ...plain(0x2c, "cmp", execution, choice, to("general", "indirect", "predicate"), s, s),
    relations: ["eq", "ne", "gt", "ge", "lt", "le"],
  },
  plain(0x2d, "movs", execution, to("state", "general"), from("state", "general", "indirect", "immediate")),
  plain(0x2e, "fbl", execution, guard, d, s),
  plain(0x2f, "fbh", execution, guard, d, s),
  plain(0x32, "jmp", execution, guard, label),
  plain(0x33, "call", execution, guard, label),
  plain(0x34, "ret", execution, guard),
  plain(0x35, "oword_ld", owords, unused(1), surface, s, raw),
  plain(0x36, "oword_st", owords, surface, s, raw),
  plain(0x3c, "oword_ld_unaligned", owords, unused(1), surface, s, raw),
  { opcode: 0x45, names: ["min", "max"], saturates: true, fields: [execution, choice, d, s, s] },
  plain(0x46, "bfe", execution, guard, d, s, s, s),
  plain(0x47, "bfi", execution, guard, d, s, s, s, s),
  plain(0x48, "bfrev", execution, guard, d, s),
  plain(0x49, "addc", execution, guard, d, d, s, s),
  plain(0x4a, "subb", execution, guard, d, d, s, s),
  plain(0x4b, "gather4_typed", execution, guard, channels, surface, raw, raw, raw, raw, raw),
  plain(0x4c, "scatter4_typed", execution, guard, channels, surface, raw, raw, raw, raw, raw),
  svm(0x01, "svm_block_ld", { kind: "owords", unaligned: true }, s, raw),
  svm(0x02, "svm_block_st", owords, s, raw),
  svm(0x03, "svm_gather", execution, guard, sizes, counts, raw, raw),
  svm(0x04, "svm_scatter", execution, guard, sizes, counts, raw, raw),
  { ...svm(0x05, "svm_atomic", execution, guard, atomic, raw, raw, raw, raw), order: [0, 2, 3, 1] },
  plain(0x59, "barrier"),
  { ...plain(0x5c, "fence_global", { kind: "fence" }), names: ["fence_global", "fence_local", "fence_sw"] },
  plain(0x68, "fret", execution, guard),
  plain(0x6c, "goto", execution, guard, label),
  scaled(0x74, "gather4_scaled", channels),
  scaled(0x75, "scatter4_scaled", channels),
  scaled(0x78, "gather_scaled", unused(1), blocks),
  scaled(0x79, "scatter_scaled", unused(1), blocks),
  { ...plain(0x7c, "sbarrier", choice), relations: ["wait", "signal"] },
  plain(0x7d, "dword_atomic", atomic, execution, guard, surface, raw, raw, raw, raw),
  plain(0x80, "rol", execution, guard, d, s, s),
  plain(0x81, "ror", execution, guard, d, s, s),
  saturating(0x82, "dp4a", execution, guard, d, s, s, s),
  saturating(0x84, "add3", execution, guard, d, s, s, s),
  {
    ...plain(0x85, "bfn", execution, guard, d, s, s, s, choice),
    relations: Array.from({ length: 256 }, (_, control) => `x${control.toString(16)}`),
  },
  plain(0x91, "madw", execution, guard, d, s, s, s),
];

/** What is in the code but is not an instruction. */
export const marks = { subroutine: 0x30, label: 0x31, file: 0x51, line: 0x52, lifetime: 0x7b } as const;

const byOpcode: ReadonlyMap<string, CodeLayout> = new Map(
  layouts.map((each): [string, CodeLayout] => [`${each.opcode} ${each.operation}`, each]),
);

export const layoutOf = (opcode: number, operation?: number): CodeLayout | undefined =>
  byOpcode.get(`${opcode} ${operation}`);

export const layoutNamed: ReadonlyMap<string, CodeLayout> = new Map(
  layouts.flatMap((each) => each.names.map((name): [string, CodeLayout] => [name, each])),
);
