import type { Debugger } from "../../../src/host/debugger/debugger.ts";
import { bytesFrom, isElementType } from "../../../src/host/memory/element.ts";
import { scalars } from "../../../src/launch/value/scalar.ts";
import { type LinePart, Refusal, refuse, spanOf, within } from "./expression/refusal.ts";
import { type Destination, targetOf } from "./expression/target.ts";
import { convert, widthIn } from "./expression/value.ts";
import type { Shell } from "./shell.ts";
import { tellForgotten } from "./show/changes.ts";
import { show } from "./show/format.ts";

/** `set X = V`: V is a value as options take it, or an expression. */
export function assign(shell: Shell, argument: LinePart): void {
  const { text } = argument;
  const lines = /^listing\s+(\d{1,3})$/.exec(text)?.[1];
  if (lines !== undefined) {
    shell.listing = Number(lines);
    shell.out(shell.listing === 0 ? "no lines after a stop\n" : `${lines} lines after each stop\n`);
    return;
  }
  const sign = /(?<![=!<>])=(?!=)/.exec(text)?.index ?? -1;
  const expected = "set X = V";
  if (sign < 0) throw refuse("PTX2402", "nothing is set", argument, { expected });
  const left = within(argument, 0, sign);
  const right = within(argument, sign + 1);
  if (left.text === "" || right.text === "") throw refuse("PTX2402", "half of it is missing", argument, { expected });
  if (shell.subject.scratch && promised(shell, left, right)) return;
  const place = targetOf(shell.expression(left), shell);
  const elements = place.elements ?? (place.register?.element === undefined ? (place.register?.of.elements ?? 1) : 1);
  // One value is for all elements of a vISA variable.
  const alone = place.elements !== undefined && !right.text.includes(",");
  const given = values(shell, right, place.type, alone ? 1 : elements);
  const bits = alone ? Array.from({ length: elements }, () => given[0] ?? 0n) : given;
  const before = shell.debugger.edits;
  write(shell.debugger, place, bits, right);
  const shown = place.elements === undefined ? bits.map((each) => show({ bits: each, type: place.type })) : [];
  shell.out(
    `${left.text} = ${place.elements === undefined ? shown.join(", ") : show(shell.expression(left).at(shell))}\n`,
  );
  tellForgotten(shell, before);
}

/** In a scratchpad a register can have a value before any instruction uses it. */
function promised(shell: Shell, left: LinePart, right: LinePart): boolean {
  const [, name = "", type] = /^(%?[A-Za-z_$][\w$]*)(?::(\w+))?$/.exec(left.text) ?? [];
  if (name === "" || shell.subject.names.find(name) !== undefined) return false;
  if (!shell.subject.promise(name, type, right.text)) return false;
  shell.out(`${name} will be ${right.text}\n`);
  return true;
}

/** The bits that a VALUE, or an expression, has in a type. */
export function values(shell: Shell, part: LinePart, type: string, count: number): readonly bigint[] {
  const plain = /^(?:[+-]?(?:[\d.]|inf$|nan$)|true$|false$)[\w.+,-]*$/i.test(part.text);
  if (plain && !/[\d)]\s*[-+*/]\s*\d/.test(part.text.replace(/e[+-]/gi, "e"))) {
    const { value, diagnostics } = scalars(partOf(part), type, part.source, count);
    if (value === undefined) throw new Refusal(diagnostics);
    return value;
  }
  if (count > 1)
    throw refuse("PTX2402", `${count} values are wanted`, part, { expected: "values with commas between them" });
  return [convert(shell.expression(part).one(shell), type)];
}

const partOf = (part: LinePart) => ({ text: part.text, span: spanOf(part) });

/** Writes to a place. */
export function write(
  debugger_: Debugger,
  { target, type, register }: Destination,
  bits: readonly bigint[],
  at: LinePart,
): void {
  const [first = 0n] = bits;
  try {
    if (target.kind === "carry") debugger_.writeCarry(first === 0n ? 0 : 1, target.thread);
    else if (target.kind === "memory")
      debugger_.write(target.space, target.address, inMemory(bits, type), target.thread);
    else if (register?.element === undefined) debugger_.writeRegister(target.name, bits, target.thread, target.scope);
    else {
      const { of, element } = register;
      const all = debugger_.reader(target)() ?? 0n;
      const each = Array.from({ length: of.elements }, (_, index) =>
        index === element ? first : BigInt.asUintN(of.bits, all >> BigInt(index * of.bits)),
      );
      debugger_.writeRegister(target.name, each, target.thread, target.scope);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refuse(target.kind === "memory" ? "PTX2406" : "PTX2407", error.message, at);
  }
}

function inMemory(bits: readonly bigint[], type: string): Uint8Array {
  const bytes = Math.max(1, widthIn(type) / 8);
  if (isElementType(type)) return bytesFrom(bits, type);
  const [first = 0n] = bits;
  return Uint8Array.from({ length: bytes }, (_, at) => Number((first >> BigInt(8 * at)) & 0xffn));
}
