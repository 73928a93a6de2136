import type { About, CarryAbout } from "../numeric/index.ts";
import { type IntType, intWidth, isSigned, rangeOf } from "../numeric/integer.ts";
import { hex } from "./value.ts";
import { type Given, type Row, row, type Worked } from "./working/row.ts";

const numberOf = (type: IntType, bits: bigint): bigint =>
  isSigned(type) ? BigInt.asIntN(intWidth(type), bits) : BigInt.asUintN(intWidth(type), bits);

const shown = (type: IntType, { name, bits }: Given): Row =>
  row(name, `${type} ${hex(BigInt.asUintN(intWidth(type), bits), intWidth(type))} = ${numberOf(type, bits)}`);

/** An exact number into a type: kept, wrapped, or with `.sat` clamped. */
export function intoType(type: IntType, exact: bigint, sat: boolean): Worked {
  const width = intWidth(type);
  const [least, greatest] = rangeOf(type);
  const bits = BigInt.asUintN(width, exact);
  if (exact >= least && exact <= greatest) return { rows: sat ? [row(".sat", "in range: changes nothing")] : [], bits };
  if (sat) {
    const kept = exact < least ? least : greatest;
    return {
      rows: [row(".sat", `beyond ${least} to ${greatest} of ${type}: ${kept}`)],
      bits: BigInt.asUintN(width, kept),
    };
  }
  const wrapped = numberOf(type, bits);
  const turns = (exact - wrapped) / (1n << BigInt(width));
  const off = `${turns < 0n ? -turns : turns} x 2^${width} ${turns < 0n ? "added" : "taken off"}`;
  return { rows: [row("wraps", `beyond ${least} to ${greatest} of ${type}: ${wrapped}, ${off}`)], bits };
}

const symbols = { add: "+", sub: "-", div: "/", rem: "%" } as const;

/** Integers of one type: the exact result, then what the type does with it. */
export function integer({ operation, type, sat, relu }: About & { kind: "integer" }, given: readonly Given[]): Worked {
  const rows = given.map((each) => shown(type, each));
  const [a = 0n, b = 0n, c = 0n] = given.map(({ bits }) => numberOf(type, bits));
  const [x = "a", y = "b", z = "c"] = given.map(({ name }) => name);
  const done = (label: string, exact: bigint, text = ""): Worked => {
    const { rows: after, bits } = intoType(type, exact, sat === true);
    return { rows: [...rows, row(label, `${exact}${text}`), ...after], bits };
  };
  switch (operation) {
    case "add":
    case "sub":
      return done(`${x} ${symbols[operation]} ${y}`, operation === "add" ? a + b : a - b, ", exactly");
    case "div":
    case "rem": {
      const label = `${x} ${symbols[operation]} ${y}`;
      const ones = BigInt.asUintN(intWidth(type), -1n);
      if (b === 0n) return { rows: [...rows, row(label, "by zero: all bits 1, as GPUs do")], bits: ones };
      return done(
        label,
        operation === "div" ? a / b : a % b,
        `: ${a} = ${b} * ${a / b} + ${a % b}, the quotient cut toward zero`,
      );
    }
    case "abs":
      return done(`|${x}|`, a < 0n ? -a : a);
    case "neg":
      return done(`-${x}`, -a);
    case "sad":
      return done(`|${x} - ${y}| + ${z}`, (a < b ? b - a : a - b) + c, `: the distance is ${a < b ? b - a : a - b}`);
    case "min":
    case "max": {
      const chosen = a < b === (operation === "min") ? a : b;
      const picked = row(operation, `${chosen}, since ${a} ${a < b ? "<" : a > b ? ">" : "="} ${b}`);
      if (!relu) return { rows: [...rows, picked], bits: BigInt.asUintN(intWidth(type), chosen) };
      const kept = chosen < 0n ? 0n : chosen;
      const after = row(".relu", kept === chosen ? "changes nothing" : "what is negative becomes 0");
      return { rows: [...rows, picked, after], bits: BigInt.asUintN(intWidth(type), kept) };
    }
  }
}

/** mul and mad: the whole product, the part that counts, then c. */
export function product(
  { type, part, arity, sat, low24 }: About & { kind: "product" },
  given: readonly Given[],
): Worked {
  const width = intWidth(type);
  const gives = part === "wide" ? 2 * width : width;
  const factors = given
    .slice(0, 2)
    .map(({ name, bits }) => ({ name, value: low24 ? low(type, bits) : numberOf(type, bits), bits }));
  const rows = factors.map(({ name, bits, value }) =>
    row(
      name,
      `${type} ${hex(bits, width)} = ${numberOf(type, bits)}${low24 ? `, of which the low 24 bits are ${value}` : ""}`,
    ),
  );
  const [x, y] = factors;
  const whole = (x?.value ?? 0n) * (y?.value ?? 0n);
  const span = low24 ? 48 : 2 * width;
  rows.push(row(`${x?.name} * ${y?.name}`, `${whole} = ${hex(BigInt.asUintN(span, whole), span)} in ${span} bits`));
  const down = part === "hi" ? BigInt(low24 ? 16 : width) : 0n;
  const taken = BigInt.asUintN(gives, whole >> down);
  const wide = `${isSigned(type) ? "s" : "u"}${gives}` as IntType;
  const bits = part === "wide" ? "all bits" : `the ${part === "hi" ? "high" : "low"} ${gives} bits`;
  rows.push(row(`.${part}`, `${bits}: ${hex(taken, gives)} = ${numberOf(wide, taken)}`));
  const c = given[2];
  if (arity === 2 || c === undefined) return { rows, bits: taken };
  const sum = numberOf(wide, taken) + numberOf(wide, c.bits);
  const after = intoType(wide, sum, sat);
  return { rows: [...rows, shown(wide, c), row(`+ ${c.name}`, `${sum}, exactly`), ...after.rows], bits: after.bits };
}

/** The low 24 bits as a number. */
const low = (type: IntType, bits: bigint): bigint =>
  isSigned(type) ? BigInt.asIntN(24, bits) : BigInt.asUintN(24, bits);

/** dp4a and dp2a. */
export function dot({ pairs }: About & { kind: "dot" }, given: readonly Given[]): Worked {
  const rows = given.map(({ name, bits }) => row(name, hex(bits, 32)));
  let sum = BigInt.asIntN(32, given[2]?.bits ?? 0n);
  const terms = pairs.map((pair) => {
    const [x = 0n, y = 0n] = pair.map(({ operand, low: from, bits, signed }) => {
      const slice = (given[operand]?.bits ?? 0n) >> BigInt(from);
      return signed ? BigInt.asIntN(bits, slice) : BigInt.asUintN(bits, slice);
    });
    sum += x * y;
    return `${x} * ${y}`;
  });
  rows.push(row("sum", `${terms.join(" + ")} + ${given[2]?.name} = ${sum}, taken modulo 2^32`));
  return { rows, bits: BigInt.asUintN(32, sum) };
}

/** An addition with carry: the sum of unsigned numbers, one bit wider than the registers. `bits` has the carry on top. */
export function carried(about: CarryAbout, given: readonly Given[], carry: 0 | 1, fromFlag: boolean): Worked {
  const { operation, width, part, signed = false, sat } = about;
  const type = `${signed || sat ? "s" : "u"}${width}` as IntType;
  const cut = (bits: bigint): bigint => BigInt.asUintN(width, bits);
  const rows = given.map((each) => shown(type, each));
  const [a = 0n, b = 0n, c = 0n] = given.map(({ bits }) => bits);
  const [x = "a", y = "b", z = "c"] = given.map(({ name }) => name);
  const terms =
    operation === "mad"
      ? [half(), { label: z, bits: cut(c) }]
      : operation === "sub"
        ? [{ label: x, bits: cut(a) }, inverted()]
        : [
            { label: x, bits: cut(a) },
            { label: y, bits: cut(b) },
          ];
  const flag = fromFlag ? "CC.CF" : "without carry-in";
  const sum = terms.reduce((all, { bits }) => all + (sat ? BigInt.asIntN(width, bits) : bits), BigInt(carry));
  rows.push(row("carry in", `${carry} (${flag})`));
  const label = `${terms.map((term) => term.label).join(" + ")} + CF`;
  if (sat) {
    const after = intoType(type, sum, true);
    return { rows: [...rows, row(label, `${sum}, signed`), ...after.rows], bits: after.bits };
  }
  const out = sum >> BigInt(width);
  rows.push(row(label, `${hex(cut(sum), width)} and a carry of ${out}`));
  return { rows, bits: width === 16 ? cut(sum) : sum };

  function half() {
    const whole = numberOf(type, a) * numberOf(type, b);
    const bits = cut(part === "hi" ? whole >> BigInt(width) : whole);
    rows.push(
      row(
        `${x} * ${y}`,
        `${whole} = ${hex(BigInt.asUintN(2 * width, whole), 2 * width)}, of which .${part} is ${hex(bits, width)}`,
      ),
    );
    return { label: `.${part}`, bits };
  }
  function inverted() {
    rows.push(row(`~${y}`, `${hex(cut(~b), width)}: a subtraction adds the complement, and the flag is NOT borrow`));
    return { label: `~${y}`, bits: cut(~b) };
  }
}
