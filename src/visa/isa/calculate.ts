import type { Exact, Rounding } from "../../numeric/exact/exact.ts";
import type { Bits, Op, Width } from "../../numeric/op.ts";
import type { Type } from "../ast.ts";
import { factsOf, isInteger } from "../type.ts";
import type { ChannelOperation, Instance } from "./define.ts";
import { plainType } from "./types.ts";
import {
  type FloatControl,
  type FloatType,
  floatControl,
  modifyInteger,
  readFloat,
  readInteger,
  writeFloat,
  writeInteger,
} from "./value.ts";

export type OnIntegers = (a: bigint, b: bigint, c: bigint) => bigint;
export type OnFloats = (a: Exact, b: Exact, c: Exact, rounding: Rounding) => Exact;

const widthOf = (type: Type | undefined): Width => (type === undefined ? 1 : factsOf(type).bits);

/** A name that only the same operation has: what it does, to which types, with which modifiers. */
function nameOf(what: string, { types, modifiers, sat, relation }: Instance, cr0 = 0): string {
  const operands = types.map((type, at) => `${type ?? "p"}${modifiers[at] === undefined ? "" : `(${modifiers[at]})`}`);
  return ["visa", what, relation, sat ? "sat" : "", cr0.toString(16), ...operands].join(".");
}

/** Types of the sources, the packed ones as what they hold. */
const sourcesOf = ({ types }: Instance, written: number): readonly Type[] =>
  types.slice(written).flatMap((type) => (type === undefined ? [] : [plainType(type)]));

/**
 * An exact result on the sources, cut, clamped or rounded into the destination: on integers at once, on floats as %cr0
 * says.
 */
export function calculation(
  what: string,
  integer: OnIntegers,
  float: OnFloats,
): (instance: Instance) => ChannelOperation {
  return (instance) => {
    const [to] = instance.types;
    if (to === undefined) throw new Error(`${what} without a destination`);
    if (isInteger(to)) return { results: [onIntegers(what, integer, instance, 1, to)] };
    return {
      controlled: (cr0) => {
        const control = floatControl(cr0);
        const sources = readers(instance, 1, control);
        const types = [plainType(to), ...sourcesOf(instance, 1)] as readonly FloatType[];
        const write = writeFloat(to as FloatType, executionType(types), control, instance.sat);
        return [
          {
            ...{ name: nameOf(what, instance, cr0), gives: widthOf(to) },
            takes: sourcesOf(instance, 1).map(widthOf),
            js: (...values: Bits[]): Bits => write(applied(float, sources, values, control.rounding)),
          },
        ];
      },
    };
  };
}

/** The same where there are only integers; the destination may be one of several, or another type than the sources. */
export function onIntegers(what: string, integer: OnIntegers, instance: Instance, written: number, to: Type): Op {
  const from = sourcesOf(instance, written);
  const read = from.map(readInteger);
  const modify = from.map((_, at) => modifyInteger(instance.modifiers[written + at]));
  const write = writeInteger(to, instance.sat);
  const value = (bits: readonly Bits[], at: number): bigint => {
    const [one, modified, given] = [read[at], modify[at], bits[at]];
    return one === undefined || modified === undefined || given === undefined ? 0n : modified(one(given));
  };
  return {
    ...{ name: nameOf(what, instance), gives: widthOf(to), takes: from.map(widthOf) },
    js: (...bits: Bits[]): Bits => write(integer(value(bits, 0), value(bits, 1), value(bits, 2))),
  };
}

/** 16 bits only where all of it has them; df alone; everything else executes in f. */
export function executionType(types: readonly FloatType[]): FloatType {
  const [first = "f"] = types;
  return first !== "bf" && types.every((type) => type === first) ? first : "f";
}

type FloatReader = (bits: Bits) => Exact;

/** What the sources of floats stand for. */
export const readers = (instance: Instance, written: number, control: FloatControl): readonly FloatReader[] =>
  sourcesOf(instance, written).map((type, at) =>
    readFloat(type as FloatType, control, instance.modifiers[written + at]),
  );

const NOTHING: Exact = { kind: "nan" };

function applied(float: OnFloats, read: readonly FloatReader[], bits: readonly Bits[], rounding: Rounding): Exact {
  const value = (at: number): Exact => {
    const [one, given] = [read[at], bits[at]];
    return one === undefined || given === undefined ? NOTHING : one(given);
  };
  return float(value(0), value(1), value(2), rounding);
}

export { nameOf, sourcesOf, widthOf };
