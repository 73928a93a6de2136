import type { ThreadId } from "../../interp/contract/launch/thread-id.ts";
import type { Register } from "../../interp/contract/program.ts";
import type { Before, Session } from "../../interp/machine/session.ts";
import type { Edit } from "../../interp/tools/edit.ts";
import { type Arrival, type BackwardSearch, History } from "../../interp/tools/history.ts";
import { MachineView } from "../../interp/tools/machine-view.ts";
import type { Sliced } from "../../interp/tools/sliced.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { FoundPoint, Points, Scan } from "./points.ts";
import type { DebugStop, Hit, Move } from "./stop.ts";

/** The extent of a step: one instruction, one including its calls, or until the thread has left its function. */
type Stride = "into" | "over" | "out";

/**
 * Follows a thread through a run, one of its instructions after another. For a thread that waits at a barrier,
 * continuing is a step, although another thread's instruction released it. For a thread that does not run, every
 * instruction counts.
 */
class Follow {
  readonly #machine: MachineView;
  readonly #thread: ThreadId;
  readonly #stride: Stride;
  readonly #whole: boolean;
  #left: number;
  #depth: number;
  /** Whether the last instruction was the thread's, and whether the thread waited during it. */
  #mine = false;
  #waited = false;

  constructor(session: Session, thread: ThreadId, stride: Stride, steps: number) {
    this.#machine = new MachineView(session);
    this.#thread = thread;
    this.#stride = stride;
    this.#left = steps;
    this.#whole = !this.#machine.lives(thread);
    this.#depth = this.#machine.depth(thread);
  }

  /** Called before each instruction: whether the thread has finished its step. */
  arrived(block: number, warp: number, active: number): boolean {
    const machine = this.#machine;
    const thread = this.#thread;
    const waits = !this.#whole && machine.waits(thread);
    if (this.#mine || (this.#waited && !waits)) {
      if (!this.#whole && !machine.lives(thread)) return true;
      const depth = machine.depth(thread);
      if (!this.#goesOn(depth)) {
        this.#left--;
        this.#depth = depth;
        if (this.#left === 0) return true;
      }
    }
    this.#mine =
      this.#whole || (block === thread.block && warp === thread.warp && ((active >>> thread.lane) & 1) === 1);
    this.#waited = waits;
    return false;
  }

  #goesOn(depth: number): boolean {
    if (this.#stride === "over") return depth > this.#depth;
    return this.#stride === "out" && (this.#depth === 0 || depth >= this.#depth);
  }
}

/**
 * Bytes of registers that are saved at each stop, to show which have changed; with more, only those of the focused
 * block are.
 */
const REMEMBERED = 1 << 20;

/** Moves a debugger over one session, forward and back: its position, why it stopped there, and the focused thread. */
export class ExecutionControl {
  readonly #session: Session;
  readonly #machine: MachineView;
  readonly #history: History;
  readonly #points: Points;
  #stop: DebugStop;
  #focus: ThreadId;
  /** Registers at the position before the debugger's last move. */
  #earlier: ReturnType<MachineView["saveRegisters"]> | undefined;
  /** The focused thread's carry flag at that position. */
  #earlierCarry: { readonly thread: ThreadId; readonly flag: 0 | 1 | undefined } | undefined;

  /** `budget`: bytes that may be used for going back. */
  constructor(session: Session, points: Points, budget: number | undefined) {
    this.#session = session;
    this.#machine = new MachineView(session);
    this.#points = points;
    this.#history = new History(session, budget);
    this.#focus = this.#machine.current ?? { block: 0, warp: 0, lane: 0 };
    this.#stop = { reason: "start", ...this.#here(this.#focus) };
  }

  get session(): Session {
    return this.#session;
  }

  get history(): History {
    return this.#history;
  }

  get stop(): DebugStop {
    return this.#stop;
  }

  get focus(): ThreadId {
    return this.#focus;
  }

  /** Throws a RangeError when the thread has not begun or is no longer kept. */
  set focus(thread: ThreadId) {
    if (!this.#machine.exists(thread)) throw new RangeError("there is no such thread now");
    this.#focus = thread;
  }

  /** The value of a register before the last move; undefined when that is not known. */
  earlier(thread: ThreadId, register: Register): readonly bigint[] | undefined {
    return this.#earlier?.(thread, register);
  }

  /** The carry flag of a thread before the last move; undefined when that is not known. */
  earlierCarry({ block, warp, lane }: ThreadId): 0 | 1 | undefined {
    const { thread, flag } = this.#earlierCarry ?? {};
    return thread?.block === block && thread.warp === warp && thread.lane === lane ? flag : undefined;
  }

  /** Back to the last position where a point holds, or to the beginning. Ignore counts do not matter, hits are not counted. */
  *continueBack(): Move {
    const from = this.#session.steps;
    const session = this.#session;
    let scan: Scan | undefined;
    let last: { readonly step: number; readonly hit: Hit } | undefined;
    const note = (found: readonly FoundPoint[]): void => {
      for (const { hit, back } of found)
        if (session.steps - back < from) last = { step: session.steps - back, hit: back === 1 ? turned(hit) : hit };
    };
    const found = yield* this.#backward({
      begin: () => {
        scan?.close();
        scan = this.#points.scan(session);
      },
      before: (block, warp, pc, active) => note(scan?.at(block, warp, pc, active, true) ?? []),
      edits: (repeat) => across(scan, repeat),
      end: () => {
        note(scan?.end() ?? []);
        return last !== undefined;
      },
    });
    // TypeScript does not see that the search has set it.
    (scan as Scan | undefined)?.close();
    if (found === "interrupted") return this.#stop;
    if (last === undefined) return yield* this.#beginning();
    const arrival = yield* this.#history.goingTo(last.step);
    return arrival === "there" ? this.#stopFor(last.hit) : this.#arrived(arrival);
  }

  /** Goes to a position, forward or back; points do not stop it. It stops at the end of the launch. */
  *goTo(step: number): Move {
    this.#remember();
    return this.#arrived(yield* this.#history.goingTo(Math.max(step, this.#history.beginning)));
  }

  /** A manual change; see `Debugger.edit`. */
  edit(edit: Edit): Diagnostic | undefined {
    const fault = this.#history.edit(edit);
    // A failed instruction can be retried.
    if (this.#stop.reason === "trap" && !this.#hasEnded()) this.#stop = { reason: "step", ...this.#here(this.#focus) };
    return fault;
  }

  /** `n` instructions of the focused thread. */
  stride(stride: Stride, n: number): Move {
    if (n < 1) return this.goTo(this.#session.steps);
    const follow = new Follow(this.#session, this.#focus, stride, n);
    return this.forward((block, warp, _pc, active) => follow.arrived(block, warp, active));
  }

  /** Until the focused thread is at another line of `.loc`, `n` times. */
  strideLines(stride: Stride, n: number): Move {
    const session = this.#session;
    const thread = this.#focus;
    const lineOf = (): string | undefined => {
      const { location } = session.program.code[this.#machine.thread(thread)?.pc ?? -1] ?? {};
      return location && `${location.file}:${location.line}`;
    };
    let line = lineOf();
    let left = n;
    let follow = new Follow(session, thread, stride, 1);
    return this.forward((block, warp, _pc, active) => {
      if (!follow.arrived(block, warp, active)) return false;
      if (!this.#machine.lives(thread)) return true;
      const now = lineOf();
      if (now !== undefined && now !== line && --left <= 0) return true;
      line = now ?? line;
      follow = new Follow(session, thread, stride, 1);
      return follow.arrived(block, warp, active);
    });
  }

  /**
   * Forward until `over` returns true, a point holds, or the launch ends; `here`: points at the current position count,
   * too.
   */
  *forward(over: Before | undefined, here: boolean = false): Move {
    this.#remember();
    const session = this.#session;
    const scan = this.#points.scan(session);
    // A run that begins here, unlike a step, stops before the first instruction too, if nothing has stopped
    // there yet.
    const begins = session.steps === this.#history.beginning && !("id" in this.#stop);
    const from = session.steps - (here || (begins && over === undefined) ? 1 : 0);
    let hit: Hit | undefined;
    const before: Before = (block, warp, pc, active) => {
      const found = scan?.at(block, warp, pc, active, session.steps > from);
      if (found !== undefined && found.length > 0) hit = this.#points.count(found);
      return hit !== undefined || over?.(block, warp, pc, active) === true;
    };
    const careful = scan !== undefined || over !== undefined;
    const passage = careful ? { before, edits: (repeat: () => void) => across(scan, repeat) } : undefined;
    const arrival = yield* this.#history.travelling(Number.POSITIVE_INFINITY, passage);
    if (arrival === "ended" && scan !== undefined) hit = this.#points.count(scan.end());
    scan?.close();
    if (hit === undefined) return this.#arrived(arrival);
    return this.#stopFor(hit.reason === "watchpoint" ? { ...hit, thread: scan?.writer(hit.id) ?? hit.thread } : hit);
  }

  /** Back before the focused thread's last instruction whose call depth `counts` accepts, `n` times. */
  *strideBack(n: number, counts: (depth: number) => boolean): Move {
    if (n < 1) return yield* this.goTo(this.#session.steps);
    const { block, warp, lane } = this.#focus;
    const machine = this.#machine;
    let own: { readonly step: number; readonly depth: number }[] = [];
    let left = n;
    let target: number | undefined;
    const found = yield* this.#backward({
      begin: () => {
        own = [];
      },
      before: (atBlock, atWarp, _pc, active) => {
        if (atBlock === block && atWarp === warp && (active >>> lane) & 1)
          own.push({ step: this.#session.steps, depth: machine.depth(this.#focus) });
      },
      edits: (repeat) => repeat(),
      end: () => {
        target = own.findLast(({ depth }) => counts(depth) && --left === 0)?.step;
        return target !== undefined;
      },
    });
    if (found === "interrupted") return this.#stop;
    if (target === undefined) return yield* this.#beginning();
    return this.#arrived(yield* this.#history.goingTo(target));
  }

  /** A search backward that restores the session's position. */
  *#backward(pass: BackwardSearch): Sliced<"found" | "nothing" | "interrupted"> {
    this.#remember();
    const history = this.#history;
    const result = yield* history.aside(history.backward(this.#session.steps, pass));
    if (result === "interrupted") this.#stop = { reason: "interrupt", ...this.#here(this.#focus) };
    return result;
  }

  /** Whether the launch has ended here: no thread can continue. */
  #hasEnded(): boolean {
    return this.#session.run({ budget: 0 }).reason !== "budget";
  }

  *#beginning(): Move {
    const arrival = yield* this.#history.goingTo(this.#history.beginning);
    if (arrival !== "there") return this.#arrived(arrival);
    this.#stop = { reason: "start", ...this.#here(this.#seek()) };
    return this.#stop;
  }

  #arrived(arrival: Arrival): DebugStop {
    const { end } = this.#history;
    if (end === undefined) {
      const reason = arrival === "interrupted" ? "interrupt" : "step";
      this.#stop = { reason, ...this.#here(this.#seek()) };
    } else if (end.reason === "trap") {
      const id = this.#points.fault();
      this.#focus = end.at;
      this.#stop = {
        reason: "trap",
        diagnostic: end.diagnostic,
        step: this.#session.steps,
        thread: end.at,
        pc: end.pc,
        ...(id !== undefined && { id }),
      };
    } else this.#stop = { reason: "exit", ...this.#here(this.#focus) };
    return this.#stop;
  }

  #stopFor(hit: Hit): DebugStop {
    if (this.#machine.exists(hit.thread)) this.#focus = hit.thread;
    this.#stop = { ...hit, ...this.#here(this.#focus), thread: hit.thread };
    return this.#stop;
  }

  /** The focused thread, or one that runs when that one does not. */
  #seek(): ThreadId {
    const machine = this.#machine;
    if (!machine.lives(this.#focus)) this.#focus = machine.current ?? this.#focus;
    return this.#focus;
  }

  #here(thread: ThreadId): { readonly step: number; readonly thread: ThreadId; readonly pc: number } {
    return {
      step: this.#session.steps,
      thread,
      pc: this.#machine.thread(thread)?.pc ?? this.#session.program.code.length,
    };
  }

  #remember(): void {
    this.#earlier = this.#machine.saveRegisters(this.#focus.block, REMEMBERED);
    this.#earlierCarry = { thread: this.#focus, flag: this.#machine.carry(this.#focus) };
  }
}

/** A change seen while going back. */
const turned = (hit: Hit): Hit =>
  hit.reason === "watchpoint" || hit.reason === "access" ? { ...hit, old: hit.new, new: hit.old } : hit;

/** Skips manual changes, which no point stops for. */
function across(scan: Scan | undefined, repeat: () => void): void {
  if (scan === undefined) repeat();
  else scan.across(repeat);
}
