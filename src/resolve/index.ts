export { namesAround } from "./body/names-around.ts";
export { resolveSnippet, type SnippetTarget } from "./body/snippet.ts";
export { undefinedCarry } from "./body/undefined-carry.ts";
export { evaluate } from "./constant/constant.ts";
export { doubtsAbout } from "./lint/doubts.ts";
export { loadModule, type ModuleImage } from "./module/module.ts";
export { unimplemented } from "./module/unimplemented.ts";
