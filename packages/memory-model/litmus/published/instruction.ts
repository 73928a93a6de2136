import type { MemoryScope } from "../../../../src/interp/contract/memory-consistency.ts";
import type { Span } from "../../../../src/source/source.ts";
import type { Barrier, Fence, Proxy as MemoryProxy, ProxyFence, Read } from "../../model/event.ts";

/** An operand, as it is written. */
export interface Operand {
  readonly text: string;
  readonly span: Span;
}

export type Computation = "add" | "sub" | "mul" | "and" | "or" | "xor" | "min" | "max" | "mov";
export type Update = "exch" | "add" | "sub" | "cas" | "inc" | "dec" | "and" | "or" | "xor" | "min" | "max";
export type Test = "eq" | "ne" | "lt" | "le" | "gt" | "ge";

/** The operation of an instruction of the published format. */
export type Does =
  | {
      readonly kind: "load" | "store";
      readonly semantics: Read["semantics"];
      readonly scope: MemoryScope;
      readonly proxy?: MemoryProxy;
    }
  | {
      readonly kind: "atomic";
      readonly update: Update;
      readonly semantics: Read["semantics"];
      readonly scope: MemoryScope;
      readonly reduction: boolean;
    }
  | { readonly kind: "fence"; readonly semantics: Fence["semantics"]; readonly scope: MemoryScope }
  | { readonly kind: "proxy fence"; readonly proxy: ProxyFence["proxy"] }
  | { readonly kind: "barrier"; readonly of: Barrier["of"]; readonly does: Barrier["does"]; readonly relaxed: boolean }
  | { readonly kind: "compute"; readonly by: Computation }
  | { readonly kind: "branch"; readonly when: Test | "always" }
  | { readonly kind: "nothing" };

/** An instruction, its operands in the order in which they are written. */
export interface Instruction {
  readonly does: Does;
  readonly text: string;
  readonly span: Span;
  readonly operands: readonly Operand[];
}

const semantics: ReadonlySet<string> = new Set([
  "weak",
  "relaxed",
  "acquire",
  "release",
  "acq_rel",
  "volatile",
  "mmio",
]);
const scopes: ReadonlyMap<string, MemoryScope> = new Map([
  ["cta", "cta"],
  ["cluster", "cluster"],
  ["gpu", "gpu"],
  ["gl", "gpu"],
  ["sys", "sys"],
]);
const updates: ReadonlySet<string> = new Set([
  "exch",
  "add",
  "sub",
  "cas",
  "inc",
  "dec",
  "and",
  "or",
  "xor",
  "min",
  "max",
]);
const computations: ReadonlySet<string> = new Set(["add", "sub", "mul", "and", "or", "xor", "min", "max", "mov"]);
const fenced: ReadonlySet<string> = new Set(["alias", "surface", "texture", "constant", "async", "tensormap"]);

/** Words without effect here: types, state spaces and names of barriers. */
const idle =
  /^(?:[busf]\d+|pred|v[248]|global|shared|const|local|generic|(?:shared|const)::\w+|sync|red|arrive|wait|aligned|warp|proxy|noinc|to|[ad]?[123]d|a1d|a2d|unified|sc|noftz|rn|lo|hi|wide)$/;

/** The meaning of a mnemonic, its parts in any order after the first; undefined for an unknown one. */
export function meaningOf(mnemonic: string): Does | undefined {
  const [operation = "", ...parts] = mnemonic.toLowerCase().split(".");
  const known = (part: string): boolean =>
    semantics.has(part) ||
    scopes.has(part) ||
    updates.has(part) ||
    fenced.has(part.replace(/::.*/, "")) ||
    idle.test(part);
  if (!parts.every(known)) return undefined;
  // in an atomic operation, a word such as `and` is the operation; types and state spaces have no effect
  // here
  const ordering = parts.find((part) => semantics.has(part)) as Read["semantics"] | undefined;
  const scope = scopes.get(parts.find((part) => scopes.has(part)) ?? "") ?? "sys";
  switch (operation) {
    case "ld":
    case "st":
      return { kind: operation === "ld" ? "load" : "store", semantics: ordering ?? "weak", scope };
    case "suld":
    case "sust": {
      const kind = operation === "suld" ? "load" : "store";
      return { kind, semantics: ordering ?? "weak", scope, proxy: "surface" };
    }
    case "tex":
    case "tld":
    case "tld4":
      return { kind: "load", semantics: ordering ?? "weak", scope, proxy: "texture" };
    case "ldc":
    case "cold":
      return { kind: "load", semantics: ordering ?? "weak", scope, proxy: "constant" };
    case "atom":
    case "red": {
      const update = parts.find((part) => updates.has(part)) as Update | undefined;
      if (!update) return undefined;
      return { kind: "atomic", update, semantics: ordering ?? "relaxed", scope, reduction: operation === "red" };
    }
    case "fence":
    case "membar":
      return fenceOf(operation, parts, scope);
    case "bar":
    case "barrier":
      return barrierOf(parts);
    case "goto":
    case "bra":
      return { kind: "branch", when: "always" };
    case "nop":
      return { kind: "nothing" };
    default: {
      const test = /^b(eq|ne|lt|le|gt|ge)$/.exec(operation)?.[1] as Test | undefined;
      if (test) return { kind: "branch", when: test };
      return computations.has(operation) ? { kind: "compute", by: operation as Computation } : undefined;
    }
  }
}

function fenceOf(operation: string, parts: readonly string[], scope: MemoryScope): Does | undefined {
  if (parts.includes("proxy")) {
    const proxy = parts.find((part) => fenced.has(part.replace(/::.*/, ""))) ?? "";
    return proxy === "" ? undefined : { kind: "proxy fence", proxy: proxy.replace(/::.*/, "") as ProxyFence["proxy"] };
  }
  // membar is fence.sc; a fence without a word is fence.acq_rel
  const words = ["sc", "acq_rel", "acquire", "release"] as const;
  const word = words.find((each) => parts.includes(each));
  return { kind: "fence", semantics: word ?? (operation === "membar" ? "sc" : "acq_rel"), scope };
}

function barrierOf(parts: readonly string[]): Does {
  const of = parts.includes("cluster") ? "cluster" : parts.includes("warp") ? "warp" : "cta";
  const does = parts.includes("arrive") ? "arrive" : parts.includes("wait") ? "wait" : "sync";
  return { kind: "barrier", of, does, relaxed: parts.includes("relaxed") };
}
