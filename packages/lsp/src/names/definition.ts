import type { Span } from "../../../../src/source/source.ts";

/** The definition of a name, and its position. */
export interface Definition {
  readonly kind: "register" | "parameter" | "variable" | "label" | "list" | "prototype" | "function" | "kernel";
  /** As it is declared; of a range of registers the stem before their numbers. */
  readonly name: string;
  /** Registers of the range `%r<10>`. */
  readonly count?: number;
  /** `b32`, `v2.f32`; absent without a type. */
  readonly type?: string;
  /** `global`, `shared` ...; `reg` of a register. */
  readonly space?: string;
  /** The name where it is declared. */
  readonly span: Span;
  /** All of the declaration. */
  readonly whole: Span;
  /** Where the name may be used: a block, or all of the text. */
  readonly scope: Span;
  /** The offset from which it may be used, never before the scope; labels from the start of their block. */
  readonly from: number;
}

/** True where a name refers to a definition: the name itself, or a register of the range. */
export function isOf({ name, count }: Definition, written: string): boolean {
  if (count === undefined) return name === written;
  if (!written.startsWith(name)) return false;
  const digits = written.slice(name.length);
  return /^\d+$/.test(digits) && Number(digits) < count;
}
