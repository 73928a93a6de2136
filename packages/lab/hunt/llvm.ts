import { CELLS, MEMORY_BYTES } from "./evaluate.ts";
import { toNumber } from "./float.ts";
import { type Lines, type Operand, operations } from "./operation.ts";
import { type Callee, INPUT_BYTES, type Instruction, type Module, type Plain, type Program, type Region } from "./program.ts"; // biome-ignore format: one line
import { alignOf, i8, i64, type Scalar, sizeOf, type Type, type Value } from "./type.ts"; // biome-ignore format: one line

/** A module as LLVM IR. `typed` is for versions before 15, whose pointers say what they point to. */
export function llvmText(module: Module, typed: boolean): string {
  const text = new LlvmText(typed);
  for (const program of module.programs) text.program(program);
  return text.whole(`seed ${module.seed}`);
}

/** Where the outputs of a thread begin in its row, in bytes, and where the row ends. */
export function rowOf(types: readonly Plain[]): { readonly offsets: readonly number[]; readonly bytes: number } {
  let end = 0;
  const offsets = types.map((type) => {
    const align = alignOf(type);
    const begin = Math.ceil(end / align) * align;
    end = begin + sizeOf(type);
    return begin;
  });
  return { offsets, bytes: Math.ceil(end / 16) * 16 };
}

const global = 1;
const shared = 3;

class LlvmText implements Lines {
  #lines: string[] = [];
  readonly #typed: boolean;
  readonly #declared = new Map<string, string>();
  readonly #variables: string[] = [];
  readonly #types = new Map<number, Type>();
  /** Values whose text is not their own name: constants, parameters, what a loop carries. */
  readonly #names = new Map<number, string>();
  /** They stand at the function's beginning: elsewhere the stack would grow at run time. */
  #allocated: string[] = [];
  #next = 0;
  #label = "entry";

  constructor(typed: boolean) {
    this.#typed = typed;
  }

  readonly line = (text: string): void => {
    this.#lines.push(`  ${text}`);
  };

  readonly fresh = (): string => `%t${this.#next++}`;

  readonly intrinsic = (name: string, result: string, parameters: readonly string[]): string => {
    this.#declared.set(name, `declare ${result} @${name}(${parameters.join(", ")})`);
    return `@${name}`;
  };

  whole(title: string): string {
    const head = [`; ${title}`, 'target triple = "nvptx64-nvidia-cuda"'];
    return `${[...head, ...this.#variables, ...this.#lines, ...this.#declared.values()].join("\n")}\n`;
  }

  program(program: Program): void {
    for (const callee of program.functions) this.#callee(callee);
    this.#begin();
    const pointer = this.#pointer(i8, global);
    const given = program.parameters.map(({ type }, at) => `${type.text} %p${at}`);
    this.#lines.push(`define ptx_kernel void @${program.name}(${[`${pointer} %in`, `${pointer} %out`, ...given].join(", ")}) {`); // biome-ignore format: one line
    this.#lines.push("entry:");
    const entry = this.#lines.length;
    this.line(`%tid = call i32 ${this.intrinsic("llvm.nvvm.read.ptx.sreg.tid.x", "i32", [])}()`);
    this.line("%thread = zext i32 %tid to i64");
    const types = program.outputs.map((id) => program.body.find((each) => each.id === id)?.type as Plain);
    const row = rowOf(types);
    this.#row("%row.in", "%in", INPUT_BYTES);
    this.#row("%row.out", "%out", row.bytes);
    this.#body(program.body, program);
    for (const [at, id] of program.outputs.entries()) {
      const type = types[at] as Plain;
      const to = this.#at("%row.out", row.offsets[at] ?? 0, type, global);
      // A vector of truth values has no layout that PTX and LLVM share.
      this.line(`store ${type.text} ${this.#name(id)}, ${this.#pointer(type, global)} ${to}, align ${alignOf(type)}`);
    }
    this.line("ret void");
    this.#lines.splice(entry, 0, ...this.#allocated);
    this.#lines.push("}");
  }

  #begin(): void {
    this.#label = "entry";
    this.#next = 0;
    this.#types.clear();
    this.#names.clear();
    this.#allocated = [];
  }

  #callee({ name, body, result }: Callee): void {
    this.#begin();
    const parameters = body.filter((each) => each.name === "parameter");
    const type = body.find(({ id }) => id === result)?.type as Type;
    const given = parameters.map((each) => `${each.type.text} %p${each.at?.[0]}`);
    this.#lines.push(`define internal ${type.text} @${name}(${given.join(", ")}) noinline {`, "entry:");
    this.#body(body, undefined);
    this.line(`ret ${type.text} ${this.#operand(result).text}`);
    this.#lines.push("}");
  }

  #pointer(type: Type, space: number): string {
    const where = space === 0 ? "" : ` addrspace(${space})`;
    return this.#typed ? `${type.text}${where}*` : `ptr${where}`;
  }

  #row(name: string, base: string, bytes: number): void {
    this.line(`${name}.offset = mul i64 %thread, ${bytes}`);
    this.line(`${name} = getelementptr i8, ${this.#pointer(i8, global)} ${base}, i64 ${name}.offset`);
  }

  /** A pointer to a type, so many bytes behind one to bytes. */
  #at(base: string, offset: number | string, type: Type, space: number): string {
    const [moved, cast] = [this.fresh(), this.fresh()];
    this.line(`${moved} = getelementptr i8, ${this.#pointer(i8, space)} ${base}, i64 ${offset}`);
    this.line(`${cast} = bitcast ${this.#pointer(i8, space)} ${moved} to ${this.#pointer(type, space)}`);
    return cast;
  }

  #name(id: number | undefined): string {
    return this.#names.get(id ?? -1) ?? `%v${id}`;
  }

  #operand(id: number): Operand {
    return { type: this.#types.get(id) as Type, text: this.#name(id) };
  }

  #body(body: readonly Instruction[], program: Program | undefined): void {
    for (const each of body) {
      this.#types.set(each.id, each.type);
      this.#instruction(each, program);
    }
  }

  #instruction(instruction: Instruction, program: Program | undefined): void {
    const { id, name, type, args, word = "", at = [], regions = [] } = instruction;
    const result = `%v${id}`;
    const operands = args.map((each) => this.#operand(each));
    const [a, b] = operands as unknown as readonly [Operand, Operand];
    const same = (text: string): void => void this.#names.set(id, text);
    switch (name) {
      case "tid":
        same("%tid");
        break;
      case "constant":
        same(constantText(type, instruction.value as Value));
        break;
      case "parameter":
        same(`%p${at[0]}`);
        break;
      case "load":
        {
          const from = this.#at("%row.in", at[0] ?? 0, type, global);
          this.line(`${result} = load ${type.text}, ${this.#pointer(type, global)} ${from}, align ${alignedTo(type, at[0] ?? 0)}`); // biome-ignore format: one line
        }
        break;
      case "call":
        this.line(`${result} = call ${type.text} @${word}(${list(operands)})`);
        break;
      case "if":
      case "switch":
        this.#branch(instruction, a, regions, program);
        break;
      case "loop":
        this.#loop(instruction, regions[0] as Region, program);
        break;
      case "memory":
        this.#memory(instruction, operands);
        break;
      case "exchange":
        {
          const size = sizeOf(type);
          const base = this.#variable((program?.threads ?? 1) * size);
          this.#store(a, this.#slot(base, "%tid", size, type), type, alignOf(type));
          this.#barrier();
          const other = this.fresh();
          this.line(`${other} = ${word === "xor" ? "xor" : "add"} i32 %tid, ${at[0]}`);
          const within = this.fresh();
          this.line(`${within} = and i32 ${other}, ${(program?.threads ?? 1) - 1}`);
          const from = this.#slot(base, within, size, type);
          this.line(`${result} = load ${type.text}, ${this.#pointer(type, shared)} ${from}, align ${alignOf(type)}`);
        }
        break;
      case "lane":
        {
          const lane = this.fresh();
          this.line(`${lane} = and i32 ${b.text}, 31`);
          const shuffle = this.intrinsic(`llvm.nvvm.shfl.sync.${word}.i32`, "i32", ["i32", "i32", "i32", "i32"]);
          this.line(`${result} = call i32 ${shuffle}(i32 -1, i32 ${a.text}, i32 ${lane}, i32 ${word === "up" ? 0 : 31})`); // biome-ignore format: one line
        }
        break;
      case "ballot":
      case "vote":
        {
          const vote = this.intrinsic(`llvm.nvvm.vote.${name === "vote" ? word : "ballot"}.sync`, type.text, [
            "i32",
            "i1",
          ]);
          this.line(`${result} = call ${type.text} ${vote}(i32 -1, i1 ${a.text})`);
        }
        break;
      case "atomic":
      case "exchangeIf":
        this.#atomic(instruction, operands, program);
        break;
      case "gather":
        this.#gather(instruction, a);
        break;
      default:
        operations[name]?.llvm(this, result, type, operands, instruction);
    }
  }

  #branch({ id, name, type }: Instruction, choice: Operand, regions: readonly Region[], program: Program | undefined) {
    const labels = regions.map((_, at) => `part${id}.${at}`);
    const join = `join${id}`;
    if (name === "if") this.line(`br i1 ${choice.text}, label %${labels[0]}, label %${labels[1]}`);
    else {
      const part = this.fresh();
      this.line(`${part} = and ${choice.type.text} ${choice.text}, ${regions.length - 1}`);
      const cases = labels.slice(1).map((label, at) => `${choice.type.text} ${at + 1}, label %${label}`);
      this.line(`switch ${choice.type.text} ${part}, label %${labels[0]} [ ${cases.join(" ")} ]`);
    }
    const ways = regions.map(({ body, result }, at) => {
      this.#continue(labels[at] ?? "");
      this.#body(body, program);
      const way = `[ ${this.#name(result)}, %${this.#label} ]`;
      this.line(`br label %${join}`);
      return way;
    });
    this.#continue(join);
    this.line(`%v${id} = phi ${type.text} ${ways.join(", ")}`);
  }

  /** Goes on in a new block. */
  #continue(label: string): void {
    this.#lines.push(`${label}:`);
    this.#label = label;
  }

  #loop(
    { id, type, args, at: [mask] = [] }: Instruction,
    { body, result }: Region,
    program: Program | undefined,
  ): void {
    const [carried, turn] = body as readonly [Instruction, Instruction];
    const before = this.#label;
    const times = this.fresh();
    this.line(`${times} = and i32 ${this.#name(args[0])}, ${mask}`);
    this.line(`br label %head${id}`);
    this.#continue(`head${id}`);
    // What comes round is known only behind the body.
    const place = this.#lines.length;
    this.line("");
    this.line("");
    const more = this.fresh();
    this.line(`${more} = icmp ult i32 %v${turn.id}, ${times}`);
    this.line(`br i1 ${more}, label %body${id}, label %end${id}`);
    this.#continue(`body${id}`);
    this.#types.set(carried.id, carried.type).set(turn.id, turn.type);
    this.#body(body.slice(2), program);
    this.line(`%next${id} = add i32 %v${turn.id}, 1`);
    this.line(`br label %head${id}`);
    const last = this.#label;
    this.#lines[place] =
      `  %v${carried.id} = phi ${type.text} [ ${this.#name(args[1])}, %${before} ], [ ${this.#name(result)}, %${last} ]`;
    this.#lines[place + 1] = `  %v${turn.id} = phi i32 [ 0, %${before} ], [ %next${id}, %${last} ]`;
    this.#continue(`end${id}`);
    this.#names.set(id, `%v${carried.id}`);
  }

  /** A variable of shared memory, of bytes. */
  #variable(bytes: number): string {
    const name = `@shared${this.#variables.length}`;
    this.#variables.push(`${name} = internal addrspace(${shared}) global [${bytes} x i8] undef, align 16`);
    const begin = this.fresh();
    const array = this.#typed ? `[${bytes} x i8] addrspace(${shared})*` : `ptr addrspace(${shared})`;
    this.line(`${begin} = bitcast ${array} ${name} to ${this.#pointer(i8, shared)}`);
    return begin;
  }

  #slot(base: string, index: string, bytes: number, type: Type): string {
    const [wide, offset] = [this.fresh(), this.fresh()];
    this.line(`${wide} = zext i32 ${index} to i64`);
    this.line(`${offset} = mul i64 ${wide}, ${bytes}`);
    return this.#at(base, offset, type, shared);
  }

  #store(value: Operand, to: string, type: Type, align: number, space = shared): void {
    this.line(`store ${type.text} ${value.text}, ${this.#pointer(type, space)} ${to}, align ${align}`);
  }

  #barrier(): void {
    this.line(`call void ${this.intrinsic("llvm.nvvm.barrier0", "void", [])}()`);
  }

  #memory({ id, type, at = [], word = "" }: Instruction, operands: readonly Operand[]): void {
    const space = word.startsWith("shared") ? shared : 0;
    let base: string;
    if (space === shared) {
      // A part for each thread of the largest block.
      const whole = this.#variable(MEMORY_BYTES * 64);
      base = this.#slot(whole, "%tid", MEMORY_BYTES, i8);
    } else {
      const array = `[${MEMORY_BYTES} x i8]`;
      const [room, begin] = [this.fresh(), this.fresh()];
      this.#allocated.push(`  ${room} = alloca ${array}, align 16`);
      this.line(`${begin} = bitcast ${this.#typed ? `${array}*` : "ptr"} ${room} to ${this.#pointer(i8, 0)}`);
      base = begin;
    }
    for (let offset = 0; offset < MEMORY_BYTES; offset += 8)
      this.line(`store i64 0, ${this.#pointer(i64, space)} ${this.#at(base, offset, i64, space)}, align 8`);
    const stored = word.endsWith("At") ? operands.slice(0, -1) : operands;
    for (const [index, value] of stored.entries()) {
      const offset = at[index] ?? 0;
      this.#store(value, this.#at(base, offset, value.type, space), value.type, alignedTo(value.type, offset), space);
    }
    let from = this.#at(base, at[stored.length] ?? 0, type, space);
    if (word.endsWith("At")) {
      const [index, wide, offset] = [this.fresh(), this.fresh(), this.fresh()];
      this.line(`${index} = and i32 ${operands.at(-1)?.text}, ${MEMORY_BYTES / sizeOf(type) - 1}`);
      this.line(`${wide} = zext i32 ${index} to i64`);
      this.line(`${offset} = mul i64 ${wide}, ${sizeOf(type)}`);
      from = this.#at(base, offset, type, space);
    }
    const align = word.endsWith("At") ? alignOf(type) : alignedTo(type, at[stored.length] ?? 0);
    this.line(`%v${id} = load ${type.text}, ${this.#pointer(type, space)} ${from}, align ${align}`);
  }

  /** On a cell that no other thread has: what it was before, or what is there then. */
  #atomic({ id, name, type, word, at = [] }: Instruction, operands: readonly Operand[], program: Program | undefined) {
    const size = sizeOf(type);
    const [before, by, wanted] = operands as unknown as readonly [Operand, Operand, Operand];
    const cell = this.#slot(this.#variable((program?.threads ?? 1) * size), "%tid", size, type);
    this.#store(before, cell, type, size);
    let [where, space] = [cell, shared];
    if (at[0] === 1) {
      where = this.fresh();
      space = 0;
      this.line(`${where} = addrspacecast ${this.#pointer(type, shared)} ${cell} to ${this.#pointer(type, 0)}`);
    }
    const pointer = `${this.#pointer(type, space)} ${where}`;
    const old = this.fresh();
    if (name === "atomic") this.line(`${old} = atomicrmw ${word} ${pointer}, ${type.text} ${by.text} monotonic`);
    else {
      const both = this.fresh();
      this.line(
        `${both} = cmpxchg ${pointer}, ${type.text} ${by.text}, ${type.text} ${wanted.text} monotonic monotonic`,
      );
      this.line(`${old} = extractvalue { ${type.text}, i1 } ${both}, 0`);
    }
    if (at[1] === 0) this.#names.set(id, old);
    else this.line(`%v${id} = load ${type.text}, ${this.#pointer(type, shared)} ${cell}, align ${size}`);
  }

  /** All threads, on a few cells. */
  #gather({ id, type, word, at = [] }: Instruction, by: Operand): void {
    const size = sizeOf(type);
    const base = this.#variable(CELLS * size);
    const [own, moved, other] = [this.fresh(), this.fresh(), this.fresh()];
    this.line(`${own} = and i32 %tid, ${CELLS - 1}`);
    const cell = this.#slot(base, own, size, type);
    // Threads of one cell all write the same.
    this.#store({ type, text: "0" }, cell, type, size);
    this.#barrier();
    this.line(`${this.fresh()} = atomicrmw ${word} ${this.#pointer(type, shared)} ${cell}, ${type.text} ${by.text} monotonic`); // biome-ignore format: one line
    this.#barrier();
    this.line(`${moved} = add i32 %tid, ${at[0]}`);
    this.line(`${other} = and i32 ${moved}, ${CELLS - 1}`);
    const from = this.#slot(base, other, size, type);
    this.line(`%v${id} = load ${type.text}, ${this.#pointer(type, shared)} ${from}, align ${size}`);
  }
}

const list = (operands: readonly Operand[]): string =>
  operands.map(({ type, text }) => `${type.text} ${text}`).join(", ");

/** The alignment that an offset keeps. */
const alignedTo = (type: Type, offset: number): number => {
  let align = alignOf(type);
  while (offset % align !== 0) align /= 2;
  return align;
};

/** A constant as LLVM writes it: floats of 32 bits as doubles of the same value, of 16 bits by their own bits. */
export function constantText(type: Type, value: Value): string {
  switch (type.kind) {
    case "integer":
      return type.bits === 1 ? (value === 1n ? "true" : "false") : String(BigInt.asIntN(type.bits, value as bigint));
    case "float":
      return floatText(type, value as bigint);
    case "vector":
      return `<${(value as Value[]).map((each) => `${type.of.text} ${constantText(type.of, each)}`).join(", ")}>`;
    case "struct":
      return `{ ${type.fields.map((field, at) => `${field.text} ${constantText(field, (value as Value[])[at] as Value)}`).join(", ")} }`; // biome-ignore format: one line
  }
}

function floatText(type: Scalar, bits: bigint): string {
  const hex = (value: bigint, digits: number): string => value.toString(16).toUpperCase().padStart(digits, "0");
  if (type.text === "half") return `0xH${hex(bits, 4)}`;
  if (type.text === "bfloat") return `0xR${hex(bits, 4)}`;
  if (type.text === "double") return `0x${hex(bits, 16)}`;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, toNumber(type as never, bits));
  return `0x${hex(view.getBigUint64(0), 16)}`;
}
