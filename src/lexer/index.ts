export { bracedEnd } from "./braces.ts";
export { cleanCharacters, longLine } from "./characters.ts";
export { commentEnd } from "./comment.ts";
export { lexerOf, type Stretch, tokenize } from "./tokenize.ts";
export * as token from "./tokens.ts";
