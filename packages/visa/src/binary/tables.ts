import type { Span } from "../../../../src/source/source.ts";
import { type FlagDeclaration, type Name, type Type, types } from "../ast.ts";
import { firstSurface, firstVariable, predefinedName, predefinedSurface } from "./codes.ts";
import { Broken } from "./cursor.ts";

/** A kernel's declarations, looked up by the numbers in its code. Every look-up that fails throws `Broken`. */
export class Tables {
  readonly variables: { readonly name: Name; readonly bytes: number }[] = [];
  readonly labels: Name[] = [];
  readonly #flags: Readonly<Record<FlagDeclaration["kind"], Name[]>> = {
    address: [],
    predicate: [],
    sampler: [],
    surface: [],
  };

  of(kind: FlagDeclaration["kind"]): Name[] {
    return this.#flags[kind];
  }

  /** A general variable, from 32 on, or a predefined one. */
  variable(number: number, span: Span): Name {
    return number < firstVariable ? { text: predefinedName(number), span } : this.declaredVariable(number, span);
  }

  declaredVariable(number: number, span: Span): Name {
    return found(this.variables[number - firstVariable]?.name, "variable", number, span);
  }

  /** Bytes of one element; of a predefined variable 4 (all that can be pointed at have elements of 4 bytes). */
  elementBytes(number: number): number {
    return this.variables[number - firstVariable]?.bytes ?? 4;
  }

  address(number: number, span: Span): Name {
    return found(this.#flags.address[number], "address", number, span);
  }

  /** Predicates count from 1. */
  predicate(number: number, span: Span): Name {
    return found(this.#flags.predicate[number - 1], "predicate", number, span);
  }

  sampler(number: number, span: Span): Name {
    return found(this.#flags.sampler[number], "sampler", number, span);
  }

  surface(number: number, span: Span): Name {
    return number < firstSurface ? { text: predefinedSurface(number), span } : this.declaredSurface(number, span);
  }

  declaredSurface(number: number, span: Span): Name {
    return found(this.#flags.surface[number - firstSurface], "surface", number, span);
  }

  label(number: number, span: Span): Name {
    return found(this.labels[number], "label", number, span);
  }
}

function found(name: Name | undefined, kind: string, number: number, span: Span): Name {
  if (name === undefined) throw new Broken("PTX8504", `there is no ${kind} ${number}, at byte ${span.start}`, span);
  return { text: name.text, span };
}

/** The type with this number, of something with elements. */
export function typeOf(number: number, span: Span): Type {
  const type = types[number];
  if (type === undefined || packed.has(type))
    throw new Broken("PTX8506", `there are no elements of type ${type ?? number}, at byte ${span.start}`, span);
  return type;
}

const packed: ReadonlySet<Type> = new Set<Type>(["v", "uv", "vf", "bool"]);
