import { createSession, type Executor, Memory, type Program, type Session } from "../../../src/interp/index.ts";
import { MAP_BYTES } from "../../../src/interp/tensor-map/tensor-map.ts";
import { Images } from "./images.ts";
import { ARRAY, CONSTANT, FORMATS, TABLE } from "./pointers.ts";
import { drawData } from "./program.ts";
import type { Random } from "./random.ts";
import { mapsAt, tensorMaps } from "./tensor-maps.ts";

/** How a program is run: everything but the program and the executor. Drawn by a seed. */
export interface Manner {
  readonly schedule?: { readonly seed: number };
  readonly carry: 0 | 1;
  readonly maxSteps: number;
  readonly race: boolean;
  readonly unchecked: boolean;
  /** Nobody may look at registers, so executors need not keep those that no instruction reads. */
  readonly unseen: boolean;
  readonly cluster: boolean;
  /** Instructions between two looks at the state; none: it runs to its end. */
  readonly budgets: readonly number[];
  /** Breakpoints, as parts of the length of the code. */
  readonly breakpoints: readonly number[];
  /** Somebody listens to memory. */
  readonly observed: boolean;
  /** One executor takes over from the other whenever one has run, by this seed. */
  readonly mixed?: number;
  /** The executor takes over from JavaScript after so many warp instructions. */
  readonly patience?: number;
  /** Stops in the middle, keeps the state, goes on, and goes on from there again. */
  readonly rewound: boolean;
  /** Another launch of the same program on the same memory, which goes on whenever this one has stopped. */
  readonly twin: boolean;
  readonly data: number;
}

/** Half of the launches run to their end with nothing attached, which is how most people run programs. */
export function drawManner(random: Random, grid: number, paired: boolean): Manner {
  const data = random.below(256);
  const carry = random.chance(80) ? 0 : 1;
  const plain = random.chance(45);
  const may = (percent: number): boolean => !plain && random.chance(percent);
  const schedule = may(35) ? { schedule: { seed: random.word() } } : {};
  const race = may(6);
  const maxSteps = may(12) ? 1 + random.below(120) : race ? 2000 : plain ? 20_000 : 5000;
  const budgets = may(30) ? Array.from({ length: 8 }, () => random.any([1, 1, 2, 3, 5, 7, 11, 17, 40, 100])) : [];
  return {
    ...schedule,
    data,
    carry,
    maxSteps,
    budgets,
    race,
    unchecked: may(8),
    cluster: paired || (grid === 2 && may(30)),
    breakpoints: may(8) ? [random.below(100), random.below(100)] : [],
    observed: may(8),
    ...(may(25) ? { mixed: random.word() } : {}),
    ...(random.chance(10) ? { patience: 1 + random.below(random.any([8, 60, 400])) } : {}),
    rewound: may(2),
    twin: budgets.length > 0 && may(15),
    unseen: random.chance(20),
  };
}

/** Memory that many launches use one after the other, with the variables of the fuzzer's programs. */
export class Arena {
  readonly memory: Memory = new Memory({ limit: 8 << 20 });
  readonly #variables: ReadonlyMap<string, { readonly address: bigint; readonly bytes: number }>;
  readonly #maps: Uint8Array;
  readonly #images: Images;

  constructor() {
    const take = (name: string, bytes: number, space: "global" | "const" = "global") => {
      const address = this.memory.allocate({ name, bytes, space });
      if (address === undefined) throw new Error("no memory for the variables");
      return [name, { address, bytes }] as const;
    };
    this.#variables = new Map([
      take("A", ARRAY),
      take("B", TABLE),
      take("C", CONSTANT, "const"),
      take("F", FORMATS.length),
      take("Q", MAP_BYTES * tensorMaps.length),
    ]);
    this.#write("F", new TextEncoder().encode(FORMATS));
    this.#maps = tensorMapsAt(this.#variables.get("A")!.address);
    this.#images = new Images(this.memory);
  }

  /** Prints whatever the device prints to `printed`. */
  launch(
    executor: Executor,
    program: Program,
    manner: Manner,
    sizes: { block: number; grid: number },
    printed: string[],
  ): Session {
    const { parameters, array, table, constants } = dataOf(manner.data);
    this.#write("A", array);
    this.#write("B", table);
    this.#write("C", constants);
    this.#write("Q", this.#maps);
    if (program.code.some(({ opcode }) => /^su(st|red)/.test(opcode))) this.#images.reset();
    // Some bytes of B are nobody's yet.
    this.memory.forget(Number(BigInt.asUintN(32, this.#variables.get("B")!.address)) + 600, 300);
    const { schedule, carry, maxSteps, race, unchecked, cluster, unseen } = manner;
    return createSession({
      executor,
      program,
      memory: this.memory,
      parameters,
      carry,
      maxSteps,
      ...(schedule && { schedule }),
      ...(cluster && { cluster: [2, 1, 1] as const }),
      registersReadable: !unseen,
      grid: [sizes.grid, 1, 1],
      block: [sizes.block, 1, 1],
      sanitize: { mem: !unchecked, init: !unchecked, race },
      addressOf: (name) => this.#variables.get(name)!.address,
      print: (text) => void printed.push(text),
    });
  }

  #write(name: string, bytes: Uint8Array): void {
    this.memory.write(this.#variables.get(name)!.address, bytes);
  }
}

let made: { readonly address: bigint; readonly bytes: Uint8Array } | undefined;
/** The tensor maps are the same in all memories, where the array has one address. */
function tensorMapsAt(address: bigint): Uint8Array {
  if (made?.address !== address) made = { address, bytes: mapsAt(address) };
  return made.bytes;
}

const data = new Map<number, ReturnType<typeof drawData>>();
function dataOf(seed: number): ReturnType<typeof drawData> {
  const known = data.get(seed) ?? drawData(seed);
  data.set(seed, known);
  return known;
}
