import type * as ast from "../../../../src/parser/ast.ts";

/** The innermost statement of a block that contains an offset, blocks excluded; the end counts as inside. */
export function statementAt(block: ast.Block, offset: number): ast.Statement | undefined {
  for (const statement of block.statements) {
    if (offset < statement.start || offset > statement.end) continue;
    if (statement.kind !== "block") return statement;
    const inner = statementAt(statement, offset);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** The instruction that contains an offset. */
export function instructionAt(block: ast.Block, offset: number): ast.Instruction | undefined {
  const found = statementAt(block, offset);
  return found?.kind === "instruction" ? found : undefined;
}
