import { volume } from "../contract/dim3.ts";
import type { Stop } from "../contract/stop.ts";
import { needsOf } from "../machine/launch.ts";
import type { Session } from "../machine/session.ts";
import { PAGE } from "../memory/memory.ts";
import { registerBytes } from "../schedule/cta-slot.ts";
import type { Part } from "../schedule/schedule.ts";
import { givenUp, standing, whyGivenUp } from "./board.ts";
import { collision, conflict, type Deeds, storedPages } from "./conflict.ts";
import type { Crew } from "./crew.ts";
import { keptBytes, placesOf } from "./member.ts";
import type { LaunchMessage } from "./message.ts";
import { piecesOf, shareOf } from "./pieces.ts";
import { type Workshop, workshopOf } from "./workshop.ts";

/** Milliseconds that the first round is to take, how many times as long the next one takes, and the longest. */
const FIRST_ROUND = 12;
const GROWTH = 3;
const LONGEST = 250;
/** Rounds in a row in which workers got into each other's way before the rest is done by one. */
const CONFLICTS = 2;
/** Milliseconds without a sign of life after which a worker counts as lost. */
const LOST = 60_000;

/**
 * Runs blocks of a launch on a crew, in rounds, each worker on an overlay of the memory, so that none sees what the others
 * do. In a round workers take the next blocks as they get to them. If then none has read what another one has changed, or
 * stored to the same byte, and nothing happened that anybody would have heard of (a fault, a finding, a line printed, the
 * limit of steps), the order cannot have mattered: what they have stored is put into the memory.
 *
 * Otherwise the round is done again, and all later ones, with a piece for each worker, in order. A worker's piece counts if
 * it has read nothing that workers before it have changed in this round, and if nothing happened in it. What they have
 * stored is put into the memory in order. That is what one worker would have got, who runs block after block. The first
 * piece that does not count, and all behind it, run again: in the next round, or by the launch itself.
 */
export class Rounds {
  readonly #session: Session;
  readonly #crew: Crew;
  readonly #executor: string;
  readonly #workshop: Workshop;
  #pieces: readonly Part[] = [];
  #began = 0;
  #aim = FIRST_ROUND;
  /** Milliseconds of work that a block takes. */
  #each = 0;
  #conflicts = 0;
  /** Whether workers take blocks as they get to them, so that none waits for another; until that goes wrong. */
  #shared = true;
  #anew = true;
  #kept: SharedArrayBuffer = new SharedArrayBuffer(0);
  #beats: number[] = [];
  #heard = 0;
  /** True from `begin` on until the crew has done all, or has given up. */
  active = false;
  /** Why the rest has to be done by one. */
  alone = "";
  /** Blocks that workers have run, and in how many rounds. */
  blocks = 0;
  rounds = 0;

  constructor(session: Session, crew: Crew, executor: string) {
    this.#session = session;
    this.#crew = crew;
    this.#executor = executor;
    this.#workshop = workshopOf(crew);
  }

  /** Takes over a launch that is held before block `first`; a block takes `each` milliseconds of work. */
  begin(first: number, each: number): void {
    const { context } = this.#session.state!;
    if (this.#crew.failure !== undefined) this.alone = this.#crew.failure;
    else if (!this.#workshop.isIdle) this.alone = "the workers are busy";
    else if (!this.#workshop.open(context.memory)) this.alone = "there is no room for the memories of workers";
    else {
      try {
        this.#tell();
      } catch (error) {
        this.alone = `it cannot be sent to workers: ${error instanceof Error ? error.message : error}`;
        return;
      }
      this.#each = each;
      this.#anew = true;
      this.active = true;
      this.#send(first);
    }
  }

  /** Waits for the round, `ms` at most; when it is done, the next one begins, or the launch is on its own again. */
  run(ms: number): Stop {
    const { board } = this.#workshop;
    const until = this.#crew.now() + ms;
    for (;;) {
      const bell = board.bell;
      const lost = this.#crew.failure ?? this.#lost();
      if (lost !== undefined) {
        this.#leave(this.#pieces[0]!.first, lost);
        break;
      }
      if (this.#pieces.every((_, worker) => board.state(worker) === standing.done)) {
        this.#settle();
        break;
      }
      const left = until - this.#crew.now();
      if (left <= 0) break;
      board.listen(bell, Math.min(left, 100));
    }
    return { reason: "budget", at: { block: this.#session.state!.scheduler.next, warp: 0, lane: 0 }, pc: 0 };
  }

  stop(): void {
    if (!this.active) return;
    const { board } = this.#workshop;
    board.stop = true;
    const end = this.#crew.now() + 1000;
    const busy = (): boolean => this.#pieces.some((_, worker) => board.state(worker) === standing.working);
    while (busy() && this.#crew.failure === undefined && this.#crew.now() < end) board.listen(board.bell, 20);
    board.stop = false;
    this.#leave(this.#pieces[0]!.first, whyGivenUp[givenUp.stopped]);
  }

  /** Tells workers what the launch is. */
  #tell(): void {
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
    const places = placesOf(this.#session);
    const own = new Set(places);
    const [live, freed] = memory.allocations.save();
    const addresses = new Map<string, bigint>();
    for (const { value } of program.constants)
      if (typeof value !== "bigint") addresses.set(value.variable, addressOf(value.variable));
    const keeps = Math.min(scheduler.keeps, volume(options.grid));
    this.#kept = new SharedArrayBuffer(keeps * keptBytes(registerBytes(needsOf(options))));
    const message: Omit<LaunchMessage, "program" | "id"> = {
      ...{ kind: "launch", executor: this.#executor, addresses, places, kept: this.#kept, keeps },
      options: { ...plain, registersReadable: context.observable },
      allocations: [
        live.filter(({ kind, start }) => !(own.has(start) && (kind === "window" || kind === "state"))),
        freed,
      ],
      seen: [...this.#session.seen],
    };
    const sent = this.#workshop.program(program);
    for (let worker = 0; worker < this.#crew.size; worker++) this.#crew.post(worker, { ...message, ...sent });
  }

  /** Hands out the next round. */
  #send(first: number): void {
    const { options } = this.#session.state!;
    const all = volume(options.grid);
    const count = Math.min(this.#crew.size, all - first);
    const wanted = Math.max(count, Math.round((this.#aim * count) / this.#each));
    const end = all - first < 1.5 * wanted ? all : first + wanted;
    const most = (options.maxSteps ?? Number.MAX_SAFE_INTEGER) - this.#session.steps;
    this.#pieces = this.#shared
      ? Array.from({ length: count }, () => ({ first, end }))
      : piecesOf({ first, end }, count, options.grid[0]);
    const share = this.#shared ? shareOf(end - first, count, options.grid[0]) : undefined;
    this.#began = this.#crew.now();
    this.#heard = this.#began;
    this.#workshop.board.offer(first);
    for (const [worker, piece] of this.#pieces.entries()) {
      this.#workshop.board.set(worker, standing.working);
      this.#crew.post(worker, { kind: "range", ...piece, most, share, anew: this.#anew });
    }
    this.#anew = false;
    this.rounds += 1;
    this.#aim = Math.min(LONGEST, GROWTH * this.#aim);
  }

  /** Whether a worker has not been heard of for long. */
  #lost(): string | undefined {
    const { board } = this.#workshop;
    const beats = this.#pieces.map((_, worker) => board.beats(worker) + board.state(worker));
    const now = this.#crew.now();
    if (beats.join() !== this.#beats.join()) this.#heard = now;
    this.#beats = beats;
    return now - this.#heard > LOST ? "a worker does not answer" : undefined;
  }

  /** All workers have done what they can: takes what counts. */
  #settle(): void {
    const { board, benches, changed } = this.#workshop;
    const { options, context, scheduler } = this.#session.state!;
    const took = this.#crew.now() - this.#began;
    const pages = Math.ceil(context.memory.allocations.top / PAGE);
    const { taken, why, clash } = this.#judge(pages);
    const [{ first: begin }] = this.#pieces as [Part];
    changed.fill(0, 0, pages);
    let inOrder = false;
    for (const page of taken.flatMap(({ stored }) => stored)) {
      inOrder ||= !this.#shared && changed[page] !== 0;
      changed[page] = 1;
      context.memory.know(page * PAGE, 1);
    }
    this.#commit(taken.length, inOrder);
    if (this.#shared && taken.length === 0) {
      // Once more, with pieces one after the other, of which the first ones may count.
      this.#shared = false;
      this.#send(begin);
      return;
    }
    const first = taken.length === 0 ? begin : this.#pieces[taken.length - 1]!.end;
    const steps = taken.reduce((sum, _, worker) => sum + board.steps(worker), 0);
    this.blocks += first - begin;
    if (taken.length === this.#pieces.length) this.#each = (took * taken.length) / (first - begin);
    this.#conflicts = clash ? this.#conflicts + 1 : 0;
    this.#takeRegisters(begin, first);
    const all = volume(options.grid);
    if (first === all) {
      const worker = taken.findIndex((_, index) => board.last(index) === all - 1);
      scheduler.takeLast(board.carries(worker, scheduler.slots[0]!.warps.length), benches[worker]!.own);
    }
    const over = why !== "" || this.#conflicts >= CONFLICTS;
    this.#session.skip({ first, end: first === all || over ? all : first }, steps);
    if (why !== "") this.#end(why);
    else if (over) this.#end("a block reads what one of the blocks before it stores");
    else if (first === all) this.#end("");
    else this.#send(first);
  }

  /** The workers whose blocks count, the first ones; why the next one's do not, where that is not because of a clash. */
  #judge(pages: number): { readonly taken: readonly Deeds[]; readonly why: string; readonly clash: boolean } {
    const { board, benches } = this.#workshop;
    const { options, context } = this.#session.state!;
    const ground = context.memory.data;
    const maxSteps = options.maxSteps ?? Number.POSITIVE_INFINITY;
    const taken: Deeds[] = [];
    let steps = this.#session.steps;
    for (const worker of this.#pieces.keys()) {
      const { own, ledger } = benches[worker]!;
      steps += board.steps(worker);
      const reason = board.why(worker) === givenUp.no && steps > maxSteps ? givenUp.limit : board.why(worker);
      const done = this.#shared ? [] : taken;
      if (reason !== givenUp.no) return { taken: done, why: whyGivenUp[reason], clash: false };
      const deeds = { ledger, data: own.data, shadow: own.shadow, stored: [...storedPages(ledger, pages)] };
      const clash = this.#shared
        ? taken.some((other) => collision(other, deeds, ground))
        : taken.some((earlier) => conflict(earlier, deeds, earlier.stored, ground) !== undefined);
      if (clash) return { taken: done, why: "", clash };
      taken.push(deeds);
    }
    return { taken, why: "", clash: false };
  }

  /** The first `count` workers put what they have stored into the memory; where they share pages, one after the other. */
  #commit(count: number, inOrder: boolean): void {
    const { board } = this.#workshop;
    const wait = (worker: number): void => {
      for (;;) {
        const bell = board.bell;
        if (board.state(worker) === standing.idle) return;
        if (this.#crew.failure !== undefined) throw new Error(`the memory is lost: ${this.#crew.failure}`);
        board.listen(bell, 100);
      }
    };
    for (const worker of this.#pieces.keys()) {
      board.set(worker, worker < count ? standing.commit : standing.drop);
      if (inOrder) wait(worker);
    }
    for (const worker of this.#pieces.keys()) wait(worker);
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
    for (const worker of this.#pieces.keys())
      if (this.#workshop.board.state(worker) === standing.done) this.#workshop.board.set(worker, standing.drop);
    this.#session.skip({ first, end: volume(this.#session.state!.options.grid) }, 0);
    this.#end(why);
  }

  #end(why: string): void {
    this.active = false;
    this.alone = why;
  }
}
