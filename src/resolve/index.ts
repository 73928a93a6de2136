export { undefinedCarry } from "./body/carry.ts";
export { namesAround } from "./body/names-around.ts";
export { resolveSnippet, type SnippetTarget } from "./body/snippet.ts";
export { evaluate } from "./constant/constant.ts";
export { loadModule, type ModuleImage } from "./module/module.ts";
