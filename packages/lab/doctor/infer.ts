import type { Argument, Device, ElementType, Kernel } from "../../../src/host/index.ts";
import { bytesOf, formatOf } from "../../../src/host/memory/element.ts";
import type { Parameter, Program } from "../../../src/interp/contract/program.ts";
import { drawn, readRecipe } from "../../../src/launch/value/recipe.ts";
import { RegisterTypes } from "./element-types.ts";
import type { Extents } from "./shapes.ts";
import { type Trial, tried, type Use } from "./trial.ts";

/** A buffer for a pointer: as many elements as the launch wants, and what fills it. */
export interface GuessedBuffer {
  readonly kind: "buffer";
  readonly type: ElementType;
  readonly count: number;
  /** Whether the kernel reads what nobody has stored. */
  readonly reads: boolean;
  readonly writes: boolean;
  readonly atomics: boolean;
}

/** A parameter that is no pointer, as it is written and as it is passed. */
export interface GuessedNumber {
  readonly kind: "value";
  readonly text: string;
  readonly argument: Argument;
}

export type GuessedValue = GuessedBuffer | GuessedNumber;

/** A launch that fits a kernel, as far as its text and some trials show. */
export interface GuessedLaunch extends Extents {
  /** It has a barrier of the whole grid. */
  readonly cooperative: boolean;
  /** Bytes of dynamic shared memory; 0 where none is used. */
  readonly smem: number;
  readonly values: ReadonlyMap<Parameter, GuessedValue>;
  /** What the integers are that say how much there is to do. */
  readonly size: number;
  /** Whether that is a multiple of nothing. */
  readonly ragged: boolean;
}

/** Dynamic shared memory of a trial: what every device has. */
const MOST_SHARED = 48 << 10;
/** The size is divided by these, one after the other, while a kernel takes too long with the one before. */
const SMALLER = [1, 4, 16];

/** A kernel on a device of its own. */
export type Fresh = () => { readonly device: Device; readonly kernel: Kernel };

/**
 * The arguments that the text of a kernel and some trials suggest for a launch. Integers are the threads along x, or where that takes too
 * long a part of them; `ragged`: three less, which is a multiple of nothing.
 */
export function inferred(fresh: Fresh, { grid, block }: Extents, ragged: boolean): GuessedLaunch {
  const { program } = fresh().kernel;
  const types = new RegisterTypes(program);
  const along = grid[0] * block[0];
  const cooperative = program.specials.some(({ name }) => name.startsWith("envreg"));
  let found: GuessedLaunch = { grid, block, cooperative, smem: 0, values: new Map(), size: along, ragged };
  for (const divisor of SMALLER) {
    const size = Math.max(1, Math.floor(along / divisor) - (ragged ? 3 : 0));
    const first = trialOf(program, fresh, found, types, size, new Map());
    if (first === undefined) break;
    const zeros = guessOf(first, program, types, { ...found, size });
    // What is read may be places of other buffers.
    const contents = new Map(
      [...zeros.values].flatMap(([parameter, value]) =>
        value.kind === "buffer" && value.reads ? [[parameter, contentsOf(value, size, 0)] as const] : [],
      ),
    );
    const second = trialOf(program, fresh, found, types, size, contents) ?? first;
    found = guessOf(second, program, types, { ...found, size }, first);
    if (!second.tooLong) break;
  }
  return found;
}

/** The recipe of what a buffer holds before a launch; undefined where its bytes are left undefined. */
export function recipeOf({ type, reads, atomics }: GuessedBuffer, size: number, seed: number): string | undefined {
  if (atomics) return "fill=0";
  if (!reads) return undefined;
  if (formatOf(type) !== undefined || /x2$/.test(type)) return `random:${seed}`;
  if (bytesOf(type) === 1) return `bits:${seed}`;
  // Integers may count, or name places of other buffers.
  return `uniform:0..${Math.max(0, Math.min(100, size - 1))}:${seed}`;
}

/** The bytes that the recipe gives. */
export function contentsOf(buffer: GuessedBuffer, size: number, seed: number): Uint8Array {
  const recipe = readRecipe(recipeOf(buffer, size, seed) ?? "");
  const bytes = recipe && drawn(recipe, buffer.type, buffer.count, () => {});
  return bytes ?? new Uint8Array(buffer.count * bytesOf(buffer.type));
}

/** `zeros`: what was used where all memory was zeros; how far the kernel goes beyond that depends on what it reads. */
function guessOf(
  trial: Trial,
  program: Program,
  types: RegisterTypes,
  launch: GuessedLaunch,
  zeros: Trial = trial,
): GuessedLaunch {
  const { size, grid, block } = launch;
  const values = new Map<Parameter, GuessedValue>();
  for (const parameter of program.parameters) {
    const use = trial.uses.get(parameter);
    const depends = (use?.end ?? 0) > (zeros.uses.get(parameter)?.end ?? 0);
    const value =
      use === undefined
        ? numberOf(parameter, program, types, size)
        : bufferOf(use, program, types, [size, ...grid, ...block], depends);
    values.set(parameter, value);
  }
  const dynamic = usesDynamic(program) ? Math.max(0, trial.shared - program.dynamicShared) : 0;
  return { ...launch, smem: Math.ceil(dynamic / 16) * 16, values };
}

/** Trials until the pointers are known: what has 64 bits and leads nowhere is a number. */
function trialOf(
  program: Program,
  fresh: Fresh,
  { grid, block, cooperative }: GuessedLaunch,
  types: RegisterTypes,
  size: number,
  contents: ReadonlyMap<Parameter, Uint8Array>,
): Trial | undefined {
  let pointers = program.parameters.filter((each) => each.bytes === 8 && !each.aggregate && !each.type.startsWith("f"));
  const values = new Map(
    program.parameters.map((each) => [each, types.isFloat(program, each) ? one(each) : BigInt(size)] as const),
  );
  const dynamicShared = usesDynamic(program) ? Math.max(0, MOST_SHARED - program.dynamicShared) : 0;
  for (;;) {
    const { device, kernel } = fresh();
    const trial = tried(device, kernel, pointers, values, contents, { grid, block, cooperative, dynamicShared });
    if (trial === undefined) return undefined;
    const used = pointers.filter((each) => trial.uses.has(each));
    if (used.length === pointers.length) return trial;
    pointers = used;
  }
}

/** The bits of 1. */
const one = ({ bytes }: Parameter): bigint =>
  bytes === 8 ? 0x3ff0_0000_0000_0000n : bytes === 4 ? 0x3f80_0000n : 0x3c00n;

const usesDynamic = ({ variables }: Program): boolean =>
  variables.some(({ space, bytes }) => space === "shared" && bytes === 0);

function numberOf(parameter: Parameter, program: Program, types: RegisterTypes, size: number): GuessedNumber {
  const { aggregate, bytes, type } = parameter;
  if (aggregate) return { kind: "value", text: `hex:${"00".repeat(bytes)}`, argument: new Uint8Array(bytes) };
  if (!types.isFloat(program, parameter))
    return { kind: "value", text: String(size), argument: { bits: BigInt(size) } };
  const bits = one(parameter);
  return { kind: "value", text: type.startsWith("f") ? "1.0" : `0x${bits.toString(16)}`, argument: { bits } };
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
): GuessedBuffer {
  const [first = 0] = use.by;
  const type = types.ofAccess(program.code[first]!);
  const asked = Math.ceil(Math.max(use.end, 1) / bytesOf(type));
  const below = products(sizes).filter((each) => each < asked && asked - each <= Math.max(2, each / 32));
  const exact = below.length === 0 ? asked : Math.max(...below);
  const count = depends ? 2 ** Math.ceil(Math.log2(asked)) : exact;
  const { reads, writes, atomics } = use;
  return { kind: "buffer", type, count, reads, writes, atomics };
}

/** All products of up to three of the sizes. */
function products(sizes: readonly number[]): readonly number[] {
  const own = [...new Set(sizes)].filter((each) => each > 1);
  const two = own.flatMap((a) => own.map((b) => a * b));
  return [...new Set([...own, ...two, ...two.flatMap((a) => own.map((b) => a * b))])].filter((each) => each >= 8);
}
