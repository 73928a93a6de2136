import { createSession, Memory } from "../../src/interp/index.ts";
import type { Form, ModifierValues, Since } from "../../src/isa/form/define.ts";
import type { RegisterClass } from "../../src/isa/form/operands.ts";
import { parseSnippet } from "../../src/parser/index.ts";
import { resolveSnippet } from "../../src/resolve/index.ts";
import { newestVersion, showVersion } from "../../src/resolve/module/header/target.ts";
import { hasErrors } from "../../src/source/diagnostic.ts";
import { Source } from "../../src/source/source.ts";

/** A form with its modifiers decided: `words` are the mnemonic and what follows it. */
export interface Spelling {
  readonly words: readonly string[];
  readonly mods: ModifierValues;
  readonly form: Form;
}

/** Every combination of modifiers that a form has and allows. */
export function* spellings(form: Form): Generator<Spelling> {
  interface Partial {
    readonly words: readonly string[];
    readonly mods: ModifierValues;
    readonly groups: ReadonlyMap<number, boolean>;
  }
  let partial: Partial[] = [{ words: [form.mnemonic], mods: {}, groups: new Map() }];
  for (const { name, optional, choices, flag, group } of form.modifiers) {
    partial = partial.flatMap(({ words, mods, groups }) => {
      const decided = group === undefined ? undefined : groups.get(group);
      const into = (there: boolean) => (group === undefined ? groups : new Map(groups).set(group, there));
      const next: Partial[] = [];
      if (decided !== false)
        for (const word of choices)
          next.push({ words: [...words, word], mods: { ...mods, [name]: flag ? true : word }, groups: into(true) });
      if (optional && decided !== true)
        next.push({ words, mods: { ...mods, [name]: flag ? false : undefined }, groups: into(false) });
      return next;
    });
  }
  for (const { words, mods } of partial) if (form.conflict(mods) === undefined) yield { words, mods, form };
}

/** The newest target, or where the instruction is for a few families alone the last of those. */
const targetFor = ({ families = [107] }: Since): string => `sm_${families.at(-1)}a`;

/** What one thread computed: its results in the order of the operands, and its carry flag. */
export interface Ran {
  readonly results: readonly bigint[];
  readonly carry: bigint;
}

/**
 * Runs one instruction in as many threads as there are rows, through parser, resolver and machine. A row has the bits
 * of the operands that are read, a vector's elements one by one; registers are as wide as their operands, 32 bits for
 * integers of 8.
 */
export function runRows(
  { words, mods, form }: Spelling,
  rows: readonly (readonly bigint[])[],
  carryIn: 0 | 1 = 0,
): Ran[] {
  const classes = form.operands(mods);
  const declared: string[] = [];
  const given: string[] = [];
  const wanted: string[] = [];
  const named = (name: string): string => {
    const wants = classes[name];
    if (wants?.kind === "predicate") declared.push(`.reg .pred ${name};`);
    else if (wants?.kind === "register") declared.push(`.reg .b${widthOf(wants)} ${name};`);
    else if (wants?.kind === "vector") {
      const elements = Array.from({ length: wants.count }, (_, at) => `${name}_${at}`);
      declared.push(`.reg .b${widthOf(wants.of)} ${elements.join(", ")};`);
      (wants.of.access === "read" ? given : wanted).push(...elements);
      return `{${elements.join(", ")}}`;
    } else throw new Error(`${form.syntax}: ${name} is not a register`);
    (wants.access === "read" ? given : wanted).push(name);
    return name;
  };
  const there = form.slots.filter(({ name }) => classes[name]?.kind !== "absent");
  const operands = there.map(({ name, second }) => {
    const other = second && classes[second.name]?.kind === "predicate" ? `|${named(second.name)}` : "";
    return `${named(name)}${other}`;
  });
  const source = new Source(words.join("."), `${declared.join(" ")} ${words.join(".")} ${operands.join(", ")};`);
  const parsed = parseSnippet(source);
  const { value: program, diagnostics } = resolveSnippet(source, parsed.value, {
    target: targetFor(form.since(mods)),
    version: showVersion(newestVersion),
  });
  const found = [...parsed.diagnostics, ...diagnostics];
  if (hasErrors(found) || !program)
    throw new Error(`${source.text}: ${found.map(({ message }) => message).join("; ")}`);
  const session = createSession({
    program,
    memory: new Memory({ limit: 1 << 20 }),
    carry: carryIn,
    grid: [1, 1, 1],
    block: [rows.length, 1, 1],
    parameters: new Uint8Array(0),
    addressOf: (variable) => {
      throw new Error(`no variable ${variable}`);
    },
  });
  const thread = (at: number) => ({ block: 0, warp: at >> 5, lane: at & 31 });
  rows.forEach((row, at) => {
    given.forEach((name, index) => void session.writeRegister(thread(at), name, [row[index] ?? 0n]));
  });
  const stop = session.run();
  if (stop.reason !== "exit") throw new Error(`${source.text}: ${stop.reason}`);
  return rows.map((_, at) => {
    const left = new Map(session.registers(thread(at)).map(({ name, bits }) => [name, bits[0] ?? 0n]));
    return { results: wanted.map((name) => left.get(name) ?? 0n), carry: BigInt(session.carry(thread(at))) };
  });
}

/** An operand of 8 bits lies in a register of 32 where it may: no arithmetic takes one of 8. */
const widthOf = ({ bits, wider }: RegisterClass): number => (bits === 8 && wider ? 32 : bits);

/** Numbers that follow each other in no pattern: xorshift on 64 bits. */
export function* scattered(seed: bigint): Generator<bigint> {
  let x = seed;
  for (;;) {
    x ^= BigInt.asUintN(64, x << 13n);
    x ^= x >> 7n;
    x ^= BigInt.asUintN(64, x << 17n);
    yield x;
  }
}
