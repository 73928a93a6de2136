import type { Io } from "../../../src/environment/io.ts";
import { type ElementType, isElementType } from "../../../src/host/index.ts";
import { bitsOf, formatOf } from "../../../src/host/memory/element.ts";
import { problem } from "../../../src/host/problem.ts";
import { Random } from "../../../src/interp/contract/launch/random.ts";
import type { Program, Register } from "../../../src/interp/contract/program.ts";
import { RegisterTypes } from "../../../src/launch/input/element-types.ts";
import { setUp } from "../../../src/launch/input/inputs.ts";
import type { Loaded } from "../../../src/launch/program.ts";
import { drawn, readRecipe } from "../../../src/launch/value/recipe.ts";
import { meaningOf } from "../../../src/present/register-types.ts";
import type { Staged } from "../../../src/source/diagnostic.ts";
import { type Constants, edgesOf } from "../launches/constants.ts";
import { type Drawing, explained, isDifferent, isTooLong, MAX_STEPS, type RandomComparison } from "./drawing.ts";
import type { SideOptions } from "./side.ts";

/** Kinds of values, in turn: what is special in a type, constants of the programs and their neighbours, and all others. */
const kinds = ["special", "constants", "ordinary", "bits"] as const;
type Kind = (typeof kinds)[number];

/** Between the seeds of two registers, which are not to hold the same. */
const APART = 100;
/** Elements of the buffer that a register points to. */
const ELEMENTS = 64;

/** Compares two snippets in `count` runs, each with other values in the registers that they read and nobody has given. */
export async function compareRegisters(drawing: Drawing, count: number): Promise<Staged<RandomComparison | undefined>> {
  const { source, loaded, second, options, io, constants } = drawing;
  const open = openRegisters(loaded, second, options, io);
  if (open.length === 0) {
    const message = `--random draws registers, and ${source.name} reads none that has no value`;
    return { value: undefined, diagnostics: [problem("PTX2003", message, { expected: "no --random" })] };
  }
  const maxSteps = options.maxSteps ?? MAX_STEPS;
  let tooLong = 0;
  let last: RandomComparison | undefined;
  for (let index = 0; index < count; index++) {
    const kind = kinds[index % kinds.length] ?? "bits";
    const turn = Math.floor(index / kinds.length);
    const reg = open.map(({ name, register, program }, at) => {
      // One register after the other goes through all values of a kind; the others have some of them.
      const place = turn % open.length === at ? Math.floor(turn / open.length) : undefined;
      const draw: Draw = { kind, place, seed: index + APART * at };
      const value = register === undefined ? bit(draw) : drawnFor(register, program, constants, draw);
      return `${name.replace(/^%/, "")}=${value}`;
    });
    const registers = [...(options.reg ?? []), ...reg];
    const inputs = { maxSteps, reg: registers, outputsOnly: true };
    const result = await drawing.compare(inputs);
    if (isTooLong(result)) tooLong++;
    drawing.begin(index + 1);
    const of = { compared: index + 1 - tooLong, tooLong, sizes: [], inputs: { kind: "registers", registers } } as const;
    if (isDifferent(result)) return { value: { ...of, ...(await explained(drawing, inputs)) }, diagnostics: [] };
    const value = { ...of, result, isNear: false };
    if (result.differences === undefined && !isTooLong(result)) return { value, diagnostics: [] };
    last = isTooLong(result) && last !== undefined ? { ...last, compared: of.compared, tooLong } : value;
  }
  return { value: last, diagnostics: [] };
}

/** A register that has no value; undefined is the carry flag. */
interface Open {
  readonly name: string;
  readonly register: Register | undefined;
  readonly program: Program;
}

/** What one of two snippets reads without a value, and both can be given: the first one may write what the second reads. */
export function openRegisters(
  first: Loaded,
  second: Loaded | undefined,
  options: SideOptions,
  io: Io,
): readonly Open[] {
  const open = [first, ...(second === undefined ? [] : [second])].flatMap((each) => openIn(each, options, io));
  const has = ({ kernel }: Loaded, name: string) => kernel.program.registers.some((each) => each.name === name);
  const ofBoth = open.filter(
    ({ name, register }) => register === undefined || (has(first, name) && (second === undefined || has(second, name))),
  );
  return [...new Map(ofBoth.toReversed().map((each) => [each.name, each])).values()].toReversed();
}

function openIn(loaded: Loaded, options: SideOptions, io: Io): Open[] {
  const { program } = loaded.kernel;
  return setUp(loaded, options, io, []).missing.flatMap(({ name, kind }) => {
    const register = program.registers.find((each) => each.name === name);
    return kind === "carry" || register !== undefined ? [{ name, register, program }] : [];
  });
}

/** Which value is drawn: the one at a place of its kind's list, or some of them. */
interface Draw {
  readonly kind: Kind;
  readonly place: number | undefined;
  readonly seed: number;
}

/** A bit: a predicate, or the carry flag. */
const bit = ({ seed }: Draw): number => new Random(seed).below(2);

/** A value of `-r`: bits, one after the other for a vector; for an address a buffer. */
function drawnFor(register: Register, program: Program, constants: Constants | undefined, draw: Draw): string {
  const { bits, type, elements } = register;
  if (bits === 1) return String(bit(draw));
  const behind = elementsBehind(register, program);
  if (behind !== undefined) return bufferFor(behind, constants, draw);
  const meaning = meaningOf(register, program) ?? (isElementType(type) ? type : `b${bits}`);
  const values = Array.from({ length: elements }, (_, at) =>
    bitsFor(meaning, bits, constants, { ...draw, seed: draw.seed + at }),
  );
  return values.map((each) => `0x${each.toString(16)}`).join(",");
}

/** A buffer: constants in a list, or drawn by a recipe. */
function bufferFor(type: ElementType, constants: Constants | undefined, { kind, place = 0, seed }: Draw): string {
  const edges = kind === "constants" && constants !== undefined ? edgesOf(constants, type) : [];
  if (edges.length === 0) return `${type}x${ELEMENTS}:${kind === "special" ? "special" : "random"}:${seed}`;
  const list = Array.from({ length: ELEMENTS }, (_, at) => edges[(place + at) % edges.length] ?? 0n);
  return `${type}x${ELEMENTS}:${list.map((each) => `0x${each.toString(16)}`).join(",")}`;
}

/** What an address leads to: the elements of its first access; undefined for a register that is no address. */
function elementsBehind({ bank, slot }: Register, program: Program): ElementType | undefined {
  if (bank !== "q") return undefined;
  const access = program.code.find(({ operands }) =>
    operands.some((each) => each?.kind === "address" && each.base?.bank === bank && each.base.slot === slot),
  );
  return access && new RegisterTypes(program).ofAccess(access);
}

/** The bits of a value of a type; any bits for a type whose values nobody lists. */
function bitsFor(type: string, width: number, constants: Constants | undefined, { kind, place, seed }: Draw): bigint {
  const some = (element: ElementType, recipe: string, count: number): readonly bigint[] => {
    const read = readRecipe(recipe);
    const bytes = read && drawn(read, element, count, () => {});
    return bytes === undefined ? [] : bitsOf(bytes, element);
  };
  if (!isElementType(type)) {
    const bytes = some("u8", `bits:${seed}`, width / 8);
    return bytes.reduce((all, byte) => (all << 8n) | byte, 0n);
  }
  if (kind === "special" && place !== undefined) return some(type, "special", place + 1).at(-1) ?? 0n;
  const edges = kind === "constants" && constants !== undefined ? edgesOf(constants, type) : [];
  if (edges.length > 0) return edges[(place ?? new Random(seed).below(edges.length)) % edges.length] ?? 0n;
  // Ordinary floats are neither huge nor tiny.
  const recipe =
    kind === "special" ? "special" : kind === "ordinary" && formatOf(type) !== undefined ? "normal" : "bits";
  return some(type, `${recipe}:${seed}`, 1)[0] ?? 0n;
}
