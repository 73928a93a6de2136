/** A function's name as C++ declares it, in parts. */
export interface Spelled {
  /** Without parameters and return type: `ns::axpy<float>`. */
  readonly name: string;
  /** The name and its parameters: `ns::axpy<float>(int, float*)`; the name alone without a list of parameters. */
  readonly signature: string;
}

const closing: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["<", ">"],
]);

/** Calls the visitor for every character outside of operators' names, with the start of each open bracket. */
export function eachCharacter(text: string, visit: (at: number, open: readonly number[]) => void): void {
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const operator = operatorEnd(text, at);
    if (operator !== undefined) {
      visit(at, open);
      at = operator - 1;
      continue;
    }
    const character = text[at] ?? "";
    const top = open.at(-1);
    if (top !== undefined && character === closing.get(text[top] ?? "") && text[at - 1] !== "-") open.pop();
    visit(at, open);
    // A `<` behind a parenthesis compares.
    if (closing.has(character) && (character !== "<" || /[\w:>\]]/.test(text[at - 1] ?? ""))) open.push(at);
  }
}

/** Where the name of an operator ends that begins here: `operator<<`, `operator()`. */
function operatorEnd(text: string, at: number): number | undefined {
  if (!text.startsWith("operator", at) || /[\w$]/.test(text[at - 1] ?? "")) return undefined;
  let end = at + "operator".length;
  if (/[\w$]/.test(text[end] ?? "")) return undefined;
  if (text.startsWith("()", end) || text.startsWith("[]", end)) return end + 2;
  while (/[-+*/%^&|~!=<>,]/.test(text[end] ?? "")) end++;
  // `operator<<int>` is operator< of int.
  if (end < text.length && /[\w(]/.test(text[end] ?? "") && text[end - 1] === "<" && end - at > 9 && text[end] !== "(")
    end--;
  return end;
}

/**
 * The parts of a declaration such as `void ns::axpy<float>(int, float*) const`; undefined without a list of
 * parameters.
 */
export function spelled(declaration: string): Spelled | undefined {
  const text = declaration.trim();
  let from = 0;
  let end: number | undefined;
  let operator = false;
  eachCharacter(text, (at, open) => {
    if (open.length > 0) return;
    if (text.startsWith("operator", at) && operatorEnd(text, at) !== undefined) operator = true;
    // A list of parameters is behind a name; `(anonymous namespace)` begins one.
    if (text[at] === "(" && at > from && !/[\s:,]/.test(text[at - 1] ?? "")) end ??= at;
    // A name after the list is local to the function: `f(int)::g`.
    if (text.startsWith("::", at) && end !== undefined && text[at - 1] === ")") end = undefined;
    if (text[at] === " " && end === undefined && !operator) from = at + 1;
  });
  if (end === undefined) return undefined;
  return { name: text.slice(from, end), signature: text.slice(from) };
}
