import type * as ast from "../../../parser/ast.ts";
import { type PlainBody, PlainInstruction } from "../../../parser/plain/instruction.ts";

/** Every name that the operands of a block's instructions mention, its inner blocks included. */
export function namesIn(block: ast.Block): ReadonlySet<string> {
  const into = new Set<string>();
  const marks = new Map<PlainBody, Uint8Array>();
  const open: ast.Block[] = [block];
  for (let each = open.pop(); each !== undefined; each = open.pop())
    for (const statement of each.statements)
      if (statement.kind === "block") open.push(statement);
      else if (statement instanceof PlainInstruction) statement.mark(marksOf(statement.body, marks));
      else if (statement.kind === "instruction") namesOf(statement, into);
  for (const [body, marked] of marks) addMarked(body, marked, into);
  return into;
}

function marksOf(body: PlainBody, marks: Map<PlainBody, Uint8Array>): Uint8Array {
  let found = marks.get(body);
  if (found === undefined) {
    found = new Uint8Array(body.words.texts.length);
    marks.set(body, found);
  }
  return found;
}

function addMarked({ words }: PlainBody, marked: Uint8Array, into: Set<string>): void {
  for (let word = 0; word < marked.length; word++) {
    const name = marked[word] === 1 ? words.name(word) : undefined;
    if (name !== undefined) into.add(name);
  }
}

/** The same of one instruction. */
export function namesOf(instruction: ast.Instruction, into = new Set<string>()): ReadonlySet<string> {
  if (instruction instanceof PlainInstruction) {
    const marked = new Uint8Array(instruction.body.words.texts.length);
    instruction.mark(marked);
    addMarked(instruction.body, marked, into);
  } else for (const operand of instruction.operands) inOperand(operand, into);
  return into;
}

function inOperand(operand: ast.Operand, into: Set<string>): void {
  switch (operand.kind) {
    case "name":
      into.add(operand.name.text);
      break;
    case "expr":
      inExpr(operand.value, into);
      break;
    case "address":
      inOperand(operand.base, into);
      for (const more of operand.more) inOperand(more, into);
      break;
    case "element":
      into.add(operand.array.text);
      inOperand(operand.index, into);
      break;
    case "vector":
    case "list":
      for (const item of operand.items) inOperand(item, into);
      break;
    case "pair":
      inOperand(operand.first, into);
      inOperand(operand.second, into);
  }
}

function inExpr(start: ast.Expr, into: Set<string>): void {
  // A work list instead of recursion: the tree of a sum is as deep as the sum is long.
  const open = [start];
  for (let expr = open.pop(); expr !== undefined; expr = open.pop())
    switch (expr.kind) {
      case "symbol":
        into.add(expr.name.text);
        break;
      case "unary":
      case "cast":
        open.push(expr.operand);
        break;
      case "binary":
        open.push(expr.left, expr.right);
        break;
      case "conditional":
        open.push(expr.test, expr.then, expr.otherwise);
        break;
      case "apply":
        open.push(expr.callee, expr.argument);
    }
}

/** The name in an operand or address: `x` of `x`, `[x]` and `[x+4]`. */
export function nameIn(operand: ast.Operand): ast.Name | undefined {
  switch (operand.kind) {
    case "name":
      return operand.name;
    case "element":
      return operand.array;
    case "address":
      return nameIn(operand.base);
    case "expr":
      return nameInExpr(operand.value);
    default:
      return undefined;
  }
}

function nameInExpr(start: ast.Expr): ast.Name | undefined {
  const open = [start];
  for (let expr = open.pop(); expr !== undefined; expr = open.pop()) {
    if (expr.kind === "symbol") return expr.name;
    if (expr.kind === "binary") open.push(expr.right, expr.left);
  }
  return undefined;
}
