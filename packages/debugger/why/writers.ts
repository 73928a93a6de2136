import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import { elements, type Operand, scalars } from "../../../src/interp/contract/operand.ts";
import { nextOf, writesCarry, writtenBy } from "../../../src/interp/contract/plan/effects.ts";
import type { ParameterLocation } from "../../../src/interp/contract/program.ts";
import type { HostSpace } from "../../../src/interp/contract/space.ts";
import { spaceOf } from "../../../src/interp/contract/window.ts";
import { below, type WriteEvent } from "./log.ts";
import type { Past } from "./past.ts";
import type { Moment, Sought } from "./sought.ts";

/** Who wrote what was sought. */
export type Writer = { readonly thread: ThreadId; readonly step: number; readonly pc: number } & (
  | /** An instruction has it as its result: which of all scalars that it writes. */ {
      readonly kind: "result";
      readonly position: number;
      /** An execution of the thread since then that its guard kept from writing it. */
      readonly missed?: { readonly step: number; readonly pc: number };
    }
  /** It was stored: the bytes begin `offset` bytes behind where the lane has written. */
  | { readonly kind: "store"; readonly event: WriteEvent; readonly offset: number }
  /** A call has passed it: the value before it is this operand. */
  | { readonly kind: "argument"; readonly from: Operand; readonly offset: number }
  /** A function has returned it; `step` is that of the return. */
  | { readonly kind: "returned"; readonly from: Operand; readonly offset: number }
);

/** Finds who has written something last before a moment. */
export class Writers {
  readonly #past: Past;
  readonly #results: Map<number, ReadonlyMap<string, number>> = new Map();
  readonly #begins: Map<number, number> = new Map();
  readonly #issues: Map<WriteEvent, number> = new Map();

  constructor(past: Past) {
    this.#past = past;
  }

  /** Undefined where nothing has, as far as the log goes. */
  find(sought: Sought, before: Moment): Writer | undefined {
    return sought.kind === "memory" ? this.#memory(sought, before) : this.#register(sought, before.step);
  }

  /** Who writes the bytes at or behind a step, first: another thread than the reader. */
  later({ space, address, bytes, thread }: Sought & { kind: "memory" }, step: number): Writer | undefined {
    const where = this.#past.offset(step, space, address, bytes, thread);
    if (where === undefined) return undefined;
    const { writes } = this.#past.log;
    const own = this.#isOwn(space, address);
    for (let at = below(writes, step, (each) => each.step); at < writes.length; at++) {
      const event = writes[at];
      if (event === undefined) break;
      if (own && event.block !== thread.block) continue;
      const found = this.#inEvent(event, where, bytes);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The instructions that have a register's slot, or CC.CF, as their result. */
  writing(sought: Exclude<Sought, { kind: "memory" }>): readonly number[] {
    const key = sought.kind === "carry" ? "cc" : `${sought.bank}${sought.slot}`;
    return [...this.#past.program.code.keys()].filter((pc) => this.#resultsOf(pc).has(key));
  }

  /** The step at which the call was that a return goes back to, as an index of the warp's steps. */
  #callOf(steps: readonly number[], ret: number, lane: number): number | undefined {
    const { log } = this.#past;
    let depth = 1;
    for (let at = ret - 1; at >= 0; at--) {
      const step = steps[at] ?? 0;
      if (!((log.taken(step) >>> lane) & 1)) continue;
      const next = nextOf(this.#past.instruction(log.pc(step)).plan);
      if (next === "caller") depth++;
      else if (next === "callee" && this.#entered(steps, at, lane) !== undefined && --depth === 0) return at;
    }
    return undefined;
  }

  /** The function that a call has entered; undefined for one that the driver supplies. */
  #entered(steps: readonly number[], call: number, lane: number): number | undefined {
    const { log, program } = this.#past;
    for (let at = call + 1; at < steps.length; at++) {
      if (!((log.active(steps[at] ?? 0) >>> lane) & 1)) continue;
      const pc = log.pc(steps[at] ?? 0);
      const callee = program.functions.findIndex(({ entry }) => entry === pc);
      return callee < 0 ? undefined : callee;
    }
    const target = program.code[log.pc(steps[call] ?? 0)]?.operands[1];
    return target?.kind === "target" && typeof program.functions[target.pc]?.entry === "number" ? target.pc : undefined;
  }

  #register(sought: Exclude<Sought, { kind: "memory" }>, before: number): Writer | undefined {
    const { log, program } = this.#past;
    const { thread } = sought;
    const { lane } = thread;
    const steps = log.stepsOf(thread.block, thread.warp);
    const key = sought.kind === "carry" ? "cc" : `${sought.bank}${sought.slot}`;
    let missed: { step: number; pc: number } | undefined;
    for (let at = below(steps, before, (each) => each) - 1; at >= 0; at--) {
      const step = steps[at] ?? 0;
      if (!((log.active(step) >>> lane) & 1)) continue;
      const pc = log.pc(step);
      const { plan, operands } = this.#past.instruction(pc);
      const taken = ((log.taken(step) >>> lane) & 1) === 1;
      const next = nextOf(plan);
      if (taken && next === "caller") {
        const call = this.#callOf(steps, at, lane);
        if (call === undefined) continue;
        const results = this.#past.instruction(log.pc(steps[call] ?? 0)).operands[0];
        const callee = this.#entered(steps, call, lane);
        const places = program.functions[callee ?? -1]?.results ?? [];
        const found = passedTo(elements(results), places, key);
        if (found !== undefined) return { kind: "returned", thread, step, pc, ...found };
        at = call;
        continue;
      }
      if (taken && next === "callee") {
        const callee = this.#entered(steps, at, lane);
        if (callee === undefined) {
          if (scalars(operands[0]).some((each) => slotsOf(each).includes(key)))
            return { kind: "result", thread, step, pc, position: 0 };
          continue;
        }
        const formals = program.functions[callee]?.parameters ?? [];
        const index = formals.findIndex((each) => each.kind === "slot" && slotsOf(each.slot).includes(key));
        const from = elements(operands[2])[index];
        if (index >= 0 && from !== undefined) return { kind: "argument", thread, step, pc, from, offset: 0 };
        continue;
      }
      const position = this.#resultsOf(pc).get(key);
      if (position === undefined) continue;
      if (taken) return { kind: "result", thread, step, pc, position, ...(missed && { missed }) };
      missed ??= { step, pc };
    }
    return undefined;
  }

  /** The scalars that an instruction writes, by slot: their place among all that it writes. */
  #resultsOf(pc: number): ReadonlyMap<string, number> {
    const known = this.#results.get(pc);
    if (known !== undefined) return known;
    const { plan, operands } = this.#past.instruction(pc);
    const found = new Map<string, number>();
    for (const [at, leaf] of operands
      .slice(0, writtenBy(plan))
      .flatMap((each) => (each === undefined ? [SINK] : scalars(each)))
      .entries())
      for (const key of slotsOf(leaf)) found.set(key, at);
    if (writesCarry(plan)) found.set("cc", 0);
    this.#results.set(pc, found);
    return found;
  }

  #memory({ space, address, bytes, thread }: Sought & { kind: "memory" }, { step, lane }: Moment): Writer | undefined {
    const where = this.#past.offset(step, space, address, bytes, thread);
    if (where === undefined) return undefined;
    const { writes } = this.#past.log;
    // Memory of a block is that of another one before.
    const begin = this.#isOwn(space, address) ? this.#beginOf(thread.block) : 0;
    let stored: Writer | undefined;
    for (let at = below(writes, step + (lane === undefined ? 0 : 1), (each) => each.step) - 1; at >= 0; at--) {
      const event = writes[at];
      if (event === undefined) break;
      if (event.step < begin) break;
      stored = this.#inEvent(event, where, bytes, event.step === step && !event.late ? lane : undefined);
      if (stored !== undefined) break;
    }
    const copied = this.#isLocal(space, address)
      ? this.#copied(where, bytes, thread, step, stored?.step ?? -1)
      : undefined;
    return copied ?? stored;
  }

  #isOwn(space: HostSpace, address: bigint): boolean {
    const window = space === "generic" ? spaceOf(address) : space;
    return window === "shared" || window === "local";
  }

  #isLocal(space: HostSpace, address: bigint): boolean {
    return (space === "generic" ? spaceOf(address) : space) === "local" && this.#past.program.functions.length > 0;
  }

  /** The last lane of an event, of those below `lane`, that has written some of the bytes. */
  #inEvent(event: WriteEvent, where: number, bytes: number, lane = 32): Writer | undefined {
    if (where >= event.end || event.from >= where + bytes) return undefined;
    for (let at = event.lanes.length - 1; at >= 0; at--) {
      const [from, own] = [event.where[at] ?? 0, event.lanes[at] ?? 0];
      if (own >= lane || where >= from + event.bytes || from >= where + bytes) continue;
      const thread = { block: event.block, warp: event.warp, lane: own };
      const step = event.late ? this.#issueOf(event, thread) : event.step;
      return { kind: "store", thread, step, pc: event.pc, event, offset: where - from };
    }
    return undefined;
  }

  /** The step at which a thread has asked for an asynchronous operation. */
  #issueOf(event: WriteEvent, thread: ThreadId): number {
    const known = this.#issues.get(event);
    if (known !== undefined) return known;
    const { log, program } = this.#past;
    const steps = log.stepsOf(thread.block, thread.warp);
    const [to] = program.code[event.pc]?.operands ?? [];
    let found: number | undefined;
    for (let at = below(steps, event.step, (each) => each) - 1; at >= 0; at--) {
      const step = steps[at] ?? 0;
      if (log.pc(step) !== event.pc || !((log.taken(step) >>> thread.lane) & 1)) continue;
      found ??= step;
      const [address] = to === undefined ? [] : this.#past.operand(step, thread, to);
      if (address === undefined) break;
      const where = this.#past.offset(step, "shared", address, 1, thread) ?? this.#past.offset(step, "generic", address, 1, thread); // biome-ignore format: one row
      const [start = 0] = event.where;
      if (where === undefined || where > start || start - where > FURTHEST) continue;
      found = step;
      if (where === start) break;
    }
    this.#issues.set(event, found ?? event.step);
    return found ?? event.step;
  }

  #beginOf(block: number): number {
    const known = this.#begins.get(block);
    if (known !== undefined) return known;
    const { log } = this.#past;
    let first = log.first;
    while (first < log.behind && log.block(first) !== block) first++;
    this.#begins.set(block, first);
    return first;
  }

  /** Bytes of local memory that a call or a return of the thread has filled, since a step. */
  #copied(where: number, bytes: number, thread: ThreadId, before: number, since: number): Writer | undefined {
    const { log, program } = this.#past;
    const steps = log.stepsOf(thread.block, thread.warp);
    const { lane } = thread;
    for (let at = below(steps, before, (each) => each) - 1; at >= 0 && (steps[at] ?? 0) > since; at--) {
      const step = steps[at] ?? 0;
      const pc = log.pc(step);
      const next = nextOf(this.#past.instruction(pc).plan);
      if ((next !== "callee" && next !== "caller") || !((log.taken(step) >>> lane) & 1)) continue;
      const call = next === "callee" ? at : this.#callOf(steps, at, lane);
      const callee = call === undefined ? undefined : this.#entered(steps, call, lane);
      if (call === undefined || callee === undefined) continue;
      const [results, , args] = this.#past.instruction(log.pc(steps[call] ?? 0)).operands;
      const { parameters, results: given } = program.functions[callee] ?? { parameters: [], results: [] };
      const pairs =
        next === "callee"
          ? parameters.map((place, index) => ({ to: operandOf(place), from: elements(args)[index] }))
          : elements(results).map((to, index) => ({ to, from: given[index] && operandOf(given[index]) }));
      for (const { to, from } of pairs) {
        if (to.kind !== "address" || from === undefined) continue;
        const [address = 0n] = this.#past.operand(step + 1, thread, to);
        const start = this.#past.offset(step + 1, "local", address, bytes, thread);
        if (start === undefined || where < start || where >= start + bytesIn(next === "callee" ? parameters : given, to, from)) continue; // biome-ignore format: one row
        const kind = next === "callee" ? "argument" : "returned";
        return { kind, thread, step, pc, from, offset: where - start };
      }
    }
    return undefined;
  }
}

/** Bytes of a parameter that is copied: of the place that is in memory. */
function bytesIn(places: readonly ParameterLocation[], to: Operand, from: Operand): number {
  for (const place of places) if (place.kind === "memory" && (place.at === to || place.at === from)) return place.bytes;
  return 8;
}

/** Bytes that one asynchronous operation may move. */
const FURTHEST = 1 << 20;

const SINK: Operand = { kind: "sink" };

const operandOf = (place: ParameterLocation): Operand => (place.kind === "slot" ? place.slot : place.at);

/** The slots that hold a scalar, as keys. */
function slotsOf(operand: Operand): readonly string[] {
  if (operand.kind === "predicate") return [`p${operand.slot}`];
  if (operand.kind !== "slot") return [];
  const { bank, slot, bits } = operand;
  return bits === 128 ? [`${bank}${slot}`, `${bank}${slot + 1}`] : [`${bank}${slot}`];
}

/** The place of a function whose value a call's result takes, where that is in this register. */
function passedTo(
  results: readonly Operand[],
  places: readonly ParameterLocation[],
  key: string,
): { readonly from: Operand; readonly offset: number } | undefined {
  for (const [index, result] of results.entries()) {
    const place = places[index];
    const at = scalars(result).findIndex((each) => slotsOf(each).includes(key));
    if (at < 0 || place === undefined) continue;
    const first = scalars(result)[0];
    const size = first?.kind === "slot" ? first.bits / 8 : 4;
    return { from: operandOf(place), offset: at * size };
  }
  return undefined;
}
