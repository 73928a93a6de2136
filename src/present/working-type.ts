import type { About, Op } from "../numeric/index.ts";
import { operationTypes } from "./working/type.ts";

/** What the operands and the result of an operation are: `f16`, `s32`, `f16x2`, `pred`; `b32` where nothing is said. */
export interface OpTypes {
  readonly takes: readonly string[];
  readonly gives: string;
}

/** The types of an operation, by what is known about it. */
export function typesOf(op: Op): OpTypes {
  if (op.operation !== undefined) return operationTypes(op.operation);
  const known = op.about === undefined ? undefined : typed(op, op.about);
  const plain = (width: number): string => (width === 1 ? "pred" : `b${width}`);
  return {
    takes: op.takes.map((width, at) => known?.takes[at] ?? plain(width)),
    gives: known?.gives ?? plain(op.gives),
  };
}

/** rcp.approx.ftz.f64 works on the upper half of an f64. */
const nameOf = (name: string): string => name.replace(".upper", "");

function typed(op: Op, about: About): { readonly takes: readonly string[]; readonly gives?: string } | undefined {
  const all = (type: string) => ({ takes: op.takes.map(() => type), gives: type });
  switch (about.kind) {
    case "arithmetic":
      return { takes: about.takes.map(({ name }) => name), gives: about.format.name };
    case "function":
    case "extremum":
    case "sign":
      return all(nameOf(about.format.name));
    case "property":
    case "float relation":
      return { takes: op.takes.map(() => about.format.name) };
    case "integer relation":
      return { takes: op.takes.map(() => about.type) };
    case "set":
      return { takes: typesOf(about.of).takes };
    case "slct":
      return {
        takes: [...op.takes.slice(0, 2).map((width) => `b${width}`), ...typesOf(about.atLeastZero).takes.slice(0, 1)],
      };
    case "conversion":
      return { takes: [about.from], gives: about.to };
    case "integer":
      return all(about.type);
    case "product": {
      const gives = about.part === "wide" ? `${about.type.slice(0, 1)}${op.gives}` : about.type;
      return { takes: [about.type, about.type, gives], gives };
    }
    case "shift":
      return {
        takes: [`${about.signed ? "s" : "b"}${about.width}`, "u32"],
        gives: `${about.signed ? "s" : "b"}${about.width}`,
      };
    case "random":
      return {
        takes: [...about.lanes.map(() => "f32"), "b32"],
        gives: `${about.format.name}x${about.lanes.length}`,
      };
    case "lanes":
      return packed(op, about);
    case "bits":
    case "funnel":
    case "permute":
    case "field":
    case "dot":
    case "video":
    case "video mad":
    case "simd video":
      return undefined;
  }
}

/** A lane's type with how many of it a register holds. */
function packed(
  op: Op,
  { of, lanes }: About & { kind: "lanes" },
): { readonly takes: readonly string[]; readonly gives?: string } {
  const each = typesOf(of);
  const named = (width: number, lane: number, type: string): string =>
    width === lane ? type : `${type}x${width / lane}`;
  const [first] = lanes;
  const takes = op.takes.map((width, operand) => {
    const at = first?.takes.findIndex((slice) => slice.operand === operand) ?? -1;
    const slice = first?.takes[at];
    return slice === undefined
      ? (each.takes[0] ?? `b${width}`)
      : named(width, slice.bits, each.takes[at] ?? `b${width}`);
  });
  return first === undefined || of.gives === 1 ? { takes } : { takes, gives: named(op.gives, first.bits, each.gives) };
}
