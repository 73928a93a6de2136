import { parseAst } from "rolldown/parseAst";
import type { Mutation } from "./mutation.ts";

/** A node of the tree of a TypeScript file, as ESTree has it. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** What each operator becomes. */
const others: Readonly<Record<string, readonly string[]>> = {
  "+": ["-"],
  "-": ["+"],
  "*": ["+"],
  "/": ["*"],
  "%": ["*"],
  "**": ["*"],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "&": ["|"],
  "|": ["&"],
  "^": ["|"],
  "<<": [">>"],
  ">>": ["<<"],
  ">>>": ["<<"],
  "&&": ["||"],
  "||": ["&&"],
  "+=": ["-="],
  "-=": ["+="],
  "*=": ["+="],
  "|=": ["&="],
  "&=": ["|="],
  "^=": ["|="],
  "<<=": [">>="],
  ">>=": ["<<="],
  ">>>=": [">>="],
  "++": ["--"],
  "--": ["++"],
};

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** Wrappers of types around a value; everything else that begins so is a type. */
const values = new Set(["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"]);

/** Whether it is text that people read: a sum of it is no arithmetic. */
const isText = (node: Node): boolean =>
  node.type === "TemplateLiteral" ||
  (node.type === "Literal" && typeof node["value"] === "string") ||
  (node.type === "BinaryExpression" && (isText(node["left"] as Node) || isText(node["right"] as Node)));

/** All changes of one place that the operators know in a TypeScript file. */
export function mutationsOf(text: string): readonly Mutation[] {
  const found: Mutation[] = [];
  const source = (node: Node): string => text.slice(node.start, node.end);
  const replace = (node: Node, by: string, statement = false): void => {
    if (by !== source(node)) found.push({ start: node.start, end: node.end, text: by, statement });
  };
  /** The node with what stands between two of its parts replaced. */
  const between = (node: Node, left: Node, right: Node, old: string, by: string): void => {
    // Brackets and comments may stand there, too.
    const gap = text.slice(left.end, right.start);
    const at = gap.indexOf(old);
    const after = text.slice(left.end + at + old.length, node.end);
    replace(node, text.slice(node.start, left.end + at) + by + after);
  };
  const force = (test: Node, to: readonly string[]): void => {
    if (test.type !== "Literal") for (const by of to) replace(test, by);
  };

  function visit(node: Node): void {
    const { type } = node;
    if ((type.startsWith("TS") && !values.has(type)) || type === "ImportDeclaration" || type === "ThrowStatement")
      return;
    const operator = node["operator"] as string;
    switch (type) {
      case "BinaryExpression":
      case "LogicalExpression":
      case "AssignmentExpression": {
        const [left, right] = [node["left"] as Node, node["right"] as Node];
        if (operator === "??") replace(node, source(left));
        // With or without a sign is seen by itself, or of negative numbers alone.
        if (operator === ">>>" && source(right) === "0") between(node, left, right, operator, ">>");
        else if (!((operator === "+" || operator === "+=") && (isText(left) || isText(right))))
          for (const by of others[operator] ?? []) between(node, left, right, operator, by);
        break;
      }
      case "UnaryExpression":
        if (["!", "-", "~"].includes(operator)) replace(node, `(${source(node["argument"] as Node)})`);
        break;
      case "UpdateExpression": {
        const argument = source(node["argument"] as Node);
        const by = operator === "++" ? "--" : "++";
        replace(node, node["prefix"] ? by + argument : argument + by);
        break;
      }
      case "IfStatement":
        // What is thrown where something impossible is seen need not be reached.
        force(node["test"] as Node, throws(node["consequent"] as Node) ? [] : ["true", "false"]);
        break;
      case "ConditionalExpression":
        force(node["test"] as Node, ["true", "false"]);
        break;
      case "WhileStatement":
      case "ForStatement":
        if (isNode(node["test"])) force(node["test"], ["false"]);
        break;
      case "Literal":
        if (typeof node["value"] === "number" || typeof node["value"] === "bigint") {
          const { value } = node;
          const around: readonly (number | bigint)[] =
            typeof value === "bigint" ? [value + 1n, value - 1n, 0n] : [Number(value) + 1, Number(value) - 1, 0];
          const end = typeof value === "bigint" ? "n" : "";
          for (const by of new Set(around)) if (by !== value) replace(node, `(${by}${end})`);
        } else if (typeof node["value"] === "boolean") replace(node, String(!node["value"]));
        break;
      case "ExpressionStatement": {
        const inner = node["expression"] as Node;
        const what = inner.type === "AwaitExpression" ? (inner["argument"] as Node) : inner;
        const isSuper = what.type === "CallExpression" && (what["callee"] as Node).type === "Super";
        if (["CallExpression", "AssignmentExpression"].includes(what.type) && !isSuper) replace(node, ";", true);
        break;
      }
      case "ReturnStatement": {
        const argument = node["argument"];
        if (isNode(argument) && argument.type !== "Literal" && source(argument) !== "undefined")
          replace(argument, "undefined");
        break;
      }
      case "CallExpression": {
        const callee = source(node["callee"] as Node);
        if (callee === "Math.min" || callee === "Math.max")
          replace(node["callee"] as Node, callee === "Math.min" ? "Math.max" : "Math.min");
        break;
      }
    }
    for (const [field, value] of Object.entries(node)) {
      // Names of what an object has, and numbers that are such.
      if (field === "key" && !node["computed"]) continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
    }
  }
  visit(parseAst(text, { lang: "ts", astType: "ts" }) as unknown as Node);
  return found;
}

function throws(node: Node): boolean {
  if (node.type === "BlockStatement") return (node["body"] as Node[]).some(throws);
  return node.type === "ThrowStatement";
}

/** Where the bodies of a file's loops begin and end. */
export function loopsOf(text: string): readonly { readonly start: number; readonly end: number }[] {
  const found: Node[] = [];
  const visit = (node: Node): void => {
    if (/^(While|DoWhile|For|ForIn|ForOf)Statement$/.test(node.type)) found.push(node["body"] as Node);
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
  };
  visit(parseAst(text, { lang: "ts", astType: "ts" }) as unknown as Node);
  return found;
}
