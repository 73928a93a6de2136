import { type Argument, isElementType } from "../../../src/host/index.ts";
import { bytesOf } from "../../../src/host/memory/element.ts";
import type { Parameter, Program } from "../../../src/interp/contract/program.ts";
import { loadedBy, placesIn, RegisterTypes } from "../../../src/launch/input/element-types.ts";
import type { Bench } from "./bench.ts";
import { contentsOf } from "./draw.ts";
import type { GuessedBuffer, GuessedLaunch, GuessedText, GuessedValue } from "./guess.ts";
import type { Extents } from "./shapes.ts";
import { type Trial, tried, type Use } from "./trial.ts";

/** Dynamic shared memory of a trial: what every device has. */
const MOST_SHARED = 48 << 10;
/** The size is divided by these, one after the other, while a kernel takes too long with the one before. */
const SMALLER = [1, 4, 16];

/**
 * The arguments that the text of a kernel and some trials suggest for a launch. Integers are the threads along x, or where that takes too
 * long a part of them; `ragged`: so many that the last block is nearly empty, which is a multiple of nothing; `times`: as many times
 * the threads, for loops that are longer than a block.
 */
export function inferred(bench: Bench, extents: Extents, ragged: boolean, times = 1): GuessedLaunch {
  const { program, given } = bench;
  const { grid, block } = extents;
  const types = new RegisterTypes(program);
  const along = times * grid[0] * block[0];
  const less = ragged ? lessThan(grid[0], block[0]) : 0;
  const cooperative = given.cooperative ?? program.specials.some(({ name }) => name.startsWith("envreg"));
  const none = { values: new Map(), uses: new Map(), fault: undefined };
  let found: GuessedLaunch = { ...extents, cooperative, smem: given.smem ?? 0, ...none, size: along, ragged };
  for (const divisor of SMALLER) {
    const size = Math.max(1, Math.floor(along / divisor) - Math.min(less, Math.floor((3 * along) / divisor / 4)));
    const first = trialOf(bench, found, types, size, new Map());
    if (first === undefined) break;
    const zeros = guessOf(first, bench, types, { ...found, size });
    // What comes too late shows less.
    if (bench.isLate) return zeros;
    // What is read may be places of other buffers.
    const contents = new Map(
      [...zeros.values].flatMap(([parameter, value]) =>
        value.kind === "buffer" && value.reads ? [[parameter, contentsOf(value, size, 0)] as const] : [],
      ),
    );
    const second = trialOf(bench, found, types, size, contents) ?? first;
    if (bench.isLate) return zeros;
    found = guessOf(second, bench, types, { ...found, size }, first);
    if (!second.tooLong) break;
  }
  return found;
}

/** How much less there is to do for a size that is a multiple of nothing and leaves whole warps of the last block without work. */
const lessThan = (blocks: number, threads: number): number =>
  threads <= 8 ? 3 : blocks > 1 ? threads - 5 - Math.floor(threads / 8) : Math.floor(threads / 2) + 5;

/** `zeros`: what was used where all memory was zeros; how far the kernel goes beyond that depends on what it reads. */
function guessOf(
  trial: Trial,
  bench: Bench,
  types: RegisterTypes,
  launch: GuessedLaunch,
  zeros: Trial = trial,
): GuessedLaunch {
  const { program } = bench;
  const { size, grid, block } = launch;
  const values = new Map<Parameter, GuessedValue>();
  for (const parameter of program.parameters) {
    const given = bench.values.get(parameter);
    const use = trial.uses.get(parameter);
    const depends = (use?.end ?? 0) > (zeros.uses.get(parameter)?.end ?? 0);
    const value =
      given !== undefined
        ? { kind: "text" as const, text: given }
        : use === undefined
          ? numberOf(parameter, program, types, size)
          : bufferOf(use, program, types, [size, ...grid, ...block], depends, parameter.element);
    values.set(parameter, value);
  }
  const dynamic = usesDynamic(program) ? Math.max(0, trial.shared - program.dynamicShared) : 0;
  return {
    ...launch,
    smem: bench.given.smem ?? Math.ceil(dynamic / 16) * 16,
    values,
    uses: trial.uses,
    fault: trial.fault,
  };
}

/** Trials until the pointers are known: what has 64 bits and leads nowhere is a number. */
function trialOf(
  bench: Bench,
  { grid, block, cooperative }: GuessedLaunch,
  types: RegisterTypes,
  size: number,
  contents: ReadonlyMap<Parameter, Uint8Array>,
): Trial | undefined {
  const { program, values: texts } = bench;
  let pointers = program.parameters.filter(
    (each, at) =>
      each.bytes === 8 &&
      !each.aggregate &&
      !each.type.startsWith("f") &&
      !texts.has(each) &&
      program.simd?.locals.includes(at) !== true,
  );
  const values = new Map(
    program.parameters.map(
      (each, at) => [each, types.isFloat(program, each) ? one(each) : integerOf(program, at, size)] as const,
    ),
  );
  const dynamicShared =
    bench.given.smem ??
    program.simd?.localBytes ??
    (usesDynamic(program) ? Math.max(0, MOST_SHARED - program.dynamicShared) : 0);
  for (;;) {
    const loaded = bench.load();
    const { args } = bench.inputs(loaded, bench.given.arg ?? []).value;
    const given = new Map(
      program.parameters.flatMap((each, at): [Parameter, Argument][] =>
        texts.has(each) && args[at] !== undefined ? [[each, args[at]]] : [],
      ),
    );
    const trial = tried(
      loaded,
      pointers,
      values,
      given,
      contents,
      { grid, block, cooperative, dynamicShared },
      (session) => bench.run(session),
    );
    if (trial === undefined) return undefined;
    const used = pointers.filter((each) => trial.uses.has(each));
    if (used.length === pointers.length) return trial;
    pointers = used;
  }
}

/** What an integer is: the size; pointers to local memory share it, and have 0 for that. */
const integerOf = ({ simd }: Program, at: number, size: number): bigint =>
  simd?.locals.includes(at) ? 0n : BigInt(size);

/** The bits of 1. */
const one = ({ bytes }: Parameter): bigint =>
  bytes === 8 ? 0x3ff0_0000_0000_0000n : bytes === 4 ? 0x3f80_0000n : 0x3c00n;

const usesDynamic = ({ variables }: Program): boolean =>
  variables.some(({ space, bytes }) => space === "shared" && bytes === 0);

/** The value of a parameter that is no pointer: zeros for an aggregate, 1 for a float, the size for an integer. */
function numberOf(parameter: Parameter, program: Program, types: RegisterTypes, size: number): GuessedText {
  const { aggregate, bytes, type } = parameter;
  if (aggregate) return { kind: "text", text: `hex:${"00".repeat(bytes)}` };
  const isFloat = types.isFloat(program, parameter);
  const text = !isFloat
    ? String(integerOf(program, program.parameters.indexOf(parameter), size))
    : type.startsWith("f")
      ? "1.0"
      : `0x${one(parameter).toString(16)}`;
  const number = isFloat ? `f${8 * bytes}` : type;
  return { kind: "text", text, ...(isElementType(number) && { type: number }) };
}

/**
 * As many elements as the launch wants: where it goes a little beyond a product of its sizes, that product, since the rest is probably a
 * mistake. Where data say how far it goes, as many as other data could ask for.
 */
function bufferOf(
  use: Use,
  program: Program,
  types: RegisterTypes,
  sizes: readonly number[],
  depends: boolean,
  element: string | undefined,
): GuessedBuffer {
  const [size = 1] = sizes;
  const [first = 0] = use.by;
  const type = element !== undefined && isElementType(element) ? element : types.ofAccess(program.code[first]!);
  const asked = Math.ceil(Math.max(use.end, 1) / bytesOf(type));
  const likely = products(sizes);
  const places = placesIn(program);
  const accesses = [...use.by].map((pc) => program.code[pc]!);
  // The n + 1 places where n rows begin, the last of which ends.
  const bounds = accesses.some((each) => loadedBy(each).some((slot) => places.has(slot))) && likely.includes(asked - 1);
  // A plane of the launch whose border is not accessed: the stencil's.
  const plane = asked < size ? undefined : planesOf(sizes).find(([x, y]) => x * y > asked && x * y - asked <= x + 1);
  const below = likely.filter((each) => each < asked && asked - each <= Math.max(2, each / 32));
  const exact =
    plane !== undefined
      ? plane[0] * plane[1]
      : below.length === 0 || bounds || likely.includes(asked)
        ? asked
        : Math.max(...below);
  const count = depends ? 2 ** Math.ceil(Math.log2(Math.max(1.5 * asked, Math.min(101, size)))) : exact;
  const signals = accesses.some(({ opcode }) => isSignal(opcode));
  return { kind: "buffer", type, count, reads: use.reads, writes: use.writes, zeroed: use.atomics || signals };
}

/** What a buffer of two dimensions may measure, of a launch that has threads along x and y. */
function planesOf([size = 1, gx = 1, gy = 1, , bx = 1, by = 1]: readonly number[]): readonly (readonly [
  number,
  number,
])[] {
  const [x, y] = [gx * bx, gy * by];
  return x < 2 || y < 2
    ? []
    : [
        [x, y],
        [size, size],
        [size, y],
      ];
}

/** Whether a load or store takes part in signals among threads, which atomic operations do as well. */
const isSignal = (opcode: string): boolean =>
  opcode.split(".").some((word) => ["volatile", "relaxed", "acquire", "release", "mmio"].includes(word));

/** Numbers of elements that a launch suggests: as much as there is to do, threads of a block or of all, and multiples by its sizes. */
function products([size = 1, gx = 1, gy = 1, gz = 1, bx = 1, by = 1, bz = 1]: readonly number[]): readonly number[] {
  const bases = [size, bx * by * bz, gx * gy * gz * bx * by * bz];
  const factors = [1, size, gx, gy, gz, bx, by, bz].filter((each) => each > 0);
  return [...new Set(bases.flatMap((base) => factors.map((factor) => base * factor)))].filter((each) => each >= 8);
}
