import type { Parameter } from "../../interp/contract/program.ts";
import type { AssumedSize, SimdFact, SimdFill } from "../../interp/contract/simd.ts";
import type * as ast from "../ast.ts";
import { bytesOfType } from "../type.ts";
import { elementType } from "./storage.ts";
import type { Symbols } from "./symbols.ts";

/** What a kernel takes from its launch. */
export interface Inputs {
  readonly parameters: readonly Parameter[];
  readonly parameterBytes: number;
  /** The variable of each parameter. */
  readonly variables: readonly string[];
  readonly fills: readonly SimdFill[];
  readonly assumed: readonly AssumedSize[];
}

interface Place {
  readonly input: ast.Input;
  readonly type: ast.Type;
  readonly elements: number;
  readonly place: string;
}

/** Words of %r0 with the id of the group, along x, y and z (D/4_visa_header.md; Intel's dumps read them there). */
const GROUP_WORDS = [1, 6, 7] as const;

/**
 * The last inputs of three dwords, from the last one on, as Intel's OpenCL compiler appends them: those that a kernel asks
 * for, and a dump does not say which they are. The last is the size that ids of work-items follow from.
 */
const trailing: readonly SimdFact[] = ["local size", "local size", "global size", "group count"];

/** Of two, the first may be any of them; a kernel without local memory mostly strides by the global size. */
const trailingOf = (sizes: number, usesLocal: boolean): readonly SimdFact[] =>
  sizes === 2 && !usesLocal ? ["local size", "global size"] : trailing;

const named: Readonly<Record<string, SimdFact>> = {
  LOCAL_SIZE: "local size",
  UNDEFINED_1: "local size",
  GROUP_COUNT: "group count",
  UNDEFINED_2: "group count",
};

/**
 * Tells a kernel's arguments from what its launch supplies: local ids are words at the front, three times as many as a
 * thread has work-items, or none; behind them stand eight dwords of a header; sizes are three dwords each, at the end.
 */
export function inputsOf(
  inputs: readonly ast.Input[],
  symbols: Symbols,
  { width, usesLocal }: { readonly width: number; readonly usesLocal: boolean },
): Inputs {
  const places = inputs.flatMap((input): Place[] => {
    const found = symbols.find(input.variable.text);
    if (found?.kind !== "variable") return [];
    return [{ input, type: found.type, elements: found.elements, place: found.root }];
  });
  const implicit = places.filter(({ input }) => input.implicit !== undefined);
  const all = places.filter(({ input }) => input.implicit === undefined);
  const ids = all.findIndex(({ type }) => type !== "w" && type !== "uw");
  const words = all.slice(0, ids < 0 ? all.length : ids);
  const local = words.length > 0 && words.length % 3 === 0 ? words : [];
  const rest = all.slice(local.length);
  const header = rest[0]?.elements === 8 && bytesOfType(rest[0].type) === 4 ? rest.slice(0, 1) : [];
  const others = rest.slice(header.length);
  let sizes = 0;
  while (isTriple(others.at(-1 - sizes)) && sizes < trailing.length) sizes++;
  const given = others.slice(0, others.length - sizes);
  const triples = others.slice(others.length - sizes);
  const facts = trailingOf(sizes, usesLocal);
  const factOf = (at: number): SimdFact => facts[triples.length - 1 - at] ?? "local size";
  // All four leave nothing to guess, and the last is never another.
  const assumed = sizes === trailing.length ? [] : triples.slice(0, -1);
  const fills: SimdFill[] = [
    ...localIds(local, width),
    ...header.map(({ place }): SimdFill => ({ variable: place, offset: 0, bytes: 4, count: 8, of: "zero" })),
    ...triples.map(({ place }, at): SimdFill => axes(place, factOf(at))),
    ...implicit.flatMap(({ input, place }) => {
      const of = named[input.implicit ?? ""];
      return of === undefined ? [] : [axes(place, of)];
    }),
  ];
  return {
    ...parametersOf(given),
    fills,
    assumed: assumed.map(({ input: { variable } }, at) => ({
      name: variable.text,
      span: variable.span,
      of: factOf(at),
    })),
  };
}

const isTriple = (place: Place | undefined): boolean =>
  place !== undefined && place.elements === 3 && bytesOfType(place.type) === 4;

const axes = (variable: string, of: SimdFact): SimdFill => ({ variable, offset: 0, bytes: 4, count: 3, of });

/** Variables of words, one behind the other, for each axis as many as hold the work-items of a thread. */
function localIds(places: readonly Place[], width: number): SimdFill[] {
  const each = places.length / 3;
  return places.map(({ place, elements }, at): SimdFill => {
    const axis = Math.floor(at / each) as 0 | 1 | 2;
    const first = (at % each) * elements;
    const count = Math.max(0, Math.min(elements, width - first));
    return { variable: place, offset: 0, bytes: 2, count, of: "local id", axis, first };
  });
}

/** Byte of %r0 with the number of the thread in its group. */
const THREAD_BYTE = 8;

/** The ids of the group and of the thread in it, where %r0 and the predefined variables have them. */
export const groupIds = (symbols: Symbols): SimdFill[] => [
  ...fact(symbols, "%sr0", 0, undefined).map((each): SimdFill => ({ ...each, of: "hardware thread" })),
  ...fact(symbols, "%r0", THREAD_BYTE, undefined),
  ...GROUP_WORDS.flatMap((word, axis) => fact(symbols, "%r0", 4 * word, axis)),
  ...["x", "y", "z"].flatMap((letter, axis) => fact(symbols, `%group_id_${letter}`, 0, axis)),
];

/** One word: along an axis the id of the group, without one the thread's number. */
function fact(symbols: Symbols, name: string, offset: number, axis: number | undefined): SimdFill[] {
  const found = symbols.known(name);
  if (found === undefined) return [];
  const word = { variable: found, offset, bytes: 4, count: 1 } as const;
  return [axis === undefined ? { ...word, of: "thread" } : { ...word, of: "group id", axis: axis as 0 | 1 | 2 }];
}

function parametersOf(places: readonly Place[]): Omit<Inputs, "fills" | "assumed"> {
  let end = 0;
  const parameters = places.map(({ input, type, elements }): Parameter => {
    const bytes = elements * bytesOfType(type);
    const align = bytesOfType(type);
    const offset = Math.ceil(end / align) * align;
    end = offset + bytes;
    const { text: name, span } = input.variable;
    return { name, type: elementType[type] ?? "b8", offset, bytes, align, aggregate: elements > 1, span };
  });
  return { parameters, parameterBytes: end, variables: places.map(({ place }) => place) };
}
