export { printExpr, printOperand } from "./expression.ts";
export { print } from "./module.ts";
export { printBlock, printInstruction, printStatement, printStatements } from "./statement.ts";
