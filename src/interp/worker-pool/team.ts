import { volume } from "../contract/launch/dim3.ts";
import { reachOf } from "../contract/plan/effects.ts";
import type { Plan } from "../contract/plan/plan.ts";
import { reductionOf } from "../contract/plan/reduction.ts";
import type { Instruction, Program } from "../contract/program.ts";
import type { Stop } from "../contract/stop.ts";
import type { Session } from "../machine/session.ts";
import { type NamedExecutor, Rounds, SLOWER } from "./rounds.ts";
import type { WorkerPool } from "./worker-pool.ts";

/** Special registers that depend on the progress of the whole launch. */
const isTime = (plan: Plan): boolean => plan.shape === "special" && /^(?:clock|globaltimer)/.test(plan.name);

/** An atomic whose result, from global memory, the program uses: it depends on the order of blocks. */
const asksOthers = (program: Program, instruction: Instruction, observable: boolean): boolean => {
  const { plan } = instruction;
  if (plan.shape !== "atomic" || !plan.gives || plan.space !== "global") return false;
  return instruction.operands[0]?.kind !== "sink" && reductionOf(instruction, program, observable) === undefined;
};

/** Why the blocks of a program must run on one worker; "" when nothing in the program forbids more. */
function programAlone(program: Program, observable: boolean): string {
  const { code, functions } = program;
  // An overlay sees all communication between blocks only where they touch memory by checked loads and stores.
  const odd = code.find(({ plan }) => reachOf(plan) === "beyond" || hasFunctions(plan));
  if (odd !== undefined) return `${odd.opcode} reaches beyond its block`;
  const timed = code.find(({ plan }) => isTime(plan));
  if (timed !== undefined) return `${timed.opcode} reads the time`;
  const asking = code.find((instruction) => asksOthers(program, instruction, observable));
  if (asking !== undefined) return `${asking.opcode} depends on the order of blocks`;
  if (functions.some(({ entry }) => entry === "malloc" || entry === "free")) return "it uses the device heap";
  if (program.kernels !== undefined) return "it may launch kernels";
  return "";
}

/** vISA's plans may contain functions, which no message can carry. */
const hasFunctions = (plan: Plan): boolean => plan.shape === "branch" && plan.channels !== undefined;

/** Why a launch runs on one worker from the start; "" when others may help. */
export function launchAlone(session: Session): string {
  const { state } = session;
  if (state === undefined) return "it has not begun";
  const { options, context } = state;
  if (volume(options.grid) < 2) return "it has one block";
  if (options.cluster !== undefined) return "its blocks form clusters";
  if (options.workspace !== undefined) return "it is cooperative";
  if (session.program.limits.blockMemory !== undefined) return "its blocks have memory of their own";
  if (options.schedule !== undefined) return "its order is drawn by a seed";
  if (options.moving !== undefined && options.moving.when !== "late") return "asynchronous data move at other times";
  if (session.isWatched) return "something listens to its instructions";
  if (!context.sanitize.mem) return "accesses are not checked";
  if (context.memory.linear.wasm === undefined) return "its memory cannot be shared";
  if (context.memory.multicasts.length > 0) return "the device has multimem memory";
  return programAlone(session.program, context.observable);
}

/** Milliseconds that a launch runs alone before it estimates the rest, and the least rest for a ready worker pool. */
const ALONE = 2;
const WORTH = 10;
/** Milliseconds that workers lose on a new program: they read it, link it, and run cold code. */
const WARMING = 370;
/** The part of its time that a warm worker gains, see tests/bench/threads.js. */
const SHARE = 0.85;

/** The part of the time of some work that warm workers save. */
const savedBy = (size: number): number => 1 - 1 / (SHARE * Math.max(2, size));

/** The break-even: milliseconds of work that must be left for workers that lose `lost` of them first. */
export const worthOf = (size: number, lost: number): number => lost / savedBy(size);

/** How a launch was run: by how many workers, how many of its blocks by them, and why not all of them. */
export interface Teamwork {
  readonly workers: number;
  readonly blocks: number;
  readonly rounds: number;
  /** Why blocks ran on one worker; "" when all that were worth it ran on several. */
  readonly alone: string;
}

/**
 * A launch that workers may help with. It begins alone; when what is left is worth it, the worker pool runs blocks in
 * rounds. The result is that of one worker alone, see `Rounds`.
 */
export class Team {
  readonly #session: Session;
  readonly #workerPool: WorkerPool;
  readonly #rounds: Rounds;
  #alone: string;
  /** Milliseconds alone so far, and the steps of the next slice. */
  #spent = 0;
  /** What this launch would have gained from workers, as already added to the missed gains. */
  #counted = 0;
  #budget = 64;
  /** Whether the blocks that have not begun are held back for workers. */
  #holds = false;

  /** `executor`: undefined when workers do not know it. */
  constructor(session: Session, workerPool: WorkerPool, executor: NamedExecutor | undefined) {
    this.#session = session;
    this.#workerPool = workerPool;
    this.#rounds = new Rounds(session, workerPool, executor ?? { name: "", executor: undefined });
    this.#alone = executor === undefined ? "its executor is not known to workers" : launchAlone(session);
  }

  /** The progress so far. */
  get work(): Teamwork {
    const { blocks, rounds } = this.#rounds;
    const small = rounds === 0 ? "it was done before workers were worth it" : "";
    return { workers: rounds === 0 ? 1 : this.#workerPool.size, blocks, rounds, alone: this.#alone || small };
  }

  /** Continues for about `ms` milliseconds; ends by `budget` when there is more to do. */
  run(ms: number): Stop {
    const until = this.#workerPool.now() + ms;
    for (;;) {
      const left = until - this.#workerPool.now();
      const working = this.#rounds.active;
      const stop = working ? this.#rounds.run(left) : this.#here(left);
      if (working) this.#alone = this.#rounds.alone;
      if (stop.reason !== "budget" || this.#workerPool.now() >= until) return stop;
    }
  }

  /** Makes workers give up; the launch continues from the last completed round. */
  stop(): void {
    this.#rounds.stop();
  }

  /**
   * Whether it pays to send the program to workers: the gains of this launch and the missed gains of those before cover
   * the cost. A short kernel launched again and again thus waits at most twice as long as necessary.
   */
  #pays(work: number): boolean {
    const gain = work * savedBy(this.#workerPool.size);
    if (gain + this.#rounds.missed - this.#counted >= WARMING) return true;
    if (gain > this.#counted) {
      this.#rounds.miss(gain - this.#counted);
      this.#counted = gain;
    }
    return false;
  }

  /** Runs the launch alone for some milliseconds. */
  #here(ms: number): Stop {
    const began = this.#workerPool.now();
    const stop = this.#session.run({ budget: this.#budget });
    const took = this.#workerPool.now() - began;
    this.#spent += took;
    const most = Math.max(1, Math.min(ms, 4));
    this.#budget = Math.ceil(this.#budget * Math.min(4, Math.max(0.25, took > 0 ? most / took : 4)));
    if (stop.reason === "budget" && this.#alone === "") this.#ask();
    return stop;
  }

  /** Whether the rest is worth a worker pool: then no more blocks begin here, and workers continue after this one. */
  #ask(): void {
    const { scheduler, options, context } = this.#session.state!;
    // Workers find none of a supplier's memory: what a block would do there, they leave to the launch itself.
    const foreign = context.memory.supply?.isTouched ? "it works on memory that is somebody else's" : "";
    if (scheduler.held) {
      if (foreign === "") {
        // Workers use the marks of bytes that are awaited for what they have stored.
        context.awaited.end();
        this.#rounds.begin(scheduler.next, this.#spent);
      }
      this.#alone = foreign || this.#rounds.alone;
      if (!this.#rounds.active) this.#session.skip({ first: scheduler.next, end: volume(options.grid) }, 0);
      return;
    }
    if (this.#spent < ALONE) return;
    // Resident blocks may be waiting for each other.
    if (this.#workerPool.failure !== undefined) this.#alone = this.#workerPool.failure;
    else if (scheduler.slots.length > 1) this.#alone = "blocks run side by side";
    else if (foreign !== "") {
      if (!this.#holds) this.#alone = foreign;
    } else if (this.#rounds.isLosing) this.#alone = SLOWER;
    else {
      const left = volume(options.grid) - scheduler.next;
      const work = (this.#spent / (scheduler.next - 0.5)) * left;
      if (left < 2) return;
      if (this.#workerPool.ready) {
        if (this.#rounds.isNew ? this.#pays(work) : work >= WORTH) {
          this.#holds = true;
          scheduler.hold();
        }
      } else if (this.#rounds.wanted(work, this.#spent) >= this.#workerPool.worth) this.#workerPool.start();
    }
  }
}
