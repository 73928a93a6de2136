export { canonical, loosely, shellWord } from "./canonical.ts";
export { type Demangled, demangle } from "./demangle.ts";
export { noteDeclarations, shortName, withShortNames } from "./short.ts";
export { spelled } from "./spelled.ts";
