import { lanesOf } from "../../../../src/interp/contract/launch/lane-mask.ts";
import type { ThreadId } from "../../../../src/interp/contract/launch/thread-id.ts";
import type { MemoryScope, PlannedFence } from "../../../../src/interp/contract/memory-consistency.ts";
import type { Observer, WarpAccess } from "../../../../src/interp/contract/observer.ts";
import { isStep, touchesOf, writtenBy } from "../../../../src/interp/contract/plan/effects.ts";
import type { Instruction } from "../../../../src/interp/contract/program.ts";
import { spaceOf } from "../../../../src/interp/contract/window.ts";
import type { Session } from "../../../../src/interp/machine/session.ts";

/** One thread's access to memory that others reach, as a run made it. */
export interface RecordedAccess {
  readonly kind: "access";
  readonly thread: ThreadId;
  readonly how: WarpAccess["how"];
  readonly pc: number;
  /** Whether it may synchronise: all but weak ones (PTX ISA 8.4). */
  readonly strong: boolean;
  readonly space: "global" | "shared";
  /** Its bytes, as an offset in the machine's memory, and its address in the space. */
  readonly at: number;
  readonly bytes: number;
  readonly address: number;
  /** What it read or stored; of an atomic operation what it left. */
  readonly value: bigint;
  /** Of an atomic operation: what it read, where it says so, and its operands. */
  readonly old?: bigint | undefined;
  readonly inputs?: readonly bigint[];
}

export interface RecordedFence {
  readonly kind: "fence";
  readonly thread: ThreadId;
  readonly sem: PlannedFence["sem"];
  readonly scope: MemoryScope;
}

/** A barrier of a block by its number, of a cluster, or of a warp by the mask of its lanes; `phase` numbers all of a run. */
export interface RecordedBarrier {
  readonly kind: "barrier";
  readonly thread: ThreadId;
  readonly of: "block" | "cluster" | "warp";
  readonly id: number;
  readonly phase: number;
}

export type Recorded = RecordedAccess | RecordedFence | RecordedBarrier;

/** Most that is recorded of a run. */
const MOST_RECORDED = 1 << 20;

/** Records what threads do to memory that they share, and what orders it, in the order of a run. */
export class Recording implements Observer {
  readonly all: Recorded[] = [];
  /** Instructions of which nothing is recorded: they access memory in another way than a load, a store or an atomic operation. */
  readonly strange: Set<number> = new Set();
  /** Whether there was more than is recorded. */
  full = false;
  readonly #session: Session;
  readonly #threads: number;
  /** What global memory held at first, by where it begins. */
  readonly #before: readonly { readonly start: number; readonly bytes: Uint8Array }[];
  /** The instruction that a warp executes, by block and warp. */
  readonly #pcs: Map<string, number> = new Map();
  #phases = 0;

  /** `threads`: of a block. */
  constructor(session: Session, threads: number) {
    this.#session = session;
    this.#threads = threads;
    const { allocations, data } = session.state!.context.memory;
    this.#before = allocations.live
      .filter(({ kind }) => kind === "global")
      .map(({ start, end }) => ({ start, bytes: Uint8Array.from(data.u8.subarray(start, end)) }));
  }

  /** Bytes as they were before the launch, the first one lowest; zero in shared memory. */
  before(at: number, bytes: number): bigint {
    const range = this.#before.find(({ start, bytes: held }) => start <= at && at + bytes <= start + held.length);
    return range === undefined ? 0n : numberOf(range.bytes.subarray(at - range.start, at - range.start + bytes));
  }

  instruction(block: number, warp: number, pc: number): void {
    this.#pcs.set(`${block} ${warp}`, pc);
  }

  access(access: WarpAccess): void {
    const instruction = this.#session.program.code[access.pc]!;
    const { u8 } = this.#session.state!.context.memory.data;
    for (const lane of lanesOf(access.lanes)) {
      const [low = 0, high = 0] = access.addresses.subarray(2 * lane, 2 * lane + 2);
      const space = access.space === "generic" ? spaceOf(BigInt(high) << 32n) : access.space;
      if (space !== "global" && space !== "shared") continue;
      if (!isPlain(instruction)) {
        this.strange.add(access.pc);
        continue;
      }
      const thread = { block: access.block, warp: access.warp, lane };
      const at = access.where[lane]!;
      this.#add({
        kind: "access",
        thread,
        how: access.how,
        pc: access.pc,
        strong: access.how === "atomic" || access.sem !== "weak",
        space,
        at,
        bytes: access.bytes,
        address: space === "shared" ? low : high * 2 ** 32 + low,
        value:
          (access.how === "store" ? access.value(lane) : undefined) ?? numberOf(u8.subarray(at, at + access.bytes)),
        ...(access.how === "atomic" ? this.#operands(thread, instruction) : {}),
      });
    }
  }

  fence(block: number, warp: number, lanes: number, scope: MemoryScope, sem: PlannedFence["sem"]): void {
    for (const lane of lanesOf(lanes)) this.#add({ kind: "fence", thread: { block, warp, lane }, sem, scope });
  }

  barrier(block: number, id: number, arrived: Uint32Array): void {
    const phase = this.#phases++;
    for (const [warp, lanes] of arrived.entries()) this.#meet(block, warp, lanes, { of: "block", id, phase });
  }

  cluster(blocks: readonly number[]): void {
    const phase = this.#phases++;
    for (const block of blocks)
      for (let first = 0; first < this.#threads; first += 32) {
        const lanes = this.#threads - first >= 32 ? -1 : (1 << (this.#threads - first)) - 1;
        this.#meet(block, first >>> 5, lanes, { of: "cluster", id: 0, phase });
      }
  }

  /** Of what lanes execute together, bar.warp.sync alone orders memory. */
  warpSync(block: number, warp: number, lanes: number): void {
    const instruction = this.#session.program.code[this.#pcs.get(`${block} ${warp}`) ?? -1];
    if (!/^bar\.warp\b/.test(instruction?.opcode ?? "")) return;
    this.#meet(block, warp, lanes, { of: "warp", id: lanes >>> 0, phase: this.#phases++ });
  }

  #meet(block: number, warp: number, lanes: number, met: Pick<RecordedBarrier, "of" | "id" | "phase">): void {
    for (const lane of lanesOf(lanes)) this.#add({ kind: "barrier", thread: { block, warp, lane }, ...met });
  }

  /** What an atomic operation has read, and its operands: not where it has written over one of them. */
  #operands(thread: ThreadId, { plan, operands }: Instruction): Pick<RecordedAccess, "old" | "inputs"> {
    const results = writtenBy(plan);
    const values = operands.flatMap((each) =>
      each === undefined ? [] : [this.#session.operand(thread, each)[0] ?? 0n],
    );
    return { old: results > 0 ? values[0] : undefined, inputs: values.slice(results + 1) };
  }

  #add(recorded: Recorded): void {
    if (this.all.length < MOST_RECORDED) this.all.push(recorded);
    else this.full = true;
  }
}

/** A load, a store or an atomic operation of one lane. */
function isPlain({ plan, operands }: Instruction): boolean {
  const [access, ...more] = touchesOf(plan);
  if (!isStep(plan) || access === undefined || more.length > 0 || access.lines !== undefined) return false;
  const results = writtenBy(plan);
  const [result] = operands;
  const old = results > 0 && result?.kind === "slot" ? result : undefined;
  return (
    access.how !== "atomic" ||
    !operands.slice(results).some((each) => each?.kind === "slot" && each.bank === old?.bank && each.slot === old.slot)
  );
}

/** Bytes as one number, the first one lowest. */
const numberOf = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
