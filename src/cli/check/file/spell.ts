import { bytesOf } from "../../../host/memory/element.ts";
import { writesCarry } from "../../../interp/contract/plan/effects.ts";
import type { Result } from "../../../interp/contract/program.ts";
import type { Session } from "../../../interp/machine/session.ts";
import { threadId } from "../../../launch/extents.ts";
import { findRegister } from "../../../launch/find-register.ts";
import { scalars } from "../../../launch/value/scalar.ts";
import { hex, number } from "../../../present/value.ts";
import { Source } from "../../../source/source.ts";
import type { CaseRun } from "../case/run.ts";
import type { CaseOptions } from "../options.ts";
import type { CaseLine } from "./directive.ts";

/**
 * Values of a type as one VALUE, in the style of the one that they replace: bits stay bits, and numbers stay numbers
 * if they read back to the same bits.
 */
export function spellValues(bits: readonly bigint[], type: string, width: number, old: string): string {
  const raw = bits.map((each) => hex(each, width)).join(",");
  if (/^(?:\w+:)?0[xbfd]/i.test(old.replace(/^[a-z]\w*x\d+:/, ""))) return raw;
  const numbers = bits.map((each) => number(each, type).replaceAll(" ", "")).join(",");
  const span = { start: 0, end: numbers.length };
  const { value: back } = scalars({ text: numbers, span }, type, new Source("", numbers));
  return back?.length === bits.length && back.every((each, index) => each === bits[index]) ? numbers : raw;
}

/**
 * The right side for a case with `-> ?`: registers of a snippet that were no inputs or have changed, and buffers and
 * variables that have changed. Empty when there are none.
 */
export function spellState(session: Session, line: CaseLine, ran: CaseRun, options: CaseOptions): string {
  const named = new Set(line.expectations.map(({ text }) => /^[^=~:[]*/.exec(text)?.[0] ?? ""));
  const returned = session.program.results;
  const outputs =
    returned !== undefined
      ? results(session, returned, options)
      : ran.loaded.module === undefined
        ? registers(session, line, ran, options)
        : [];
  const changed = ran.watched.filter(({ buffer, before }) => buffer.read().some((byte, at) => byte !== before[at]));
  for (const { name, type, buffer } of changed.length > 0 ? changed : ran.watched.filter(({ given }) => given)) {
    outputs.push([name, spellValues(buffer.toBits(type), type, bytesOf(type) * 8, "")]);
  }
  return outputs.flatMap(([name, value]) => (named.has(name) ? [] : [`${name}=${value}`])).join(" ");
}

/** The results of a function. */
function results(session: Session, named: readonly Result[], { thread }: CaseOptions): [string, string][] {
  const [block, at] = thread === undefined || thread === "all" ? [0, 0] : thread;
  const views = session.registers(threadId({ block, thread: at }, session.program));
  return named.map(({ name, registers }): [string, string] => {
    const bits = registers.flatMap((register) => views.find((view) => view.name === register.name)?.bits ?? []);
    const [{ type, bits: width } = { type: "b32", bits: 32 }] = registers;
    return [name, spellValues(bits, type, width, "0x")];
  });
}

function registers(session: Session, line: CaseLine, { start }: CaseRun, { thread }: CaseOptions): [string, string][] {
  const [block, at] = thread === undefined || thread === "all" ? [0, 0] : thread;
  const id = threadId({ block, thread: at }, session.program);
  const given = new Set(
    line.inputs.map(({ text }) => findRegister(session.program, /^[^=:]*/.exec(text)?.[0] ?? "")?.name),
  );
  const spelled = session.registers(id).flatMap(({ name, type, width, bits, written }): [string, string][] => {
    const changed = bits.some((each, index) => each !== (start.get(name)?.[index] ?? 0n));
    if (!written || (given.has(name) && !changed)) return [];
    return [[name, spellValues(bits, type, width, "0x")]];
  });
  const carries = session.program.code.some(({ plan }) => writesCarry(plan));
  return carries ? [...spelled, ["cc.cf", String(session.carry(id))]] : spelled;
}
