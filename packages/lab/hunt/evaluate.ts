import { operations, settled } from "./operation.ts";
import { type Callee, INPUT_BYTES, type Instruction, type Plain, type Program, type Region } from "./program.ts";
import { bitsOf, fromBytes, sizeOf, type Type, toBytes, type Value } from "./type.ts";

/** Bytes of a block of memory that a program writes and reads back. */
export const MEMORY_BYTES = 32;
/** Cells that all threads add to. */
export const CELLS = 4;
/** Lanes of a warp. */
const LANES = 32;

/** The values of the threads that an instruction has been done by. */
type Column = (Value | undefined)[];

/**
 * What the outputs of each thread are: the program's meaning, by LLVM's language reference, in unbounded integers and
 * exact reals. Floats that are no number are one NaN.
 */
export function evaluate(program: Program, input: Uint8Array): readonly (readonly Value[])[] {
  const run = new Run(program, input);
  const threads = Array.from({ length: program.threads }, (_, thread) => thread);
  run.body(program.body, threads);
  const types = typesOf(program.body);
  return threads.map((thread) => program.outputs.map((id) => settled(types.get(id) as Type, run.value(id, thread))));
}

/** What each value is in a thread, of those that it makes; in a loop what it is last. */
export function valuesIn(program: Program, input: Uint8Array, thread: number): (id: number) => Value | undefined {
  const run = new Run(program, input);
  run.body(
    program.body,
    Array.from({ length: program.threads }, (_, thread) => thread),
  );
  return (id) => run.known(id, thread);
}

/** The types of the values that are made outside of regions. */
export const typesOf = (body: readonly Instruction[]): ReadonlyMap<number, Type> =>
  new Map(body.map(({ id, type }) => [id, type]));

class Run {
  readonly #columns = new Map<number, Column>();
  readonly #types = new Map<number, Type>();
  readonly #callees: ReadonlyMap<string, Callee>;

  readonly program: Program;
  readonly input: Uint8Array;

  constructor(program: Program, input: Uint8Array) {
    this.program = program;
    this.input = input;
    this.#callees = new Map(program.functions.map((callee) => [callee.name, callee]));
  }

  value(id: number, thread: number): Value {
    const value = this.#columns.get(id)?.[thread];
    if (value === undefined) throw new Error(`no value ${id} in thread ${thread} of ${this.program.name}`);
    return value;
  }

  known(id: number, thread: number): Value | undefined {
    return this.#columns.get(id)?.[thread];
  }

  body(body: readonly Instruction[], threads: readonly number[]): void {
    for (const instruction of body) {
      this.#types.set(instruction.id, instruction.type);
      const column = this.#column(instruction.id);
      const set = (does: (thread: number, args: readonly Value[]) => Value): void => {
        for (const thread of threads) column[thread] = does(thread, instruction.args.map((id) => this.value(id, thread))); // biome-ignore format: one line
      };
      this.#instruction(instruction, threads, set);
    }
  }

  #column(id: number): Column {
    const column = this.#columns.get(id) ?? [];
    this.#columns.set(id, column);
    return column;
  }

  #type(id: number): Type {
    return this.#types.get(id) as Type;
  }

  #instruction(
    instruction: Instruction,
    threads: readonly number[],
    set: (does: (thread: number, args: readonly Value[]) => Value) => void,
  ): void {
    const { id, name, type, args, word = "", at = [], regions = [] } = instruction;
    const [first = 0] = at;
    switch (name) {
      case "tid":
        set((thread) => BigInt(thread));
        break;
      case "constant":
        set(() => instruction.value as Value);
        break;
      case "parameter":
        set(() => this.program.parameters[first]?.value as Value);
        break;
      case "load":
        set((thread) => fromBytes(type as Plain, this.input, thread * INPUT_BYTES + first));
        break;
      case "call":
        {
          const callee = this.#callees.get(word) as Callee;
          set((_, values) => calledWith(callee, values));
        }
        break;
      case "if":
      case "switch":
        {
          const parts = regions.map(() => [] as number[]);
          for (const thread of threads) {
            const chosen = this.value(args[0] as number, thread) as bigint;
            const part = name === "if" ? 1n - chosen : chosen & BigInt(regions.length - 1);
            parts[Number(part)]?.push(thread);
          }
          for (const [part, region] of regions.entries()) this.#region(region, parts[part] ?? [], id);
        }
        break;
      case "loop":
        this.#loop(instruction, threads);
        break;
      case "memory":
        set((_, values) => inMemory(instruction, values, args.map((each) => this.#type(each)))); // biome-ignore format: one line
        break;
      case "exchange":
        {
          const from = (thread: number): number =>
            word === "xor" ? thread ^ first : (thread + first) & (this.program.threads - 1);
          set((thread) => this.value(args[0] as number, from(thread)));
        }
        break;
      case "lane":
        set((thread, [, by = 0n]) => this.value(args[0] as number, laneOf(word, thread, Number(by) & 31)));
        break;
      case "ballot":
      case "vote":
        set((thread) => {
          let mask = 0n;
          for (let lane = 0; lane < LANES; lane++)
            mask |= (this.value(args[0] as number, thread - (thread % LANES) + lane) as bigint) << BigInt(lane);
          return name === "ballot" ? mask : BigInt(word === "all" ? mask === 0xffffffffn : mask !== 0n);
        });
        break;
      case "atomic":
        set((_, [before = 0n, by = 0n]) => (at[1] === 0 ? before : combined(word, type, before, by)));
        break;
      case "exchangeIf":
        set((_, [before = 0n, expected, by = 0n]) => (at[1] === 0 || before !== expected ? before : by));
        break;
      case "gather":
        {
          const cells: Value[] = Array.from({ length: CELLS }, () => 0n);
          for (const thread of threads) {
            const cell = thread % CELLS;
            cells[cell] = combined(word, type, cells[cell] ?? 0n, this.value(args[0] as number, thread));
          }
          set((thread) => cells[(thread + first) % CELLS] as Value);
        }
        break;
      default:
        set((_, values) => operationOf(name).does(type, args.map((each) => this.#type(each)), values, instruction)); // biome-ignore format: one line
    }
  }

  #region(region: Region, threads: readonly number[], id: number): void {
    if (threads.length === 0) return;
    this.body(region.body, threads);
    const column = this.#column(id);
    for (const thread of threads) column[thread] = this.value(region.result, thread);
  }

  /** The carried value of the region goes in, its result comes out, as often as the count says. */
  #loop({ id, args, at: [mask = 0] = [], regions }: Instruction, threads: readonly number[]): void {
    const [region] = regions as readonly [Region];
    const [carried, turn] = region.body as readonly [Instruction, Instruction];
    const column = this.#column(id);
    for (const thread of threads) column[thread] = this.value(args[1] as number, thread);
    this.#types.set(carried.id, carried.type).set(turn.id, turn.type);
    for (let done = 0; ; done++) {
      const left = threads.filter((thread) => Number((this.value(args[0] as number, thread) as bigint) & BigInt(mask)) > done); // biome-ignore format: one line
      if (left.length === 0) return;
      for (const thread of left) {
        this.#column(carried.id)[thread] = column[thread];
        this.#column(turn.id)[thread] = BigInt(done);
      }
      this.body(region.body.slice(2), left);
      for (const thread of left) column[thread] = this.value(region.result, thread);
    }
  }
}

function operationOf(name: string) {
  const operation = operations[name];
  if (operation === undefined) throw new Error(`no operation ${name}`);
  return operation;
}

function calledWith({ body, result }: Callee, given: readonly Value[]): Value {
  const values = new Map<number, Value>();
  const types = typesOf(body);
  for (const instruction of body) {
    const { id, name, type, args, at: [index = 0] = [] } = instruction;
    if (name === "parameter") values.set(id, given[index] as Value);
    else if (name === "constant") values.set(id, instruction.value as Value);
    else {
      const operands = args.map((each) => types.get(each) as Type);
      values.set(id, operationOf(name).does(type, operands, args.map((each) => values.get(each) as Value), instruction)); // biome-ignore format: one line
    }
  }
  return values.get(result) as Value;
}

/** Where a stored operand begins, and what is loaded, in a block of memory that is zero before. */
function inMemory(
  { type, args, at = [], word = "" }: Instruction,
  values: readonly Value[],
  types: readonly Type[],
): Value {
  const memory = new Uint8Array(MEMORY_BYTES);
  const stored = word.endsWith("At") ? args.length - 1 : args.length;
  for (let index = 0; index < stored; index++) {
    const of = types[index] as Plain;
    memory.set(toBytes(of, values[index] as Value).subarray(0, bitsOf(of) / 8), at[index]);
  }
  const size = sizeOf(type);
  const from = word.endsWith("At")
    ? (Number(values[stored] as bigint) & (MEMORY_BYTES / size - 1)) * size
    : (at[stored] ?? 0);
  return fromBytes(type as Plain, memory, from);
}

/** The lane whose value a shuffle gives, of the same warp; beyond the ends a lane gets its own. */
function laneOf(word: string, thread: number, by: number): number {
  const lane = thread % LANES;
  const from = word === "bfly" ? lane ^ by : word === "idx" ? by : word === "up" ? lane - by : lane + by;
  return thread - lane + (from < 0 || from >= LANES ? lane : from);
}

/** What an atomic operation leaves. */
function combined(word: string, type: Type, before: Value, by: Value): Value {
  if (word === "xchg") return by;
  const name = { max: "smax", min: "smin" }[word] ?? word;
  return operationOf(name).does(type, [type, type], [before, by], {} as never);
}
