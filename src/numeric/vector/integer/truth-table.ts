/** How bits are computed whose truth table is known: from those of other tables. */
export type Formula =
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

/** The cheapest formula for a function of up to three variables. They are found as far as they are asked for. */
export function cheapest(table: number): Formula {
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
