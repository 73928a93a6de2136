import { registersOf } from "../../../../src/interp/contract/matrix/fragment.ts";
import { fragmentsOf, type MatrixFragments } from "../../../../src/interp/contract/matrix/matrix-fragments.ts";
import { elements, type Operand } from "../../../../src/interp/contract/operand.ts";
import { match } from "../../../../src/isa/index.ts";
import { exactDecimal } from "../../../../src/numeric/format/float-fields.ts";
import { bitsIn } from "../../../../src/numeric/format/named.ts";
import type { MatrixOperation } from "../../../../src/numeric/operation/matrix.ts";
import { elementFormat } from "../../../../src/numeric/tensor/element.ts";
import { fragmentHeader, matrixLines } from "../../../../src/present/fragment.ts";
import { laneRanges } from "../../../../src/present/text/lane-ranges.ts";
import { hex, number } from "../../../../src/present/value.ts";
import type { Evaluation } from "../expression/evaluation.ts";
import { type LinePart, Refusal, refuse, within } from "../expression/refusal.ts";
import { type ExpressionValue, elementsIn, widthIn } from "../expression/value.ts";
import type { Shell } from "../shell.ts";
import { type DisplayFormat, readFormat, show, write } from "./format.ts";

/** `lanes %r1 [%rd2]:f32`: a row an expression, a column a lane; neighbours that hold the same in all rows share one. */
function laneTable(shell: Shell, whole: LinePart, format: DisplayFormat | undefined): void {
  // Within braces, a register may have the name of a matrix.
  const braced = whole.text.startsWith("{") && whole.text.endsWith("}");
  const read = shell.expressions(braced ? within(whole, 1, whole.text.length - 1) : whole);
  const table = read.flatMap((each) => rowsOf(shell, each, format));
  const rows = table.map(({ cells }) => cells);
  const columns: { lanes: number; readonly cells: readonly string[] }[] = [];
  for (let lane = 0; lane < 32; lane++) {
    const cells = rows.map((row) => row[lane] ?? "-");
    const last = columns.at(-1);
    if (last?.cells.every((cell, at) => cell === cells[at])) last.lanes |= 1 << lane;
    else columns.push({ lanes: 1 << lane, cells });
  }
  const names = ["", ...table.map(({ name }) => name)];
  const all = columns.map(({ lanes, cells }) => [laneRanges(lanes >>> 0, 0), ...cells]);
  const head = Math.max(...names.map(({ length }) => length));
  for (const piece of pieces(all, shell.columns - head))
    for (const [row, name] of names.entries()) {
      const cells = piece.map((column) => (column[row] ?? "").padStart(widthOf(column)));
      const line = `${name.padEnd(head)}  ${cells.join("  ")}`.trimEnd();
      shell.out(`${row === 0 ? shell.palette.faint(line) : line}\n`);
    }
}

interface LaneRow {
  readonly name: string;
  readonly cells: readonly (string | undefined)[];
}

/** The rows of an expression: a variable of vISA has its elements there, 32 a row, and a predicate the channels' bits. */
function rowsOf(shell: Shell, each: Evaluation, format: DisplayFormat | undefined): readonly LaneRow[] {
  const name = each.part.text;
  const value = each.expression.kind === "name" ? each.at(shell) : undefined;
  if (value?.elements !== undefined) {
    const cells = elementsIn(value).map((bits) => cell({ bits, type: value.type }, format));
    const starts = Array.from({ length: Math.ceil(cells.length / 32) }, (_, at) => 32 * at);
    return starts.map((at) => ({ name: at === 0 ? name : `${name}[${at}]`, cells: cells.slice(at, at + 32) }));
  }
  const found = shell.subject.names.find(name);
  if (value === undefined || found?.kind !== "register" || !found.register.across)
    return [{ name, cells: lanesOf(shell, each, format) }];
  return [{ name, cells: Array.from({ length: 32 }, (_, lane) => `${(value.bits >> BigInt(lane)) & 1n}`) }];
}

/** The value in each lane of the focused warp; undefined for a lane without a thread, or without such a value. */
function lanesOf(shell: Shell, each: Evaluation, format: DisplayFormat | undefined): (string | undefined)[] {
  const { block, warp, lane: focused } = shell.debugger.focus;
  // An error that every lane has is reported once.
  if (each.expression.kind !== "memory") each.at(shell, { block, warp, lane: focused });
  return Array.from({ length: 32 }, (_, lane) => {
    if (!shell.debugger.machine.exists({ block, warp, lane })) return undefined;
    try {
      return cell(each.at(shell, { block, warp, lane }), format);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return undefined;
    }
  });
}

/** A table cell: a value without a known meaning is shown as bits. */
function cell(value: ExpressionValue, format: DisplayFormat | undefined): string {
  const { bits, type, calculated } = value;
  if (format !== undefined) return calculated ? show(value, format) : write(bits, widthIn(type), format);
  if (type === "pred") return `${bits}`;
  return type.startsWith("b") && !type.startsWith("bf") ? hex(bits, widthIn(type)) : number(bits, type);
}

const widthOf = (column: readonly string[]): number => Math.max(...column.map(({ length }) => length));

/** Columns that fit beside each other. */
function pieces(all: readonly (readonly string[])[], columns: number): (readonly string[])[][] {
  const found: (readonly string[])[][] = [];
  let left = 0;
  for (const column of all) {
    const width = widthOf(column) + 2;
    if (left < width || found.length === 0) {
      found.push([]);
      left = columns;
    }
    found.at(-1)?.push(column);
    left -= width;
  }
  return found;
}

/** The matrices that a warp holds in fragments, by the names that `lanes` accepts. */
const roles = {
  d: { fragment: "d", operand: 0 },
  a: { fragment: "a", operand: 1 },
  b: { fragment: "b", operand: 2 },
  c: { fragment: "c", operand: 3 },
  e: { fragment: "metadata", operand: 4 },
  "scale-a": { fragment: "scaleA", operand: 4 },
  "scale-b": { fragment: "scaleB", operand: 6 },
} as const satisfies Readonly<Record<string, { fragment: keyof MatrixFragments; operand: number }>>;
type Role = keyof typeof roles;
export const fragmentNames = Object.keys(roles) as readonly Role[];
const isRole = (text: string): text is Role => Object.hasOwn(roles, text);

const usage = "lanes[/FORMAT] E... | a|b|c|d|e|scale-a|scale-b | {R, ...} as ROLE of OPCODE";

/**
 * `lanes`: what all lanes of the focused warp hold. Expressions are a table; a fragment of a matrix instruction is the
 * matrix, with the layout in the manual's words.
 */
export function showLanes(shell: Shell, argument: LinePart, slash: LinePart): void {
  const format = readFormat(slash);
  const { text } = argument;
  if (text === "") throw refuse("PTX2402", "an argument is missing", argument, { expected: usage });
  if (isRole(text)) {
    const { op, operands, where } = instructionHere(shell, argument);
    if (fragmentsOf(op)[roles[text].fragment] === undefined)
      throw refuse("PTX2407", `${where.slice(where.indexOf(":") + 2)} has no ${text}`, argument);
    shell.out(`${where}\n`);
    const held = { op, role: text, items: elements(operands[operandOf(text, op)]) };
    print(shell, held, firstHolder(shell, text, op, operands), format, argument);
    return;
  }
  const as = text.lastIndexOf(" as ");
  if (as < 0) {
    laneTable(shell, argument, format);
    return;
  }
  const of = text.indexOf(" of ", as);
  const role = within(argument, as + 4, of < 0 ? text.length : of);
  if (!isRole(role.text))
    throw refuse("PTX2402", `${role.text} is not a matrix`, role, { expected: fragmentNames.join(", ") });
  if (of < 0) throw refuse("PTX2402", "an instruction is missing", argument, { expected: usage });
  const op = operationOf(within(argument, of + 4));
  print(shell, { op, role: role.text, items: registersNamed(shell, within(argument, 0, as)) }, 0, format, argument);
}

const operandOf = (role: Role, op: MatrixOperation): number =>
  roles[role].operand + (role.startsWith("scale") && op.sparse ? 2 : 0);

/** The matrix instruction that comes next, or the one before it. */
function instructionHere(shell: Shell, at: LinePart) {
  const { session } = shell.debugger;
  const pc = shell.debugger.pcOf();
  for (const [back, where] of [
    [0, "next"],
    [1, "before"],
  ] as const) {
    const found = pc === undefined ? undefined : session.program.code[pc - back];
    if (found?.plan.shape === "multiply")
      return { op: found.plan.op, operands: found.operands, where: `${where}: ${found.opcode}` };
  }
  throw refuse("PTX2407", "neither the next instruction nor the one before multiplies matrices", at, {
    expected: "lanes {R, ...} as ROLE of OPCODE, or a stop at mma or after it",
  });
}

/** The operation that an opcode spells. */
function operationOf(at: LinePart): MatrixOperation {
  const [mnemonic = "", ...words] = at.text.split(".");
  const found = match(mnemonic, words);
  const plan = found.kind === "forms" ? found.candidates[0].plan() : undefined;
  if (plan?.shape !== "multiply")
    throw refuse("PTX2402", `${at.text} multiplies no matrices`, at, { expected: "mma.sync.aligned.m16n8k16..." });
  return plan.op;
}

/** `{%r1, %r2}` or `%r1`. */
function registersNamed(shell: Shell, part: LinePart): Operand[] {
  const { text } = part;
  const inner = text.startsWith("{") && text.endsWith("}") ? within(part, 1, text.length - 1) : part;
  let from = 0;
  return inner.text.split(",").flatMap((name) => {
    const each = within(inner, from, from + name.length);
    from += name.length + 1;
    const found = shell.subject.names.need(each.text, each);
    if (found.kind !== "register" || found.register.bank === "p")
      throw refuse("PTX2404", `${each.text} is not a register of numbers`, each);
    const { bank, slot, bits, elements: count } = found.register;
    const at = found.element === undefined ? Array.from({ length: count }, (_, index) => index) : [found.element];
    return at.map((index): Operand => ({ kind: "slot", bank, slot: slot + index, bits: bits as 32 | 64 }));
  });
}

/** Which thread of each group is the first that holds the fragment: an operand of the instruction selects it. */
function firstHolder(
  shell: Shell,
  role: Role,
  op: MatrixOperation,
  operands: readonly (Operand | undefined)[],
): number {
  const value = (operand: Operand | undefined): number =>
    operand === undefined ? 0 : Number(shell.debugger.session.operand(shell.debugger.focus, operand)[0] ?? 0n);
  const threads = fragmentsOf(op)[roles[role].fragment]?.holders?.threads ?? 4;
  if (role === "e") return (value(operands[5]) * threads) % 4;
  if (!role.startsWith("scale")) return 0;
  return value(elements(operands[operandOf(role, op) + 1])[1]) * threads;
}

function print(
  shell: Shell,
  { op, role, items }: { readonly op: MatrixOperation; readonly role: Role; readonly items: readonly Operand[] },
  first: number,
  format: DisplayFormat | undefined,
  at: LinePart,
): void {
  const fragment = fragmentsOf(op)[roles[role].fragment];
  if (fragment === undefined) throw refuse("PTX2407", `the instruction has no ${role}`, at);
  const needed = role.startsWith("scale") ? 1 : registersOf(fragment);
  if (items.length !== needed)
    throw refuse(
      "PTX2402",
      `${items.length} register${items.length === 1 ? "" : "s"} where ${role} has ${needed}`,
      at,
      { expected: `${needed}` },
    );
  const type = role === "e" ? "b4" : role.startsWith("scale") ? (op.scale?.type ?? "ue8m0") : op[role as "a"];
  for (const line of fragmentHeader(fragment, type)) shell.out(`${shell.palette.faint(line)}\n`);
  const { block, warp } = shell.debugger.focus;
  const read = registerReader(shell, block, warp);
  const each = fragment.bits === 64 ? 1 : 32 / fragment.bits;
  const shift = op.contained && type === "e2m1" ? 2 : 0;
  const lines = matrixLines(
    fragment,
    ({ lane, i }) => {
      const item = items[Math.floor(i / each)];
      const word = item === undefined || item.kind === "sink" ? undefined : read(item, lane);
      if (word === undefined) return "-";
      const bits = BigInt.asUintN(fragment.bits, word >> BigInt((i % each) * fragment.bits));
      return format === undefined ? element(bits >> BigInt(shift), type) : write(bits, fragment.bits, format);
    },
    first,
  );
  for (const line of lines) shell.out(`${line}\n`);
}

const registerReader =
  (shell: Shell, block: number, warp: number) =>
  (item: Operand, lane: number): bigint | undefined =>
    shell.debugger.machine.exists({ block, warp, lane })
      ? shell.debugger.session.operand({ block, warp, lane }, item)[0]
      : undefined;

/** An element as the number that it is. */
function element(bits: bigint, type: string): string {
  switch (type) {
    case "b1":
      return bits.toString();
    case "b4":
      return bits.toString(2).padStart(4, "0");
    case "s4":
    case "s8":
    case "s32":
      return BigInt.asIntN(Number(type.slice(1)), bits).toString();
    case "u4":
    case "u8":
      return bits.toString();
    case "tf32":
      return number(BigInt.asUintN(32, bits & ~0x1fffn), "f32");
    case "f16":
    case "bf16":
    case "f32":
    case "f64":
      return number(bits, type);
    default: {
      const format = elementFormat(type as "e4m3");
      return exactDecimal(format, BigInt.asUintN(bitsIn(format), bits));
    }
  }
}
