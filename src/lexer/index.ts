export { commentEnd } from "../source/comment.ts";
export { bracedEnd, rememberingEnds } from "./braces.ts";
export { cleanCharacters, longLine } from "./characters.ts";
export { type DemangledNames, findDemangled, withoutDemangled } from "./demangled.ts";
export { repair } from "./repair.ts";
export { type LexerInput, lexerOf, tokenize } from "./tokenize.ts";
export * as token from "./tokens.ts";
