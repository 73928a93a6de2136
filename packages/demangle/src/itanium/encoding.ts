import { encoding as typed } from "./name-node.ts";
import { type Node, sequence, word } from "./node.ts";
import { malformed } from "./output.ts";
import type { Parser } from "./parser.ts";
import { parametersOf } from "./type.ts";
import { functionType } from "./type-node.ts";

/** A function with its parameters, an object, or something that a compiler made. */
export function encoding(parser: Parser): Node {
  if (parser.peek() === "T" || parser.peek() === "G") return special(parser);
  const name = parser.name();
  if (ended(parser)) return name.after === undefined ? name : sequence(name, name.after);
  const result = name.args !== undefined && !name.returnsNothing ? parser.type() : undefined;
  const parameters: Node[] = [];
  while (!ended(parser)) {
    if (parser.takes("Q")) {
      const condition = parser.expression();
      return typed(
        name,
        functionType(result, parametersOf(parameters), sequence(name.after ?? "", " requires ", condition)),
      );
    }
    parameters.push(parser.type());
  }
  if (parameters.length === 0) throw malformed;
  return typed(name, functionType(result, parametersOf(parameters), word(name.after ?? "")));
}

const ended = (parser: Parser): boolean => parser.done || parser.peek() === "E" || parser.peek() === ".";

const ofTypes: ReadonlyMap<string, string> = new Map([
  ["TV", "vtable for "],
  ["TT", "VTT for "],
  ["TI", "typeinfo for "],
  ["TS", "typeinfo name for "],
  ["TF", "typeinfo fn for "],
]);
const ofNames: ReadonlyMap<string, string> = new Map([
  ["TH", "TLS init function for "],
  ["TW", "TLS wrapper function for "],
  ["GV", "guard variable for "],
]);
const ofFunctions: ReadonlyMap<string, string> = new Map([
  ["GTt", "transaction clone for "],
  ["GTn", "non-transaction clone for "],
  ["GA", "hidden alias for "],
]);

/** Tables, guards and thunks, which no source text names. */
function special(parser: Parser): Node {
  const two = parser.peek() + parser.peek(1);
  const take = (table: ReadonlyMap<string, string>): string | undefined => {
    const key = table.has(two) ? two : two + parser.peek(2);
    const text = table.get(key);
    if (text !== undefined) parser.at += key.length;
    return text;
  };
  const ofType = take(ofTypes);
  if (ofType !== undefined) return sequence(ofType, parser.type());
  const ofName = take(ofNames);
  if (ofName !== undefined) return sequence(ofName, parser.name());
  const ofFunction = take(ofFunctions);
  if (ofFunction !== undefined) return sequence(ofFunction, parser.encoding());
  if (parser.takes("TA")) return sequence("template parameter object for ", parser.templateArgument());
  if (parser.takes("TC")) {
    const whole = parser.type();
    parser.number();
    parser.expect("_");
    return sequence("construction vtable for ", parser.type(), "-in-", whole);
  }
  if (parser.takes("GR")) {
    const name = parser.name();
    return sequence("reference temporary #", String(parser.done ? 0 : parser.sequence()), " for ", name);
  }
  if (!parser.takes("T")) throw malformed;
  if (parser.takes("c")) {
    offset(parser);
    offset(parser);
    return sequence("covariant return thunk to ", parser.encoding());
  }
  const kind = parser.peek() === "v" ? "virtual thunk to " : "non-virtual thunk to ";
  offset(parser);
  return sequence(kind, parser.encoding());
}

/** `h16_`, `v0_n24_`: by how much a thunk moves `this`. */
function offset(parser: Parser): void {
  const numbers = parser.takes("v") ? 2 : parser.takes("h") ? 1 : 0;
  if (numbers === 0) throw malformed;
  for (let at = 0; at < numbers; at++) {
    parser.takes("n");
    if (parser.digits() === "") throw malformed;
    parser.expect("_");
  }
}
