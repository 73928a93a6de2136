import { type ElementType, isElementType } from "../../../src/host/index.ts";
import { bitsOf, formatOf } from "../../../src/host/memory/element.ts";
import { Random } from "../../../src/interp/contract/launch/random.ts";
import type { Program, Register } from "../../../src/interp/contract/program.ts";
import { RegisterTypes } from "../../../src/launch/input/element-types.ts";
import { setUp } from "../../../src/launch/input/inputs.ts";
import { drawn, readRecipe } from "../../../src/launch/value/recipe.ts";
import { meaningOf } from "../../../src/present/register-types.ts";
import type { Staged } from "../../../src/source/diagnostic.ts";
import { type Constants, edgesOf } from "../launches/constants.ts";
import { type Drawing, explained, isDifferent, type RandomComparison } from "./drawing.ts";

/** Kinds of values, in turn: what is special in a type, constants of the programs and their neighbours, and all others. */
const kinds = ["special", "constants", "ordinary", "bits"] as const;
type Kind = (typeof kinds)[number];

/** Between the seeds of two registers, which are not to hold the same. */
const APART = 100;
/** Elements of the buffer that a register points to. */
const ELEMENTS = 64;

/** Compares two snippets in `count` runs, each with other values in the registers that the first one reads and nobody has given. */
export async function compareRegisters(drawing: Drawing, count: number): Promise<Staged<RandomComparison>> {
  const { loaded, options, io, constants } = drawing;
  const { program } = loaded.kernel;
  const { missing } = setUp(loaded, options, io, []);
  const open = missing.flatMap(({ name, kind }) => {
    const register = program.registers.find((each) => each.name === name);
    return kind === "parameter" || (kind === "register" && register === undefined) ? [] : [{ name, register }];
  });
  for (let index = 0; ; index++) {
    const kind = kinds[index % kinds.length] ?? "bits";
    const turn = Math.floor(index / kinds.length);
    const reg = open.map(({ name, register }, at) => {
      // One register after the other goes through all values of a kind; the others have some of them.
      const place = turn % open.length === at ? Math.floor(turn / open.length) : undefined;
      const draw: Draw = { kind, place, seed: index + APART * at };
      return `${name.replace(/^%/, "")}=${register === undefined ? carry(draw) : drawnFor(register, program, constants, draw)}`;
    });
    const registers = [...(options.reg ?? []), ...reg];
    const result = await drawing.compare({ reg: registers, outputsOnly: true });
    drawing.begin(index + 1);
    const of = { compared: index + 1, sizes: [], inputs: { kind: "registers", registers } } as const;
    if (isDifferent(result))
      return { value: { ...of, ...(await explained(drawing, { reg: registers })) }, diagnostics: [] };
    if (result.differences === undefined || index + 1 >= count || open.length === 0)
      return { value: { ...of, result, isNear: false }, diagnostics: [] };
  }
}

/** Which value is drawn: the one at a place of its kind's list, or some of them. */
interface Draw {
  readonly kind: Kind;
  readonly place: number | undefined;
  readonly seed: number;
}

const carry = ({ seed }: Draw): number => new Random(seed).below(2);

/** A value of `-r`: bits, one after the other for a vector; for an address a buffer. */
function drawnFor(register: Register, program: Program, constants: Constants, draw: Draw): string {
  const { bits, type, elements } = register;
  if (bits === 1) return String(carry(draw));
  const behind = elementsBehind(register, program);
  if (behind !== undefined)
    return `${behind}x${ELEMENTS}:${draw.kind === "special" ? "special" : "random"}:${draw.seed}`;
  const meaning = meaningOf(register, program) ?? (isElementType(type) ? type : `b${bits}`);
  const values = Array.from({ length: elements }, (_, at) =>
    bitsFor(meaning, bits, constants, { ...draw, seed: draw.seed + at }),
  );
  return values.map((each) => `0x${each.toString(16)}`).join(",");
}

/** What an address leads to: the elements of its first access; undefined for a register that is no address. */
function elementsBehind({ bank, slot }: Register, program: Program): ElementType | undefined {
  if (bank !== "q") return undefined;
  const access = program.code.find(({ operands }) =>
    operands.some((each) => each?.kind === "address" && each.base?.bank === bank && each.base.slot === slot),
  );
  return access && new RegisterTypes(program).ofAccess(access);
}

function bitsFor(type: string, width: number, constants: Constants, { kind, place, seed }: Draw): bigint {
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
  const edges = kind === "constants" ? edgesOf(constants, type) : [];
  const edge =
    edges[place === undefined ? new Random(seed).below(Math.max(1, edges.length)) : place % Math.max(1, edges.length)];
  if (edge !== undefined) return edge;
  // Ordinary floats are neither huge nor tiny.
  const recipe =
    kind === "special" ? "special" : kind === "ordinary" && formatOf(type) !== undefined ? "normal" : "bits";
  return some(type, `${recipe}:${seed}`, 1)[0] ?? 0n;
}
