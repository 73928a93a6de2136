import type { Type } from "./ast.ts";

/** Facts about a type. Packed immediates (v, uv, vf) have the type of one of their elements in `element`. */
export interface TypeFacts {
  readonly bits: 8 | 16 | 32 | 64;
  readonly kind: "unsigned" | "signed" | "float" | "packed" | "bool";
}

const facts: Readonly<Record<Type, TypeFacts>> = {
  ud: { bits: 32, kind: "unsigned" },
  d: { bits: 32, kind: "signed" },
  uw: { bits: 16, kind: "unsigned" },
  w: { bits: 16, kind: "signed" },
  ub: { bits: 8, kind: "unsigned" },
  b: { bits: 8, kind: "signed" },
  uq: { bits: 64, kind: "unsigned" },
  q: { bits: 64, kind: "signed" },
  df: { bits: 64, kind: "float" },
  f: { bits: 32, kind: "float" },
  hf: { bits: 16, kind: "float" },
  bf: { bits: 16, kind: "float" },
  v: { bits: 32, kind: "packed" },
  uv: { bits: 32, kind: "packed" },
  vf: { bits: 32, kind: "packed" },
  bool: { bits: 8, kind: "bool" },
};

export const factsOf = (type: Type): TypeFacts => facts[type];

/** Bytes of one element. */
export const bytesOfType = (type: Type): number => facts[type].bits / 8;

export const isInteger = (type: Type): boolean => facts[type].kind === "signed" || facts[type].kind === "unsigned";
export const isFloat = (type: Type): boolean => facts[type].kind === "float";
