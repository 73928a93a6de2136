import type { ThreadId } from "../../../../src/interp/contract/launch/thread-id.ts";
import type { Observer } from "../../../../src/interp/contract/observer.ts";
import { isBarrier, isCollective, meetingOf, nextOf, readsCarry, writesCarry, writtenBy } from "../../../../src/interp/contract/plan/effects.ts"; // biome-ignore format: a list of names
import type { Instruction } from "../../../../src/interp/contract/program.ts";
import { isOwn, type Space } from "../../../../src/interp/contract/space.ts";
import { spaceOf } from "../../../../src/interp/contract/window.ts";
import type { Session } from "../../../../src/interp/machine/session.ts";
import { type ChannelWork, channelWork, guardOf, read } from "./channels.ts";
import { type Access, leaves, type Ran, slotsOf, type ThreadTrace, threadKey } from "./step.ts";

/** Steps of a thread that are kept: later ones are not examined. */
export const MOST_STEPS = 150_000;

/** Records the steps of some threads. Add it with `session.observe` before the run. */
export class Recorder implements Observer {
  readonly #session: Session;
  readonly #watched = new Map<string, Watched>();
  /** Lanes that are watched, by block and warp. */
  readonly #lanes = new Map<number, number>();

  constructor(session: Session, threads: readonly ThreadId[]) {
    this.#session = session;
    for (const thread of threads) {
      const key = warpKey(thread.block, thread.warp);
      this.#lanes.set(key, (this.#lanes.get(key) ?? 0) | (1 << thread.lane));
      this.#watched.set(threadKey(thread), new Watched(thread));
    }
  }

  /** What the threads have done, by `threadKey`. */
  finish(): ReadonlyMap<string, ThreadTrace> {
    for (const watched of this.#watched.values()) watched.complete(this.#session);
    return this.#watched;
  }

  instruction(block: number, warp: number, pc: number, active: number, taken: number): void {
    const mask = (this.#lanes.get(warpKey(block, warp)) ?? 0) & active;
    if (mask === 0) return;
    const instruction = this.#session.program.code[pc];
    if (instruction === undefined) return;
    for (let lane = 0; lane < 32; lane++) {
      if (!((mask >>> lane) & 1)) continue;
      const watched = this.#watched.get(threadKey({ block, warp, lane }));
      watched?.begin(this.#session, pc, instruction, ((taken >>> lane) & 1) === 1, taken);
    }
  }

  load(at: ThreadId, space: Space, address: bigint, bytes: number, _: unknown, _scope: unknown, where: number): void {
    this.#touch(at, { how: "load", space, address, bytes, where });
  }

  store(at: ThreadId, space: Space, address: bigint, bytes: number, _: unknown, _scope: unknown, where: number): void {
    this.#touch(at, { how: "store", space, address, bytes, where });
  }

  atomic(at: ThreadId, space: Space, address: bigint, bytes: number, _: unknown, _scope: unknown, where: number): void {
    this.#touch(at, { how: "atomic", space, address, bytes, where });
  }

  #touch(at: ThreadId, access: Access): void {
    if (!(((this.#lanes.get(warpKey(at.block, at.warp)) ?? 0) >>> at.lane) & 1)) return;
    this.#watched.get(threadKey(at))?.touch(inItsSpace(access));
  }
}

/** A generic access rewritten to the state space of its address, which is how another compiler may spell it. */
function inItsSpace(access: Access): Access {
  if (access.space !== "generic") return access;
  const space = spaceOf(access.address) ?? "global";
  const { address } = access;
  return { ...access, space, address: isOwn(space) ? BigInt.asUintN(32, address) : address };
}

const warpKey = (block: number, warp: number): number => block * 64 + warp;

/** The trace of one thread while it is recorded. */
class Watched implements ThreadTrace {
  readonly thread: ThreadId;
  readonly steps: (Ran & { from: (number | undefined)[] })[] = [];
  cut = false;
  /** The step that wrote a slot last, and a byte of local memory. */
  readonly #slots = new Map<string, number>();
  readonly #bytes = new Map<number, number>();
  /** The step that stored a value in memory that observers do not see: parameters of calls. */
  readonly #stored = new Map<bigint, number>();
  #open: Instruction | undefined;
  /** Of a SIMD thread: the step that wrote a byte of a variable last, and what the open instruction does. */
  readonly #elements = new Map<bigint, number>();
  #work: ChannelWork | undefined;

  constructor(thread: ThreadId) {
    this.thread = thread;
  }

  begin(session: Session, pc: number, instruction: Instruction, taken: boolean, together: number): void {
    this.complete(session);
    if (this.steps.length >= MOST_STEPS) {
      this.cut = true;
      return;
    }
    const { plan, operands } = instruction;
    const guard = guardOf(instruction);
    if (plan.shape === "channels") {
      this.#beginChannel(session, pc, instruction, plan, taken);
      return;
    }
    const given = taken ? operands.slice(writtenBy(plan)).flatMap(leaves) : [];
    const values = nextOf(plan) === "callee" ? given.filter(({ kind }) => kind !== "address") : given;
    const from = values.map((operand) => this.#last(slotsOf(operand)));
    const reads = values.map((operand) => session.operand(this.thread, operand)[0] ?? 0n);
    if (taken && readsCarry(plan)) {
      reads.push(BigInt(session.carry(this.thread)));
      from.push(this.#slots.get("cc"));
    }
    const guardFrom = guard === undefined ? undefined : this.#slots.get(`p${guard}`);
    const meets = (meetingOf(plan) !== undefined && !isBarrier(plan)) || isCollective(plan);
    this.steps.push({
      pc,
      step: session.steps,
      taken,
      reads,
      from,
      results: [],
      ...(guardFrom === undefined ? {} : { guardFrom }),
      ...(meets ? { peers: peersOf(session, this.thread, instruction, together) } : {}),
    });
    this.#open = instruction;
  }

  /** An instruction of a SIMD thread: what it reads and writes are elements of variables in memory. */
  #beginChannel(
    session: Session,
    pc: number,
    instruction: Instruction,
    plan: Instruction["plan"] & { readonly shape: "channels" },
    taken: boolean,
  ): void {
    const work = channelWork(session, this.thread, plan);
    this.#work = work;
    const at = this.steps.length;
    const { reads = [], written = [] } = (taken && work) || {};
    const guard = guardOf(instruction);
    const guardFrom = guard === undefined ? undefined : this.#slots.get(`p${guard}`);
    const makerOf = ({ place, predicate }: ChannelWork["reads"][number]): number | undefined =>
      place === undefined ? this.#slots.get(`p${predicate}`) : this.#elements.get(place.address);
    this.steps.push({
      pc,
      step: session.steps,
      taken: taken && work !== undefined,
      reads: reads.map(({ bits }) => bits),
      from: reads.map(makerOf),
      results: [],
      ...(guardFrom === undefined ? {} : { guardFrom }),
    });
    for (const { from, bytes } of written)
      for (let byte = 0n; byte < BigInt(bytes); byte++) this.#elements.set(from + byte, at);
    this.#open = instruction;
  }

  touch(access: Access): void {
    const at = this.steps.length - 1;
    const step = this.steps[at];
    if (step === undefined || this.#open === undefined || this.cut) return;
    if (this.#open.plan.shape === "channels") {
      // The elements of a message lie one behind the other; before them the table of surfaces is looked into.
      const before = step.access;
      const goesOn = before !== undefined && before.address + BigInt(before.bytes) === access.address;
      step.access = goesOn ? { ...before, bytes: before.bytes + access.bytes } : access;
      return;
    }
    step.access ??= access;
    if (access.space !== "local" && access.space !== "param") return;
    if (access.how === "load") step.from.push(this.#bytes.get(access.where));
    else for (let byte = 0; byte < access.bytes; byte++) this.#bytes.set(access.where + byte, at);
    if (access.how === "store") for (const bits of step.reads.slice(1)) this.#stored.set(bits, at);
  }

  /** Records the results of the step before: some are known only when other threads have arrived. */
  complete(session: Session): void {
    const at = this.steps.length - 1;
    const step = this.steps[at];
    const instruction = this.#open;
    this.#open = undefined;
    if (step === undefined || instruction === undefined || !step.taken) return;
    const { plan, operands } = instruction;
    if (nextOf(plan) !== "on") return;
    if (plan.shape === "channels") {
      const { writes = [], predicates = [] } = this.#work ?? {};
      const bit = (slot: number): bigint =>
        session.operand(this.thread, { kind: "predicate", slot, negated: false })[0] ?? 0n;
      step.results = [
        ...writes.flatMap(({ address, bytes }) => read(session, address, bytes) ?? []),
        ...predicates.map(bit),
      ];
      for (const slot of predicates) this.#slots.set(`p${slot}`, at);
      return;
    }
    const written = operands.slice(0, writtenBy(plan)).flatMap(leaves);
    step.results = written.map((operand) => session.operand(this.thread, operand)[0] ?? 0n);
    for (const operand of written) for (const slot of slotsOf(operand)) this.#slots.set(slot, at);
    if (writesCarry(plan)) this.#slots.set("cc", at);
    const { access, from } = step;
    const local =
      plan.shape === "load" && (access === undefined || access.space === "local" || access.space === "param");
    const [value] = step.results;
    if (local && value !== undefined && from.every((each) => each === undefined)) from.push(this.#stored.get(value));
  }

  #last(slots: readonly string[]): number | undefined {
    const found = slots.flatMap((slot) => this.#slots.get(slot) ?? []);
    return found.length === 0 ? undefined : Math.max(...found);
  }
}

function peersOf(session: Session, { block, warp }: ThreadId, { plan, operands }: Instruction, together: number) {
  const read = operands.slice(writtenBy(plan)).flatMap(leaves);
  const peers = new Map<number, string>();
  for (let lane = 0; lane < 32; lane++)
    if ((together >>> lane) & 1)
      peers.set(lane, read.map((operand) => session.operand({ block, warp, lane }, operand)[0]).join(" "));
  return peers;
}
