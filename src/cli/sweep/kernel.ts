import { type Buffer, Device } from "../../host/index.ts";
import { HostError, must } from "../../host/problem.ts";
import type { Draw } from "./draw.ts";
import type { Side, Value } from "./side.ts";

/** Cases of one launch: enough that the executor compiles the kernel, few enough to stay in a processor's cache. */
export const BATCH = 2 ** 18;
const BLOCK = 256;

/** 32-bit words of a case of a value. */
export const wordsOf = ({ bits }: Value): 1 | 2 => (bits === 64 ? 2 : 1);

/** Runs batches of cases through the instructions of two sides, or of one, as a program of PTX that computes both. */
export class Sweeper {
  readonly #inputs: readonly { readonly buffer: Buffer; readonly words: Uint32Array }[];
  readonly #outputs: readonly { readonly buffer: Buffer; readonly words: 1 | 2 }[];
  readonly #kernel;
  readonly #draws: readonly Draw[];

  /** Throws a `HostError` where the instructions do not go together. */
  constructor(sides: readonly Side[], draws: readonly Draw[]) {
    const device = new Device();
    this.#draws = draws;
    const inputs = sides[0]?.inputs ?? [];
    this.#kernel = must(must(device.module({ name: "sweep", text: programOf(sides) })).kernel("sweep"));
    this.#inputs = inputs.map((value) => {
      const words = new Uint32Array(BATCH * wordsOf(value));
      return { words, buffer: device.buffer(words, { name: value.name }) };
    });
    this.#outputs = sides.map(({ result }) => {
      const words = wordsOf(result);
      return { words, buffer: device.buffer(new Uint32Array(BATCH * words), { name: result.name }) };
    });
  }

  /** The inputs of the cases from `first` on, and each side's results: a word a case, two for 64 bits. */
  run(first: number, cases: number) {
    for (const [at, { buffer, words }] of this.#inputs.entries()) {
      this.#draws[at]?.(words, first, cases);
      buffer.write(words);
    }
    const args = [...this.#inputs, ...this.#outputs].map(({ buffer }) => buffer);
    const sanitize = { mem: false, init: false };
    const launch = this.#kernel.launch({ grid: Math.ceil(cases / BLOCK), block: BLOCK, args, sanitize });
    const { stop } = must(launch);
    if (stop.reason === "trap") throw new HostError([stop.diagnostic]);
    return {
      inputs: this.#inputs.map(({ words }) => words),
      results: this.#outputs.map(({ buffer, words }) => {
        const bytes = buffer.read(0, 4 * words * cases);
        return new Uint32Array(bytes.buffer, bytes.byteOffset, words * cases);
      }),
    };
  }
}

const register = ({ bits, narrow }: Value): string =>
  bits === 1 ? ".pred" : `.b${narrow === true ? bits : Math.max(bits, 16)}`;
const stored = ({ bits }: Value): number => (bits === 1 ? 32 : bits);

/** A thread a case: it loads the inputs, computes what each side says in a scope of its own, and stores the results. */
function programOf(sides: readonly Side[]): string {
  const inputs = sides[0]?.inputs ?? [];
  const parameters = [...inputs.map((_, at) => `in${at}`), ...sides.map((_, at) => `out${at}`)];
  const place = (parameter: string, value: Value): string =>
    `ld.param.u64 %p, [${parameter}]; mul.wide.u32 %q, %i, ${4 * wordsOf(value)}; add.u64 %p, %p, %q;`;
  const load = (value: Value, at: number): string => {
    const to = `v_${value.name}`;
    if (value.bits === 1) return `${place(`in${at}`, value)} ld.global.b32 %w, [%p]; setp.ne.u32 ${to}, %w, 0;`;
    return `${place(`in${at}`, value)} ld.global.b${value.bits} ${to}, [%p];`;
  };
  const store = (side: Side, at: number): string => {
    const { result } = side;
    const from = result.bits === 1 ? "%w" : `v_${result.name}`;
    const selected = result.bits === 1 ? `selp.u32 %w, 1, 0, v_${result.name};` : "";
    return `${selected} ${place(`out${at}`, result)} st.global.b${stored(result)} [%p], ${from};`;
  };
  const scope = (side: Side, at: number): string => {
    const own = side.registers.filter(({ name }) => !inputs.some((input) => input.name === name));
    return `{ ${own.map((value) => `.reg ${register(value)} v_${value.name};`).join(" ")}\n${side.body}\n${store(side, at)} }`;
  };
  return [
    `.visible .entry sweep(${parameters.map((name) => `.param .u64 ${name}`).join(", ")}) {`,
    ".reg .b64 %p, %q; .reg .b32 %w, %i, %j;",
    ...inputs.map((value) => `.reg ${register(value)} v_${value.name};`),
    `mov.u32 %i, %ctaid.x; mov.u32 %j, %tid.x; mul.lo.u32 %i, %i, ${BLOCK}; add.u32 %i, %i, %j;`,
    ...inputs.map(load),
    ...sides.map(scope),
    "ret; }",
  ].join("\n");
}
