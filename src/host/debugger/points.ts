import { firstLane } from "../../interp/contract/launch/lane-mask.ts";
import type { ThreadId } from "../../interp/contract/launch/thread-id.ts";
import { isBarrier } from "../../interp/contract/plan/effects.ts";
import type { Session } from "../../interp/machine/session.ts";
import { MachineView } from "../../interp/tools/machine-view.ts";
import { type Accesses, AccessListener } from "./access.ts";
import { divergenceWatcher, nanWatcher, raceWatcher, type Watcher } from "./event.ts";
import type { Event, Hit, WriteTarget } from "./stop.ts";

/** A breakpoint, a watchpoint or a catchpoint; their numbers are one sequence. */
export interface Point {
  readonly id: number;
  readonly kind: "break" | "watch" | "access" | "catch";
  readonly enabled: boolean;
  readonly temporary: boolean;
  /** Number of hits in forward runs, ignored hits included. */
  readonly hits: number;
  /** Hits still to be ignored. */
  readonly ignore: number;
  readonly conditional: boolean;
  /** For a breakpoint at one instruction. */
  readonly pc?: number;
  /** For a breakpoint: all its instructions. */
  readonly pcs?: readonly number[];
  /** For a watchpoint: its value at the last stop. */
  readonly value?: bigint | undefined;
  /** For a point at accesses of memory. */
  readonly accesses?: Accesses;
  /** For a catchpoint. */
  readonly event?: Event;
}

/** The trigger of a point. */
export type Cause =
  | {
      readonly kind: "break";
      readonly pcs: ReadonlySet<number>;
      readonly condition?: ((thread: ThreadId) => boolean) | undefined;
    }
  | {
      readonly kind: "watch";
      readonly read: () => bigint | undefined;
      readonly condition?: (() => boolean) | undefined;
      /** The thread that wrote it, when it has changed; by default the first lane that executed. */
      readonly who?: (() => ThreadId | undefined) | undefined;
    }
  | {
      readonly kind: "access";
      readonly accesses: Accesses;
      readonly target: WriteTarget & { readonly kind: "memory" };
      readonly read: () => bigint | undefined;
      readonly condition?: (() => boolean) | undefined;
    }
  | { readonly kind: "catch"; readonly event: Event };

interface Kept {
  readonly id: number;
  cause: Cause;
  readonly temporary: boolean;
  enabled: boolean;
  hits: number;
  ignore: number;
}

/** A point that holds at a position of a run; `back`: going back, the stop is this many steps before it. */
export interface FoundPoint {
  readonly id: number;
  readonly hit: Hit;
  readonly back: 0 | 1;
}

/** The points of a debugger. */
export class Points {
  readonly #kept: Map<number, Kept> = new Map();
  #next = 1;

  add(cause: Cause, { temporary = false, ignore = 0 }: { temporary?: boolean; ignore?: number } = {}): number {
    const id = this.#next++;
    this.#kept.set(id, { id, cause, temporary, enabled: true, hits: 0, ignore });
    return id;
  }

  delete(id: number): boolean {
    return this.#kept.delete(id);
  }

  change(id: number, change: { readonly enabled?: boolean; readonly ignore?: number }): boolean {
    const point = this.#kept.get(id);
    if (point !== undefined) Object.assign(point, change);
    return point !== undefined;
  }

  /** Sets another condition of a breakpoint or a watchpoint, or none; false where there is no such point. */
  condition(id: number, condition: ((thread?: ThreadId) => boolean) | undefined): boolean {
    const point = this.#kept.get(id);
    if (point === undefined || point.cause.kind === "catch") return false;
    point.cause = { ...point.cause, condition };
    return true;
  }

  list(): readonly Point[] {
    return [...this.#kept.values()].map(({ id, cause, temporary, enabled, hits, ignore }) => ({
      id,
      kind: cause.kind,
      enabled,
      temporary,
      hits,
      ignore,
      conditional: cause.kind !== "catch" && cause.condition !== undefined,
      ...(cause.kind === "break" && {
        pcs: [...cause.pcs],
        ...(cause.pcs.size === 1 && { pc: [...cause.pcs][0] as number }),
      }),
      ...(cause.kind === "watch" && { value: cause.read() }),
      ...(cause.kind === "access" && { value: cause.read(), accesses: cause.accesses }),
      ...(cause.kind === "catch" && { event: cause.event }),
    }));
  }

  /** The number of the catchpoint for faults, if there is one; counts as a hit. */
  fault(): number | undefined {
    for (const point of this.#kept.values())
      if (point.enabled && point.cause.kind === "catch" && point.cause.event === "fault") {
        point.hits++;
        return point.id;
      }
    return undefined;
  }

  /** Counts the points found by a forward run; the first one that is not ignored stops it. */
  count(found: readonly FoundPoint[]): Hit | undefined {
    let first: Hit | undefined;
    for (const { id, hit } of found) {
      const point = this.#kept.get(id);
      if (point === undefined) continue;
      point.hits++;
      if (point.ignore > 0) point.ignore--;
      else {
        first ??= hit;
        if (point.temporary) this.#kept.delete(id);
      }
    }
    return first;
  }

  /** Examines every instruction of a run; undefined when there are no points. */
  scan(session: Session): Scan | undefined {
    const points = [...this.#kept.values()].filter(({ enabled, cause }) => enabled && !isFault(cause));
    return points.length === 0 ? undefined : new Scan(session, points);
  }
}

const isFault = (cause: Cause): boolean => cause.kind === "catch" && cause.event === "fault";

/** Evaluates points at each instruction, from the session's position on. */
export class Scan {
  readonly #session: Session;
  readonly #machine: MachineView;
  readonly #points: readonly Kept[];
  readonly #watchers: ReadonlyMap<number, Watcher>;
  /** By number: the access listeners. */
  readonly #listeners: ReadonlyMap<number, AccessListener>;
  readonly #values: Map<number, bigint | undefined> = new Map();
  /** The last executed instruction. */
  #last: { readonly thread: ThreadId; readonly pc: number } | undefined;
  /** Points found before manual changes at this position. */
  #earlier: readonly FoundPoint[] = [];

  constructor(session: Session, points: readonly Kept[]) {
    this.#session = session;
    this.#machine = new MachineView(session);
    this.#points = points;
    const watchers = new Map<number, Watcher>();
    const listeners = new Map<number, AccessListener>();
    for (const { id, cause } of points) {
      if (cause.kind === "watch" || cause.kind === "access") this.#values.set(id, cause.read());
      if (cause.kind === "access") listeners.set(id, new AccessListener(session, cause.target, cause.accesses));
      if (cause.kind !== "catch") continue;
      if (cause.event === "nan") watchers.set(id, nanWatcher(session));
      if (cause.event === "race") watchers.set(id, raceWatcher(session));
      if (cause.event === "divergence") watchers.set(id, divergenceWatcher(session));
    }
    this.#watchers = watchers;
    this.#listeners = listeners;
  }

  /** Called before an instruction; with `whole` false, its upcoming effect is not examined. */
  at(block: number, warp: number, pc: number, active: number, whole: boolean): readonly FoundPoint[] {
    const found = this.end();
    for (const { id, cause } of whole ? this.#points : []) {
      const lane = this.#about(cause, block, warp, pc, active);
      if (lane === undefined) continue;
      const thread = { block, warp, lane };
      const hit: Hit =
        cause.kind === "catch"
          ? { reason: "catch", id, thread, event: cause.event, cause: pc }
          : { reason: "breakpoint", id, thread };
      found.push({ id, hit, back: 0 });
    }
    for (const watcher of this.#watchers.values()) watcher.prepare(block, warp, pc);
    const executing = this.#values.size === 0 ? 0 : this.#machine.executing(block, warp);
    this.#last = { thread: { block, warp, lane: firstLane(executing === 0 ? active : executing) }, pc };
    return found;
  }

  /** Skips manual changes: they are not effects of the last instruction. */
  across(repeat: () => void): void {
    this.#earlier = this.end();
    this.#last = undefined;
    repeat();
    for (const listener of this.#listeners.values()) listener.take();
    for (const { id, cause } of this.#points)
      if (cause.kind === "watch" || cause.kind === "access") this.#values.set(id, cause.read());
  }

  /** Stops examining. */
  close(): void {
    for (const listener of this.#listeners.values()) listener.close();
  }

  /** The events of the last instruction. */
  end(): FoundPoint[] {
    const last = this.#last;
    const found = [...this.#earlier];
    this.#earlier = [];
    if (last === undefined) return found;
    for (const { id, cause } of this.#points) {
      if (cause.kind === "watch") {
        const old = this.#values.get(id);
        const now = cause.read();
        if (now === old) continue;
        this.#values.set(id, now);
        if (cause.condition?.() === false) continue;
        const hit = { reason: "watchpoint", id, thread: last.thread, old, new: now, writer: last.pc } as const;
        found.push({ id, hit, back: 1 });
      }
      if (cause.kind === "access") this.#accessed(id, cause, last.pc, found);
      const happening = this.#watchers.get(id)?.look(last.thread.block, last.thread.warp, last.pc);
      if (happening !== undefined && cause.kind === "catch")
        found.push({ id, hit: { reason: "catch", id, event: cause.event, ...happening }, back: 0 });
    }
    return found;
  }

  #accessed(id: number, { read, condition }: Cause & { kind: "access" }, pc: number, found: FoundPoint[]): void {
    const heard = this.#listeners.get(id)?.take();
    if (heard === undefined) return;
    const old = this.#values.get(id);
    const now = read();
    this.#values.set(id, now);
    if (condition?.() === false) return;
    const { thread, access, by = pc } = heard;
    found.push({ id, hit: { reason: "access", id, thread, access, old, new: now, writer: by }, back: 1 });
  }

  /** The thread that wrote a watched value, if it is known more exactly than as the first lane. */
  writer(id: number): ThreadId | undefined {
    const cause = this.#points.find((point) => point.id === id)?.cause;
    return cause?.kind === "watch" ? cause.who?.() : undefined;
  }

  /** The first lane about to trigger a point. */
  #about(cause: Cause, block: number, warp: number, pc: number, active: number): number | undefined {
    if (cause.kind === "break") {
      if (!cause.pcs.has(pc)) return undefined;
      const { condition } = cause;
      if (condition === undefined) return firstLane(active);
      for (let lane = 0; lane < 32; lane++) if ((active >>> lane) & 1 && condition({ block, warp, lane })) return lane;
      return undefined;
    }
    if (cause.kind !== "catch" || cause.event !== "barrier") return undefined;
    const plan = this.#session.program.code[pc]?.plan;
    if (plan === undefined || !isBarrier(plan)) return undefined;
    const executing = this.#machine.executing(block, warp);
    return executing === 0 ? undefined : firstLane(executing);
  }
}
