export { namesAround } from "./around.ts";
export { undefinedCarry } from "./carry.ts";
export { type Address, type Constant, evaluate, type Float, type Integer } from "./constant.ts";
export { loadModule, type ModuleImage } from "./module.ts";
export type { Arch, RegisterSymbol, Scope, Symbol } from "./scope.ts";
export { resolveSnippet, type SnippetTarget } from "./snippet.ts";
