import type { Expression } from "../../../operation/expression.ts";
import type { VectorMaker } from "../../maker.ts";
import type { Vector } from "../../vector.ts";

/** How bits are computed whose truth table is known: from those of other tables. */
type Formula =
  | { readonly op: "variable"; readonly at: number }
  | { readonly op: "constant"; readonly ones: boolean }
  | { readonly op: "not"; readonly a: number }
  | { readonly op: "and" | "or" | "xor" | "andnot"; readonly a: number; readonly b: number }
  /** Bits of a where `when` has a 1, else of b. */
  | { readonly op: "choose"; readonly when: number; readonly a: number; readonly b: number };

/** A choice is two or three instructions of most machines, the others are one. */
const CHOICE = 2;

/** Formulas by their table of three variables, and tables by what the cheapest formula for them costs. */
const formulas: (Formula | undefined)[] = [];
const byCost: number[][] = [[]];

/** The cheapest formula for a function of up to three variables. Formulas are searched only as far as needed. */
function cheapest(table: number): Formula {
  if (byCost[0]?.length === 0) {
    add(0, 0xf0, { op: "variable", at: 0 });
    add(0, 0xcc, { op: "variable", at: 1 });
    add(0, 0xaa, { op: "variable", at: 2 });
    add(0, 0x00, { op: "constant", ones: false });
    add(0, 0xff, { op: "constant", ones: true });
  }
  while (formulas[table] === undefined) findNext();
  return formulas[table];
}

function add(cost: number, table: number, formula: Formula): void {
  if (formulas[table] !== undefined) return;
  formulas[table] = formula;
  byCost[cost]?.push(table);
}

/** All tables that cost one more than those that are known. */
function findNext(): void {
  const cost = byCost.length;
  byCost.push([]);
  for (const a of byCost[cost - 1]!) add(cost, ~a & 0xff, { op: "not", a });
  for (let left = 0; left < cost; left++)
    for (const a of byCost[left]!)
      for (const b of byCost[cost - 1 - left]!) {
        add(cost, a & b, { op: "and", a, b });
        add(cost, a | b, { op: "or", a, b });
        add(cost, a ^ b, { op: "xor", a, b });
        add(cost, a & ~b & 0xff, { op: "andnot", a, b });
      }
  for (let chosen = 0; chosen <= cost - CHOICE; chosen++)
    for (let left = 0; left <= cost - CHOICE - chosen; left++)
      for (const when of byCost[chosen]!)
        for (const a of byCost[left]!)
          for (const b of byCost[cost - CHOICE - chosen - left]!)
            add(cost, (a & when) | (b & ~when & 0xff), { op: "choose", when, a, b });
}

/** The columns of a truth table of three variables: bit n of it is for the values that n's bits say, the first highest. */
const columns = [0xf0, 0xcc, 0xaa] as const;

/**
 * Bits of and, or, xor and not: whatever their tree looks like, what it computes of up to three values is a table of
 * eight rows, and the cheapest code for that table is taken (all of lop3 becomes an instruction or a few). Undefined
 * where there are more values.
 */
export function bitwise(
  make: VectorMaker,
  x: Expression,
  leaf: (x: Expression) => Vector | undefined,
): Vector | undefined {
  const leaves: Vector[] = [];
  const known = new Map<Expression, number | undefined>();
  const visit = (of: Expression): number | undefined => {
    if (!known.has(of)) known.set(of, table(of));
    return known.get(of);
  };
  const table = (of: Expression): number | undefined => {
    switch (of.node) {
      case "label":
        return visit(of.a);
      case "not": {
        const a = visit(of.a);
        return a === undefined ? undefined : ~a & 0xff;
      }
      case "and":
      case "or":
      case "xor": {
        const a = visit(of.a);
        const b = a === undefined ? undefined : visit(of.b);
        if (a === undefined || b === undefined) return undefined;
        return of.node === "and" ? a & b : of.node === "or" ? a | b : a ^ b;
      }
      default: {
        if (of.node === "integer" && (of.value === 0n || of.value === -1n)) return of.value === 0n ? 0 : 0xff;
        const value = leaf(of);
        if (value === undefined) return undefined;
        if (!leaves.includes(value)) leaves.push(value);
        return columns[leaves.indexOf(value)];
      }
    }
  };
  const whole = visit(x);
  return whole === undefined ? undefined : build(make, whole, leaves);
}

/** The same where there are more values: each node by itself. */
export function manyBits(
  make: VectorMaker,
  x: Expression,
  part: (x: Expression) => Vector | undefined,
): Vector | undefined {
  if (x.node === "not") {
    const a = part(x.a);
    return a && make.not(a);
  }
  if (x.node !== "and" && x.node !== "or" && x.node !== "xor") return undefined;
  const [a, b] = [part(x.a), part(x.b)];
  return a && b && (x.node === "or" ? either(make, a, b) : make.op(`v128.${x.node}`, a, b));
}

/** The code for a table, given the values of its variables. */
function build(make: VectorMaker, table: number, leaves: readonly Vector[]): Vector {
  const formula = cheapest(table);
  const part = (of: number): Vector => build(make, of, leaves);
  switch (formula.op) {
    case "variable":
      return leaves[formula.at]!;
    case "constant":
      return make.all32(formula.ones ? -1 : 0);
    case "not":
      return make.not(part(formula.a));
    case "or":
      return either(make, part(formula.a), part(formula.b));
    case "and":
    case "xor":
    case "andnot":
      return make.op(`v128.${formula.op}`, part(formula.a), part(formula.b));
    case "choose":
      return make.choose(part(formula.when), part(formula.a), part(formula.b));
  }
}

/** a | b; as a shuffle if that rotates words by complete bytes. */
function either(make: VectorMaker, a: Vector, b: Vector): Vector {
  return rotated(make, a, b) ?? rotated(make, b, a) ?? make.or(a, b);
}

function rotated(make: VectorMaker, left: Vector, right: Vector): Vector | undefined {
  if (left.node !== "shift" || left.name !== "i32x4.shl" || right.node !== "shift") return undefined;
  if (right.name !== "i32x4.shr_u" || left.of !== right.of || left.by + right.by !== 32 || left.by % 8 !== 0)
    return undefined;
  const up = left.by / 8;
  const bytes = Array.from({ length: 16 }, (_, at) => (at & ~3) | ((at - up) & 3));
  return make.shuffle(left.of, left.of, bytes);
}
