import { CELLS, MEMORY_BYTES } from "./evaluate.ts";
import { rowOf } from "./llvm.ts";
import { type Callee, INPUT_BYTES, type Instruction, instructionsOf, type Module, type Plain, type Program, type Region } from "./program.ts"; // biome-ignore format: one line
import { type Scalar, type StructType, sizeOf, type Type, type Value } from "./type.ts";

/** Whether C++ has all types of a program, and functions for all that it does. */
export const hasCuda = ({ body, functions, parameters }: Program): boolean =>
  parameters.every(({ type }) => isInCuda(type)) &&
  [body, ...functions.map((each) => each.body)].every((each) => {
    const all = [...instructionsOf(each)];
    const types = new Map(all.map(({ id, type }) => [id, type]));
    return all.every(({ name, type, args }) => {
      if (!isInCuda(type) || (atomic.has(name) && sizeOf(type) < 4)) return false;
      // A truth value is a byte there, and a bit here.
      return name !== "bitcast" || ![type, ...args.map((id) => types.get(id))].some(isOfTruths);
    });
  });

const isOfTruths = (type: Type | undefined): boolean => type?.kind === "vector" && type.of.bits === 1;

const atomic = new Set(["atomic", "exchangeIf", "gather"]);

const isInCuda = (type: Type): boolean =>
  type.kind === "vector" ? isInCuda(type.of) : type.kind === "struct" ? type.fields.every(isInCuda) : type.kind === "integer" ? [1, 8, 16, 32, 64].includes(type.bits) : type.bits >= 32; // biome-ignore format: one line

/** A module as CUDA C++, without the headers' types: vectors are structures that are aligned as LLVM's are. */
export function cudaText(module: Module): string {
  const text = new CudaText();
  for (const program of module.programs) text.program(program);
  return text.whole(`seed ${module.seed}`);
}

class CudaText {
  readonly #lines: string[] = [];
  readonly #structs = new Map<string, string>();
  #next = 0;

  whole(title: string): string {
    return `// ${title}\n${PRELUDE}${[...this.#structs.values()].join("\n")}\n${this.#lines.join("\n")}\n`;
  }

  program(program: Program): void {
    for (const callee of program.functions) this.#callee(callee);
    const types = program.outputs.map((id) => program.body.find((each) => each.id === id)?.type as Plain);
    const row = rowOf(types);
    const given = program.parameters.map(({ type }, at) => `, ${this.#type(type)} p${at}`).join("");
    this.#lines.push(`extern "C" __global__ void ${program.name}(const u8 *in, u8 *out${given}) {`);
    this.#line(`u32 tid = threadIdx.x; in += ${INPUT_BYTES} * tid; out += ${row.bytes} * tid;`);
    this.#body(program.body, program.threads);
    for (const [at, id] of program.outputs.entries()) this.#line(`put(out + ${row.offsets[at]}, v${id});`);
    this.#lines.push("}");
  }

  #callee({ name, body, result }: Callee): void {
    const parameters = body.filter((each) => each.name === "parameter");
    const type = body.find(({ id }) => id === result)?.type as Type;
    const given = parameters.map((each) => `${this.#type(each.type)} p${each.at?.[0]}`).join(", ");
    this.#lines.push(`static __device__ __noinline__ ${this.#type(type)} ${nameOf(name)}(${given}) {`);
    this.#body(body, 32);
    this.#line(`return v${result};`);
    this.#lines.push("}");
  }

  #line(text: string): void {
    this.#lines.push(`  ${text}`);
  }

  #type(type: Type): string {
    switch (type.kind) {
      case "vector":
        return `V<${this.#type(type.of)}, ${type.count}>`;
      case "struct":
        return this.#struct(type);
      default:
        return scalarName(type);
    }
  }

  #struct({ text, fields }: StructType): string {
    const name = `S${[...this.#structs.keys(), text].indexOf(text)}`;
    const members = fields.map((field, at) => `${this.#type(field)} m${at};`).join(" ");
    this.#structs.set(text, `struct ${name} { ${members} };`);
    return name;
  }

  #constant(type: Type, value: Value): string {
    const all = (types: readonly Type[]) =>
      types.map((each, at) => this.#constant(each, (value as Value[])[at] as Value));
    switch (type.kind) {
      case "vector":
        return `${this.#type(type)}{{${all(Array(type.count).fill(type.of)).join(", ")}}}`;
      case "struct":
        return `${this.#type(type)}{${all(type.fields).join(", ")}}`;
      case "float":
        return type.bits === 32 ? `__uint_as_float(${value}u)` : `__longlong_as_double((long long)${value}ull)`;
      case "integer":
        return `(${scalarName(type)})${value}ull`;
    }
  }

  #body(body: readonly Instruction[], threads: number): void {
    for (const each of body) this.#instruction(each, threads);
  }

  #instruction(instruction: Instruction, threads: number): void {
    const { id, name, type, args, word = "", at = [], regions = [] } = instruction;
    const T = this.#type(type);
    const v = args.map((each) => `v${each}`);
    const [a, b, c] = v;
    const is = (text: string): void => this.#line(`${T} v${id} = ${text};`);
    const own = `s${this.#next}`;
    switch (name) {
      case "tid":
        is("tid");
        break;
      case "constant":
        is(this.#constant(type, instruction.value as Value));
        break;
      case "parameter":
        is(`p${at[0]}`);
        break;
      case "load":
        is(`get<${T}>(in + ${at[0]})`);
        break;
      case "call":
        is(`${nameOf(word)}(${v.join(", ")})`);
        break;
      case "if":
      case "switch":
        this.#branch(instruction, regions, threads);
        break;
      case "loop":
        this.#loop(instruction, regions[0] as Region, threads);
        break;
      case "memory":
        this.#memory(instruction, v);
        break;
      case "exchange":
        this.#next++;
        this.#line(`__shared__ ${T} ${own}[${threads}]; ${own}[tid] = ${a}; __syncthreads();`);
        is(`${own}[${word === "xor" ? `tid ^ ${at[0]}` : `(tid + ${at[0]}) & ${threads - 1}`}]`);
        break;
      case "lane":
        {
          const shuffle = { bfly: "__shfl_xor_sync", idx: "__shfl_sync", up: "__shfl_up_sync", down: "__shfl_down_sync" }[word]; // biome-ignore format: one line
          is(`${shuffle}(~0u, ${a}, ${b} & 31)`);
        }
        break;
      case "ballot":
        is(`__ballot_sync(~0u, ${a})`);
        break;
      case "vote":
        is(`__${word}_sync(~0u, ${a})`);
        break;
      case "atomic":
      case "exchangeIf":
        this.#next++;
        this.#line(`__shared__ ${T} ${own}[${threads}]; ${own}[tid] = ${a};`);
        this.#line(`${T} old${id} = ${name === "atomic" ? `atomic_${word}(&${own}[tid], ${b})` : `atomicCAS(&${own}[tid], ${b}, ${c})`};`); // biome-ignore format: one line
        is(at[1] === 0 ? `old${id}` : `${own}[tid]`);
        break;
      case "gather":
        this.#next++;
        this.#line(`__shared__ ${T} ${own}[${CELLS}]; ${own}[tid & ${CELLS - 1}] = 0; __syncthreads();`);
        this.#line(`atomic_${word}(&${own}[tid & ${CELLS - 1}], ${a}); __syncthreads();`);
        is(`${own}[(tid + ${at[0]}) & ${CELLS - 1}]`);
        break;
      case "extract":
        is(`${a}.e[${at[0]}]`);
        break;
      case "field":
        is(`${a}.m${at[0]}`);
        break;
      case "build":
        is(`{{${v.join(", ")}}}`);
        break;
      case "pack":
        is(`{${v.join(", ")}}`);
        break;
      case "insert":
        is(`${a}`);
        this.#line(`v${id}.e[${at[0]}] = ${b};`);
        break;
      case "shuffle":
        is(`{{${at.map((index) => `pick(${a}, ${b}, ${index})`).join(", ")}}}`);
        break;
      case "icmp":
      case "fcmp":
      case "overflow":
      case "reduce":
        is(`o_${name}_${word}(${v.join(", ")})`);
        break;
      default:
        is(`o_${name}<${T}>(${v.join(", ")})`);
    }
  }

  #branch({ id, name, type, args }: Instruction, regions: readonly Region[], threads: number): void {
    this.#line(`${this.#type(type)} v${id};`);
    if (name === "switch") this.#line(`switch (v${args[0]} & ${regions.length - 1}) {`);
    for (const [at, { body, result }] of regions.entries()) {
      const head = at === 0 ? `if (v${args[0]}) {` : "else {";
      this.#line(name === "if" ? head : at === regions.length - 1 ? "default: {" : `case ${at}: {`);
      this.#body(body, threads);
      this.#line(`v${id} = v${result}; ${name === "if" ? "}" : "} break;"}`);
    }
    if (name === "switch") this.#line("}");
  }

  #loop({ id, type, args, at: [mask] = [] }: Instruction, { body, result }: Region, threads: number): void {
    const [carried, turn] = body as readonly [Instruction, Instruction];
    this.#line(`${this.#type(type)} v${id} = v${args[1]};`);
    this.#line(`for (u32 n${id} = 0; n${id} < (v${args[0]} & ${mask}); n${id}++) {`);
    this.#line(`${this.#type(type)} v${carried.id} = v${id}; u32 v${turn.id} = n${id};`);
    this.#body(body.slice(2), threads);
    this.#line(`v${id} = v${result}; }`);
  }

  #memory({ id, type, at = [], word = "" }: Instruction, values: readonly string[]): void {
    const room = `m${id}`;
    if (word.startsWith("shared")) {
      const own = `s${this.#next++}`;
      this.#line(
        `__shared__ __align__(16) u8 ${own}[${64 * MEMORY_BYTES}]; u8 *${room} = ${own} + ${MEMORY_BYTES} * tid;`,
      );
      this.#line(`for (int i = 0; i < ${MEMORY_BYTES}; i++) ${room}[i] = 0;`);
    } else this.#line(`__align__(16) u8 ${room}[${MEMORY_BYTES}] = {};`);
    const stored = word.endsWith("At") ? values.slice(0, -1) : values;
    for (const [index, value] of stored.entries()) this.#line(`put(${room} + ${at[index]}, ${value});`);
    const size = sizeOf(type);
    const from = word.endsWith("At") ? `${size} * (${values.at(-1)} & ${MEMORY_BYTES / size - 1})` : at[stored.length];
    this.#line(`${this.#type(type)} v${id} = get<${this.#type(type)}>(${room} + ${from});`);
  }
}

const nameOf = (name: string): string => name.replace(".", "_");
const scalarName = ({ kind, bits }: Scalar): string => (kind === "float" ? (bits === 32 ? "float" : "double") : bits === 1 ? "bool" : `u${bits}`); // biome-ignore format: one line

/** An operation on scalars of one type, and on vectors of them; the first template parameter is the result's type. */
function operation(name: string, parameters: number, text: string, result = "T"): string {
  const names = ["a", "b", "c"].slice(0, parameters);
  const of = (type: string): string => names.map((each) => `${type} ${each}`).join(", ");
  const body = text.startsWith("{") ? text : `{ return (${result})(${text}); }`;
  const elements = names.map((each) => `${each}.e[i]`).join(", ");
  const vector = `V<${result}, N>`;
  return `template <class R = void, class T> D ${result} ${name}(${of("T")}) ${body}
template <class R = void, class T, int N> D ${vector} ${name}(${of("V<T, N>")}) { ${vector} r; for (int i = 0; i < N; i++) r.e[i] = ${name}(${elements}); return r; }
`;
}

/** A conversion of scalars, and of vectors of them. */
const conversion = (
  name: string,
  body: string,
): string => `template <class R, class T> struct C_${name} { D R of(T a) ${body} };
template <class R, class T, int N> struct C_${name}<V<R, N>, V<T, N>> { D V<R, N> of(V<T, N> a) { V<R, N> r; for (int i = 0; i < N; i++) r.e[i] = C_${name}<R, T>::of(a.e[i]); return r; } };
template <class R, class T> D R o_${name}(T a) { return C_${name}<R, T>::of(a); }
`;

const divisor = "auto d = sg((T)(b | 1)); if (d == -1) d = 3;";
const comparing = (word: string, sign: string) => [
  operation(`o_fcmp_o${word}`, 2, `a ${sign} b && a == a && b == b`, "bool"),
  operation(`o_fcmp_u${word}`, 2, `a ${sign} b || a != a || b != b`, "bool"),
];
const signs = { lt: "<", le: "<=", gt: ">", ge: ">=" };
const atomically = (word: string, text: string): string =>
  `template <class T> D T atomic_${word}(T *p, T a) { ${text} }\n`;
const overflowing = (word: string, wide: string, of: string, text: string): string =>
  operation(`o_overflow_${word}`, 2, `{ ${wide} w = (${wide})${of}(a) ${text} (${wide})${of}(b); return w != (${wide})${of}((T)w); }`, "bool"); // biome-ignore format: one line

/** All operations by the names that `operation.ts` has, with `o_` before. */
const PRELUDE = [
  `typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32; typedef unsigned long long u64;
typedef signed char s8; typedef short s16; typedef long long s64;
#define D static __device__ __forceinline__
constexpr int up(int n) { int p = 1; while (p < n) p *= 2; return p < 16 ? p : 16; }
template <class T, int N> struct __align__(up(sizeof(T) * N)) V { T e[N]; };
template <class T> struct Bits { static constexpr int n = 8 * sizeof(T); };
template <> struct Bits<bool> { static constexpr int n = 1; };
D int sg(bool a) { return -(int)a; } D s8 sg(u8 a) { return (s8)a; } D s16 sg(u16 a) { return (s16)a; }
D int sg(u32 a) { return (int)a; } D s64 sg(u64 a) { return (s64)a; }
template <class T> D T same(T a) { return a; }
template <class T> struct Size { static constexpr int n = sizeof(T); };
template <class T, int N> struct Size<V<T, N>> { static constexpr int n = sizeof(T) * N; };
template <class T> D T get(const u8 *p) { T r; __builtin_memcpy(&r, p, Size<T>::n); return r; }
template <class T> D void put(u8 *p, T a) { __builtin_memcpy(p, &a, Size<T>::n); }
template <class T, int N> D T pick(V<T, N> a, V<T, N> b, int at) { return at < N ? a.e[at] : b.e[at - N]; }
template <class R, class T> D R o_bitcast(T a) { R r; __builtin_memcpy(&r, &a, Size<R>::n); return r; }
template <class R, class T> D R o_freeze(T a) { return a; }
template <class R, class T, int N> D T o_extractAt(V<T, N> a, u32 at) { return a.e[at % N]; }
template <class R, class T, int N> D V<T, N> o_insertAt(V<T, N> a, T b, u32 at) { a.e[at % N] = b; return a; }
template <class R, class T> D T o_select(bool c, T a, T b) { return c ? a : b; }
template <class R, class T, int N> D V<T, N> o_select(V<bool, N> c, V<T, N> a, V<T, N> b) { for (int i = 0; i < N; i++) a.e[i] = c.e[i] ? a.e[i] : b.e[i]; return a; }
`,
  ...Object.entries({ add: "+", sub: "-", mul: "*", and: "&", or: "|", xor: "^" }).map(([word, sign]) =>
    operation(`o_${word}`, 2, `(u64)a ${sign} (u64)b`),
  ),
  ...Object.entries({ fadd: "+", fsub: "-", fmul: "*", fdiv: "/" }).map(([word, sign]) => operation(`o_${word}`, 2, `a ${sign} b`)), // biome-ignore format: one line
  operation("o_shl", 2, "(u64)a << (b & (Bits<T>::n - 1))"),
  operation("o_lshr", 2, "a >> (b & (Bits<T>::n - 1))"),
  operation("o_ashr", 2, "sg(a) >> (b & (Bits<T>::n - 1))"),
  operation("o_udiv", 2, "a / (T)(b | 1)"),
  operation("o_urem", 2, "a % (T)(b | 1)"),
  operation("o_sdiv", 2, `{ ${divisor} return (T)(sg(a) / d); }`),
  operation("o_srem", 2, `{ ${divisor} return (T)(sg(a) % d); }`),
  operation(
    "o_fshl",
    3,
    "{ int s = c % Bits<T>::n; return s == 0 ? a : (T)((T)(a << s) | (T)(b >> (Bits<T>::n - s))); }",
  ),
  operation(
    "o_fshr",
    3,
    "{ int s = c % Bits<T>::n; return s == 0 ? b : (T)((T)(a << (Bits<T>::n - s)) | (T)(b >> s)); }",
  ),
  operation("o_umin", 2, "a < b ? a : b"),
  operation("o_umax", 2, "a > b ? a : b"),
  operation("o_smin", 2, "sg(a) < sg(b) ? a : b"),
  operation("o_smax", 2, "sg(a) > sg(b) ? a : b"),
  operation("o_uaddsat", 2, "{ T r = a + b; return r < a ? (T)~(T)0 : r; }"),
  operation("o_usubsat", 2, "a < b ? 0 : a - b"),
  operation("o_saddsat", 2, "{ __int128 w = (__int128)sg(a) + sg(b), m = ((__int128)1 << (Bits<T>::n - 1)) - 1; return (T)(w > m ? m : w < -m - 1 ? -m - 1 : w); }"), // biome-ignore format: one line
  operation("o_ssubsat", 2, "{ __int128 w = (__int128)sg(a) - sg(b), m = ((__int128)1 << (Bits<T>::n - 1)) - 1; return (T)(w > m ? m : w < -m - 1 ? -m - 1 : w); }"), // biome-ignore format: one line
  operation("o_abs", 1, "sg(a) < 0 ? (T)(0 - a) : a"),
  operation("o_ctpop", 1, "__popcll(a)"),
  operation("o_ctlz", 1, "__clzll(a) - (64 - Bits<T>::n)"),
  operation("o_cttz", 1, "a == 0 ? Bits<T>::n : __ffsll(a) - 1"),
  operation("o_bswap", 1, "{ T r = 0; for (int i = 0; i < (int)sizeof(T); i++) r = (T)((u64)r << 8 | (a >> 8 * i & 255)); return r; }"), // biome-ignore format: one line
  operation("o_bitreverse", 1, "{ T r = 0; for (int i = 0; i < Bits<T>::n; i++) r = (T)((u64)r << 1 | (a >> i & 1)); return r; }"), // biome-ignore format: one line
  ...Object.entries({ eq: "==", ne: "!=" }).map(([word, sign]) =>
    operation(`o_icmp_${word}`, 2, `a ${sign} b`, "bool"),
  ),
  ...Object.entries(signs).flatMap(([word, sign]) => [
    operation(`o_icmp_u${word}`, 2, `a ${sign} b`, "bool"),
    operation(`o_icmp_s${word}`, 2, `sg(a) ${sign} sg(b)`, "bool"),
  ]),
  ...Object.entries({ ...signs, eq: "==", ne: "!=" }).flatMap(([word, sign]) => comparing(word, sign)),
  operation("o_fcmp_ord", 2, "a == a && b == b", "bool"),
  operation("o_fcmp_uno", 2, "a != a || b != b", "bool"),
  ...Object.entries({ add: "+", sub: "-", mul: "*" }).flatMap(([word, sign]) => [
    overflowing(`u${word}`, "__int128", "same<T>", sign).replace("same<T>", "(T)"),
    overflowing(`s${word}`, "__int128", "sg", sign),
  ]),
  ...["add", "mul", "and", "or", "xor", "umin", "umax", "smin", "smax"].map(
    (word) => `template <class T, int N> D T o_reduce_${word}(V<T, N> a) { T r = a.e[0]; for (int i = 1; i < N; i++) r = o_${word}(r, a.e[i]); return r; }\n`, // biome-ignore format: one line
  ),
  conversion("zext", "{ return (R)a; }"),
  conversion("sext", "{ return (R)(s64)sg(a); }"),
  conversion("trunc", "{ return (R)(Bits<R>::n == 1 ? a & 1 : a); }"),
  conversion("sitofp", "{ return (R)sg(a); }"),
  conversion("uitofp", "{ return (R)a; }"),
  conversion("fpext", "{ return (R)a; }"),
  conversion("fptrunc", "{ return (R)a; }"),
  conversion("fptoui", "{ const double m = 2.0 * (1ull << (Bits<R>::n - 1)); return !(a > 0) ? (R)0 : a >= m ? (R)~(R)0 : (R)(u64)a; }"), // biome-ignore format: one line
  conversion("fptosi", "{ const double m = (double)(1ull << (Bits<R>::n - 1)); return a != a ? (R)0 : a >= m ? (R)((1ull << (Bits<R>::n - 1)) - 1) : a <= -m ? (R)(1ull << (Bits<R>::n - 1)) : (R)(s64)a; }"), // biome-ignore format: one line
  operation("o_fneg", 1, "-a"),
  ...Object.entries({ fabs: "fabs", sqrt: "sqrt", floor: "floor", ceil: "ceil", ftrunc: "trunc", rint: "rint" }).map(
    ([name, called]) => operation(`o_${name}`, 1, `${called}(a)`),
  ),
  operation("o_fma", 3, "fma(a, b, c)"),
  atomically("add", "return atomicAdd(p, a);"),
  atomically("sub", "return atomicAdd(p, (T)(0 - a));"),
  atomically("and", "return atomicAnd(p, a);"),
  atomically("or", "return atomicOr(p, a);"),
  atomically("xor", "return atomicXor(p, a);"),
  atomically("umax", "return atomicMax(p, a);"),
  atomically("umin", "return atomicMin(p, a);"),
  atomically("max", "return (T)atomicMax((decltype(sg(a)) *)p, sg(a));"),
  atomically("min", "return (T)atomicMin((decltype(sg(a)) *)p, sg(a));"),
  atomically("xchg", "return atomicExch(p, a);"),
].join("");
