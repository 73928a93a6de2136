/** C's binary operators, as constant expressions have them (PTX ISA 4.5.4), by how tightly they bind. */
const levels: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<", "<=", ">", ">="],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];

const byOperator: ReadonlyMap<string, number> = new Map(
  levels.flatMap((operators, level) => operators.map((operator) => [operator, level + 1] as const)),
);

/** How tightly a binary operator binds: 1 for `||` to 10 for `*`, and 0 for what is no binary operator. */
export const precedenceOf = (operator: string): number => byOperator.get(operator) ?? 0;

/** How tightly `-x`, `~x`, `!x` and casts bind: more than every binary operator. */
export const UNARY: number = levels.length + 1;
