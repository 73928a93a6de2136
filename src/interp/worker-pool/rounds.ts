import { volume } from "../contract/launch/dim3.ts";
import type { Stop } from "../contract/stop.ts";
import { needsOf } from "../machine/launch.ts";
import type { Session } from "../machine/session.ts";
import { commitPage } from "../memory/commit.ts";
import { REDUCED } from "../memory/ledger.ts";
import { PAGE } from "../memory/memory.ts";
import { registerBytes } from "../schedule/cta-slot.ts";
import type { Part } from "../schedule/schedule.ts";
import type { Executor } from "../state/executor.ts";
import { givenUp, whyGivenUp, workerState } from "./board.ts";
import { collision, conflict, type PageChanges, storedPages } from "./conflict.ts";
import { keptBytes, placesOf } from "./member.ts";
import type { LaunchMessage } from "./message.ts";
import { piecesOf, shareOf } from "./pieces.ts";
import { type PoolState, poolStateOf } from "./pool-state.ts";
import type { WorkerPool } from "./worker-pool.ts";

/** Milliseconds of the first round, the growth factor for the next ones, and the longest. */
const FIRST_ROUND = 12;
const GROWTH = 6;
const LONGEST = 250;
/** Rounds in a row with conflicts before one worker does the rest. */
const CONFLICTS = 2;
/**
 * Milliseconds that workers may lose on a program, which they do while its code is cold. They lose more where blocks do little with much
 * memory: each page that a worker touches is copied first.
 */
const MOST_LOST = 500;
/** Milliseconds without a sign of life after which a worker counts as lost. */
const LOST = 60_000;
/** Milliseconds that workers have to finish when a launch is stopped. */
const STOP_WAIT_MS = 1000;

/** Why a program that workers have lost on runs on one. */
export const SLOWER = "workers take longer for it than one thread";

/** An executor, and the name by which workers know it. */
export interface NamedExecutor {
  readonly name: string;
  readonly executor: Executor | undefined;
}

/** The result of a round. */
interface Verdict {
  /** The workers whose blocks count, the first ones. */
  readonly taken: readonly PageChanges[];
  /** Why the next worker's blocks do not count, where that is not because of a conflict. */
  readonly why: string;
  readonly clash: boolean;
  /** Whether the workers must commit their stores in order. */
  readonly inOrder: boolean;
  /** Milliseconds that the round took. */
  readonly took: number;
}

/**
 * Runs blocks of a launch on a worker pool, in rounds, each worker on an overlay of the memory, so that none sees the
 * others' stores. In a round workers take the next blocks as they become free. If then none has read what another one
 * has changed, or stored to the same byte, and no observable event occurred (a fault, a finding, a line printed, the
 * limit of steps), the order cannot have mattered: the stores are committed to the memory.
 *
 * Otherwise the round is repeated, and all later ones run, with a fixed part for each worker, in order. A worker's
 * part counts if it has read nothing that workers before it have changed in this round, and if no such event occurred
 * in it. The stores are committed in order. The result is that of one worker that runs block after block. The first
 * part that does not count, and all behind it, run again: in the next round, or by the launch itself.
 */
export class Rounds {
  readonly #session: Session;
  readonly #workerPool: WorkerPool;
  readonly #executor: NamedExecutor;
  readonly #workshop: PoolState;
  #pieces: readonly Part[] = [];
  #began = 0;
  #aim = FIRST_ROUND;
  /** Milliseconds of work of one block; and of a step before there were workers, since blocks may differ in their steps. */
  #each = 0;
  #stepAlone = 0;
  #conflicts = 0;
  /** Whether workers take blocks as they become free, so that none waits for another; until a conflict occurs. */
  #shared = true;
  /** Whether workers record exactly what they read, after a conflict without that. */
  #careful = false;
  #anew = true;
  #kept: SharedArrayBuffer = new SharedArrayBuffer(0);
  /** The result of a finished round while workers commit it; and how many of them have been notified. */
  #verdict: Verdict | undefined;
  #notified = 0;
  #beats: number[] = [];
  #lastBeat = 0;
  /** True from `begin` on until the worker pool has done everything, or has given up. */
  active = false;
  /** Why one worker has to do the rest. */
  alone = "";
  /** Blocks run by workers, and the number of rounds. */
  blocks = 0;
  rounds = 0;

  constructor(session: Session, workerPool: WorkerPool, executor: NamedExecutor) {
    this.#session = session;
    this.#workerPool = workerPool;
    this.#executor = executor;
    this.#workshop = poolStateOf(workerPool);
  }

  /** Whether the workers have not received the program yet. */
  get isNew(): boolean {
    return !this.#workshop.knows(this.#session.program);
  }

  /** Milliseconds that earlier launches of the program would have gained from workers that knew it. */
  get missed(): number {
    return this.#workshop.missed(this.#session.program);
  }

  miss(gain: number): void {
    this.#workshop.miss(this.#session.program, gain);
  }

  /** Whether workers have lost more on the program than code that is cold costs. */
  get isLosing(): boolean {
    return this.#workshop.lost(this.#session.program) > MOST_LOST;
  }

  /** Milliseconds of work that workers could do, were they there: the rest of this launch, and what earlier ones did alone. */
  wanted(rest: number, spent: number): number {
    return this.#workshop.wanted(this.#session, rest, spent);
  }

  /** Takes over a launch that is held before block `first`, after `spent` milliseconds alone. */
  begin(first: number, spent: number): void {
    const { context } = this.#session.state!;
    if (this.#workerPool.failure !== undefined) this.alone = this.#workerPool.failure;
    else if (!this.#workshop.isIdle) this.alone = "the workers are busy";
    else if (!this.#workshop.open(context.memory)) this.alone = "there is no room for the memories of workers";
    else {
      try {
        this.#notify();
      } catch (error) {
        this.alone = `it cannot be sent to workers: ${error instanceof Error ? error.message : error}`;
        return;
      }
      this.#each = spent / first;
      this.#stepAlone = spent / this.#session.steps;
      this.#anew = true;
      this.active = true;
      this.#send(first);
    }
  }

  /** Waits for the round, at most `ms` milliseconds; then starts the next one, or leaves the launch alone again. */
  run(ms: number): Stop {
    const { board } = this.#workshop;
    const until = this.#workerPool.now() + ms;
    for (;;) {
      const bell = board.bell;
      if (this.#verdict === undefined) {
        const lost = this.#workerPool.failure ?? this.#lost();
        if (lost !== undefined) {
          this.#leave(this.#pieces[0]!.first, lost);
          break;
        }
        if (this.#pieces.every((_, worker) => board.state(worker) === workerState.done)) this.#verdict = this.#judge();
      }
      if (this.#verdict !== undefined && this.#hasCommitted(this.#verdict, false)) {
        this.#conclude(this.#verdict);
        break;
      }
      const left = until - this.#workerPool.now();
      if (left <= 0) break;
      board.listen(bell, Math.min(left, 100));
    }
    return { reason: "budget", at: { block: this.#session.state!.scheduler.next, warp: 0, lane: 0 }, pc: 0 };
  }

  stop(): void {
    if (!this.active) return;
    const { board } = this.#workshop;
    board.stop = true;
    const end = this.#workerPool.now() + STOP_WAIT_MS;
    const late = (): boolean => this.#workerPool.failure !== undefined || this.#workerPool.now() >= end;
    const busy = (): boolean => this.#pieces.some((_, worker) => board.state(worker) === workerState.working);
    // A commit that has begun is completed.
    const verdict = this.#verdict;
    if (verdict === undefined) while (busy() && !late()) board.listen(board.bell, 20);
    else while (!this.#hasCommitted(verdict, late())) board.listen(board.bell, 20);
    board.stop = false;
    if (verdict !== undefined) this.#conclude(verdict);
    if (this.active) this.#leave(this.#pieces[0]!.first, whyGivenUp[givenUp.stopped]);
  }

  /** Sends the launch to the workers. */
  #notify(): void {
    const { options, context, scheduler } = this.#session.state!;
    const {
      program,
      memory,
      executor: _executor,
      addressOf,
      print,
      schedule,
      moving,
      part,
      ended,
      maxSteps,
      ...plain
    } = options;
    const places = placesOf(this.#session.state!);
    const own = new Set(places);
    const [live, freed] = memory.allocations.save();
    const addresses = new Map<string, bigint>();
    for (const { value } of program.constants)
      if (typeof value !== "bigint") addresses.set(value.variable, addressOf(value.variable));
    const keeps = Math.min(scheduler.keeps, volume(options.grid));
    this.#kept = new SharedArrayBuffer(keeps * keptBytes(registerBytes(needsOf(options))));
    const message: Omit<LaunchMessage, "program" | "id" | "made"> = {
      kind: "launch",
      executor: this.#executor.name,
      addresses,
      places,
      kept: this.#kept,
      keeps,
      options: { ...plain, registersReadable: context.observable },
      allocations: [
        live.filter(({ kind, start }) => !(own.has(start) && (kind === "window" || kind === "state"))),
        freed,
      ],
      seen: [...this.#session.seen],
    };
    const sent = this.#workshop.program(program, this.#executor.executor?.made?.(program));
    for (let worker = 0; worker < this.#workerPool.size; worker++)
      this.#workerPool.post(worker, { ...message, ...sent });
  }

  /** Distributes the next round. */
  #send(first: number): void {
    const { options } = this.#session.state!;
    const all = volume(options.grid);
    const count = Math.min(this.#workerPool.size, all - first);
    const wanted = Math.max(count, Math.round((this.#aim * count) / this.#each));
    const end = all - first < 1.5 * wanted ? all : first + wanted;
    const most = (options.maxSteps ?? Number.MAX_SAFE_INTEGER) - this.#session.steps;
    this.#pieces = this.#shared
      ? Array.from({ length: count }, () => ({ first, end }))
      : piecesOf({ first, end }, count, options.grid[0]);
    const share = this.#shared ? shareOf(end - first, count, options.grid[0]) : undefined;
    this.#began = this.#workerPool.now();
    this.#lastBeat = this.#began;
    this.#workshop.board.offer(first);
    for (const [worker, piece] of this.#pieces.entries()) {
      this.#workshop.board.set(worker, workerState.working);
      this.#workerPool.post(worker, { kind: "range", ...piece, most, share, careful: this.#careful, anew: this.#anew });
    }
    this.#anew = false;
    this.rounds += 1;
    this.#aim = Math.min(LONGEST, GROWTH * this.#aim);
  }

  /** Whether a worker has given no sign of life for long. */
  #lost(): string | undefined {
    const { board } = this.#workshop;
    const beats = this.#pieces.map((_, worker) => board.beats(worker) + board.state(worker));
    const now = this.#workerPool.now();
    if (beats.join() !== this.#beats.join()) this.#lastBeat = now;
    this.#beats = beats;
    return now - this.#lastBeat > LOST ? "a worker does not answer" : undefined;
  }

  /** All workers have finished: decides what counts. */
  #judge(): Verdict {
    const { changed } = this.#workshop;
    const { memory } = this.#session.state!.context;
    const took = this.#workerPool.now() - this.#began;
    const pages = Math.ceil(memory.allocations.top / PAGE);
    const judged = this.#look(pages);
    changed.fill(0, 0, pages);
    let inOrder = false;
    for (const { stored, ledger } of judged.taken)
      for (const page of stored) {
        inOrder ||= changed[page] !== 0 && (!this.#shared || (ledger.flags[page]! & REDUCED) !== 0);
        changed[page] = 1;
        memory.know(page * PAGE, 1);
      }
    this.#notified = 0;
    return { ...judged, inOrder, took };
  }

  /** What counts has been committed: continues from there. */
  #conclude({ taken, why, clash, took }: Verdict): void {
    const { board, memories: benches } = this.#workshop;
    const { options, scheduler } = this.#session.state!;
    this.#verdict = undefined;
    const [{ first: begin }] = this.#pieces as [Part];
    if (this.#shared && taken.length === 0 && this.#workerPool.failure === undefined) {
      // Repeat it with exact records of reads first; then with parts in order, of which the first ones may count.
      this.#shared = clash && !this.#careful;
      this.#careful = true;
      this.#send(begin);
      return;
    }
    const first = taken.length === 0 ? begin : this.#pieces[taken.length - 1]!.end;
    const steps = taken.reduce((sum, _, worker) => sum + board.steps(worker), 0);
    this.blocks += first - begin;
    this.#workshop.lose(this.#session.program, took - steps * this.#stepAlone);
    if (taken.length === this.#pieces.length) this.#each = (took * taken.length) / (first - begin);
    this.#conflicts = clash ? this.#conflicts + 1 : 0;
    this.#takeRegisters(begin, first);
    const all = volume(options.grid);
    if (first === all) {
      const worker = taken.findIndex((_, index) => board.last(index) === all - 1);
      scheduler.takeLast(board.carries(worker, scheduler.slots[0]!.warps.length), benches[worker]!.own);
    }
    const reason =
      this.#workerPool.failure ||
      why ||
      (this.#conflicts >= CONFLICTS ? "a block reads what one of the blocks before it stores" : "") ||
      (this.isLosing ? SLOWER : "");
    this.#session.skip({ first, end: first === all || reason !== "" ? all : first }, steps);
    if (first === all || reason !== "") this.#end(first === all ? why : reason);
    else this.#send(first);
  }

  /** The workers whose blocks count, the first ones; why the next one's do not, unless because of a conflict. */
  #look(pages: number): Pick<Verdict, "taken" | "why" | "clash"> {
    const { board, memories: benches } = this.#workshop;
    const { options, context } = this.#session.state!;
    const base = context.memory.data;
    const maxSteps = options.maxSteps ?? Number.POSITIVE_INFINITY;
    const taken: PageChanges[] = [];
    let steps = this.#session.steps;
    for (const worker of this.#pieces.keys()) {
      const { own, ledger } = benches[worker]!;
      steps += board.steps(worker);
      const reason = board.why(worker) === givenUp.no && steps > maxSteps ? givenUp.limit : board.why(worker);
      const done = this.#shared ? [] : taken;
      if (reason !== givenUp.no) return { taken: done, why: whyGivenUp[reason], clash: false };
      const changes = { ledger, data: own.data, shadow: own.shadow, stored: [...storedPages(ledger, pages)] };
      const clash = this.#shared
        ? taken.some((other) => collision(other, changes, base))
        : taken.some((earlier) => conflict(earlier, changes, earlier.stored, base, true));
      if (clash) return { taken: done, why: "", clash };
      taken.push(changes);
    }
    return { taken, why: "", clash: false };
  }

  /**
   * Lets the workers that count commit their stores; one after the other where they share pages and the order matters.
   * True once that is done. `late`: a worker that has not finished by now counts as lost.
   */
  #hasCommitted(verdict: Verdict, late: boolean): boolean {
    const { board } = this.#workshop;
    const lost = late || this.#lost() !== undefined;
    let done = true;
    for (const worker of this.#pieces.keys()) {
      const counts = worker < verdict.taken.length;
      if (worker === this.#notified) {
        board.set(worker, counts ? workerState.commit : workerState.drop);
        this.#notified += 1;
      }
      if (board.state(worker) !== workerState.idle && (lost || this.#workerPool.ended(worker))) {
        if (counts) this.#replace(worker, verdict.taken[worker]!);
        board.set(worker, workerState.idle);
      }
      done &&= board.state(worker) === workerState.idle;
      if (verdict.inOrder && !done) return false;
    }
    return done;
  }

  /** Commits in place of a lost worker. */
  #replace(worker: number, { stored }: PageChanges): void {
    const { own } = this.#workshop.memories[worker]!;
    for (const page of stored) commitPage(own, this.#session.state!.context.memory, page);
  }

  #takeRegisters(first: number, end: number): void {
    const { scheduler, options } = this.#session.state!;
    const bytes = registerBytes(needsOf(options));
    const warps = scheduler.slots[0]!.warps.length;
    for (let block = first; block < Math.min(end, scheduler.keeps); block++) {
      const at = block * keptBytes(bytes);
      const carries = [...new Uint32Array(this.#kept, at + bytes, warps)];
      scheduler.take(block, { state: new Uint8Array(this.#kept, at, bytes), carries });
    }
  }

  #leave(first: number, why: string): void {
    const { board } = this.#workshop;
    // The work of the other workers is no longer needed.
    if (this.#workerPool.failure !== undefined) board.stop = true;
    for (const worker of this.#pieces.keys())
      if (board.state(worker) === workerState.done) board.set(worker, workerState.drop);
    this.#session.skip({ first, end: volume(this.#session.state!.options.grid) }, 0);
    this.#end(why);
  }

  #end(why: string): void {
    this.active = false;
    this.alone = why;
  }
}
