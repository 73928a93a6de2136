import { MEMORY_BYTES, typesOf } from "./evaluate.ts";
import { words } from "./operation.ts";
import { type Callee, INPUT_BYTES, type Instruction, type Module, type Parameter, type Plain, type Program, type Region } from "./program.ts"; // biome-ignore format: one line
import { Random } from "./random.ts";
import { bfloat, bitsOf, double, type FloatType, half, type IntegerType, i1, i8, i16, i32, i64, inBytes, integer, like, type Scalar, type StructType, scalarOf, single, sizeOf, storeBytes, struct, type Type, type Value, vector } from "./type.ts"; // biome-ignore format: one line

/** The types that the programs of a module may have. */
interface Palette {
  readonly integers: readonly IntegerType[];
  readonly floats: readonly FloatType[];
  /** Whether atomic operations on fewer than 32 bits are drawn. */
  readonly smallAtomics: boolean;
  /** Whether vectors of truth values are parameters of functions, which every LLVM until now gets wrong. */
  readonly truthVectors: boolean;
  /** Whether vectors of two bytes are parameters and results, which LLVM 18 to 20 get wrong nearly always. */
  readonly pairs: boolean;
}

const odd = [7, 24, 48, 128].map(integer);

/** Draws a module: a seed gives the same one on every machine. */
export function drawModule(seed: number, programs: number): Module {
  const random = new Random(seed ^ 0x68756e74);
  const palette: Palette = {
    integers: [i8, i8, i8, i16, i16, i32, i32, i32, i64, i64, ...(random.chance(25) ? odd : [])],
    floats: [single, double, ...(random.chance(60) ? [half, half] : []), ...(random.chance(20) ? [bfloat, bfloat] : [])], // biome-ignore format: one line
    smallAtomics: random.chance(5),
    truthVectors: random.chance(5),
    pairs: random.chance(15),
  };
  return { seed, programs: Array.from({ length: programs }, (_, at) => drawProgram(random.word(), `k${at}`, palette)) };
}

/** What the threads of a program read, by the seed of the module and the program's place in it. */
export function inputFor(seed: number, at: number, threads: number): Uint8Array {
  const random = new Random(seed * 1009 + at);
  const bytes = new Uint8Array(threads * INPUT_BYTES);
  const view = new DataView(bytes.buffer);
  for (let word = 0; word < bytes.length; word += 8) {
    const width = random.any([8, 16, 32, 64, 64]);
    for (let part = 0; part < 64; part += width)
      view.setBigUint64(word, view.getBigUint64(word) | (random.bits(width) << BigInt(part)));
  }
  return bytes;
}

function drawProgram(seed: number, name: string, palette: Palette): Program {
  const random = new Random(seed);
  const functions = Array.from({ length: random.any([4, 6, 8, 10, 12]) }, (_, at) =>
    new Drawing(random, palette, []).callee(`${name}.f${at}`),
  );
  const parameters = Array.from({ length: random.below(6) }, (): Parameter => {
    const type = parameterType(random, palette);
    return { type, value: drawValue(random, type) };
  });
  const threads = random.chance(25) ? 64 : 32;
  return new Drawing(random, palette, functions).program(name, threads, parameters);
}

/** A value of a type. Floats are numbers mostly. */
function drawValue(random: Random, type: Type): Value {
  switch (type.kind) {
    case "integer":
      return random.bits(type.bits);
    case "float":
      return drawFloat(random, type);
    case "vector":
      return Array.from({ length: type.count }, () => drawValue(random, type.of));
    case "struct":
      return type.fields.map((field) => drawValue(random, field));
  }
}

function drawFloat(random: Random, { bits, precision, bias }: FloatType): bigint {
  const sign = BigInt(random.below(2)) << BigInt(bits - 1);
  const field = BigInt(precision - 1);
  const roll = random.below(6);
  // Zeros, subnormal numbers, infinities; numbers near 1; any that is finite.
  if (roll === 0) return sign | random.any([0n, 1n, 1n << (field - 1n), BigInt(2 * bias + 1) << field]);
  const exponent = roll < 4 ? bias + random.below(12) - 6 : 1 + random.below(2 * bias);
  return sign | (BigInt(exponent) << field) | (random.chance(50) ? 0n : random.bits(precision - 1));
}

/** Types of parameters: small vectors, and structures by value, among them. */
function parameterType(random: Random, palette: Palette): Type {
  const roll = random.below(10);
  if (roll < 3) return random.any(palette.integers.filter(inBytes));
  if (roll < 4) return random.any(palette.floats);
  const type = roll < 9 ? byteVector(random, palette) : structType(random, palette);
  return isPassed(type, palette) ? type : i16;
}

/** Whether a type is drawn for parameters and results. */
const isPassed = (type: Type, palette: Palette): boolean =>
  type.kind === "struct"
    ? type.fields.every((field) => isPassed(field, palette))
    : type.kind !== "vector" || ((palette.truthVectors || type.of !== i1) && (palette.pairs || bitsOf(type) !== 16));

function byteVector(random: Random, palette: Palette): Plain {
  const of = random.any([i8, i8, i16, ...palette.integers.filter(inBytes), ...palette.floats]);
  const most = Math.max(2, Math.min(8, 128 / of.bits));
  return of.bits > 64 ? of : vector(of, random.any([2, 2, 3, 4, 4, 8].filter((count) => count <= most)));
}

const structType = (random: Random, palette: Palette): StructType =>
  struct(Array.from({ length: 1 + random.below(4) }, () => random.chance(30) ? byteVector(random, palette) : random.any([...palette.integers.filter((type) => inBytes(type) && type.bits < 128), ...palette.floats]))); // biome-ignore format: one line

const elementwise = ["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "urem", "sdiv", "srem", "umin", "umax", "smin", "smax", "uaddsat", "usubsat", "saddsat", "ssubsat"]; // biome-ignore format: a list of names
const divisions = ["udiv", "urem", "sdiv", "srem"];
const ofOne = ["abs", "ctpop", "ctlz", "cttz", "bswap", "bitreverse"];
const floatBinary = ["fadd", "fsub", "fmul", "fdiv"];
const floatUnary = ["fneg", "fabs", "sqrt", "floor", "ceil", "ftrunc", "rint"];
const gathers = ["add", "or", "xor", "umax", "max"];
const atomics = ["add", "sub", "and", "or", "xor", "max", "min", "umax", "umin", "xchg"];

/** Outputs of a program besides the results of its functions. */
const MOST_OUTPUTS = 4;

/** Draws the body of one function. */
class Drawing {
  #next = 0;
  #body: Instruction[] = [];

  readonly random: Random;
  readonly palette: Palette;
  readonly functions: readonly Callee[];

  constructor(random: Random, palette: Palette, functions: readonly Callee[]) {
    this.random = random;
    this.palette = palette;
    this.functions = functions;
  }

  program(name: string, threads: number, parameters: readonly Parameter[]): Program {
    const { random } = this;
    this.#leaf("tid", i32);
    for (const [at, { type }] of parameters.entries()) this.#leaf("parameter", type, { at: [at] });
    for (let loads = 1 + random.below(2); loads > 0; loads--) this.#load(this.#byteType());
    const results = this.functions.map((callee) => this.#call(callee));
    for (let more = 1 + random.below(5); more > 0; more--) this.#statement(2);
    // What nothing else needs would be computed for nobody.
    const used = new Set([...results, ...this.#body.flatMap(({ args }) => args)]);
    const unused = this.#body.filter(({ id, name }) => !used.has(id) && name !== "constant" && name !== "parameter");
    const outputs = [...results, ...unused.slice(-MOST_OUTPUTS).map(({ id }) => id)].map((id) => this.#output(id));
    return { name, threads, parameters, functions: this.functions, body: this.#body, outputs: [...new Set(outputs)] };
  }

  callee(name: string): Callee {
    const { random } = this;
    const count = 1 + random.below(4);
    for (let at = 0; at < count; at++) {
      const type = this.palette.truthVectors && random.chance(15) ? vector(i1, random.any([2, 3, 4, 8])) : random.chance(8) ? i1 : parameterType(random, this.palette); // biome-ignore format: one line
      this.#leaf("parameter", type, { at: [at] });
    }
    for (let more = 1 + random.below(5); more > 0; more--) this.#pure();
    const plain = this.#body.filter(({ type }) => isPassed(type, this.palette));
    const any = plain.filter(({ name }) => name !== "parameter");
    const { id } = random.chance(85) && any.length > 0 ? random.any(any) : random.any(plain);
    return { name, body: this.#body, result: id };
  }

  #push(name: string, type: Type, args: readonly number[] = [], more: Partial<Instruction> = {}): number {
    const id = this.#next++;
    this.#body.push({ id, name, type, args, ...more });
    return id;
  }

  #leaf(name: string, type: Type, more: Partial<Instruction> = {}): number {
    return this.#push(name, type, [], more);
  }

  #scalar(): Scalar {
    const { random, palette } = this;
    return random.any<Scalar>(random.chance(75) ? palette.integers : palette.floats);
  }

  #byteType(): Plain {
    const { random, palette } = this;
    return random.chance(45) ? byteVector(random, palette) : random.any(palette.integers.filter(inBytes));
  }

  #intShape(): Plain {
    const { random, palette } = this;
    const of = random.any(palette.integers);
    return random.chance(35) && of.bits <= 64 ? vector(of, this.#elements(of)) : of;
  }

  #floatShape(): Plain {
    const { random, palette } = this;
    const of = random.any(palette.floats);
    return random.chance(35) ? vector(of, this.#elements(of)) : of;
  }

  #elements({ bits }: Scalar): number {
    return this.random.any([2, 2, 3, 4, 8].filter((count) => count * bits <= 128));
  }

  #load(type: Plain): number {
    const size = sizeOf(type);
    const at = this.random.below(Math.floor(INPUT_BYTES / size)) * size;
    return this.#leaf("load", type, { at: [at] });
  }

  /** A value of a type: one that is there, a constant, or one converted from another. */
  #need(type: Type, depth = 2): number {
    const { random } = this;
    const same = this.#body.filter((each) => each.type === type);
    if (same.length > 0 && random.chance(80)) return random.any(random.chance(50) ? same.slice(-3) : same).id;
    if (depth > 0 && random.chance(75)) {
      const made = this.#adapted(type, depth - 1);
      if (made !== undefined) return made;
    }
    return this.#constant(type);
  }

  #constant(type: Type): number {
    return this.#leaf("constant", type, { value: drawValue(this.random, type) });
  }

  /** A value of another type, made one of this. */
  #adapted(type: Type, depth: number): number | undefined {
    const { random } = this;
    if (type.kind === "struct")
      return this.#push(
        "pack",
        type,
        type.fields.map((field) => this.#need(field, depth)),
      );
    const plain = this.#body.filter((each): each is Instruction & { type: Plain } => each.type.kind !== "struct");
    const scalars = plain.filter(({ type }) => type.kind === "integer");
    if (type === i1) {
      const [from] = scalars.length === 0 ? [] : [random.any(scalars)];
      return from && this.#push("icmp", i1, [from.id, this.#need(from.type, depth)], { word: random.any(words.icmp) });
    }
    // The same bits as an integer or a vector of integers.
    const bits = plain.filter((each) => each.type !== type && bitsOf(each.type) === bitsOf(type) && scalarOf(each.type).kind === "integer"); // biome-ignore format: one line
    if (bits.length > 0 && random.chance(50)) return this.#push("bitcast", type, [random.any(bits).id]);
    if (type.kind === "vector") {
      const shaped = plain.filter((each) => each.type.kind === "vector" && each.type.count === type.count && each.type !== type); // biome-ignore format: one line
      if (shaped.length > 0 && random.chance(50)) return this.#convert(random.any(shaped), type);
      return this.#push(
        "build",
        type,
        Array.from({ length: type.count }, () => this.#need(type.of, 0)),
      );
    }
    const vectors = plain.filter((each) => each.type.kind === "vector" && each.type.of === type);
    if (vectors.length > 0 && random.chance(50)) return this.#element(random.any(vectors));
    const numbers = plain.filter((each) => each.type.kind !== "vector" && each.type !== type);
    return numbers.length === 0 ? undefined : this.#convert(random.any(numbers), type);
  }

  #element({ id, type }: Instruction): number {
    const { count, of } = type as { readonly count: number; readonly of: Scalar };
    if (this.random.chance(25)) return this.#push("extractAt", of, [id, this.#need(i32, 0)]);
    return this.#push("extract", of, [id], { at: [this.random.below(count)] });
  }

  /** A value's elements as those of another scalar. */
  #convert(from: Instruction, to: Plain): number {
    const { random } = this;
    const [a, b] = [scalarOf(from.type as Plain), scalarOf(to)];
    const by = (name: string): number => this.#push(name, to, [from.id]);
    // A library would have to convert these, and there is none.
    if (a.bits + b.bits > 128 && (a.kind === "float" || b.kind === "float")) return this.#constant(to);
    if (a.kind === "integer") {
      if (b.kind === "float") return by(random.any(["sitofp", "uitofp"]));
      if (a.bits === b.bits) return from.id;
      return by(a.bits > b.bits ? "trunc" : random.any(["zext", "sext"]));
    }
    if (b.kind === "integer") return by(random.any(["fptosi", "fptoui"]));
    if (a.bits === b.bits) {
      // half and bfloat have no conversion that is one instruction.
      const wide = this.#push("fpext", like(to, single), [from.id]);
      return this.#push("fptrunc", to, [wide]);
    }
    return by(a.bits > b.bits ? "fptrunc" : "fpext");
  }

  /** Something that all threads do together, or alone. */
  #statement(depth: number): void {
    const { random } = this;
    const roll = random.below(100);
    if (roll < 68) this.#pure();
    else if (roll < 76) this.#memory();
    else if (roll < 82) this.#together();
    else if (roll < 86) this.#atomic();
    else if (roll < 93 && this.functions.length > 0) this.#call(random.any(this.functions));
    else this.#branch(depth);
  }

  #alone(depth: number): void {
    const { random } = this;
    const roll = random.below(20);
    if (roll < 14) this.#pure();
    else if (roll < 16) this.#memory();
    else if (roll < 18 && this.functions.length > 0) this.#call(random.any(this.functions));
    else if (depth > 0) this.#branch(depth);
  }

  #call({ name, body, result }: Callee): number {
    const parameters = body.filter((each) => each.name === "parameter");
    const args = parameters.map(({ type }) => this.#need(type));
    return this.#push("call", typesOf(body).get(result) as Type, args, { word: name });
  }

  #branch(depth: number): void {
    const { random } = this;
    const roll = random.below(3);
    const type = random.chance(80) ? random.any([this.#intShape(), this.#byteType()]) : this.#scalar();
    if (roll === 0) {
      const mask = random.any([1, 3, 3, 7]);
      const args = [this.#need(i32), this.#need(type)];
      const region = this.#region(type, depth, [type, i32]);
      this.#push("loop", type, args, { at: [mask], regions: [region] });
    } else {
      const chosen = this.#need(roll === 1 ? i1 : i32);
      const regions = Array.from({ length: roll === 1 ? 2 : 4 }, () => this.#region(type, depth));
      this.#push(roll === 1 ? "if" : "switch", type, [chosen], { regions });
    }
  }

  #region(type: Type, depth: number, given: readonly Type[] = []): Region {
    const outside = this.#body;
    this.#body = [...outside];
    for (const [at, each] of given.entries()) this.#leaf(at === 0 ? "carried" : "turn", each);
    for (let more = 1 + this.random.below(3); more > 0; more--) this.#alone(depth - 1);
    const result = this.#need(type);
    const body = this.#body.slice(outside.length);
    this.#body = outside;
    return { body, result };
  }

  #memory(): void {
    const { random } = this;
    const args: number[] = [];
    const at: number[] = [];
    for (let more = 1 + random.below(3); more > 0; more--) {
      const type = random.chance(50)
        ? byteVector(random, { ...this.palette, floats: [] })
        : random.any([i8, i16, i32, i64]);
      args.push(this.#need(type));
      at.push(this.#offset(type));
    }
    const type = this.#byteType();
    const place = random.any(["local", "shared"]);
    const power = MEMORY_BYTES % sizeOf(type) === 0;
    if (power && random.chance(25)) this.#push("memory", type, [...args, this.#need(i32)], { word: `${place}At`, at });
    else this.#push("memory", type, args, { word: place, at: [...at, this.#offset(type)] });
  }

  #offset(type: Plain): number {
    const step = this.random.any([1, sizeOf(type)]);
    return this.random.below(Math.floor((MEMORY_BYTES - Math.max(storeBytes(type), step)) / step) + 1) * step;
  }

  #together(): void {
    const { random } = this;
    switch (random.below(4)) {
      case 0: {
        const type = byteVector(random, { ...this.palette, floats: [] });
        const word = random.any(["xor", "add"]);
        this.#push("exchange", type, [this.#need(type)], { word, at: [1 + random.below(31)] });
        return;
      }
      case 1:
        this.#push("lane", i32, [this.#need(i32), this.#need(i32)], {
          word: random.any(["bfly", "idx", "up", "down"]),
        });
        return;
      case 2:
        this.#push("ballot", i32, [this.#need(i1)]);
        return;
      default:
        this.#push("vote", i1, [this.#need(i1)], { word: random.any(["all", "any"]) });
    }
  }

  #atomic(): void {
    const { random } = this;
    const type = random.any(this.palette.smallAtomics ? [i8, i16] : [i32, i64]);
    const at = [random.below(2), random.below(2)];
    const roll = random.below(4);
    if (roll === 0)
      this.#push("gather", type, [this.#need(type)], { word: random.any(gathers), at: [random.below(4)] });
    else if (roll === 1) this.#push("exchangeIf", type, [this.#need(type), this.#need(type), this.#need(type)], { at });
    else this.#push("atomic", type, [this.#need(type), this.#need(type)], { word: random.any(atomics), at });
  }

  /** An instruction that computes from values alone. */
  #pure(): void {
    const { random } = this;
    const roll = random.below(20);
    if (roll < 6) {
      const type = this.#intShape();
      // Wider than 64 bits, division would be a library's.
      const names = scalarOf(type).bits > 64 ? elementwise.filter((each) => !divisions.includes(each)) : elementwise;
      this.#push(random.any(names), type, [this.#need(type), this.#need(type)]);
    } else if (roll < 7) {
      const type = this.#intShape();
      const name = random.any(ofOne.filter((each) => each !== "bswap" || scalarOf(type).bits % 16 === 0));
      this.#push(name, type, [this.#need(type)]);
    } else if (roll < 8) {
      const type = this.#intShape();
      this.#push(random.any(["fshl", "fshr"]), type, [this.#need(type), this.#need(type), this.#need(type)]);
    } else if (roll < 9) {
      const type = this.#intShape();
      const args = [this.#need(type), this.#need(type)];
      if (random.chance(30) && scalarOf(type).bits <= 64)
        this.#push("overflow", like(type, i1), args, { word: random.any(words.overflow) });
      else this.#push("icmp", like(type, i1), args, { word: random.any(words.icmp) });
    } else if (roll < 11) {
      const type = random.chance(70) ? this.#intShape() : this.#floatShape();
      const choice = random.chance(50) ? i1 : like(type, i1);
      this.#push("select", type, [this.#need(choice), this.#need(type), this.#need(type)]);
    } else if (roll < 13) {
      const to = random.chance(75) ? this.#intShape() : this.#floatShape();
      this.#adapted(to, 1);
    } else if (roll < 17) this.#onVector();
    else if (roll < 18) {
      const structs = this.#body.filter(({ type }) => type.kind === "struct");
      if (structs.length === 0) {
        this.#onVector();
        return;
      }
      const { id, type } = random.any(structs);
      const index = random.below((type as StructType).fields.length);
      this.#push("field", (type as StructType).fields[index] as Type, [id], { at: [index] });
    } else this.#onFloat();
  }

  #onVector(): void {
    const { random, palette } = this;
    const of = random.any([i1, ...palette.integers.filter(({ bits }) => bits <= 64), ...palette.floats]);
    const count = this.#elements(of);
    const type = vector(of, count);
    switch (random.below(7)) {
      case 0:
        this.#element({ ...({} as Instruction), id: this.#need(type), type });
        return;
      case 1:
        this.#push("insert", type, [this.#need(type), this.#need(of)], { at: [random.below(count)] });
        return;
      case 2:
        this.#push("insertAt", type, [this.#need(type), this.#need(of), this.#need(i32)]);
        return;
      case 3: {
        const wide = this.#elements(of);
        const at = Array.from({ length: wide }, () => random.below(2 * count));
        this.#push("shuffle", vector(of, wide), [this.#need(type), this.#need(type)], { at });
        return;
      }
      case 4:
        if (of.kind === "integer") {
          const word = random.any(of === i1 ? ["and", "or", "xor"] : words.reduce);
          this.#push("reduce", of, [this.#need(type)], { word });
          return;
        }
        this.#push("fadd", type, [this.#need(type), this.#need(type)]);
        return;
      case 5:
        if (of === i1) this.#push("bitcast", integer(count), [this.#need(type)]);
        else
          this.#push(
            "build",
            type,
            Array.from({ length: count }, () => this.#need(of)),
          );
        return;
      default:
        this.#push("freeze", type, [this.#need(type)]);
    }
  }

  #onFloat(): void {
    const { random } = this;
    const type = this.#floatShape();
    const roll = random.below(8);
    if (roll < 4) this.#push(random.any(floatBinary), type, [this.#need(type), this.#need(type)]);
    else if (roll < 5) this.#push(random.any(floatUnary), type, [this.#need(type)]);
    else if (roll < 6) this.#push("fma", type, [this.#need(type), this.#need(type), this.#need(type)]);
    else if (roll < 7)
      this.#push("fcmp", like(type, i1), [this.#need(type), this.#need(type)], { word: random.any(words.fcmp) });
    else this.#push(random.any(["fptosi", "fptoui"]), like(type, random.any([i8, i16, i32, i64])), [this.#need(type)]);
  }

  /** A value that memory has a layout for: whole bytes, or a field of a structure. */
  #output(id: number): number {
    const { random } = this;
    const type = this.#body.find((each) => each.id === id)?.type as Type;
    if (type.kind === "struct") {
      const index = random.below(type.fields.length);
      return this.#push("field", type.fields[index] as Type, [id], { at: [index] });
    }
    if (inBytes(type)) return id;
    const of = scalarOf(type);
    const whole = like(type, of.bits === 1 ? random.any([i8, i32]) : of.bits < 8 ? i8 : of.bits < 32 ? i32 : i64);
    return this.#push(random.any(["zext", "sext"]), whole, [id]);
  }
}
