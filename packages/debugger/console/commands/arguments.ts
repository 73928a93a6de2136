import { type LinePart, refuse, within } from "../expression/refusal.ts";
import { floatOf, integerOf } from "../expression/value.ts";
import type { Shell } from "../shell.ts";

/** A number of times, 1 when the argument is empty; throws a `Refusal` (PTX2402). */
export function count(shell: Shell, argument: LinePart): number {
  return argument.text === "" ? 1 : Math.max(0, whole(shell, argument));
}

/** An integer that is not negative, from an expression. */
export function whole(shell: Shell, argument: LinePart): number {
  const value = shell.expression(argument).one(shell);
  const number = integerOf(value);
  if (floatOf(value.type) !== undefined || number < 0n || number > BigInt(Number.MAX_SAFE_INTEGER))
    throw refuse("PTX2402", `${argument.text} is not a count`, argument, { expected: "a whole number" });
  return Number(number);
}

/** Refuses an argument of a command that accepts none. */
export function nothing(argument: LinePart, usage: string): void {
  if (argument.text !== "")
    throw refuse("PTX2402", `${argument.text} does not belong here`, argument, { expected: usage });
}

/** Refuses a missing argument. */
export function something(argument: LinePart, usage: string): void {
  if (argument.text === "") throw refuse("PTX2402", "an argument is missing", argument, { expected: usage });
}

/** `WHAT if E`: both parts. */
export function parted(argument: LinePart): { readonly what: LinePart; readonly condition: LinePart | undefined } {
  const found = /(?:^|\s)if(?=\s|\()/.exec(argument.text);
  if (found === null) return { what: argument, condition: undefined };
  const after = found.index + found[0].length;
  return { what: within(argument, 0, found.index), condition: within(argument, after) };
}

/** The words of an argument. */
export function words(argument: LinePart): LinePart[] {
  return [...argument.text.matchAll(/\S+/g)].map(({ 0: text, index }) => within(argument, index, index + text.length));
}
