import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import { type Operand, scalars } from "../../../src/interp/contract/operand.ts";
import { readsCarry, touchesOf, writtenBy } from "../../../src/interp/contract/plan/effects.ts";
import type { Plan } from "../../../src/interp/contract/plan/plan.ts";
import type { Instruction } from "../../../src/interp/contract/program.ts";
import type { Space } from "../../../src/interp/contract/space.ts";
import { spaceOf } from "../../../src/interp/contract/window.ts";
import type { Operation } from "../../../src/numeric/operation/operation.ts";
import { reference } from "../../../src/numeric/operation/reference.ts";
import { widthOf } from "../../../src/numeric/operation/type.ts";
import { operationTypes } from "../../../src/present/working/type.ts";
import { exchangedLeads } from "./exchange.ts";
import { type Asked, chosenLeads, type Lead, type Made, type Reader } from "./lead.ts";
import { fromLine, intoLine, transposed } from "./lines.ts";
import type { WriteEvent } from "./log.ts";
import { multipliedLeads } from "./matrix.ts";
import { meaningOf, strangeIn } from "./meaning.ts";
import { isAddress, valueText } from "./value-text.ts";
import type { Writer } from "./writers.ts";

/** What the instruction that has written something did. */
export function madeBy(writer: Writer, asked: Asked, reader: Reader): Made {
  const { past } = reader;
  const instruction = past.instruction(writer.pc);
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
  { kind, from, offset, step, thread }: Writer & { kind: "argument" | "returned" },
  { low, bits, type }: Asked,
  reader: Reader,
): Made {
  if (from.kind !== "address") {
    const items = scalars(from);
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
  const found = reader.memory({ step }, { space, address: address + BigInt(offset + (low >> 3)), bytes, thread }, type);
  const name = kind === "argument" ? "the argument" : "the result";
  const lead = { ...found, value: { ...found.value, name: space === "local" ? name : found.value.name } };
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
  if (event.late) return copied(plan, operands, event, step, thread, offset, asked, reader);
  const [touch] = touchesOf(plan);
  const update = updateOf(instruction, step, thread, offset, reader);
  if (update !== undefined) {
    const made = updated(update, asked, reader);
    return { ...made, leads: [...made.leads, ...guards] };
  }
  const data = scalars(operands[touch?.data ?? -1]);
  const [first] = data;
  const line = plan.shape === "store lines" ? intoLine(plan, instruction, step, thread, offset, asked, reader) : undefined; // biome-ignore format: one row
  if (line !== undefined) return line;
  if (touch === undefined || first === undefined || touch.lines !== undefined)
    return everything(instruction, step, thread, reader);
  const at = Math.max(0, Math.floor(offset / touch.bytes));
  const item = data[at] ?? first;
  const within = 8 * (Math.max(0, offset) - at * touch.bytes);
  const part = item.kind === "slot" && item.bits > bits ? { low: within, bits } : undefined;
  const lead = reader.lead(step, thread, item, type, part);
  return { operands: [lead.value], leads: [lead, ...guards] };
}

/** What an asynchronous operation has written: a copy of other memory. */
function copied(
  plan: Plan,
  operands: Instruction["operands"],
  { step: happened, where: [where = 0] }: WriteEvent,
  step: number,
  thread: ThreadId,
  offset: number,
  { type, bits }: Asked,
  reader: Reader,
): Made {
  const from = operands[1];
  if ((plan.shape !== "copy async" && plan.shape !== "bulk copy") || from === undefined)
    return { operands: [], leads: [], note: "an asynchronous operation" };
  const { past } = reader;
  const [address = 0n] = past.operand(step, thread, from);
  const [to = 0n] = operands[0] === undefined ? [] : past.operand(step, thread, operands[0]);
  const [into, space] = plan.shape === "bulk copy" ? ([plan.to, plan.from] as const) : (["shared", "global"] as const);
  // A long copy is told of piece by piece.
  const start = past.offset(step, into, to, 1, thread) ?? past.offset(step, "generic", to, 1, thread) ?? where;
  const place = { space, address: address + BigInt(where - start + offset), bytes: bits >> 3, thread };
  const lead = reader.memory({ step: happened }, place, type);
  return { operands: [lead.value], leads: [lead], note: "an asynchronous copy" };
}

/** An atomic operation of a lane on one element of memory. */
interface Update {
  readonly op: Operation;
  readonly instruction: Instruction;
  readonly step: number;
  readonly thread: ThreadId;
  readonly space: Space;
  readonly address: bigint;
  readonly bytes: number;
  /** Which element of a vector. */
  readonly element: number;
}

function updateOf(
  instruction: Instruction,
  step: number,
  thread: ThreadId,
  offset: number,
  { past }: Reader,
): Update | undefined {
  const { plan, operands } = instruction;
  const [touch] = touchesOf(plan);
  const at = operands[touch?.address ?? -1];
  if (plan.shape !== "atomic" || touch === undefined || at === undefined) return undefined;
  const [address = 0n] = past.operand(step, thread, at);
  const isShared = plan.space === "shared" || spaceOf(address) === "shared";
  const element = Math.max(0, Math.floor(offset / touch.bytes));
  return {
    op: isShared ? (plan.shared ?? plan.op) : plan.op,
    ...{ instruction, step, thread, space: touch.space, bytes: touch.bytes, element },
    address: address + BigInt(element * touch.bytes),
  };
}

/** The operands behind the value in memory, of one element. */
const givenTo = ({ instruction: { plan, operands }, element }: Update): readonly Operand[] =>
  operands.slice(touchesOf(plan)[0]?.data).flatMap((each) => scalars(each)[element] ?? scalars(each)[0] ?? []);

/** What a lane finds: lanes of one instruction come one after the other. */
function held(update: Update, { past }: Reader): bigint | undefined {
  const { op, step, thread, space, address, bytes } = update;
  let value = past.memory(step, space, address, bytes, thread);
  const where = past.offset(step, space, address, bytes, thread);
  for (const event of past.log.writesIn(step))
    for (const [at, lane] of event.lanes.entries()) {
      const from = event.where[at] ?? 0;
      if (value === undefined || where === undefined || event.late || lane >= thread.lane) continue;
      if (where < from || where >= from + event.bytes) continue;
      const given = givenTo({ ...update, element: (where - from) / bytes });
      const other = { ...thread, lane };
      value = reference(op, [value, ...given.map((each) => past.operand(step, other, each)[0] ?? 0n)]);
    }
  return value;
}

/** An atomic operation: of the value that was there and the operands. */
function updated(update: Update, { type, value }: Asked, reader: Reader): Made {
  const { op, step, thread, space, address, bytes } = update;
  const given = givenTo(update);
  const leads = op.takes.map(({ type: own }, index): Lead => {
    const as = /^b/.test(own) ? type : own;
    if (index > 0) return reader.lead(step, thread, given[index - 1] ?? { kind: "sink" }, as);
    const lead = reader.memory({ step, lane: thread.lane }, { space, address, bytes, thread }, as);
    return { ...lead, value: reader.shown(lead.value.name, as, held(update, reader)) };
  });
  const meaning = meaningOf(
    op,
    leads.map(({ value }) => value.bits ?? 0n),
  );
  const used = leads.filter((_, at) => meaning?.uses?.includes(op.takes[at]?.name ?? "") ?? true);
  return { operands: leads.map(({ value }) => value), ...chosenLeads(used, type, value, meaning?.note), ...meaning };
}

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
    .flatMap((each): readonly Operand[] => (each === undefined ? [{ kind: "sink" }] : scalars(each)));
  const target = written[position];
  const width = target?.kind === "slot" ? target.bits : 1;
  const isPart = low > 0 || bits < width;
  const part = isPart ? { low, bits } : undefined;
  switch (plan.shape) {
    case "compute":
    case "carry":
    case "compare":
    case "test":
      return computed(plan, read, step, thread, asked, isPart, position, reader);
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
      const from = read.flatMap(scalars)[position];
      if (from === undefined) return { operands: [], leads: [] };
      const lead = reader.lead(step, thread, from, type, part);
      return { operands: [lead.value], leads: [lead] };
    }
    case "pack": {
      let at = 0;
      const leads: Lead[] = [];
      for (const item of read.flatMap(scalars)) {
        const size = item.kind === "slot" ? item.bits : 1;
        if (at < low + bits && low < at + size)
          leads.push(reader.lead(step, thread, item, isPart ? type : halfOf(type, size)));
        at += size;
      }
      return { operands: leads.map(({ value }) => value), ...chosenLeads(leads, type, value) };
    }
    case "unpack": {
      const [from] = read.flatMap(scalars);
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
      const found = reader.memory({ step }, place, as);
      const lead = { ...found, value: { ...found.value, name: named(found.value.name, instruction, reader) } };
      const by: Lead = { ...reader.lead(step, thread, address, "b64"), role: "address" };
      return { operands: [lead.value], leads: by.origin?.kind === "constant" ? [lead] : [lead, by] };
    }
    case "atomic": {
      const update = updateOf(instruction, step, thread, position * (bits >> 3), reader);
      if (update === undefined) return everything(instruction, step, thread, reader);
      const { space, address, bytes } = update;
      const found = reader.memory({ step, lane: thread.lane }, { space, address, bytes, thread }, type);
      const lead = { ...found, value: reader.shown(found.value.name, type, value) };
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
    case "load lines":
      return fromLine(plan, instruction, step, thread, position, asked, reader) ?? everything(instruction, step, thread, reader); // biome-ignore format: one row
    case "transpose":
      return transposed(instruction, step, thread, asked, reader) ?? everything(instruction, step, thread, reader);
    case "multiply":
      return (
        multipliedLeads(plan.op, instruction, step, thread, position, asked, reader) ??
        everything(instruction, step, thread, reader)
      );
    default:
      return everything(instruction, step, thread, reader);
  }
}

/** A `.param` variable has no name but that in the instruction's text. */
const named = (name: string, { span }: Instruction, { past: { program } }: Reader): string =>
  name.startsWith("[local:")
    ? (/\[([^\]]+)\]/.exec(program.source.text.slice(span.start, span.end))?.[1] ?? name)
    : name;

/** `f16` of `f16x2` where a half is asked for. */
const halfOf = (type: string, bits: number): string => (/x2$/.test(type) ? type.replace(/x2$/, "") : `b${bits}`);

function computed(
  plan: Plan & { shape: "compute" | "carry" | "compare" | "test" },
  read: readonly (Operand | undefined)[],
  step: number,
  thread: ThreadId,
  { low, type, value }: Asked,
  isPart: boolean,
  position: number,
  reader: Reader,
): Made {
  const { op } = plan;
  const given = read.flatMap(scalars);
  const types = operationTypes(op);
  const isFlag = plan.shape === "carry" && type === "pred";
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
  const meaning = meaningOf(op, bits, isPart && !isFlag ? low : undefined, leads.map(({ value }) => (isAddress(value) ? valueText(value) : undefined))); // biome-ignore format: one row
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
  const isNan = leads.some(({ value: own }) => strangeIn(own.type, own.bits) === "nan");
  const flag = !isFlag ? undefined : value === 1n ? "with a carry" : "without a carry";
  const note = meaning?.note ?? flag ?? (isNan && meaning?.uses?.length && strangeIn(type, value) === undefined && gives !== "pred" ? "a NaN gives way" : undefined); // biome-ignore format: one row
  const own = plan.shape === "compute" || plan.shape === "carry";
  const as = parts === undefined && own && !isFlag ? saying(gives, type) : type;
  const { leads: chosen } = chosenLeads(used, as, value, meaning?.note);
  return {
    operands: [...leads, ...others].map(({ value }) => value),
    leads: [...chosen, ...others.filter(({ origin }) => origin === undefined)],
    type: as,
    ...((isPart || isFlag) && parts === undefined && own
      ? { whole: reader.shown("", gives, BigInt.asUintN(widthOf(op.gives), reference(op, bits))) }
      : {}),
    ...(meaning?.sum ? { sum: combined(plan, meaning.sum, others, position) } : {}),
    ...(note === undefined ? {} : { note }),
  };
}

/** A comparison with the predicate that it is combined with; the second result is the opposite. */
function combined(
  plan: Plan & { shape: "compute" | "carry" | "compare" | "test" },
  sum: string,
  others: readonly Lead[],
  position: number,
): string {
  if (plan.shape !== "compare" && plan.shape !== "test") return sum;
  const opposite = plan.shape === "compare" && position === 1 && plan.second === undefined ? `not ${sum}` : sum;
  const [other] = others;
  return plan.combine === undefined || other === undefined
    ? opposite
    : `${opposite} ${plan.combine} ${other.value.name}`;
}

/** The type of a result that an instruction gives, where that says more than how it is read: of bits, or of an integer. */
function saying(gives: string, type: string): string {
  if (gives === "pred" || /^b\d/.test(gives)) return type;
  return /^b\d/.test(type) || (/^[us]\d/.test(gives) && !/^[us]\d/.test(type)) ? gives : type;
}

/** All registers that an instruction reads, where nothing says which of them counts. */
function everything({ plan, operands }: Instruction, step: number, thread: ThreadId, reader: Reader): Made {
  const leads = operands
    .slice(writtenBy(plan))
    .flatMap(scalars)
    .filter(({ kind }) => kind !== "sink")
    .map((each) => reader.lead(step, thread, each, each.kind === "slot" ? `b${each.bits}` : "pred"));
  return {
    operands: leads.map(({ value }) => value),
    leads: leads.filter(({ origin }) => origin?.kind !== "constant"),
  };
}
