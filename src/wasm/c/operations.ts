/** Types of C by the types of WebAssembly. */
export const typeNames = {
  i32: "int32_t",
  i64: "int64_t",
  f32: "float",
  f64: "double",
  v128: "V16",
  v256: "V32",
} as const;
export type Type = keyof typeof typeNames;

/** An expression of C that computes one instruction, and the type of what it gives. */
export interface Computed {
  readonly type: Type;
  readonly text: string;
}

/** How many operands a scalar instruction takes, and what it is in C. */
interface ScalarRule {
  readonly takes: number;
  readonly compute: (...operands: string[]) => Computed;
}

/** The scalar instruction of a name; `select`, `drop`, `return` and `unreachable` are the printer's. */
export function scalarRule(name: string): ScalarRule {
  const [type, operation] = name.split(".") as [Type, string];
  const float = type[0] === "f";
  const bits = type.slice(1);
  const unsigned = `uint${bits}_t`;
  const known = operators[operation];
  if (known !== undefined) {
    const [operator, kind] = known;
    if (kind === "compare") {
      const cast = operation.endsWith("_u") ? `(${unsigned})` : "";
      return { takes: 2, compute: (a, b) => ({ type: "i32", text: `${cast}${a} ${operator} ${cast}${b}` }) };
    }
    if (kind === "shift") {
      const cast = operation === "shr_s" ? "" : `(${unsigned})`;
      return { takes: 2, compute: (a, b) => ({ type, text: `${cast}${a} ${operator} (${b} & ${Number(bits) - 1})` }) };
    }
    return { takes: 2, compute: (a, b) => ({ type, text: `${a} ${operator} ${b}` }) };
  }
  const result = operation === "eqz" ? "i32" : type;
  const takes = binary.has(operation) || (operation === "copysign" && float) ? 2 : 1;
  return {
    takes,
    compute: (...operands) => ({ type: result, text: `${type}_${operation}(${operands.join(", ")})` }),
  };
}

const operators: Readonly<Record<string, readonly [operator: string, kind: "compare" | "shift" | "plain"]>> = {
  eq: ["==", "compare"],
  ne: ["!=", "compare"],
  lt: ["<", "compare"],
  gt: [">", "compare"],
  le: ["<=", "compare"],
  ge: [">=", "compare"],
  lt_s: ["<", "compare"],
  lt_u: ["<", "compare"],
  gt_s: [">", "compare"],
  gt_u: [">", "compare"],
  le_s: ["<=", "compare"],
  le_u: ["<=", "compare"],
  ge_s: [">=", "compare"],
  ge_u: [">=", "compare"],
  shl: ["<<", "shift"],
  shr_s: [">>", "shift"],
  shr_u: [">>", "shift"],
  add: ["+", "plain"],
  sub: ["-", "plain"],
  mul: ["*", "plain"],
  div: ["/", "plain"],
  and: ["&", "plain"],
  or: ["|", "plain"],
  xor: ["^", "plain"],
};

/** Functions of the prelude with two operands. */
const binary = new Set(["div_s", "div_u", "rem_s", "rem_u", "rotl", "rotr", "min", "max"]);

/** A vector instruction on operands of `bytes` bytes. */
export function vectorOperation(name: string, operands: readonly string[], wide: boolean): Computed {
  const bytes = wide ? 32 : 16;
  const vector: Type = wide ? "v256" : "v128";
  const [shape, operation] = name.split(".") as [string, string];
  const given = (kind: string): readonly string[] => operands.map((each) => `(${kind}_${bytes})${each}`);
  const whole = (text: string): Computed => ({ type: vector, text: `(V${bytes})(${text})` });
  const own = bitwise[name];
  if (own !== undefined) return whole(own(...operands));
  const [, letter, width] = /^([vif])(\d+)/.exec(shape)!;
  const kindOf = (sign: string): string => (letter === "f" ? `f${width}` : `${sign}${width}`);
  const known = operators[operation];
  if (known !== undefined) {
    const [operator, what] = known;
    if (what === "shift") {
      const kind = operation === "shr_s" ? `s${width}` : `u${width}`;
      const scalar = `${kind[0] === "s" ? "int" : "uint"}${width}_t`;
      return whole(`(${kind}_${bytes})${operands[0]} ${operator} (${scalar})(${operands[1]} & ${Number(width) - 1})`);
    }
    const signed = what === "compare" && !operation.endsWith("_u");
    const [a, b] = given(kindOf(signed ? "s" : "u"));
    return whole(`${a} ${operator} ${b}`);
  }
  // The names of functions in the prelude: shape without its count, operation, bytes.
  const text = `${letter}${width}v_${operation}_${bytes}(${operands.join(", ")})`;
  const scalar = operation === "any_true" || operation === "all_true" || operation === "bitmask";
  return { type: scalar ? "i32" : vector, text };
}

/** How many operands a vector instruction takes. */
export function operandsOf(name: string): number {
  const operation = name.slice(name.indexOf(".") + 1);
  if (name === "v128.bitselect" || operation === "relaxed_madd") return 3;
  return unary.test(operation) ? 1 : 2;
}

const unary =
  /^(splat|not|any_true|all_true|bitmask|abs|neg|popcnt|ceil|floor|trunc|nearest|sqrt|extend_.*|extadd_.*|demote_.*|promote_.*|trunc_sat_.*|relaxed_trunc_.*|convert_.*)$/;

const bitwise: Readonly<Record<string, (...operands: string[]) => string>> = {
  "v128.not": (a) => `~${a}`,
  "v128.and": (a, b) => `${a} & ${b}`,
  "v128.andnot": (a, b) => `${a} & ~${b}`,
  "v128.or": (a, b) => `${a} | ${b}`,
  "v128.xor": (a, b) => `${a} ^ ${b}`,
  "v128.bitselect": (a, b, mask) => `(${a} & ${mask}) | (${b} & ~${mask})`,
};

/** A shuffle of bytes, of words where that is the same; of v256 within each half. */
export function shuffle(a: string, b: string, bytes: readonly number[], wide: boolean): Computed {
  const size = wide ? 32 : 16;
  const unit = [8, 4, 2, 1].find((each) => {
    const first = (at: number): boolean => at % each === 0;
    return bytes.every((byte, at) => (first(at) ? byte % each === 0 : byte === bytes[at - 1]! + 1));
  })!;
  const per = 16 / unit;
  const indexes: number[] = [];
  for (let half = 0; half < size / 16; half++)
    for (let element = 0; element < per; element++) {
      const from = bytes[element * unit]! / unit;
      indexes.push(half * per + (from < per ? from : size / unit + from - per));
    }
  const kind = `s${8 * unit}_${size}`;
  return {
    type: wide ? "v256" : "v128",
    text: `(V${size})SHUFFLE((${kind})${a}, (${kind})${b}, ${kind}, ${indexes.join(", ")})`,
  };
}
