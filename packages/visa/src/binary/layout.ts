import type { Operand } from "../ast.ts";

/**
 * How each instruction is encoded: its opcode, then its fields in this order. Reader and writer know nothing more about
 * instructions.
 */
export interface CodeLayout {
  readonly opcode: number;
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
  saturating(0x10, "mul", execution, guard, d, s, s),
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
  plain(0x2e, "fbl", execution, guard, d, s),
  plain(0x2f, "fbh", execution, guard, d, s),
  plain(0x32, "jmp", execution, guard, label),
  plain(0x33, "call", execution, guard, label),
  plain(0x34, "ret", execution, guard),
  { opcode: 0x45, names: ["min", "max"], saturates: true, fields: [execution, choice, d, s, s] },
  plain(0x46, "bfe", execution, guard, d, s, s, s),
  plain(0x47, "bfi", execution, guard, d, s, s, s, s),
  plain(0x48, "bfrev", execution, guard, d, s),
  plain(0x49, "addc", execution, guard, d, d, s, s),
  plain(0x4a, "subb", execution, guard, d, d, s, s),
  plain(0x6c, "goto", execution, guard, label),
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

export const layoutOf: ReadonlyMap<number, CodeLayout> = new Map(layouts.map((each) => [each.opcode, each]));

export const layoutNamed: ReadonlyMap<string, CodeLayout> = new Map(
  layouts.flatMap((each) => each.names.map((name): [string, CodeLayout] => [name, each])),
);
