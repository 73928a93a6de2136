import { operationOf, touchesOf } from "../../../../src/interp/contract/plan/effects.ts";
import type { PlannedAccess } from "../../../../src/interp/contract/plan/shapes/shape-facts.ts";
import type { OperandClass } from "../../../../src/isa/form/operands.ts";
import type { Candidate } from "../../../../src/isa/match/match.ts";
import { widthOf } from "../../../../src/numeric/format/value-type.ts";
import type { Expression } from "../../../../src/numeric/operation/expression.ts";
import type * as ast from "../../../../src/parser/ast.ts";
import { placedOperands } from "../../../../src/resolve/instruction/operand/placed-operands.ts";
import type { Document } from "../document.ts";
import { formOf, writtenBy } from "../names/access.ts";
import { type Definition, isOf } from "../names/definition.ts";
import { inOperand } from "../names/mentioned.ts";
import { namesIn } from "../names/text-names.ts";

/** An access of memory through a name, or through a register that holds an address made of it. */
interface Access {
  readonly how: PlannedAccess["how"];
  readonly space: string;
  /** What it moves, `f32` or `v4.f32`; absent where no register is loaded or stored. */
  readonly type?: string;
  readonly line: number;
}

/** Lines that are listed for each kind of access. */
const MAX_LISTED_LINES = 8;
/** Longer bodies are not followed. */
const LONGEST = 200_000;
/** How often a body is gone through, for addresses that a loop makes of earlier ones. */
const MOST_PASSES = 4;

/** What lies behind a parameter that holds an address, or in a variable: types, state spaces, and the lines that touch it. */
export function pointeeText(document: Document, definition: Definition, func: ast.Func | undefined): string {
  if (definition.kind === "parameter" && !/^[bus]64$/.test(definition.type ?? "")) return "";
  const all = bodiesFor(document, definition, func).flatMap((each) => accessesIn(document, definition, each));
  const size = definition.kind === "variable" ? sizeText(document, definition) : "";
  if (all.length === 0) return size;
  const types = [...new Set(all.flatMap(({ type }) => (type === undefined ? [] : [`.${type}`])))];
  const spaces = [...new Set(all.map(({ space }) => (space === "generic" ? "generic memory" : `.${space}`)))];
  const leads =
    definition.kind === "parameter" ? `\n\npoints to ${types.join(", ") || "bytes"} in ${spaces.join(", ")}` : "";
  const lines = (["load", "store", "atomic"] as const).flatMap((how) => {
    const found = [...new Set(all.filter((each) => each.how === how).map(({ line }) => line))];
    if (found.length === 0) return [];
    const more = found.length > MAX_LISTED_LINES ? " ..." : "";
    const as = leads === "" && types.length > 0 ? ` as ${typesOf(all, how)}` : "";
    return [
      `\n\n${words[how]}${as} on line${found.length === 1 ? "" : "s"} ${found.slice(0, MAX_LISTED_LINES).join(", ")}${more}`,
    ];
  });
  return size + leads + lines.join("");
}

/** The bytes of an array whose sizes are written as numbers. */
function sizeText({ text }: Document, { span, type = "" }: Definition): string {
  const [sizes] = /^(?:\s*\[\s*\d{1,9}\s*\])+/.exec(text.slice(span.end, span.end + 80)) ?? [];
  if (sizes === undefined) return "";
  const [, elements = "1", element = type] = /^v(\d)\.(.*)$/.exec(type) ?? [];
  const count = (sizes.match(/\d+/g) ?? []).reduce((product, each) => product * Number(each), Number(elements));
  return `\n\n${(count * widthOf(element)) / 8} bytes`;
}

const words = { load: "loaded", store: "stored", atomic: "updated" } as const;

const typesOf = (all: readonly Access[], how: Access["how"]): string =>
  [...new Set(all.flatMap((each) => (each.how === how && each.type !== undefined ? [`.${each.type}`] : [])))].join(
    ", ",
  );

/** The bodies that may use a name: its own, or for a variable of the module all that mention it. */
function bodiesFor(
  document: Document,
  { name, scope }: Definition,
  func: ast.Func | undefined,
): readonly (ast.Func | undefined)[] {
  if (document.kind !== "module") return [func];
  if (func !== undefined && scope.start >= func.start) return [func];
  return document.module.value.items.flatMap((item) =>
    item.kind === "function" && item.body && document.text.slice(item.body.start, item.body.end).includes(name)
      ? [item]
      : [],
  );
}

/** The accesses of a body through a name, followed through the registers that its address goes to, in the order of lines. */
function accessesIn(document: Document, definition: Definition, func: ast.Func | undefined): readonly Access[] {
  const block = document.block(func);
  if (block.end - block.start > LONGEST) return [];
  const { definitions } = namesIn(document, func);
  const lookup = (name: string): Definition | undefined => definitions.find((each) => isOf(each, name));
  const instructions = instructionsIn(block);
  const held = new Set([definition.name]);
  const isValue = definition.kind === "parameter";
  const found = new Map<number, Access>();
  for (let pass = 0, size = 0; pass < MOST_PASSES && held.size > size; pass++) {
    size = held.size;
    for (const node of instructions) {
      const candidate = formOf(node, lookup);
      if (candidate === undefined) continue;
      const placed = placedOperands(candidate, node.operands);
      const touches = touchesOf(candidate.plan());
      const through = (at: number): boolean => holds(placed[at], held);
      const touch = touches.find(({ address }) => through(address));
      const written = writtenBy(node, lookup).map(({ text }) => text);
      if (touch !== undefined && touch.space !== "param") {
        const data = candidate.form.slots
          .map(({ name }) => typeIn(candidate.classes[name]))
          .find((each) => each !== undefined);
        const { line } = document.lines.position(node.start);
        found.set(node.start, {
          how: touch.how,
          space: touch.space,
          line: line + 1,
          ...(data !== undefined && { type: data }),
        });
      } else if (touch !== undefined || (touches.length === 0 && sources(candidate, isValue).some(through)))
        for (const name of written) held.add(name);
    }
  }
  return [...found].sort(([a], [b]) => a - b).map(([, access]) => access);
}

/**
 * The operands whose address the result may be: what is moved or added. Of a sum of two values, one of which counts elements,
 * that is the first, as compilers write it; the address of a variable is no count.
 */
function sources({ form, plan }: Candidate, isValue: boolean): readonly number[] {
  const all = form.slots.map((_, at) => at);
  const result = operationOf(plan())?.result;
  if (result === undefined) return all;
  const names = "of" in result ? addends(result.of) : [];
  const found = all.filter((at) => names.includes(form.slots[at]?.name ?? ""));
  return isValue ? found.slice(0, 1) : found;
}

/** The operands that are added up, or chosen among. */
function addends(x: Expression): readonly string[] {
  switch (x.node) {
    case "argument":
      return [x.name];
    case "label":
      return addends(x.a);
    case "add":
      return [...addends(x.a), ...addends(x.b)];
    case "sub":
      return addends(x.a);
    default:
      return [];
  }
}

/** Whether a name in an operand holds the address. */
function holds(operand: ast.Operand | undefined, held: ReadonlySet<string>): boolean {
  let found = false;
  if (operand !== undefined)
    inOperand(operand, ({ text }) => {
      found ||= held.has(text);
    });
  return found;
}

const instructionsIn = (block: ast.Block): readonly ast.Instruction[] =>
  block.statements.flatMap((each) =>
    each.kind === "block" ? instructionsIn(each) : each.kind === "instruction" ? [each] : [],
  );

/** What a register operand moves. */
function typeIn(wanted: OperandClass | undefined): string | undefined {
  if (wanted?.kind === "register") return wanted.type;
  return wanted?.kind === "vector" ? `v${wanted.count}.${wanted.of.type}` : undefined;
}
