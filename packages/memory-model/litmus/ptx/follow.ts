import type { Kernel, LaunchOptions as LaunchInputs } from "../../../../src/host/launch/kernel.ts";
import { BARRIER_BYTES } from "../../../../src/interp/async/mbarrier-object.ts";
import { elements, type Operand } from "../../../../src/interp/contract/operand.ts";
import {
  fencedProxyOf,
  fenceOf,
  nextOf,
  readsCarry,
  touchesOf,
  writesCarry,
  writtenBy,
} from "../../../../src/interp/contract/plan/effects.ts";
import type { PlannedAccess } from "../../../../src/interp/contract/plan/shapes/shape-facts.ts";
import type { Instruction, Program } from "../../../../src/interp/contract/program.ts";
import { executors } from "../../../../src/interp/create-session.ts";
import type { Session, Snapshot } from "../../../../src/interp/machine/session.ts";
import { readsOperand } from "../../../../src/numeric/operation/parts.ts";
import type { Source } from "../../../../src/source/source.ts";
import type { Event, Placement, Read, Thread, Trace, Write } from "../../model/event.ts";
import { type AddressMap, generic } from "./address-map.ts";
import { type BarrierAccess, barrierAccessOf } from "./mbarrier.ts";
import { barrierOf } from "./meetings.ts";
import { byItself } from "./supported.ts";
import { keysOf, none, type Reads, Taints, union } from "./taints.ts";

/** A thread of real PTX, and the settings for following it. */
export interface Followed {
  readonly name: string;
  readonly placement: Placement;
  readonly kernel: Kernel;
  /** Its source text, and the shift from its offsets to those in the kernel's text. */
  readonly source: Source;
  readonly shift: number;
  readonly places: AddressMap;
  /** Bound on iterations of a loop. */
  readonly bound: number;
  /** The inputs of the launch. */
  readonly inputs: Partial<Pick<LaunchInputs, "args" | "registers" | "dynamicShared">> & {
    readonly carry?: 0 | 1 | undefined;
  };
  /** Special registers that depend on the thread's position: their values for this one. */
  readonly specials: (name: string) => number | undefined;
}

/** The machine at the thread's current instruction, and what is known of the path there. */
interface Standing {
  readonly snapshot: Snapshot;
  readonly events: readonly Event[];
  readonly taints: Taints;
  readonly control: Reads;
  readonly used: Reads;
  readonly rounds: ReadonlyMap<number, number>;
  readonly heads: ReadonlyMap<number, Head>;
  readonly stores: number;
  /** The values that the elements of the current load have returned so far. */
  readonly partial: readonly bigint[];
  readonly groups: CopyGroups;
}

/** The accesses of copies, by position, that are in no group yet; and those of groups that nobody has waited for. */
interface CopyGroups {
  readonly open: readonly number[];
  readonly committed: readonly (readonly number[])[];
}

/** Where the latest round of a loop began, and the state of the thread there. */
interface Head {
  readonly position: number;
  readonly state: string;
}

const here = { block: 0, warp: 0, lane: 0 };
const mostSteps = 20_000;

/**
 * The thread with this index, for the model: one lane of the machine, whose loads return the values that the
 * model chooses.
 */
export function follow(thread: Followed, index: number): Thread {
  const { name, placement } = thread;
  const lane = new Lane(thread, index);
  return { name, placement, run: (values) => lane.run(values) };
}

class Lane {
  readonly #thread: Followed;
  readonly #index: number;
  readonly #session: Session;
  readonly #code: Program["code"];
  /** The program as it is written, with its barriers. */
  readonly #written: Program["code"];
  readonly #traces = new Map<string, Trace>();
  readonly #asking = new Map<string, Standing>();
  #events: Event[] = [];
  #taints = new Taints();
  #control: Reads = none;
  /** Reads that decided what the events are. */
  #used: Reads = none;
  #rounds = new Map<number, number>();
  #heads = new Map<number, Head>();
  #round: number | undefined;
  /** Stores to private memory so far. */
  #stores = 0;
  #partial: bigint[] = [];
  #groups: CopyGroups = { open: [], committed: [] };
  #order = 0;

  constructor(thread: Followed, index: number) {
    this.#thread = thread;
    this.#index = index;
    const { kernel, specials, inputs } = thread;
    this.#written = kernel.program.code;
    const changed = kernel.with(byItself(kernel.program, specials));
    this.#code = changed.program.code;
    const { carry, ...given } = inputs;
    const executor = executors.get("js");
    const { value, diagnostics } = changed.session({
      ...given,
      ...(carry === undefined ? {} : { carry }),
      ...(executor === undefined ? {} : { executor }),
      sanitize: { mem: true, init: false, sync: false },
    });
    if (!value) throw new Error(diagnostics[0]?.message ?? "the thread cannot be run");
    this.#session = value;
  }

  run(values: readonly bigint[]): Trace {
    const key = values.join();
    const known = this.#traces.get(key);
    if (known) return known;
    const trace = values.length === 0 ? this.#start() : this.#resume(values);
    if (trace.end === "asks") this.#asking.set(key, this.#state());
    this.#traces.set(key, trace);
    return trace;
  }

  #start(): Trace {
    return this.#go();
  }

  /** Continues where it requested the last of the values. */
  #resume(values: readonly bigint[]): Trace {
    const before = values.slice(0, -1);
    const parent = this.run(before);
    if (parent.end !== "asks") return parent;
    const standing = this.#asking.get(before.join()) as Standing;
    this.#session.restore(standing.snapshot);
    this.#events = [...standing.events];
    this.#taints = standing.taints.copy();
    this.#control = standing.control;
    this.#used = standing.used;
    this.#rounds = new Map(standing.rounds);
    this.#heads = new Map(standing.heads);
    this.#stores = standing.stores;
    this.#order = (this.#events.at(-1)?.order ?? -1) + 1;
    const asked = this.#events.pop() as Read;
    const value = BigInt.asUintN(8 * asked.location.bytes, values.at(-1) as bigint);
    this.#events.push({ ...asked, value });
    this.#partial = [...standing.partial, value];
    this.#groups = standing.groups;
    return this.#go();
  }

  #state(): Standing {
    return {
      snapshot: this.#session.snapshot(),
      events: [...this.#events],
      taints: this.#taints.copy(),
      control: this.#control,
      used: this.#used,
      rounds: new Map(this.#rounds),
      heads: new Map(this.#heads),
      stores: this.#stores,
      partial: [...this.#partial],
      groups: this.#groups,
    };
  }

  #go(): Trace {
    this.#round = undefined;
    for (let steps = 0; steps < mostSteps; steps++) {
      let pc = -1;
      const stop = this.#session.run({
        before: (_block, _warp, at) => {
          pc = at;
          return true;
        },
      });
      if (stop.reason === "exit") return this.#trace("done");
      if (stop.reason === "trap") return this.#trace({ fault: stop.diagnostic.message });
      const end = this.#step(pc);
      if (end !== undefined) return this.#trace(end);
    }
    return this.#trace("bound");
  }

  #trace(end: Trace["end"]): Trace {
    const taints = this.#taints.copy();
    const { registers } = this.#thread.kernel.program;
    const sourcesOf = (name: string): Reads => {
      const register = registers.find((each) => each.name === name || each.name === `%${name}`);
      return register ? union(...slotsOf(register).map((key) => taints.get(key))) : none;
    };
    const round = end === "bound" && this.#round !== undefined ? { round: this.#round } : {};
    return { events: [...this.#events], end, registers: this.#registers(), ...round, used: this.#used, sourcesOf };
  }

  #registers(): Map<string, bigint> {
    const registers = new Map<string, bigint>();
    for (const { name, width, bits } of this.#session.registers(here)) {
      const value = bits.reduce((sum, each, i) => sum | (each << BigInt(width * i)), 0n);
      registers.set(name, value);
      registers.set(name.replace(/^%/, ""), value);
    }
    return registers;
  }

  /** Executes the instruction at `pc` and records its effect on memory; returns how the run ends, if it ends there. */
  #step(pc: number): Trace["end"] | undefined {
    const instruction = this.#code[pc] as Instruction;
    const { guard, plan, operands } = instruction;
    const guarding = guard ? this.#taints.get(`p${guard.slot}`) : none;
    const taken = !guard || this.#session.operand(here, { kind: "predicate", ...guard })[0] === 1n;
    if (nextOf(plan) !== "on")
      this.#control = union(this.#control, guarding, ...operands.map((each) => this.#taints.of(each)));
    this.#use(guarding, this.#control);
    const loaded: Reads[] = [];
    if (taken) {
      const written = this.#written[pc] as Instruction;
      const meeting = barrierOf(written, (operand) => this.#session.operand(here, operand)[0] ?? 0n);
      const fence = fenceOf(plan);
      const proxy = fencedProxyOf(plan);
      if (meeting) this.#use(...written.operands.map((each) => this.#taints.of(each)));
      if (meeting)
        this.#events.push({ ...this.#happening(written, guarding), ...meeting, registers: this.#registers() });
      const passing = (): void => {
        if (proxy) this.#events.push({ ...this.#happening(instruction, guarding), kind: "proxy fence", proxy });
      };
      // What a proxy fence orders is then released, or was acquired before.
      if (fence?.sem === "release") passing();
      if (fence)
        this.#events.push({
          ...this.#happening(instruction, guarding),
          kind: "fence",
          semantics: fence.sem,
          scope: fence.scope,
        });
      if (fence?.sem !== "release") passing();
      const barrier = barrierAccessOf(written.plan);
      if (barrier) return this.#mbarrier(pc, written, barrier, guarding);
      const copying = this.#copying(pc, written, guarding);
      if (copying !== undefined) return copying === "on" ? undefined : copying;
      const [access] = touchesOf(plan);
      if (access) return this.#access(pc, instruction, access, guarding);
    }
    return this.#execute(pc, taken ? loaded : none.map(() => none), guarding);
  }

  /** Loads, stores and atomic operations: an access that others see is an event; one to private memory is not. */
  #access(pc: number, instruction: Instruction, access: PlannedAccess, guarding: Reads): Trace["end"] | undefined {
    const { operands } = instruction;
    const { how, bytes, data } = access;
    const address = this.#session.operand(here, operands[access.address] as Operand)[0] ?? 0n;
    const place = access.space === "generic" ? generic(address) : shared(access.space, address);
    const count = data === undefined ? 1 : elements(operands[data]).length;
    this.#use(this.#taints.of(operands[access.address]));
    if (!place || how === "discard")
      return this.#private(pc, instruction, access, `${access.space} ${address}`, guarding);
    const parts = Array.from({ length: count }, (_, i) =>
      this.#thread.places.at(place.space, place.address + i * bytes, bytes, this.#thread.placement),
    );
    const missing = parts.indexOf(undefined);
    if (missing >= 0) return { fault: `there is no variable at 0x${(address + BigInt(missing * bytes)).toString(16)}` };
    const needs = union(guarding, this.#taints.of(operands[access.address]));
    const base = {
      ...this.#happening(instruction, needs),
      semantics: access.sem as Read["semantics"],
      scope: access.sem === "volatile" ? ("sys" as const) : access.scope,
      proxy: access.proxy ?? ("generic" as const),
    };
    const at = (i: number): { readonly location: Read["location"] } => ({ location: parts[i] as Read["location"] });
    if (how === "store") {
      const items = data === undefined ? [] : elements(operands[data]);
      this.#use(...items.map((item) => this.#taints.of(item)));
      for (const [i, item] of items.entries()) {
        const value = BigInt.asUintN(8 * bytes, this.#session.operand(here, item)[0] ?? 0n);
        this.#events.push({ ...base, ...at(i), needs: union(base.needs, this.#taints.of(item)), kind: "write", value });
      }
      return this.#execute(pc, [], guarding);
    }
    // elements with known values are in the trace; the next one requests its value
    const gives = writtenBy(instruction.plan) > 0;
    if (this.#partial.length < count) {
      const order = this.#partial.length > 0 ? { order: this.#events.at(-1)?.order ?? base.order } : {};
      const reduction = how === "atomic" && !gives ? { reduction: true as const } : {};
      const update = how === "atomic" ? { update: true as const } : {};
      const where = at(this.#partial.length);
      this.#events.push({ ...base, ...order, ...where, ...reduction, ...update, kind: "read", value: 0n });
      return "asks";
    }
    const values = this.#partial;
    this.#partial = [];
    const first = this.#events.length - count;
    for (const [i, value] of values.entries()) this.#poke(place, i * bytes, bytes, value);
    if (how === "load")
      return this.#execute(
        pc,
        values.map((_, i) => [first + i]),
        guarding,
      );
    return this.#atomic(pc, instruction, { ...base, ...at(0) }, values[0] as bigint, place, guarding);
  }

  /** An atomic operation whose read is in the trace: its new value is its write, if it writes. */
  #atomic(
    pc: number,
    instruction: Instruction,
    base: Omit<Write, "kind" | "value">,
    old: bigint,
    place: { readonly space: "global" | "shared"; readonly address: number },
    guarding: Reads,
  ): Trace["end"] | undefined {
    const { plan, operands } = instruction;
    const position = this.#events.length - 1;
    const inputs = operands.slice(writtenBy(plan) + 1).filter((each) => each !== undefined);
    const values = inputs.map((each) =>
      BigInt.asUintN(8 * base.location.bytes, this.#session.operand(here, each)[0] ?? 0n),
    );
    const needs = union(base.needs, ...inputs.map((each) => this.#taints.of(each)));
    this.#use(needs);
    const end = this.#execute(pc, [[position]], guarding);
    if (end !== undefined) return end;
    // with two operands it compares first
    if (values.length > 1 && values[0] !== old) return undefined;
    const bytes = this.#session.read(place.space, BigInt(place.address), base.location.bytes, here);
    const value = bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    const read = this.#events[position] as Read;
    this.#events[position] = { ...read, atomic: position + 1 };
    const own = dependsOnOld(instruction) ? [position] : none;
    this.#events.push({ ...base, order: read.order, needs: union(needs, own), kind: "write", value, atomic: position });
    return undefined;
  }

  /**
   * cp.async, commits and waits (PTX ISA 8.9.1.1): reads and writes of words, which a wait completes. Undefined for all other
   * instructions; `on` where the thread goes on.
   */
  #copying(pc: number, instruction: Instruction, guarding: Reads): Trace["end"] | "on" | undefined {
    const { plan, operands } = instruction;
    if (plan.shape === "copy async") {
      const end = this.#copy(instruction, guarding);
      if (end !== undefined) return end;
    } else if (plan.shape === "commit group") {
      this.#groups = { open: [], committed: [...this.#groups.committed, this.#groups.open] };
    } else if (plan.shape === "wait group") {
      const { open, committed } = this.#groups;
      const [left] = operands;
      const kept = left === undefined ? 0 : Number(this.#session.operand(here, left)[0] ?? 0n);
      const done = kept === 0 ? committed : committed.slice(0, -kept);
      const of = [...done.flat(), ...(left === undefined ? open : [])];
      this.#groups = { open: left === undefined ? [] : open, committed: committed.slice(done.length) };
      this.#events.push({ ...this.#happening(instruction, guarding), kind: "completion", of });
    } else return undefined;
    return this.#execute(pc, [], guarding) ?? "on";
  }

  #copy(instruction: Instruction, guarding: Reads): Trace["end"] | undefined {
    const [to, from, size] = instruction.operands as [Operand, Operand, Operand];
    const words = Number(this.#session.operand(here, size)[0] ?? 0n) / 4;
    const locations = (operand: Operand, space: "global" | "shared") => {
      const address = Number(this.#session.operand(here, operand)[0] ?? 0n);
      return Array.from({ length: words }, (_, i) =>
        this.#thread.places.at(space, address + 4 * i, 4, this.#thread.placement),
      );
    };
    const [sources, targets] = [locations(from, "global"), locations(to, "shared")];
    if ([...sources, ...targets].includes(undefined)) return { fault: "there is no variable where cp.async copies" };
    const needs = union(guarding, this.#taints.of(from), this.#taints.of(to));
    const read = this.#partial.length;
    const how = { semantics: "weak", scope: "sys", proxy: "generic", async: this.#events.length - read } as const;
    if (read < words) {
      const order = read > 0 ? { order: this.#events.at(-1)!.order } : {};
      const location = sources[read]!;
      this.#events.push({
        ...this.#happening(instruction, needs),
        ...how,
        ...order,
        location,
        kind: "read",
        value: 0n,
      });
      return "asks";
    }
    const first = how.async;
    const { order: _, ...happening } = this.#happening(instruction, needs);
    const order = this.#events.at(-1)!.order + 1;
    for (const [i, value] of this.#partial.entries()) {
      const dependent = union(needs, [first + i]);
      this.#events.push({ ...happening, ...how, order, needs: dependent, location: targets[i]!, kind: "write", value });
    }
    this.#order = order + 1;
    this.#partial = [];
    const positions = Array.from({ length: 2 * words }, (_each, i) => first + i);
    this.#groups = { ...this.#groups, open: [...this.#groups.open, ...positions] };
    return undefined;
  }

  /** An access to an mbarrier object: its new bits and its results follow from those that the model chooses. */
  #mbarrier(pc: number, instruction: Instruction, barrier: BarrierAccess, guarding: Reads): Trace["end"] | undefined {
    const { plan, operands } = instruction;
    const { how, address: at, sem, scope } = barrier;
    const address = this.#session.operand(here, operands[at] as Operand)[0] ?? 0n;
    const place = "space" in plan && plan.space === "generic" ? generic(address) : shared("shared", address);
    const location = place && this.#thread.places.at(place.space, place.address, BARRIER_BYTES, this.#thread.placement);
    if (!location) return { fault: `there is no variable at 0x${address.toString(16)}` };
    const inputs = operands.slice(at + 1).filter((each) => each !== undefined);
    const values = inputs.map((each) => this.#session.operand(here, each)[0] ?? 0n);
    const needs = union(guarding, this.#taints.of(operands[at]));
    const all = union(needs, ...inputs.map((each) => this.#taints.of(each)));
    const base = { ...this.#happening(instruction, needs), location, semantics: sem, scope, proxy: "generic" as const };
    if (how !== "store" && this.#partial.length === 0) {
      this.#events.push({ ...base, kind: "read", value: 0n });
      return "asks";
    }
    const [old = 0n] = this.#partial;
    this.#partial = [];
    const position = this.#events.length - 1;
    const done = barrier.does(old, values);
    if ("fault" in done) return done;
    const { object, result, acquires } = done;
    if (how === "store") this.#events.push({ ...base, needs: all, kind: "write", value: object ?? 0n });
    else if (object !== undefined) {
      const read = this.#events[position] as Read;
      this.#events[position] = { ...read, atomic: position + 1 };
      const write = { ...base, order: read.order, needs: union(all, [position]), atomic: position };
      this.#events.push({ ...write, kind: "write", value: object });
    }
    if (acquires)
      this.#events.push({
        ...this.#happening(instruction, union(needs, [position])),
        kind: "fence",
        semantics: "acquire",
        scope,
        only: position,
      });
    const end = this.#execute(pc, [], guarding);
    const [into] = operands;
    if (result !== undefined && at > 0 && into !== undefined) this.#put(into, result, union(guarding, all, [position]));
    return end;
  }

  /** Gives a register a value that the machine has not computed. */
  #put(into: Operand, value: bigint, from: Reads): void {
    if (into.kind !== "slot" && into.kind !== "predicate") return;
    const bank = into.kind === "predicate" ? "p" : into.bank;
    const { registers } = this.#thread.kernel.program;
    const register = registers.find((each) => each.bank === bank && each.slot === into.slot);
    if (register === undefined) return;
    this.#session.writeRegister(here, register.name, [value]);
    for (const key of keysOf(into)) this.#taints.set(key, from);
  }

  /** Private memory: a loaded value depends on what was stored there. */
  #private(
    pc: number,
    { operands }: Instruction,
    { how, data, address }: PlannedAccess,
    place: string,
    guarding: Reads,
  ): Trace["end"] | undefined {
    const items = data === undefined ? [] : elements(operands[data]);
    const known = union(this.#taints.get(place), this.#taints.of(operands[address]));
    if (how !== "load") this.#stores++;
    if (how === "store") this.#taints.set(place, union(guarding, ...items.map((each) => this.#taints.of(each))));
    return this.#execute(pc, how === "load" ? items.map(() => known) : [], guarding);
  }

  /**
   * Lets the machine execute it, and tracks the dependences of its results: on `loaded`, element by element, where it
   * loads.
   */
  #execute(pc: number, loaded: readonly Reads[], guarding: Reads): Trace["end"] | undefined {
    const { plan, operands } = this.#code[pc] as Instruction;
    const count = writtenBy(plan);
    const carried = readsCarry(plan) ? this.#taints.get("cf") : none;
    const inputs = union(guarding, carried, ...operands.slice(count).map((each) => this.#taints.of(each)));
    for (const written of operands.slice(0, count)) {
      if (written === undefined) continue;
      for (const [i, item] of elements(written).entries())
        for (const key of keysOf(item)) {
          const kept = guarding.length > 0 ? this.#taints.get(key) : none;
          this.#taints.set(key, union(kept, guarding, loaded[i] ?? inputs));
        }
    }
    if (writesCarry(plan)) this.#taints.set("cf", inputs);
    const stop = this.#session.run({ stepping: "into" });
    if (stop.reason === "trap") return { fault: stop.diagnostic.message };
    if (stop.reason === "exit") return "done";
    if (stop.pc > pc || nextOf(plan) !== "targets") return undefined;
    const rounds = (this.#rounds.get(pc) ?? 0) + 1;
    this.#rounds.set(pc, rounds);
    const state = `${[...this.#registers().entries()].join()} ${this.#session.carry(here)} ${this.#stores}`;
    const head = this.#heads.get(pc);
    this.#round = head?.state === state ? head.position : undefined;
    this.#heads.set(pc, { position: this.#events.length, state });
    return rounds >= this.#thread.bound ? "bound" : undefined;
  }

  #use(...reads: readonly Reads[]): void {
    this.#used = union(this.#used, ...reads);
  }

  #poke(
    { space, address }: { space: "global" | "shared"; address: number },
    offset: number,
    bytes: number,
    value: bigint,
  ): void {
    const data = Uint8Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));
    this.#session.write(space, BigInt(address + offset), data, here);
  }

  #happening({ span }: Instruction, needs: Reads) {
    const { shift, source } = this.#thread;
    const place = { start: span.start - shift, end: span.end - shift };
    const text = source.text.slice(place.start, place.end).replace(/;\s*$/, "").replaceAll(/\s+/g, " ");
    return { thread: this.#index, order: this.#order++, text, span: place, needs: union(this.#control, needs) };
  }
}

/** The keys of a register's slots, as taints have them. */
const slotsOf = ({ bank, slot, elements: count, bits }: Program["registers"][number]): string[] =>
  Array.from({ length: count * (bits === 128 ? 2 : 1) }, (_, i) => `${bank}${slot + i}`);

/** An address in memory that all threads, or those of a block, share. */
const shared = (space: string, address: bigint) =>
  space === "global" || space === "shared" ? ({ space, address: Number(address) } as const) : undefined;

/** Whether the value that an atomic operation writes depends on the old one: not for exch. */
const dependsOnOld = ({ plan }: Instruction): boolean => {
  if (plan.shape !== "atomic") return true;
  const [old] = plan.op.takes;
  return old === undefined || resultReads(plan.op.result, old.name);
};

function resultReads(result: Extract<Instruction["plan"], { shape: "atomic" }>["op"]["result"], name: string): boolean {
  switch (result.into) {
    case "choose":
      return readsOperand(result.when, name) || resultReads(result.yes, name) || resultReads(result.no, name);
    case "wrap":
    case "clamp":
    case "carry":
    case "predicate":
      return readsOperand(result.of, name);
    default:
      return true;
  }
}
