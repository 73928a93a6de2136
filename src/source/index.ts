export { type Code, codes, type Page } from "./codes/index.ts";
export { type Diagnostic, type Help, hasErrors, type Related, type Severity, type Staged } from "./diagnostic.ts";
export { type Position, Source, type Span } from "./source.ts";
