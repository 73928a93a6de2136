import { factsOf } from "../../../../src/interp/contract/space.ts";
import type { OperandClass, RegisterClass, RegisterType } from "../../../../src/isa/form/operands.ts";
import { type Candidate, match } from "../../../../src/isa/index.ts";
import { specialRegisters } from "../../../../src/isa/special-registers.ts";
import { fits } from "../../../../src/resolve/instruction/operand/register-type.ts";
import { has } from "../../../../src/resolve/instruction/since.ts";
import type { Document } from "../document.ts";
import type { Definition } from "../names/definition.ts";
import { moduleNames } from "../names/text-names.ts";
import type { Place } from "../text/place.ts";
import { type Sketch, wordsOf } from "../text/sketch.ts";
import { headerOf } from "./header.ts";
import { at, type Completion } from "./item.ts";
import { namesAt } from "./names.ts";

/** A register that may be meant, and how far away it was last used. */
interface NearRegister {
  readonly name: string;
  /** Absent where nothing declares it. */
  readonly type: string | undefined;
  readonly rank: number;
}

/**
 * The registers that are visible at a position: those that the body uses, those nearest before it first, and of each
 * range the first unused one.
 */
function registersNear(document: Document, place: Place): readonly NearRegister[] {
  const { offset, whole } = place;
  const { definitions, mentions } = namesAt(document, place);
  const found = new Map<string, NearRegister>();
  const before = mentions.filter(({ start }) => start < whole.start).reverse();
  const after = mentions.filter(({ start }) => start >= whole.end);
  let order = 0;
  for (const { text, definition } of [...before, ...after]) {
    const undeclared = definition === undefined && document.kind === "snippet" && !text.includes("%tid");
    if (found.has(text) || !(definition?.kind === "register" || undeclared)) continue;
    if (definition && (definition.scope.end < offset || definition.from > offset)) continue;
    found.set(text, { name: text, type: definition?.type, rank: Math.min(0.9, order++ / 1000) });
  }
  for (const { kind, name, count, type, scope, from } of definitions) {
    if (kind !== "register" || offset < from || scope.end < offset) continue;
    const next = count === undefined ? name : firstUnused(name, count, found);
    if (next !== undefined && !found.has(next)) found.set(next, { name: next, type, rank: 1 });
  }
  return [...found.values()];
}

function firstUnused(stem: string, count: number, used: ReadonlyMap<string, unknown>): string | undefined {
  for (let number = 0; number < count; number++) if (!used.has(`${stem}${number}`)) return `${stem}${number}`;
  return undefined;
}

/** What may stand at the operand that the cursor is in. */
export function completeOperand(document: Document, place: Place, sketch: Sketch): readonly Completion[] {
  const found = match(sketch.mnemonic?.text ?? "", wordsOf(sketch));
  if (found.kind !== "forms") return [];
  const header = headerOf(document);
  const candidates = found.candidates.filter(({ form, since }) => has(header, since, form.until));
  const wanted = candidates.flatMap((candidate) => wantedAt(candidate, sketch));
  const all = new Map<string, Completion>();
  for (const each of wanted)
    for (const item of fitting(each, document, place, sketch)) if (!all.has(item.label)) all.set(item.label, item);
  return [...all.values()];
}

/** Predicates, behind `@`. */
export const completeGuard = (document: Document, place: Place): readonly Completion[] =>
  registers(document, place, (type) => type === "pred");

/** The classes that a form has for the operand that the cursor is in. */
export function wantedAt({ form, classes }: Candidate, { operands }: Sketch): readonly OperandClass[] {
  const present = form.slots.filter(({ name }) => classes[name]?.kind !== "absent");
  // A call may begin with its results, in parentheses.
  const bare = classes[present[0]?.name ?? ""]?.kind === "results" && operands[0]?.[0]?.text !== "(";
  const slots = bare ? present.slice(1) : present;
  const slot = slots[operands.length - 1];
  const inPair = operands.at(-1)?.some(({ text }) => text === "|");
  const name = inPair && slot?.second ? slot.second.name : slot?.name;
  const wanted = name === undefined ? undefined : classes[name];
  return wanted === undefined ? [] : [wanted];
}

function fitting(wanted: OperandClass, document: Document, place: Place, sketch: Sketch): readonly Completion[] {
  const [outer] = sketch.open;
  switch (wanted.kind) {
    case "register":
      return outer === undefined ? oneOf(wanted, document, place) : [];
    case "predicate":
      return completeGuard(document, place);
    case "vector":
      return outer === "{" ? oneOf(wanted.of, document, place) : vectors(wanted.count, wanted.of, document, place);
    case "tuple": {
      const [first] = wanted.of;
      return outer === "{" ? oneOf(first, document, place) : [];
    }
    case "address":
    case "tensor address":
      return outer === "[" ? addresses(wanted, document, place) : [];
    case "handle":
      return named(document, place, ({ type = "" }) => (wanted.of as readonly string[]).includes(type));
    case "target": {
      const kinds = { label: "label", function: "function", list: "list", prototype: "prototype" } as const;
      return named(document, place, ({ kind }) => kind === kinds[wanted.what]);
    }
    case "callees":
      return named(document, place, ({ kind }) => kind === "list" || kind === "prototype");
    case "callee":
      return named(document, place, ({ kind }) => kind === "function");
    case "results":
    case "arguments":
      return [
        ...registers(document, place, (type) => type !== "pred"),
        ...named(document, place, ({ space, kind }) => space === "param" && kind === "variable"),
      ];
    default:
      return [];
  }
}

/** What may stand for one register. */
function oneOf(wanted: RegisterClass, document: Document, place: Place): readonly Completion[] {
  return [
    ...registers(document, place, (type) => fits(type, wanted)),
    ...(wanted.special ? specials(wanted, document, place) : []),
    ...(wanted.symbol
      ? named(
          document,
          place,
          ({ kind, space }) => kind === "function" || (kind === "variable" && (wanted.space ?? space) === space),
        )
      : []),
  ];
}

function registers(
  document: Document,
  place: Place,
  allows: (type: RegisterType | "pred") => boolean,
): readonly Completion[] {
  const item = at(place.whole);
  return registersNear(document, place)
    .filter(({ type }) => type === undefined || allows(type as RegisterType | "pred"))
    .map(({ name, type, rank }) => item("register", name, { rank, ...(type !== undefined && { detail: `.${type}` }) }));
}

const vectors = (count: number, of: RegisterClass, document: Document, place: Place): readonly Completion[] =>
  named(document, place, ({ kind, type = "" }) => {
    const [, size, element] = /^v(\d)\.(\w+)$/.exec(type) ?? [];
    return kind === "register" && Number(size) === count && fits(element as RegisterType, of);
  });

function specials({ bits, types }: RegisterClass, document: Document, place: Place): readonly Completion[] {
  const item = at(place.whole);
  const header = headerOf(document);
  if (types[0]?.startsWith("f")) return [];
  return [...specialRegisters.values()].flatMap(({ name, type, vector, since, long }) => {
    const own = type === "pred" ? 1 : Number(type.slice(1));
    const suits = own === bits || (bits === 64 && long === true) || (bits === 16 && vector);
    if (!suits || !has(header, since)) return [];
    const names = vector ? ["x", "y", "z"].map((part) => `%${name}.${part}`) : [`%${name}`];
    return names.map((each) => item("special register", each, { detail: `.${type}`, rank: 3 }));
  });
}

/** Where memory is: registers as wide as an address, and variables of its space. */
function addresses(
  wanted: OperandClass & { readonly kind: "address" | "tensor address" },
  document: Document,
  place: Place,
): readonly Completion[] {
  if (wanted.kind === "tensor address")
    return registers(document, place, (type) => (wanted.types as readonly string[]).includes(type));
  const { space } = wanted;
  const wide = /^[bus]64$/;
  const near = space !== "generic" && factsOf(space).near ? /^[bus](?:32|64)$/ : wide;
  return [
    ...(space === "param" ? [] : registers(document, place, (type) => near.test(type))),
    ...named(document, place, (each) =>
      space === "generic"
        ? each.kind === "variable" && each.space !== "reg"
        : each.space === space && each.kind !== "register",
    ),
  ];
}

const kinds: Readonly<Record<Definition["kind"], Completion["kind"]>> = {
  register: "register",
  parameter: "parameter",
  variable: "variable",
  label: "label",
  list: "label",
  prototype: "label",
  function: "function",
  kernel: "function",
};

/** Names that are visible here, of the module and of the body. */
function named(document: Document, place: Place, keep: (definition: Definition) => boolean): readonly Completion[] {
  const { whole, offset, inBody } = place;
  const item = at(whole);
  const own = inBody ? namesAt(document, place).definitions : [];
  const visible = own.filter(({ scope, from }) => from <= offset && offset <= scope.end);
  return [...visible, ...moduleNames(document)].filter(keep).map((each) => {
    const detail = [each.space, each.type].flatMap((word) => (word === undefined ? [] : [`.${word}`])).join(" ");
    return item(kinds[each.kind], each.name, { rank: 2, ...(detail !== "" && { detail }) });
  });
}
