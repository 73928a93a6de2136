import { type Literals, literalsIn } from "./literals.ts";

/** A constant and its replacement. */
export interface Replaced {
  readonly from: string;
  readonly to: string;
}

/** An instruction's text with one thing changed. */
export interface Change {
  readonly text: string;
  /** 0 for the most frequent mistakes: one word for its opposite, a constant that only this program has. */
  readonly tier: 0 | 1 | 2;
  readonly what: "guard" | "opcode" | "order" | "constant";
  /** Of a constant. */
  readonly constant?: Replaced;
}

/** Modifiers that can replace each other, the nearest first: each is tried in place of each. */
const words: readonly (readonly string[])[] = [
  ["eq", "ne"],
  ["lt", "le", "ge", "gt"],
  ["equ", "neu"],
  ["ltu", "leu", "geu", "gtu"],
  ["lo", "ls", "hs", "hi"],
  ["rn", "rz", "rm", "rp"],
  ["rni", "rzi", "rmi", "rpi"],
  ["s8", "u8"],
  ["s16", "u16"],
  ["s32", "u32"],
  ["s64", "u64"],
  ["and", "or", "xor"],
  ["min", "max", "add"],
  ["inc", "dec"],
  ["up", "down", "bfly", "idx"],
  ["any", "all"],
  ["wrap", "clamp"],
  ["l", "r"],
];

/** Mnemonics that can replace each other, and the types that each has. */
const mnemonics: readonly (readonly (readonly [name: string, types: "any" | "bits" | "signed"])[])[] = [
  [["add", "any"], ["sub", "any"], ["mul", "any"]],
  [["and", "bits"], ["or", "bits"], ["xor", "bits"]],
  [["shl", "bits"], ["shr", "signed"]],
  [["min", "any"], ["max", "any"]],
  [["div", "any"], ["rem", "any"]],
]; // biome-ignore format: a table

/** Comparisons by their opposites: the likeliest of the other ones. */
const opposite: Readonly<Record<string, readonly string[]>> = {
  lt: ["ge", "le"], le: ["gt", "lt"], gt: ["le", "ge"], ge: ["lt", "gt"],
  ltu: ["geu", "leu"], leu: ["gtu", "ltu"], gtu: ["leu", "geu"], geu: ["ltu", "gtu"],
  lo: ["hs", "ls", "hi"], ls: ["hi", "lo"], hi: ["ls", "hs", "lo"], hs: ["lo", "hi"],
}; // biome-ignore format: a table

/** The candidate replacements of an instruction, given the constants of the program that it is compared with. */
export function changesOf(text: string, literals: Literals): readonly Change[] {
  const { guard, opcode, rest } = partsOf(text);
  const found = new Map<string, Change>();
  const add = (changed: string, more: Omit<Change, "text">): void => {
    if (changed !== text && !found.has(changed)) found.set(changed, { text: changed, ...more });
  };
  if (guard !== "") add(turned(guard) + opcode + rest, { tier: 0, what: "guard" });
  for (const [changed, tier] of opcodes(opcode)) add(guard + changed + rest, { tier, what: "opcode" });
  for (const { start, end, text: from } of literalsIn(rest))
    for (const [to, tier] of literals.insteadOf(from))
      add(guard + opcode + rest.slice(0, start) + to + rest.slice(end), {
        tier,
        what: "constant",
        constant: { from, to },
      });
  for (const changed of swapped(opcode, rest)) add(guard + opcode + changed, { tier: 1, what: "order" });
  return [...found.values()];
}

/** A guard with the blanks behind it, the opcode, and its operands with what is around them. */
function partsOf(text: string): { readonly guard: string; readonly opcode: string; readonly rest: string } {
  const [guard = ""] = text.startsWith("@") ? (/^@\S+\s*/.exec(text) ?? []) : [];
  const [opcode = ""] = /^[^\s;]+/.exec(text.slice(guard.length)) ?? [];
  return { guard, opcode, rest: text.slice(guard.length + opcode.length) };
}

const turned = (guard: string): string => (guard.startsWith("@!") ? `@${guard.slice(2)}` : `@!${guard.slice(1)}`);

function opcodes(opcode: string): (readonly [string, Change["tier"]])[] {
  const [mnemonic = "", ...modifiers] = opcode.split(".");
  const found: (readonly [string, Change["tier"]])[] = [];
  for (const group of mnemonics) {
    if (!group.some(([name]) => name === mnemonic)) continue;
    for (const [name, types] of group)
      if (name !== mnemonic) for (const each of withTypes(name, types, mnemonic, modifiers)) found.push([each, 0]);
  }
  for (const [at, word] of modifiers.entries()) {
    const others = words.find((group) => group.includes(word)) ?? [];
    const likely = opposite[word] ?? (others.length === 2 && !/\d/.test(word) ? others : []);
    const tierOf = (other: string): Change["tier"] =>
      likely.includes(other) || /^(r[nzmp]|and|or|xor|min|max|add)$/.test(word) ? 0 : 1;
    for (const other of [...likely, ...others])
      if (other !== word) found.push([[mnemonic, ...modifiers.with(at, other)].join("."), tierOf(other)]);
    if (word === "ftz" || word === "sat" || word === "approx") found.push([[mnemonic, ...modifiers.toSpliced(at, 1)].join("."), 1]); // biome-ignore format: one row
  }
  return found;
}

/** An opcode with another mnemonic, and that mnemonic's spelling of the same type. */
function withTypes(name: string, types: string, from: string, modifiers: readonly string[]): readonly string[] {
  const type = modifiers.at(-1) ?? "";
  const bits = /^[a-z]+(\d+)$/.exec(type)?.[1] ?? "";
  if (types === "bits") return [`${name}.b${bits}`];
  if (types === "signed") return [`${name}.u${bits}`, `${name}.s${bits}`];
  const integer = /^[su]\d/.test(type);
  const plain = modifiers.filter((each) => each !== "lo");
  if (from === "mul" && (modifiers.includes("wide") || modifiers.includes("hi"))) return [];
  return [[name, ...(name === "mul" && integer ? ["lo"] : []), ...plain].join(".")];
}

/** The operands with two source operands swapped. */
function swapped(opcode: string, rest: string): readonly string[] {
  if (!/^(sub|div|rem|shl|shr|setp|selp|slct|set|copysign)\b/.test(opcode)) return [];
  const operands = rest.split(",");
  const [one, other] = [operands[1], operands[2]];
  if (one === undefined || other === undefined) return [];
  const last = operands.length === 3 && other.trimEnd().endsWith(";");
  const bare = last ? other.trimEnd().slice(0, -1).trimEnd() : other;
  const end = other.slice(bare.length);
  return [
    operands
      .with(1, bare)
      .with(2, one + end)
      .join(","),
  ];
}
