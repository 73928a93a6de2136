import { isConstant } from "../../../src/interp/contract/constant.ts";
import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import type { Operand } from "../../../src/interp/contract/operand.ts";
import { readsCarry, touchesOf, writtenBy } from "../../../src/interp/contract/plan/effects.ts";
import type { Plan } from "../../../src/interp/contract/plan/plan.ts";
import type { Instruction } from "../../../src/interp/contract/program.ts";
import type { Operation } from "../../../src/numeric/operation/operation.ts";
import { number } from "../../../src/present/value.ts";
import { operationTypes } from "../../../src/present/working/type.ts";
import type { Origin, Role, Shown } from "./cause.ts";
import { exchangedLeads } from "./exchange.ts";
import { multipliedLeads } from "./matrix.ts";
import { meaningOf, strangeIn } from "./meaning.ts";
import type { Names } from "./names.ts";
import type { Past } from "./past.ts";
import { leaves, type Moment, type Sought, type Writer } from "./writers.ts";

/** A value that explains another one: where to look for its writer, or where it comes from. */
export interface Lead {
  readonly value: Shown;
  readonly role?: Role;
  readonly sought?: Sought;
  readonly before?: Moment;
  readonly origin?: Origin;
}

/** What an instruction did to make a value. */
export interface Made {
  readonly operands: readonly Shown[];
  /** What is worth following, the most telling first. */
  readonly leads: readonly Lead[];
  readonly sum?: string;
  readonly note?: string;
  /** The type of the result, where the instruction says so. */
  readonly type?: string;
}

/** The bits of a result that are asked about, and how they are read. */
export interface Asked {
  readonly low: number;
  readonly bits: number;
  readonly type: string;
  readonly value: bigint | undefined;
}

/** Reads the operands of a thread's instruction as leads. */
export class Reader {
  readonly past: Past;
  readonly names: Names;

  constructor(past: Past, names: Names) {
    this.past = past;
    this.names = names;
  }

  /** A scalar operand before a step, or some bits of it, read as a type. */
  lead(step: number, thread: ThreadId, operand: Operand, type: string, part?: { low: number; bits: number }): Lead {
    const { program } = this.past;
    if (operand.kind === "address") {
      const bits = this.past.operand(step, thread, operand)[0];
      if (operand.base === undefined)
        return { value: { name: "the address", type: "b64", bits }, origin: { kind: "constant" } };
      const { value: _, ...base } = this.lead(step, thread, operand.base, "b64");
      return { ...base, value: this.shown(this.names.operand(operand.base) ?? "the address", "b64", bits) };
    }
    if (operand.kind !== "slot" && operand.kind !== "predicate")
      return { value: { name: "_", type, bits: undefined }, origin: { kind: "constant" } };
    const whole = this.past.operand(step, thread, operand)[0];
    const width = operand.kind === "predicate" ? 1 : operand.bits;
    const { low, bits } = part ?? { low: 0, bits: width };
    const value = whole === undefined ? undefined : BigInt.asUintN(bits, whole >> BigInt(low));
    const known = this.names.operand(operand);
    const bank = operand.kind === "predicate" ? "p" : operand.bank;
    const own = this.names.typeOf(bank, operand.slot);
    const shown = known === undefined || low > 0 || bits < width ? type : better(type, own);
    const name = known ?? (value === undefined ? "a number" : number(value, type));
    const made = this.shown(name, bank === "p" ? "pred" : shown, value);
    if (
      isConstant(operand, program) ||
      program.constants.some((each) => each.bank === bank && each.slot === operand.slot)
    )
      return { value: { ...made, name: number(value ?? 0n, type) }, origin: { kind: "constant" } };
    if (program.specials.some((each) => each.bank === bank && each.slot === operand.slot))
      return { value: made, origin: { kind: "special" } };
    return { value: made, sought: { kind: "slot", thread, bank, slot: operand.slot, low, bits }, before: { step } };
  }

  /** A value, and what it is the address of. */
  shown(name: string, type: string, bits: bigint | undefined): Shown {
    const points = this.names.pointee(type, bits);
    return { name, type, bits, ...(points === undefined ? {} : { points }) };
  }

  /** Memory before a moment. */
  memory(before: Moment, sought: Omit<Sought & { kind: "memory" }, "kind">, type: string): Lead {
    const { space, address, bytes, thread } = sought;
    const bits = this.past.memory(before.step, space, address, bytes, thread);
    return {
      value: this.shown(this.names.place(space, address), type, bits),
      sought: { kind: "memory", ...sought },
      before,
    };
  }
}

/** The type that says more: a declared one, where only bits are known. */
const better = (type: string, declared: string | undefined): string =>
  declared !== undefined && /^b\d/.test(type) && !/^b\d|^pred/.test(declared) ? declared : type;

/** What the instruction that has written something did. */
export function madeBy(writer: Writer, asked: Asked, reader: Reader): Made {
  const { past } = reader;
  const instruction = past.program.code[writer.pc]!;
  const { thread, step } = writer;
  if (writer.kind === "argument" || writer.kind === "returned") return passed(writer, asked, reader);
  if (writer.kind === "store") return stored(writer, instruction, asked, reader);
  const made = resultOf(instruction.plan, instruction, writer, asked, reader);
  return { ...made, leads: [...made.leads, ...guardLeads(instruction, step, thread, asked, reader)] };
}

/** The guard that let an instruction be executed: it matters for an ordinary value. */
function guardLeads(
  { guard }: Instruction,
  step: number,
  thread: ThreadId,
  { type, value }: Asked,
  reader: Reader,
): readonly Lead[] {
  if (guard === undefined || strangeIn(type, value) !== undefined) return [];
  return [{ ...reader.lead(step, thread, { kind: "predicate", ...guard }, "pred"), role: "choice" }];
}

/** A value on its way into a function or out of it. */
function passed(
  { from, offset, step, thread }: Writer & { kind: "argument" | "returned" },
  { low, bits, type }: Asked,
  reader: Reader,
): Made {
  if (from.kind !== "address") {
    const items = leaves(from);
    const size = items[0]?.kind === "slot" ? items[0].bits / 8 : 4;
    const item = items[Math.floor(offset / size)] ?? items[0];
    if (item === undefined) return { operands: [], leads: [] };
    const width = item.kind === "slot" ? item.bits : 1;
    const lead = reader.lead(
      step,
      thread,
      item,
      type,
      bits < width ? { low: low + 8 * (offset % size), bits } : undefined,
    );
    return { operands: [lead.value], leads: [lead] };
  }
  const [address = 0n] = reader.past.operand(step, thread, from);
  const space = from.of === "kernel" ? "param" : "local";
  const bytes = Math.max(1, bits >> 3);
  const lead = reader.memory({ step }, { space, address: address + BigInt(offset + (low >> 3)), bytes, thread }, type);
  return { operands: [lead.value], leads: [lead] };
}

/** A value that was stored in memory, or computed there. */
function stored(
  { event, offset, step, thread }: Writer & { kind: "store" },
  instruction: Instruction,
  asked: Asked,
  reader: Reader,
): Made {
  const { plan, operands } = instruction;
  const { type, bits } = asked;
  const guards = guardLeads(instruction, step, thread, asked, reader);
  if (event.late) return copied(plan, operands, event.step, step, thread, offset, asked, reader);
  const [touch] = touchesOf(plan);
  if (plan.shape === "atomic") {
    const made = updated(plan.space === "shared" ? (plan.shared ?? plan.op) : plan.op, instruction, { step, lane: thread.lane }, thread, asked, reader); // biome-ignore format: one row
    return { ...made, leads: [...made.leads, ...guards] };
  }
  const data = leaves(operands[touch?.data ?? -1]);
  if (touch === undefined || data.length === 0 || touch.lines !== undefined)
    return everything(instruction, step, thread, reader);
  const at = Math.max(0, Math.floor(offset / touch.bytes));
  const item = data[at] ?? data[0]!;
  const within = 8 * (Math.max(0, offset) - at * touch.bytes);
  const part = item.kind === "slot" && item.bits > bits ? { low: within, bits } : undefined;
  const lead = reader.lead(step, thread, item, type, part);
  return { operands: [lead.value], leads: [lead, ...guards] };
}

/** What an asynchronous operation has written: a copy of other memory. */
function copied(
  plan: Plan,
  operands: Instruction["operands"],
  happened: number,
  step: number,
  thread: ThreadId,
  offset: number,
  { type, bits }: Asked,
  reader: Reader,
): Made {
  const from = operands[1];
  if ((plan.shape !== "copy async" && plan.shape !== "bulk copy") || from === undefined)
    return { operands: [], leads: [], note: "an asynchronous operation" };
  const [address = 0n] = reader.past.operand(step, thread, from);
  const space = plan.shape === "bulk copy" ? plan.from : "global";
  const lead = reader.memory(
    { step: happened },
    { space, address: address + BigInt(offset), bytes: bits >> 3, thread },
    type,
  );
  return { operands: [lead.value], leads: [lead], note: "an asynchronous copy" };
}

/** An atomic operation: of the value that was there and the operands. */
function updated(
  op: Operation,
  { operands, plan }: Instruction,
  before: Moment,
  thread: ThreadId,
  { type, value }: Asked,
  reader: Reader,
): Made {
  const [touch] = touchesOf(plan);
  const address = operands[touch?.address ?? 0];
  if (touch === undefined || address === undefined) return { operands: [], leads: [] };
  const given = operands.slice(touch.data).flatMap(leaves);
  const [at = 0n] = reader.past.operand(before.step, thread, address);
  const { takes } = op;
  const leads = takes.map(({ name, type: own }, index): Lead => {
    const as = /^b/.test(own) ? type : own;
    if (name === "held" || index === 0)
      return reader.memory(before, { space: touch.space, address: at, bytes: touch.bytes, thread }, as);
    return reader.lead(before.step, thread, given[index - 1] ?? { kind: "sink" }, as);
  });
  // Lanes of one instruction come one after the other: what the lanes before left is not in memory before the step.
  const meaning =
    before.lane === 0 || leads.length < 2
      ? meaningOf(
          op,
          leads.map(({ value }) => value.bits ?? 0n),
        )
      : undefined;
  return { operands: leads.map(({ value }) => value), ...chosenLeads(leads, type, value, meaning?.note), ...meaning };
}

/** The leads of an instruction that takes some values and gives one. */
export function chosenLeads(
  all: readonly Lead[],
  type: string,
  value: bigint | undefined,
  note?: string,
): Pick<Made, "leads"> {
  const known = all.filter(({ origin }) => origin?.kind !== "constant");
  const strange = strangeIn(type, value);
  const are = (what: ReturnType<typeof strangeIn>) =>
    known.filter((each) => strangeIn(each.value.type, each.value.bits) === what);
  if (strange === undefined) {
    // A NaN that has become an ordinary number explains more than the others do.
    const [nan] = are("nan");
    return { leads: nan === undefined ? known : [nan] };
  }
  const [same] = are(strange);
  if (same !== undefined && (strange === "nan" || note === undefined)) return { leads: [same] };
  const zeros = /0/.test(note ?? "")
    ? known.filter(({ value }) => value.bits !== undefined && isZero(value.bits, value.type))
    : [];
  const telling = [...are("infinity"), ...zeros];
  return { leads: telling.length > 0 ? telling : known };
}

const isZero = (bits: bigint, type: string): boolean => /^-?0\.0$/.test(number(bits, type));

/** What made a register's value. */
function resultOf(
  plan: Plan,
  instruction: Instruction,
  { step, thread, position }: Writer & { kind: "result" },
  asked: Asked,
  reader: Reader,
): Made {
  const { operands } = instruction;
  const { low, bits, type, value } = asked;
  const read = operands.slice(writtenBy(plan));
  const written = operands
    .slice(0, writtenBy(plan))
    .flatMap((each): readonly Operand[] => (each === undefined ? [{ kind: "sink" }] : leaves(each)));
  const target = written[position];
  const width = target?.kind === "slot" ? target.bits : 1;
  const isPart = low > 0 || bits < width;
  const part = isPart ? { low, bits } : undefined;
  switch (plan.shape) {
    case "compute":
    case "carry":
    case "compare":
    case "test":
      return computed(plan, read, step, thread, asked, isPart, reader);
    case "select": {
      const [a, b, p] = read;
      if (a === undefined || b === undefined || p === undefined) return everything(instruction, step, thread, reader);
      const holds = reader.past.operand(step, thread, p)[0] === 1n;
      const chosen = reader.lead(step, thread, holds ? a : b, type, part);
      const choice: Lead = { ...reader.lead(step, thread, p, "pred"), role: "choice" };
      const alone = strangeIn(type, value) !== undefined && chosen.sought !== undefined;
      return {
        operands: [chosen.value, choice.value],
        leads: [...(chosen.sought || chosen.origin?.kind === "special" ? [chosen] : []), ...(alone ? [] : [choice])],
      };
    }
    case "move": {
      const from = read.flatMap(leaves)[position];
      if (from === undefined) return { operands: [], leads: [] };
      const lead = reader.lead(step, thread, from, type, part);
      return { operands: [lead.value], leads: [lead] };
    }
    case "pack": {
      let at = 0;
      const leads: Lead[] = [];
      for (const item of read.flatMap(leaves)) {
        const size = item.kind === "slot" ? item.bits : 1;
        if (at < low + bits && low < at + size)
          leads.push(reader.lead(step, thread, item, isPart ? type : halfOf(type, size)));
        at += size;
      }
      return { operands: leads.map(({ value }) => value), ...chosenLeads(leads, type, value) };
    }
    case "unpack": {
      const [from] = read.flatMap(leaves);
      if (from === undefined) return { operands: [], leads: [] };
      let at = 0;
      for (const each of written.slice(0, position))
        at += each?.kind === "slot" ? each.bits : each?.kind === "sink" ? width : 1;
      const lead = reader.lead(step, thread, from, type, { low: at + low, bits });
      return { operands: [lead.value], leads: [lead] };
    }
    case "load": {
      const [touch] = touchesOf(plan);
      const address = operands[touch?.address ?? 1];
      if (touch === undefined || address === undefined) return everything(instruction, step, thread, reader);
      const [at = 0n] = reader.past.operand(step, thread, address);
      const cell = Math.min(touch.bytes, Math.max(1, bits >> 3));
      const place = {
        space: touch.space,
        address: at + BigInt(position * touch.bytes + (low >> 3)),
        bytes: cell,
        thread,
      };
      const as = 8 * cell < bits ? `${plan.cell.signed ? "s" : "u"}${8 * cell}` : type;
      const lead = reader.memory({ step }, place, as);
      const by: Lead = { ...reader.lead(step, thread, address, "b64"), role: "address" };
      return { operands: [lead.value], leads: by.origin?.kind === "constant" ? [lead] : [lead, by] };
    }
    case "atomic": {
      const [touch] = touchesOf(plan);
      const address = operands[touch?.address ?? 1];
      if (touch === undefined || address === undefined) return everything(instruction, step, thread, reader);
      const [at = 0n] = reader.past.operand(step, thread, address);
      const place = { space: touch.space, address: at, bytes: touch.bytes, thread };
      const lead = reader.memory({ step, lane: thread.lane }, place, type);
      return { operands: [lead.value], leads: [lead], note: "what was there before" };
    }
    case "address": {
      const lead = reader.lead(step, thread, read[0] ?? { kind: "sink" }, "b64");
      return { operands: [lead.value], leads: [lead] };
    }
    case "special":
      return {
        operands: [],
        leads: [{ value: { name: `%${plan.name}`, type, bits: value }, origin: { kind: "special" } }],
      };
    case "warp":
      return exchangedLeads(plan.op, instruction, step, thread, asked, reader);
    case "multiply":
      return (
        multipliedLeads(plan.op, instruction, step, thread, position, asked, reader) ??
        everything(instruction, step, thread, reader)
      );
    default:
      return everything(instruction, step, thread, reader);
  }
}

/** `f16` of `f16x2` where a half is asked for. */
const halfOf = (type: string, bits: number): string => (/x2$/.test(type) ? type.replace(/x2$/, "") : `b${bits}`);

function computed(
  plan: Plan & { shape: "compute" | "carry" | "compare" | "test" },
  read: readonly (Operand | undefined)[],
  step: number,
  thread: ThreadId,
  { low, type, value }: Asked,
  isPart: boolean,
  reader: Reader,
): Made {
  const { op } = plan;
  const given = read.flatMap(leaves);
  const types = operationTypes(op);
  const leads = op.takes.map(({ name }, at): Lead => {
    const operand = given[at];
    if (operand === undefined || (name === "CF" && readsCarry(plan) && at === op.takes.length - 1))
      return {
        value: { name: "cc.cf", type: "pred", bits: BigInt(reader.past.carry(step, thread)) },
        sought: { kind: "carry", thread },
        before: { step },
      };
    return reader.lead(step, thread, operand, types.takes[at] ?? "b32");
  });
  const others = given.slice(op.takes.length).map((each) => reader.lead(step, thread, each, "pred"));
  const bits = leads.map(({ value }) => value.bits ?? 0n);
  const gives = types.gives;
  const meaning = meaningOf(op, bits, isPart ? low : undefined, leads.map(({ value }) => value.points && `&${value.points}`)); // biome-ignore format: one row
  // Lanes: of each operand only the slice that made the lane.
  const parts = meaning?.slices?.map(({ of, low, bits, type }): Lead => {
    const at = op.takes.findIndex(({ name }) => name === of);
    const whole = leads[at];
    const operand = given[at];
    return whole?.sought === undefined || operand === undefined
      ? (whole ?? { value: { name: of, type, bits: undefined } })
      : reader.lead(step, thread, operand, type, { low, bits });
  });
  const used = parts ?? leads.filter((_, at) => meaning?.uses?.includes(op.takes[at]?.name ?? "") ?? true);
  const own = plan.shape === "compute" || plan.shape === "carry";
  const as =
    parts !== undefined
      ? type
      : own &&
          gives !== "pred" &&
          (/^[us]\d/.test(gives) || strangeIn(type, 0n) !== undefined || /^b\d/.test(type)) &&
          !/^b\d/.test(gives)
        ? gives
        : type;
  const { leads: chosen } = chosenLeads(used, as, value, meaning?.note);
  return {
    operands: [...leads, ...others].map(({ value }) => value),
    leads: [...chosen, ...others.filter(({ origin }) => origin === undefined)],
    type: as,
    ...(meaning?.sum ? { sum: meaning.sum } : {}),
    ...(meaning?.note === undefined ? {} : { note: meaning.note }),
  };
}

/** All registers that an instruction reads, where nothing says which of them counts. */
function everything({ plan, operands }: Instruction, step: number, thread: ThreadId, reader: Reader): Made {
  const leads = operands
    .slice(writtenBy(plan))
    .flatMap(leaves)
    .filter(({ kind }) => kind !== "sink")
    .map((each) => reader.lead(step, thread, each, each.kind === "slot" ? `b${each.bits}` : "pred"));
  return {
    operands: leads.map(({ value }) => value),
    leads: leads.filter(({ origin }) => origin?.kind !== "constant"),
  };
}
