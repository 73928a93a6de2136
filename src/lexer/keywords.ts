import type { TokenType } from "chevrotain";
import * as token from "./tokens.ts";

/**
 * The directives of PTX ISA chapter 11 and the state spaces of chapter 5, by their spelling.
 *
 * Distinguished after lexing: one pattern for every dotted word is faster than fifty, and a suffix that merely
 * looks like a directive keeps its shape.
 */
export const keywords: ReadonlyMap<string, TokenType> = new Map<string, TokenType>([
  [".version", token.Version],
  [".target", token.Target],
  [".address_size", token.AddressSize],
  [".file", token.File],
  [".section", token.Section],
  [".pragma", token.Pragma],
  [".loc", token.Loc],
  [".loc_intermediate", token.LocIntermediate],
  [".alias", token.Alias],
  [".nv_intermediate_source_section", token.Sources],
  [".entry", token.Entry],
  [".func", token.Func],
  [".align", token.Align],
  [".attribute", token.Attribute],
  [".ptr", token.Pointer],
  [".branchtargets", token.BranchTargets],
  [".calltargets", token.CallTargets],
  [".callprototype", token.CallPrototype],
  ...[".visible", ".extern", ".weak", ".common"].map((word) => [word, token.Linkage] as const),
  ...[".reg", ".global", ".const", ".shared", ".local", ".param", ".tex"].map((word) => [word, token.Space] as const),
  ...[
    ".maxntid",
    ".reqntid",
    ".maxnreg",
    ".minnctapersm",
    ".maxnctapersm",
    ".reqnctapercluster",
    ".maxclusterrank",
    ".explicitcluster",
    ".blocksareclusters",
    ".minperctamemory",
    ".language",
    ".noreturn",
    ".abi_preserve",
    ".abi_preserve_control",
  ].map((word) => [word, token.Tuning] as const),
]);
