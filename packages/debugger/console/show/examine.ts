import type { HostSpace } from "../../../../src/interp/contract/space.ts";
import { evaluate, littleEndian, place, reading } from "../expression/evaluate.ts";
import { surroundings } from "../expression/evaluation.ts";
import { type LinePart, refuse } from "../expression/refusal.ts";
import { convert } from "../expression/value.ts";
import type { Shell } from "../shell.ts";
import { type Examination, readExamination, write } from "./format.ts";
import { examineInstructions } from "./instructions.ts";

/** Bytes of one line. */
const ROW = 16;

/** `x/4fw ADDRESS`: memory that begins at an address. */
export function examine(shell: Shell, argument: LinePart, slash: LinePart): void {
  const [, many] = /^(\d{0,4})i$/.exec(slash.text) ?? [];
  if (many !== undefined) {
    examineInstructions(shell, argument, many === "" ? 1 : Number(many));
    return;
  }
  if (argument.text === "") throw refuse("PTX2402", "an address is missing", argument, { expected: "x[/NFU] ADDRESS" });
  const around = surroundings(shell);
  const { expression } = shell.expression(argument);
  let at: { readonly space: HostSpace; readonly address: bigint; readonly type: string | undefined };
  if (expression.kind === "memory") at = place(expression, argument, around);
  else {
    const value = evaluate(expression, argument, { ...around, addresses: true });
    const space = value.space ?? "generic";
    const address = convert(value, "u64");
    at = { space, address, type: value.of ?? around.typeAt(space, address) };
  }
  const { space, address, type } = at;
  const how = readExamination(slash, type);
  const bytes = reading(around, space, address, how.count * how.bytes, () => argument);
  // An address of tensor memory counts columns of 32 bits.
  const ahead = (units: number): bigint => BigInt(units * how.bytes) / (space === "tensor" ? 4n : 1n);
  const each = Math.max(1, ROW / how.bytes);
  for (let from = 0; from < how.count; from += each) {
    const cells: string[] = [];
    for (let unit = from; unit < Math.min(how.count, from + each); unit++) cells.push(cell(bytes, unit, how));
    const head = `${space}:${hexAddress(address + ahead(from))}`;
    shell.out(`${shell.palette.faint(`${head}:`)}  ${cells.join("  ")}\n`);
  }
  const next = address + ahead(how.count);
  shell.repeatWith(`x/${slash.text} [${space}:0x${next.toString(16)}]${type === undefined ? "" : `:${type}`}`);
}

const cell = (bytes: Uint8Array, unit: number, { bytes: size, format }: Examination): string =>
  write(littleEndian(bytes.subarray(unit * size, (unit + 1) * size)), size * 8, format);

const hexAddress = (address: bigint): string => `0x${address.toString(16).padStart(4, "0")}`;
