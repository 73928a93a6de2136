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
import type { PlannedAccess, PlanOf } from "../../../../src/interp/contract/plan/shapes/shape-facts.ts";
import type { Instruction, Program } from "../../../../src/interp/contract/program.ts";
import { executors } from "../../../../src/interp/create-session.ts";
import type { Session, Snapshot } from "../../../../src/interp/machine/session.ts";
import { readsOperand } from "../../../../src/numeric/operation/parts.ts";
import type { Source } from "../../../../src/source/source.ts";
import {
  type Barrier,
  type Event,
  type Exchange,
  type Location,
  type Placement,
  type Read,
  type Thread,
  type Trace,
  unpacked,
  type Write,
} from "../../model/event.ts";
import { type AddressMap, addressOf, generic, ownAddress } from "./address-map.ts";
import { eventsOf, type Happening } from "./asynchronous.ts";
import { arrivalOf, type Space, startedBy } from "./copies.ts";
import { gatheringOf } from "./gathering.ts";
import { accessesOf, type BarrierAccess, barrierAccessOf } from "./mbarrier.ts";
import { barrierOf, isTogether } from "./meetings.ts";
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
  readonly groups: AllGroups;
  /** The events of all cp.async so far. */
  readonly copied: Reads;
  readonly began: number;
}

/** The events of a copy, by position, and those of them that read its source. */
interface Copy {
  readonly events: readonly number[];
  readonly sources: readonly number[];
}

/** Copies that are in no group yet, and groups that nobody has waited for. */
interface CopyGroups {
  readonly open: readonly Copy[];
  readonly committed: readonly (readonly Copy[])[];
}

type AllGroups = Readonly<Record<PlanOf<"commit group">["line"], CopyGroups>>;

const noGroups: CopyGroups = { open: [], committed: [] };

/** An address in memory that several threads see. */
interface Place {
  readonly space: "global" | "shared";
  readonly address: number;
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
  #groups: AllGroups = { "cp.async": noGroups, bulk: noGroups };
  #copied: Reads = none;
  /** Where the events begin of the instruction whose values are asked for. */
  #began = 0;
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
    const trace = values.length === 0 ? this.#go() : this.#resume(values);
    if (trace.end === "asks") this.#asking.set(key, this.#state());
    this.#traces.set(key, trace);
    return trace;
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
    const asked = this.#events.pop() as Read | Exchange;
    const given = values.at(-1) as bigint;
    const value = asked.kind === "exchange" ? given : BigInt.asUintN(8 * asked.location.bytes, given);
    this.#events.push({ ...asked, value });
    this.#partial = [...standing.partial, value];
    this.#groups = standing.groups;
    this.#copied = standing.copied;
    this.#began = standing.began;
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
      copied: this.#copied,
      began: this.#began,
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
      if (isTogether(written.plan)) return this.#together(pc, written, guarding);
      const fence = fenceOf(plan);
      const proxy = fencedProxyOf(plan);
      const space = "fencedSpace" in plan && plan.fencedSpace !== undefined ? { space: plan.fencedSpace } : {};
      const passing = (): void => {
        if (proxy)
          this.#events.push({ ...this.#happening(instruction, guarding), kind: "proxy fence", proxy, ...space });
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
      if (written.plan.shape === "rank") return this.#rank(pc, written, guarding);
      const end = this.#asynchronous(pc, written, guarding);
      if (end !== undefined) return end === "on" ? undefined : end;
      const [access] = touchesOf(plan);
      if (access) return this.#access(pc, instruction, access, guarding);
    }
    return this.#execute(pc, taken ? loaded : none.map(() => none), guarding);
  }

  /** Loads, stores and atomic operations: an access that others see is an event; one to private memory is not. */
  #access(pc: number, instruction: Instruction, access: PlannedAccess, guarding: Reads): Trace["end"] | undefined {
    const { operands } = instruction;
    const { how } = access;
    const address = this.#session.operand(here, operands[access.address] as Operand)[0] ?? 0n;
    const place = access.space === "generic" ? generic(address) : shared(access.space, address);
    this.#use(this.#taints.of(operands[access.address]));
    if (place?.space === "shared" && ownAddress(place.address) !== place.address)
      return this.#elsewhere(operands[access.address] as Operand, place.address, (own) =>
        this.#common(pc, instruction, access, place, { ...place, address: own }, guarding),
      );
    if (!place || how === "discard")
      return this.#private(pc, instruction, access, `${access.space} ${address}`, guarding);
    return this.#common(pc, instruction, access, place, place, guarding);
  }

  /** An access to memory that others see; the machine has it at `own`. */
  #common(
    pc: number,
    instruction: Instruction,
    access: PlannedAccess,
    place: Place,
    own: Place,
    guarding: Reads,
  ): Trace["end"] | undefined {
    const { operands } = instruction;
    const { how, bytes, data } = access;
    const count = data === undefined ? 1 : elements(operands[data]).length;
    const parts = Array.from({ length: count }, (_, i) =>
      this.#thread.places.at(place.space, place.address + i * bytes, bytes, this.#thread.placement),
    );
    const missing = parts.indexOf(undefined);
    if (missing >= 0) return { fault: `there is no variable at 0x${(place.address + missing * bytes).toString(16)}` };
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
    for (const [i, value] of values.entries()) this.#poke(own, i * bytes, bytes, value);
    if (how === "load")
      return this.#execute(
        pc,
        values.map((_, i) => [first + i]),
        guarding,
      );
    return this.#atomic(pc, instruction, { ...base, ...at(0) }, values[0] as bigint, own, guarding);
  }

  /**
   * An access to the shared memory of a block of the cluster by an address of `mapa`: the machine, which has one block, does it
   * at this place in its own.
   */
  #elsewhere(
    operand: Operand,
    address: number,
    act: (own: number) => Trace["end"] | undefined,
  ): Trace["end"] | undefined {
    const own = ownAddress(address);
    const base = operand.kind === "address" ? operand.base : undefined;
    if (base === undefined) return act(own);
    const [held, taints] = [this.#value(base), this.#taints.of(base)];
    const moved = held - BigInt(address - own);
    this.#put(base, moved, taints);
    const end = act(own);
    if (this.#value(base) === moved) this.#put(base, held, taints);
    return end;
  }

  /** getctarank. */
  #rank(pc: number, { operands }: Instruction, guarding: Reads): Trace["end"] | undefined {
    const [into, of] = operands as [Operand, Operand];
    const address = Number(BigInt.asUintN(32, this.#value(of)));
    const rank = this.#thread.places.rankOf(address, this.#thread.placement);
    const end = this.#execute(pc, [], guarding);
    this.#put(into, BigInt(rank), union(guarding, this.#taints.of(of)));
    return end;
  }

  /** An atomic operation whose read is in the trace: its new value is its write, if it writes. */
  #atomic(
    pc: number,
    instruction: Instruction,
    base: Omit<Write, "kind" | "value">,
    old: bigint,
    place: Place,
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
   * Records the events of an instruction whose course depends on several values: up to the first that is not known yet, from the
   * beginning each time. What the events returned at last; `asks` where a value is missing.
   */
  #record<T>(events: Generator<Event, T, bigint>): T | "asks" {
    this.#events.length = this.#began;
    const values = this.#partial;
    for (let next = events.next(), given = 0; ; ) {
      if (next.done) {
        this.#partial = [];
        this.#order = Math.max(this.#order, (this.#events.at(-1)?.order ?? -1) + 1);
        return next.value;
      }
      const event = next.value;
      const asks = event.kind === "read" || event.kind === "exchange";
      const value = asks ? values[given++] : undefined;
      if (value !== undefined) this.#use(event.kind === "read" ? [this.#events.length] : none);
      this.#use(event.needs);
      this.#events.push(value === undefined ? event : ({ ...event, value } as Event));
      if (event.kind === "write" && event.atomic !== undefined) {
        const read = this.#events[event.atomic] as Read;
        this.#events[event.atomic] = { ...read, atomic: this.#events.length - 1 };
      }
      if (asks && value === undefined) return "asks";
      next = events.next(value ?? 0n);
    }
  }

  /** Where the events of such an instruction begin, in the trace and in program order. */
  #issue(instruction: Instruction, needs: Reads): { readonly happening: Happening; readonly position: number } {
    const happening = this.#happening(instruction, needs);
    if (this.#partial.length === 0) this.#began = this.#events.length;
    const position = this.#began;
    return { position, happening: { ...happening, order: this.#events[position]?.order ?? happening.order } };
  }

  /**
   * Asynchronous operations, commits and waits (PTX ISA 8.9.1.1). Undefined for all other instructions; `on` where the thread
   * goes on.
   */
  #asynchronous(pc: number, instruction: Instruction, guarding: Reads): Trace["end"] | "on" | undefined {
    const { plan, operands } = instruction;
    if (plan.shape === "commit group") {
      const { open, committed } = this.#groups[plan.line];
      this.#groups = { ...this.#groups, [plan.line]: { open: [], committed: [...committed, open] } };
    } else if (plan.shape === "wait group") this.#wait(instruction, plan, guarding);
    else if (plan.shape === "copies arrive") {
      const end = this.#copiesArrive(instruction, plan, guarding);
      if (end !== undefined) return end;
    } else {
      const end = this.#start(instruction, guarding);
      if (end !== "on") return end;
    }
    for (const operand of operands) this.#use(this.#taints.of(operand));
    return this.#execute(pc, [], guarding) ?? "on";
  }

  /** Waits for groups: only until they have read their sources where the instruction says so. */
  #wait(instruction: Instruction, { line, reads }: PlanOf<"wait group">, guarding: Reads): void {
    const { open, committed } = this.#groups[line];
    const [left] = instruction.operands;
    const kept = left === undefined ? 0 : Number(this.#value(left));
    const done = kept === 0 ? committed : committed.slice(0, -kept);
    const all = [...done.flat(), ...(left === undefined ? open : [])];
    const of = all.flatMap((copy) => (reads ? copy.sources : copy.events));
    if (!reads) {
      const rest = { open: left === undefined ? [] : open, committed: committed.slice(done.length) };
      this.#groups = { ...this.#groups, [line]: rest };
    }
    this.#events.push({ ...this.#happening(instruction, guarding), kind: "completion", of });
  }

  /** Starts an asynchronous operation, if the instruction is one. */
  #start(instruction: Instruction, guarding: Reads): Trace["end"] | "on" | undefined {
    const { plan, operands } = instruction;
    let missing = false;
    const started = startedBy(plan, operands, {
      value: (operand) => this.#value(operand),
      values: (operand) => (operand === undefined ? [] : elements(operand).map((each) => this.#value(each))),
      place: (operand, space, bytes, piece, ranks) => {
        const found = this.#pieces(this.#value(operand), space, bytes, piece, ranks);
        missing ||= found === undefined;
        return found ?? [];
      },
    });
    if (started === undefined) return undefined;
    if (missing) return { fault: `there is no variable where ${instruction.opcode} copies` };
    const needs = union(guarding, ...operands.map((each) => (each?.kind === "address" ? this.#taints.of(each) : none)));
    const given = union(...operands.map((each) => this.#taints.of(each)));
    const issue = this.#issue(instruction, needs);
    const end = this.#record(eventsOf(started.operation, { ...issue, given }));
    if (end !== undefined) return end;
    if (started.line === undefined) return "on";
    const events = this.#events.flatMap((_, at) => (at >= issue.position ? [at] : []));
    const writes = this.#events.findIndex(
      (each, at) => at >= issue.position && (each.kind === "write" || "update" in each),
    );
    const copy = { events, sources: events.filter((at) => at < writes) };
    const { open, committed } = this.#groups[started.line];
    this.#groups = { ...this.#groups, [started.line]: { open: [...open, copy], committed } };
    if (started.line === "cp.async") this.#copied = [...this.#copied, ...events];
    return "on";
  }

  /** cp.async.mbarrier.arrive: an arrival behind all copies, which the phase waits for from here on. */
  #copiesArrive(
    instruction: Instruction,
    { space, counted }: PlanOf<"copies arrive">,
    guarding: Reads,
  ): Trace["end"] | undefined {
    const [operand] = instruction.operands as [Operand];
    const places = this.#pieces(this.#value(operand), space, BARRIER_BYTES, BARRIER_BYTES);
    if (places === undefined) return { fault: "there is no variable where cp.async.mbarrier.arrive arrives" };
    const issue = this.#issue(instruction, union(guarding, this.#taints.of(operand)));
    return this.#record(arrivalOf(places, this.#copied, !counted, issue));
  }

  /** Memory at an address, piece by piece; in the blocks of a mask of ranks, if there is one. Undefined where there is none. */
  #pieces(
    address: bigint,
    space: Space,
    bytes: number,
    piece: number,
    ranks?: number,
  ): readonly Location[] | undefined {
    const place = space === "generic" ? generic(address) : shared(space, address);
    if (place === undefined || bytes % piece !== 0) return undefined;
    const { places, placement } = this.#thread;
    const starts = ranks === undefined ? [place.address] : bitsOf(ranks).map((rank) => addressOf(place.address, rank));
    const found = starts.flatMap((start) =>
      Array.from({ length: bytes / piece }, (_, i) => places.at(place.space, start + i * piece, piece, placement)),
    );
    return found.includes(undefined) ? undefined : (found as Location[]);
  }

  /** An access to an mbarrier object: its new bits and its results follow from those that the model chooses. */
  #mbarrier(pc: number, instruction: Instruction, barrier: BarrierAccess, guarding: Reads): Trace["end"] | undefined {
    const { plan, operands } = instruction;
    const { address: at, multicast } = barrier;
    const inputs = operands.slice(at + 1).filter((each) => each !== undefined);
    const values = inputs.map((each) => this.#value(each));
    const ranks = multicast ? Number(values.pop()) : undefined;
    const space = "space" in plan && plan.space === "generic" ? "generic" : "shared";
    const places = this.#pieces(this.#value(operands[at]), space, BARRIER_BYTES, BARRIER_BYTES, ranks);
    if (places === undefined) return { fault: `there is no variable where ${instruction.opcode} looks for its object` };
    const needs = union(guarding, this.#taints.of(operands[at]));
    const all = union(needs, ...inputs.map((each) => this.#taints.of(each)));
    this.#use(all);
    const issue = this.#issue(instruction, needs);
    const done = this.#record(accessesOf(barrier, places, values, all, issue));
    if (done === "asks" || "fault" in done) return done;
    const end = this.#execute(pc, [], guarding);
    const [into] = operands;
    if (done.result !== undefined && at > 0 && into !== undefined)
      this.#put(into, done.result, union(guarding, all, [issue.position]));
    return end;
  }

  /** What threads do together: they come to a barrier, and take what others have brought. */
  #together(pc: number, instruction: Instruction, guarding: Reads): Trace["end"] | undefined {
    const meeting = barrierOf(instruction, (operand) => this.#value(operand));
    if (meeting === undefined) return undefined;
    const { of, id } = meeting;
    const { lane } = this.#thread.placement;
    if (of === "warp" && lane !== undefined && ((id >>> lane) & 1) === 0)
      return { fault: `${instruction.opcode} is executed by a lane outside its membermask 0x${id.toString(16)}` };
    const gathering = gatheringOf(instruction);
    const { brings = [], gives = [] } = gathering ?? {};
    const values = brings.map((each) => this.#value(each));
    const needs = union(...brings.map((each) => this.#taints.of(each)));
    const others = instruction.operands.filter(
      (each) => each !== undefined && !brings.includes(each) && !gives.includes(each),
    );
    const which = union(guarding, ...others.map((each) => this.#taints.of(each)));
    this.#use(needs, which);
    const { happening, position } = this.#issue(instruction, which);
    const registers = this.#registers();
    const from = gathering?.from(values, lane ?? 0);
    function* events(): Generator<Event, bigint, bigint> {
      const barrier = { ...happening, ...meeting, registers } as Barrier;
      yield gathering ? { ...barrier, brings: { value: gathering.packed(values), needs } } : barrier;
      if (gathering === undefined) return 0n;
      return yield { ...happening, kind: "exchange", value: 0n, ...(from && { from }) };
    }
    const brought = this.#record(events());
    if (brought === "asks") return brought;
    const end = this.#execute(pc, [], guarding);
    if (gathering === undefined) return end;
    const results = gathering.results(unpacked(brought), lane ?? this.#index);
    for (const [i, into] of gives.entries())
      if (into !== undefined) this.#put(into, results[i] ?? 0n, union(which, [position + 1]));
    return end;
  }

  /** The value of an operand that is one number. */
  #value(operand: Operand | undefined): bigint {
    return operand === undefined ? 0n : (this.#session.operand(here, operand)[0] ?? 0n);
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

  #poke({ space, address }: Place, offset: number, bytes: number, value: bigint): void {
    const data = Uint8Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));
    this.#session.write(space, BigInt(address + offset), data, here);
  }

  #happening({ span }: Instruction, needs: Reads): Happening {
    const { shift, source } = this.#thread;
    const place = { start: span.start - shift, end: span.end - shift };
    const text = source.text.slice(place.start, place.end).replace(/;\s*$/, "").replaceAll(/\s+/g, " ");
    return { thread: this.#index, order: this.#order++, text, span: place, needs: union(this.#control, needs) };
  }
}

/** The numbers of the bits of a mask that are set. */
const bitsOf = (mask: number): number[] =>
  Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => (mask >>> bit) & 1);

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
