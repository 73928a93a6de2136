import type { AssumedSize, SimdFact, SimdFill } from "../../../../src/interp/contract/launch/simd.ts";
import type { Parameter } from "../../../../src/interp/contract/program.ts";
import { bytesOfType } from "../type.ts";
import { axes, handleOf, type InputFacts, type Inputs, localIds, type Place, surfaceOf } from "./inputs.ts";
import { elementType } from "./storage.ts";

/** Sizes that a dump marks as such. */
const named: Readonly<Record<string, SimdFact>> = {
  LOCAL_SIZE: "local size",
  UNDEFINED_1: "local size",
  GROUP_COUNT: "group count",
  UNDEFINED_2: "group count",
};

/**
 * The inputs of a dump without its `.zeinfo`, by the order in which Intel's compiler puts them: ids of work-items, what the
 * launch gives, pointers to local, global and constant memory, values, then further sizes, and handles of surfaces.
 * `isNew`: as IGC 2 writes them, where two sizes stand first; before it, eight dwords of a header did.
 */
export function inputsByOrder(places: readonly Place[], isNew: boolean, facts: InputFacts): Inputs {
  const implicit = places.filter((each) => each.implicit !== undefined);
  const all = places.filter((each) => each.implicit === undefined);
  const local = idsIn(all, facts);
  const rest = all.slice(local.length);
  const [head] = rest;
  const hasHeader = !isNew && head?.elements === 8 && bytesOfType(head.type) === 4;
  const leading = hasHeader ? rest.slice(0, 1) : isNew ? rest.slice(0, firstTriples(rest)) : [];
  const others = rest.slice(leading.length);
  const handles = isNew ? handlesIn(others, facts) : [];
  const sized = others.slice(0, others.length - handles.length);
  let sizes = 0;
  while (isTriple(sized.at(-1 - sizes)) && sizes < 4) sizes++;
  const given = sized.slice(0, sized.length - sizes);
  const guesses: Guess[] = [
    ...(hasHeader
      ? []
      : leading.map(
          (place, at): Guess => ({ place, of: at === 0 ? "global offset" : "local size", sure: leading.length === 2 }),
        )),
    ...trailing(sized.slice(given.length), isNew, facts),
  ];
  const pointers = given.flatMap((place, at) => (bytesOfType(place.type) === 8 && place.elements === 1 ? [at] : []));
  return {
    ...parametersOf(given),
    inputs: given.map(({ variable, offset, bytes }, parameter) => ({ parameter, from: 0, variable, offset, bytes })),
    locals: [],
    fills: [
      ...local.map((place) => localIds(place, facts, facts.perThread === undefined ? local[0]?.at : facts.grf)),
      ...(hasHeader ? leading : []).map(
        ({ variable, offset }): SimdFill => ({ variable, offset, bytes: 4, count: 8, of: "number" }),
      ),
      ...guesses.map(({ place, of }) => (of === "global offset" ? { ...axes(place, "number") } : axes(place, of))),
      ...handles.map(({ variable, offset }, at): SimdFill => ({
        variable, offset, bytes: 4, count: 1, of: "number", value: handleOf(surfaceOf(pointers[at] ?? at)),
      })), // biome-ignore format: one fill
      ...implicit.flatMap((place) => {
        const of = named[place.implicit ?? ""];
        return of === undefined ? [] : [axes(place, of)];
      }),
    ],
    assumed: [
      ...guesses.flatMap(({ place: { name }, of, sure }) => (sure ? [] : [{ name: name.text, span: name.span, of }])),
      ...handles.flatMap(({ name, variable }, at): AssumedSize[] => {
        const pointer = given[pointers[at] ?? -1];
        if (!facts.handles.has(variable) || pointer === undefined) return [];
        return [{ name: name.text, span: name.span, of: `surface of ${pointer.name.text}` }];
      }),
    ],
    ...(handles.length === 0
      ? {}
      : { surfaces: pointers.map((parameter) => ({ index: surfaceOf(parameter), parameter })) }),
  };
}

interface Guess {
  readonly place: Place;
  readonly of: SimdFact | "global offset";
  readonly sure: boolean;
}

/** Words at the front: as many as the kernel says, or three times as many as a thread has work-items. */
function idsIn(all: readonly Place[], { perThread, grf }: InputFacts): readonly Place[] {
  const end = all.findIndex(({ type }) => type !== "w" && type !== "uw");
  const words = all.slice(0, end < 0 ? all.length : end);
  if (perThread !== undefined) return words.filter(({ at }) => at < grf + perThread);
  return words.length % 3 === 0 ? words : [];
}

/** The offset of the whole range and the local size come before arguments: one of them, both, or none. */
function firstTriples(rest: readonly Place[]): number {
  const end = rest.findIndex((each) => !isTriple(each));
  // A kernel of sizes alone has no argument that would part the first from the last.
  return Math.min(2, end < 0 ? rest.length : end);
}

/** Handles are the last dwords, as many as there are pointers, where a message selects its surface by one. */
function handlesIn(others: readonly Place[], { handles }: InputFacts): readonly Place[] {
  const first = others.findIndex(({ variable }) => handles.has(variable));
  if (first < 0) return [];
  const pointers = others.filter(({ type, elements }) => bytesOfType(type) === 8 && elements === 1).length;
  const from = Math.min(first, others.length - pointers);
  const last = others.slice(Math.max(0, from));
  return last.every(({ bytes }) => bytes === 4) ? last : others.slice(first);
}

/**
 * Sizes at the end: only those that a kernel uses, in this order, and a dump does not name them. With all there is nothing
 * to guess.
 */
function trailing(triples: readonly Place[], isNew: boolean, { usesLocal }: InputFacts): readonly Guess[] {
  const order: readonly SimdFact[] = [
    "group count",
    "global size",
    "local size",
    ...(isNew ? [] : ["local size" as const]),
  ];
  const count = triples.length;
  const facts =
    count === order.length
      ? order
      : count === 2 && (isNew || !usesLocal)
        ? // A kernel without local memory mostly strides by the global size.
          (["global size", "local size"] as const)
        : order.slice(-count);
  return triples.map((place, at) => ({ place, of: facts[at] ?? "local size", sure: count === order.length }));
}

const isTriple = (place: Place | undefined): boolean =>
  place !== undefined && place.elements === 3 && bytesOfType(place.type) === 4;

function parametersOf(places: readonly Place[]): Pick<Inputs, "parameters" | "parameterBytes"> {
  let end = 0;
  const parameters = places.map(({ name: { text: name, span }, type, elements, bytes }): Parameter => {
    const align = bytesOfType(type);
    const offset = Math.ceil(end / align) * align;
    end = offset + bytes;
    return { name, type: elementType[type] ?? "b8", offset, bytes, align, aggregate: elements > 1, span };
  });
  return { parameters, parameterBytes: end };
}
