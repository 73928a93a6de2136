import type { ModuleVariable } from "../../../interp/contract/program.ts";
import type { StateSpace } from "../../../interp/contract/space.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Span } from "../../../source/source.ts";
import type { DeclaredElement, Dimensions } from "../../declaration/declared-type.ts";
import type { Signature } from "./signature.ts";

/** The meaning of a name at module scope, and for variables in memory in blocks too. */
export type ModuleSymbol = VariableEntry | FunctionEntry;

/** A variable in global, constant, shared or local memory, or in `.param` of a body. */
export interface VariableEntry {
  readonly kind: "variable";
  /** Unique in the module: a block's `.global g` in kernel `k` is `k.g`, which no source can spell. */
  readonly name: string;
  readonly space: StateSpace;
  readonly element: DeclaredElement;
  readonly dimensions: Dimensions;
  /** 0 for an `.extern` array of open length. */
  readonly bytes: number;
  readonly linkage: ast.Linkage | undefined;
  readonly contents: Pick<ModuleVariable, "initial" | "relocations" | "fields"> & {
    /** Functions whose addresses it holds at the start. */
    readonly functions: readonly string[];
  };
  readonly span: Span;
}

/** A kernel or device function, combined from its declarations. */
export interface FunctionEntry {
  readonly kind: "function";
  readonly name: string;
  readonly entry: boolean;
  /** The first declaration or definition. */
  readonly first: ast.Func;
  /** How many names the module declares before it; its address is computed from this. */
  readonly index: number;
  /** Nothing for a kernel. */
  readonly signature: Signature;
  /** The one with a body. */
  definition?: ast.Func;
  aliasee?: string;
  /** The text calls it and lacks its declaration (a function of the driver), or its code as well. */
  readonly missing?: "declaration" | "code";
  readonly span: Span;
}

/** Linkage as a word; undefined for none or for an unknown word. */
export const linkageOf = (name: ast.Name | undefined): ast.Linkage | undefined => {
  switch (name?.text) {
    case "extern":
    case "visible":
    case "weak":
    case "common":
      return name.text;
    default:
      return undefined;
  }
};
