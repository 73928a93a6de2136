import type { ValueType } from "../code.ts";
import type { Signature } from "../module.ts";
import { type Computed, operandsOf, scalarRule, shuffle, type Type, typeNames, vectorOperation } from "./operations.ts";
import { type Read, read } from "./reader.ts";

/** What a body may refer to. */
export interface Surroundings {
  /** Types of functions, by index. */
  readonly types: readonly Signature[];
  /** The type of a function, by its index in the module. */
  typeOf(called: number): Signature;
  /** The C name of a function, likewise. */
  nameOf(called: number): string;
}

/** A block that is open. */
interface Open {
  readonly of: "block" | "loop" | "if";
  readonly label: number;
  /** Values on the stack where it began. */
  readonly height: number;
  /** A branch goes behind its end. */
  reached: boolean;
}

/**
 * Prints the body of a function as C. Every value on the stack is a constant of its own, every block braces and a label;
 * a C compiler sees through both.
 */
export function bodyAsC(
  { locals, bytes }: { readonly locals: readonly ValueType[]; readonly bytes: Uint8Array },
  signature: Signature,
  surroundings: Surroundings,
): string {
  return new Printer(locals, signature, surroundings).print(bytes);
}

class Printer {
  readonly #types: readonly Type[];
  readonly #signature: Signature;
  readonly #with: Surroundings;
  readonly #lines: string[] = [];
  readonly #stack: Computed[] = [];
  readonly #open: Open[] = [];
  #count = 0;
  #labels = 0;
  /** Blocks that were opened behind a branch, where nothing is executed; undefined where something is. */
  #dead: number | undefined;

  constructor(locals: readonly ValueType[], signature: Signature, surroundings: Surroundings) {
    this.#types = [...signature.takes, ...locals];
    this.#signature = signature;
    this.#with = surroundings;
    for (let at = signature.takes.length; at < this.#types.length; at++)
      this.#lines.push(`${typeNames[this.#types[at]!]} l${at} = {0};`);
  }

  print(bytes: Uint8Array): string {
    for (const instruction of read(bytes)) if (!this.#skips(instruction)) this.#instruction(instruction);
    if (this.#dead === undefined && this.#signature.gives.length > 0) this.#lines.push(`return ${this.#pop()};`);
    return this.#lines.join("\n");
  }

  /** Whether an instruction stands where nothing is executed. */
  #skips({ of }: Read): boolean {
    if (this.#dead === undefined) return false;
    if (of === "block" || of === "loop" || of === "if") this.#dead++;
    else if (of === "end" && this.#dead > 0) this.#dead--;
    else return !((of === "end" || of === "else") && this.#dead === 0);
    return true;
  }

  #push({ type, text }: Computed): void {
    const name = `t${this.#count++}`;
    this.#lines.push(`const ${typeNames[type]} ${name} = ${text};`);
    this.#stack.push({ type, text: name });
  }

  #pop(): string {
    return this.#take().text;
  }

  #take(): Computed {
    const value = this.#stack.pop();
    if (value === undefined) throw new Error("the stack is empty");
    return value;
  }

  #pops(count: number): string[] {
    return this.#stack.splice(this.#stack.length - count, count).map(({ text }) => text);
  }

  #instruction(instruction: Read): void {
    const lines = this.#lines;
    switch (instruction.of) {
      case "get":
        this.#push({ type: this.#types[instruction.at]!, text: `l${instruction.at}` });
        return;
      case "set":
        lines.push(`l${instruction.at} = ${this.#pop()};`);
        return;
      case "tee":
        lines.push(`l${instruction.at} = ${this.#stack.at(-1)!.text};`);
        return;
      case "globalGet":
        this.#push({ type: "i32", text: `g->global${instruction.at}` });
        return;
      case "globalSet":
        lines.push(`g->global${instruction.at} = ${this.#pop()};`);
        return;
      case "i32":
        this.#stack.push({ type: "i32", text: constantText(instruction.value) });
        return;
      case "i64":
        this.#push({ type: "i64", text: `(int64_t)UINT64_C(${BigInt.asUintN(64, instruction.value)})` });
        return;
      case "f32":
      case "f64":
        this.#push({ type: instruction.of, text: `${instruction.of}_bits(UINT64_C(${instruction.bits}))` });
        return;
      case "block":
      case "loop":
        this.#begin(instruction.of);
        return;
      case "if": {
        const condition = this.#pop();
        lines.push(`if (${condition})`);
        this.#begin("if");
        return;
      }
      case "else":
        this.#dead = undefined;
        this.#stack.length = this.#open.at(-1)!.height;
        lines.push("} else {");
        return;
      case "end":
        this.#end();
        return;
      case "branch":
        lines.push(this.#goto(instruction.at));
        this.#dead = 0;
        return;
      case "branchIf": {
        const condition = this.#pop();
        lines.push(`if (${condition}) ${this.#goto(instruction.at)}`);
        return;
      }
      case "call": {
        const { nameOf, typeOf } = this.#with;
        this.#call(nameOf(instruction.at), typeOf(instruction.at));
        return;
      }
      case "callIndirect": {
        const index = this.#pop();
        const { takes, gives } = this.#with.types[instruction.at]!;
        const parameters = ["Instance *", ...takes.map((type) => typeNames[type])].join(", ");
        const result = gives[0] === undefined ? "void" : typeNames[gives[0]];
        this.#call(`((${result} (*)(${parameters}))table[${index}])`, { takes, gives });
        return;
      }
      case "fill": {
        const [at, value, bytes] = this.#pops(3);
        lines.push(`memset(m + (uint32_t)${at}, ${value}, (uint32_t)${bytes});`);
        return;
      }
      case "scalar":
        this.#scalar(instruction.name);
        return;
      case "access":
        this.#access(instruction.name, instruction.offset);
        return;
      case "constant": {
        const { words, wide } = instruction;
        this.#push({
          type: wide ? "v256" : "v128",
          text: `(V${wide ? 32 : 16}){${words.map(constantText).join(", ")}}`,
        });
        return;
      }
      case "shuffle": {
        const [a, b] = this.#pops(2);
        this.#push(shuffle(a!, b!, instruction.bytes, instruction.wide));
        return;
      }
      case "vector": {
        const { name, wide } = instruction;
        this.#push(vectorOperation(name, this.#pops(operandsOf(name)), wide));
        return;
      }
      case "lane":
        this.#lane(instruction);
        return;
      case "vectorAccess":
        this.#vectorAccess(instruction);
        return;
      case "laneAccess":
        this.#laneAccess(instruction);
        return;
      case "half":
        if (instruction.name === "join") {
          const [low, high] = this.#pops(2);
          this.#push({ type: "v256", text: `join(${low}, ${high})` });
        } else this.#push({ type: "v128", text: `half_${instruction.name}(${this.#pop()})` });
    }
  }

  #begin(of: Open["of"]): void {
    const label = this.#labels++;
    this.#open.push({ of, label, height: this.#stack.length, reached: false });
    this.#lines.push(of === "loop" ? `L${label}: {` : "{");
  }

  #end(): void {
    const { of, label, height, reached } = this.#open.pop()!;
    this.#dead = undefined;
    this.#stack.length = height;
    this.#lines.push("}");
    if (of !== "loop" && reached) this.#lines.push(`L${label}:;`);
  }

  #goto(outward: number): string {
    const open = this.#open.at(-1 - outward);
    if (open === undefined) return `return${this.#signature.gives.length > 0 ? ` ${this.#pop()}` : ""};`;
    open.reached = true;
    return `goto L${open.label};`;
  }

  #call(name: string, { takes, gives }: Signature): void {
    const text = `${name}(${["g", ...this.#pops(takes.length)].join(", ")})`;
    if (gives[0] === undefined) this.#lines.push(`${text};`);
    else this.#push({ type: gives[0], text });
  }

  #scalar(name: string): void {
    switch (name) {
      case "drop":
        this.#pop();
        return;
      case "return":
        this.#lines.push(this.#signature.gives.length > 0 ? `return ${this.#pop()};` : "return;");
        this.#dead = 0;
        return;
      case "unreachable":
        this.#lines.push("__builtin_unreachable();");
        this.#dead = 0;
        return;
      case "select": {
        const condition = this.#pop();
        const no = this.#take();
        const yes = this.#take();
        this.#push({ type: yes.type, text: `${condition} ? ${yes.text} : ${no.text}` });
        return;
      }
    }
    const { takes, compute } = scalarRule(name);
    this.#push(compute(...this.#pops(takes)));
  }

  #access(name: string, offset: number): void {
    const [type, operation] = name.split(".") as [Type, string];
    const [, verb, bits, sign] = /^(load|store)(\d*)_?([su]?)$/.exec(operation)!;
    const cell = `${sign === "u" ? "uint" : "int"}${bits === "" ? type.slice(1) : bits}_t`;
    if (verb === "load") {
      const place = placeOf(this.#pop(), offset);
      this.#push({ type, text: `AT(${cell}, ${place})` });
      return;
    }
    const [at, value] = this.#pops(2);
    this.#lines.push(`AT(${cell}, ${placeOf(at!, offset)}) = (${cell})${value};`);
  }

  #lane({ name, lane, wide }: Read & { readonly of: "lane" }): void {
    const bytes = wide ? 32 : 16;
    const [shape, operation] = name.split(".") as [string, string];
    const [, letter, bits] = /^([if])(\d+)/.exec(shape)!;
    const kind = letter === "f" ? `f${bits}` : `${operation.endsWith("_u") ? "u" : "s"}${bits}`;
    if (operation.startsWith("extract_lane")) {
      const type = Number(bits) < 32 ? "i32" : (`${letter}${bits}` as Type);
      this.#push({ type, text: `((${kind}_${bytes})${this.#pop()})[${lane}]` });
      return;
    }
    const [vector, value] = this.#pops(2);
    this.#replaced(vector!, kind, lane, value!, wide);
  }

  /** Pushes a vector with one lane replaced. */
  #replaced(vector: string, kind: string, lane: number, value: string, wide: boolean): void {
    const bytes = wide ? 32 : 16;
    const name = `t${this.#count++}`;
    this.#lines.push(`${kind}_${bytes} ${name} = (${kind}_${bytes})${vector};`, `${name}[${lane}] = ${value};`);
    this.#stack.push({ type: wide ? "v256" : "v128", text: `(V${bytes})${name}` });
  }

  #vectorAccess({ name, offset, apart, wide }: Read & { readonly of: "vectorAccess" }): void {
    const operation = name.slice("v128.".length);
    if (operation === "store") {
      const [at, value] = this.#pops(2);
      const place = placeOf(at!, offset);
      if (!wide) this.#lines.push(`AT(V16, ${place}) = ${value};`);
      else if (apart === 16) this.#lines.push(`AT(V32, ${place}) = ${value};`);
      else
        this.#lines.push(
          `AT(V16, ${place}) = half_low(${value});`,
          `AT(V16, ${placeOf(at!, offset + apart)}) = half_high(${value});`,
        );
      return;
    }
    const at = this.#pop();
    const load = (behind: number): string => `${operation}(${placeOf(at, offset + behind)})`;
    if (!wide) this.#push({ type: "v128", text: load(0) });
    else if (operation.endsWith("_splat")) this.#push({ type: "v256", text: `wide_${load(0)}` });
    else if (operation === "load" && apart === 16)
      this.#push({ type: "v256", text: `AT(V32, ${placeOf(at, offset)})` });
    else this.#push({ type: "v256", text: `join(${load(0)}, ${load(apart)})` });
  }

  #laneAccess({ name, offset, lane, wide }: Read & { readonly of: "laneAccess" }): void {
    const [, verb, bits] = /^v128\.(load|store)(\d+)_lane$/.exec(name)!;
    const [at, vector] = this.#pops(2);
    const place = `AT(int${bits}_t, ${placeOf(at!, offset)})`;
    if (verb === "load") this.#replaced(vector!, `s${bits}`, lane, place, wide);
    else this.#lines.push(`${place} = ((s${bits}_${wide ? 32 : 16})${vector})[${lane}];`);
  }
}

/** A number of 32 bits; negative ones in parentheses, since they may stand behind a minus. */
const constantText = (value: number): string =>
  value === -0x8000_0000 ? "INT32_MIN" : value < 0 ? `(${value})` : `${value}`;

/** An address in memory. */
const placeOf = (at: string, offset: number): string => `m + (uint32_t)${at}${offset === 0 ? "" : ` + ${offset}u`}`;
