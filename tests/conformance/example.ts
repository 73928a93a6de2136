import { bytesFrom, type ElementType, fromValue } from "../../src/host/memory/element.ts";
import { ImageArray } from "../../src/host/memory/image-array.ts";
import { samplerOf, surfaceOf, textureOf } from "../../src/host/memory/texture.ts";
import { isCollective } from "../../src/interp/contract/plan/effects.ts";
import { createSession, Memory, type Session } from "../../src/interp/index.ts";
import type {
  CheckImage,
  CheckValue,
  Form,
  ModifierValues,
  OperandCheck,
  Since,
  SnippetCheck,
} from "../../src/isa/form/define.ts";
import type { OperandClass, RegisterClass } from "../../src/isa/form/operands.ts";
import { parse, parseSnippet } from "../../src/parser/index.ts";
import { loadModule, resolveSnippet } from "../../src/resolve/index.ts";
import { newestVersion, showVersion } from "../../src/resolve/module/header/target.ts";
import { Source } from "../../src/source/source.ts";

/** What a run left behind: registers by name, and the carry flag. */
export interface Left {
  readonly registers: ReadonlyMap<string, readonly bigint[]>;
  readonly carry: 0 | 1;
  readonly memory: Memory;
}

const first = { block: 0, warp: 0, lane: 0 };

/** Parses, resolves and runs a snippet to its end; anything that goes wrong is thrown. */
export function runSnippet(
  text: string,
  given: ReadonlyMap<string, readonly bigint[]> = new Map(),
  carry: 0 | 1 = 0,
  memory: Memory = new Memory({ limit: 1 << 20 }),
  functions = "",
  lang = newest,
  threads?: number,
  blocks = 1,
): Left {
  const session = sessionOf(text, given, carry, memory, functions, lang, threads, blocks);
  const stop = session.run();
  if (stop.reason !== "exit")
    throw new Error(`${text}: ${stop.reason === "trap" ? stop.diagnostic.message : stop.reason}`);
  const registers = new Map(session.registers(first).map(({ name, bits }) => [name, bits]));
  return { registers, carry: session.carry(first), memory };
}

/** Parses and resolves a snippet, for one thread that has not begun, or as many as it needs. */
export function sessionOf(
  text: string,
  given: ReadonlyMap<string, readonly bigint[]>,
  carry: 0 | 1,
  memory: Memory,
  functions: string,
  lang = newest,
  threads?: number,
  blocks = 1,
): Session {
  const { program, diagnostics } = functions === "" ? asSnippet(text, lang) : asModule(text, functions);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0 || !program) throw new Error(`${text}: ${errors.map(({ message }) => message).join("; ")}`);
  return createSession({
    program,
    memory,
    carry,
    grid: [blocks, 1, 1],
    ...(blocks > 1 && { cluster: [blocks, 1, 1] as const }),
    block: [threads ?? (program.code.some(({ plan }) => isCollective(plan)) ? 32 : 1), 1, 1],
    parameters: new Uint8Array(0),
    addressOf: (variable) => {
      throw new Error(`no variable ${variable}`);
    },
    registers: new Map(given),
  });
}

const newest = { target: "sm_100a", version: showVersion(newestVersion) };
/** What a snippet is written in. */
const snippetLang = ({ target = newest.target, version = newest.version }: SnippetCheck): typeof newest => ({
  target,
  version,
});
/** Before sm_70 lost what has no .sync. */
const before70 = { target: "sm_61", version: "6.3" };

/** A target and a version that have the form: the newest, an architecture-specific one, or the last that still had it. */
function langOf({ until }: Form, { ptx, sm, only }: Since): typeof newest {
  if (until !== undefined)
    return sm < 70 ? before70 : { target: `sm_${sm}`, version: `${Math.floor(ptx / 10)}.${ptx % 10}` };
  return only === undefined ? newest : { ...newest, target: `sm_${sm}${only}` };
}

function asSnippet(text: string, lang: typeof newest) {
  const source = new Source("check", text);
  const parsed = parseSnippet(source);
  const { value, diagnostics } = resolveSnippet(source, parsed.value, lang);
  return { program: value, diagnostics: [...parsed.diagnostics, ...diagnostics] };
}

/** The lines as the body of a kernel that has functions to call. */
function asModule(text: string, functions: string) {
  const head = ".version 9.0\n.target sm_100a\n.address_size 64\n";
  const source = new Source("check", `${head}${functions}\n.entry check() { ${text} }`);
  const parsed = parse(source);
  const loaded = loadModule(source, parsed.value);
  const kernel = loaded.value.kernel("check");
  const diagnostics = [...parsed.diagnostics, ...loaded.diagnostics, ...kernel.diagnostics];
  return { program: kernel.value, diagnostics };
}

/** The words of a form with `words` picked, and the values they give its placeholders. */
export function spell(form: Form, words: readonly string[]): { opcode: string; mods: ModifierValues } {
  const rest = [...words];
  const said: string[] = [form.mnemonic];
  const mods: Record<string, string | boolean | undefined> = {};
  for (const { name, choices, optional, flag } of form.modifiers) {
    const at = rest.findIndex((word) => choices.includes(word));
    const word = at >= 0 ? rest.splice(at, 1)[0] : optional ? undefined : choices[0];
    mods[name] = flag ? word !== undefined : word;
    if (word !== undefined) said.push(word);
  }
  if (rest.length > 0) throw new Error(`${form.syntax} has no place for ${rest.join(" ")}`);
  return { opcode: said.join("."), mods };
}

/** Bytes of one element in memory: as wide as the first value that the form moves. */
function elementBytes(classes: Readonly<Record<string, OperandClass>>): number {
  for (const wants of Object.values(classes)) {
    if (wants.kind === "register") return wants.bits / 8;
    if (wants.kind === "vector") return wants.of.bits / 8;
  }
  return 8;
}

const bits = (value: number | bigint): bigint => BigInt(value);
const list = (value: CheckValue): readonly bigint[] =>
  typeof value === "object" ? value.map(bits) : [bits(value as number | bigint)];

/** A check of a form, about to run; `memory` is the one that it runs on. */
export function sessionOfCheck(form: Form, check: OperandCheck | SnippetCheck): { session: Session; memory: Memory } {
  if ("snippet" in check) {
    const memory = new Memory({ limit: 1 << 20 });
    return {
      memory,
      session: sessionOf(
        check.snippet,
        givenBy(check, memory),
        0,
        memory,
        check.functions ?? "",
        snippetLang(check),
        check.threads,
        check.cluster,
      ),
    };
  }
  const { text, given, memory, lang } = exampleOf(form, check);
  return { memory, session: sessionOf(text, given, check.carryIn ?? 0, memory, "", lang) };
}

/** Runs one check of a form and compares everything it says; gives what differs. */
export function runCheck(form: Form, check: OperandCheck | SnippetCheck): string[] {
  if ("snippet" in check) return runSnippetCheck(check);
  const { opcode, text, given, wanted, cell, loads, memory, lang } = exampleOf(form, check);
  const left = runSnippet(text, given, check.carryIn ?? 0, memory, "", lang);

  const wrong: string[] = [];
  for (const [name, value] of wanted) {
    const got = left.registers.get(name)?.[0];
    if (got !== value) wrong.push(`${opcode}: ${name} is ${show(got)}, not ${show(value)}`);
  }
  if (check.carryOut !== undefined && left.carry !== check.carryOut)
    wrong.push(`${opcode}: CC.CF is ${left.carry}, not ${check.carryOut}`);
  if (cell && !loads)
    cell.value.forEach((each, at) => {
      const got = left.memory.read(cell.address + BigInt(at * cell.bytes), cell.bytes);
      if (got.join() !== bytesOf(each, cell.bytes).join()) wrong.push(`${opcode}: memory holds ${got.join()}`);
    });
  return wrong;
}

/** An instruction with its operands in registers, as a check has them, and what it should leave behind. */
interface Example {
  readonly opcode: string;
  readonly text: string;
  readonly lang: typeof newest;
  readonly memory: Memory;
  readonly given: ReadonlyMap<string, readonly bigint[]>;
  readonly wanted: ReadonlyMap<string, bigint>;
  /** What an address operand points to: for a load what lies there before, else after. */
  readonly cell: { readonly address: bigint; readonly value: readonly bigint[]; readonly bytes: number } | undefined;
  readonly loads: boolean;
}

function exampleOf(form: Form, check: OperandCheck): Example {
  const { opcode, mods } = spell(form, check.with ?? []);
  const classes = form.operands(mods);
  const memory = new Memory({ limit: 1 << 20 });
  const lines: string[] = [];
  const given = new Map<string, readonly bigint[]>();
  const wanted = new Map<string, bigint>();
  let cell: { address: bigint; value: readonly bigint[]; bytes: number } | undefined;

  const declare = (name: string, { access, types }: RegisterClass, value: bigint): string => {
    lines.push(`.reg .${types[0]} ${name};`);
    if (access === "read") given.set(name, [value]);
    else wanted.set(name, value);
    return name;
  };
  const operand = (name: string, wants: OperandClass, value: CheckValue): string => {
    switch (wants.kind) {
      case "register":
        return declare(name, wants, list(value)[0]!);
      case "vector":
        return `{${list(value)
          .map((each, at) => {
            const own = wants.each?.[at] ?? wants.of;
            return own.least === undefined ? declare(`${name}_${at}`, own, each) : `${each}`;
          })
          .join(", ")}}`;
      case "literal":
        return `${list(value)[0]}`;
      case "predicate":
        lines.push(`.reg .pred ${name};`);
        if (wants.access === "read") given.set(name, list(value));
        else wanted.set(name, list(value)[0]!);
        return name;
      case "address": {
        const address = memory.allocate({ name: "cell", bytes: 64, initialised: true })!;
        cell = { address, value: list(value), bytes: elementBytes(classes) };
        lines.push(`.reg .b64 ${name};`);
        given.set(name, [address]);
        return `[${name}]`;
      }
      default:
        throw new Error(`${form.syntax}: a check cannot write a ${wants.kind}`);
    }
  };

  const written: string[] = [];
  for (const { name, second } of form.slots) {
    const value = check.operands[name];
    if (value === undefined) continue;
    const text = operand(name, classes[name]!, value);
    const other = second && check.operands[second.name];
    written.push(other === undefined ? text : `${text}|${operand(second!.name, classes[second!.name]!, other)}`);
  }
  const loads = form.plan(mods).shape === "load";
  if (cell && loads)
    cell.value.forEach(
      (each, at) => void memory.write(cell!.address + BigInt(at * cell!.bytes), bytesOf(each, cell!.bytes)),
    );
  const text = `${lines.join(" ")} ${opcode} ${written.join(", ")};`;
  const lang = langOf(form, form.since(mods));
  return { opcode, text, lang, memory, given, wanted, cell, loads };
}

/** Initial registers; those that name buffers hold where these have been put into memory. */
function givenBy(
  { given = {}, buffers = {}, textures = {} }: SnippetCheck,
  memory: Memory,
): ReadonlyMap<string, readonly bigint[]> {
  const placed = Object.entries(buffers).map(([name, words]): [string, bigint] => {
    const bytes = new Uint8Array(Uint32Array.from(words).buffer);
    const address = memory.allocate({ name, bytes: bytes.length });
    if (address === undefined) throw new Error(`no room for ${name}`);
    memory.write(address, bytes);
    return [name, address];
  });
  const handles = Object.entries(textures).map(([name, image]): [string, bigint] => [name, handleOf(image, memory)]);
  return new Map([...Object.entries(given), ...placed, ...handles].map(([name, value]) => [name, [bits(value)]]));
}

/** The handle of a check's texture, sampler or surface, which is made now. */
function handleOf(check: CheckImage, memory: Memory): bigint {
  const { as, type: format, channels = 1, size, layers, cube, levels, values } = check;
  const { mode, filter, levelFilter, normalized, fraction } = check;
  const [width = 1, height, depth] = size;
  const array = new ImageArray(memory, {
    width,
    format,
    channels,
    ...(height !== undefined && { height }),
    ...(depth !== undefined && { depth }),
    ...(layers !== undefined && { layers }),
    ...(levels !== undefined && { levels }),
    ...(cube && { cubemap: true }),
  });
  let from = 0;
  if (values.length > 0)
    for (let level = 0; level < (levels ?? 1); level++) {
      const bytes = array.bytes({ level });
      const count = bytes / bytesFrom([0n], format as ElementType).length;
      const part = values.slice(from, from + count).map((value) => fromValue(value, format as ElementType)!);
      array.write(bytesFrom(part, format as ElementType), { level });
      from += count;
    }
  const named = (which: "nearest" | "linear" | undefined) => (which === "linear" ? "linear" : "point");
  const options = {
    ...({ filter: named(filter), levelFilter: named(levelFilter), normalized: normalized === true } as const),
    ...(fraction && { read: "normalized" as const }),
    ...(mode === "mirror" || mode === "wrap" ? { address: mode } : {}),
  };
  if (as === "samplerref")
    return memory.images.add({ kind: as, name: "s", sampler: samplerOf(options), forced: false });
  return memory.images.add(as === "texref" ? textureOf(array, options) : surfaceOf(array, {}));
}

function runSnippetCheck(check: SnippetCheck): string[] {
  const { functions, snippet, gives, threads, cluster } = check;
  const memory = new Memory({ limit: 1 << 20 });
  const { registers } = runSnippet(
    snippet,
    givenBy(check, memory),
    0,
    memory,
    functions,
    snippetLang(check),
    threads,
    cluster,
  );
  return Object.entries(gives).flatMap(([name, value]) => {
    const got = registers.get(name)?.[0];
    return got === bits(value) ? [] : [`${snippet}: ${name} is ${show(got)}, not ${show(bits(value))}`];
  });
}

const show = (value: bigint | undefined): string => (value === undefined ? "nothing" : `0x${value.toString(16)}`);

const bytesOf = (value: bigint, bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn));
