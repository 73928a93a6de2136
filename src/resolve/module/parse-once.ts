import type * as ast from "../../parser/ast.ts";
import { readBody } from "../../parser/index.ts";
import type { Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";

/** A function's body; those that were parsed are in `parsed`. */
export function parseOnce(source: Source, func: ast.Func, parsed: Map<ast.Func, Staged<ast.Block>>): Staged<ast.Block> {
  let made = parsed.get(func);
  if (!made) {
    made = func.block ? { value: func.block, diagnostics: [] } : readBody(source, func);
    parsed.set(func, made);
  }
  return made;
}
