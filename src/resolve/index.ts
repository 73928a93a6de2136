export { undefinedCarry } from "./body/carry.ts";
export { namesAround } from "./body/names-around.ts";
export { resolveSnippet, type SnippetTarget } from "./body/snippet.ts";
export { type Address, type Constant, evaluate, type Float, type Integer } from "./constant/constant.ts";
export type { Arch, RegisterSymbol, Scope, Symbol } from "./declaration/scope.ts";
export { loadModule, type ModuleImage } from "./module/module.ts";
