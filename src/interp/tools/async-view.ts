import type { Completion, Flight, Operation, Site } from "../async/operation.ts";
import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { Session } from "../machine/session.ts";

/** A range of memory, by a name that the user knows. */
export interface PlaceView {
  readonly space: "shared" | "global";
  /** The buffer or variable of global memory. */
  readonly name: string;
  /** Offset from the start of that buffer, or in the shared memory of `block`. */
  readonly offset: number;
  readonly block: number | undefined;
  readonly bytes: number;
}

/** An operation in flight, as a debugger shows it. */
export interface FlightView {
  readonly thread: ThreadId;
  readonly site: Site;
  readonly what: string;
  readonly proxy: Operation["proxy"];
  readonly reads: readonly PlaceView[];
  readonly writes: readonly PlaceView[];
  /** Its data have moved already, although no thread can tell. */
  readonly moved: boolean;
  /** Its reads have been waited for. */
  readonly sourceFree: boolean;
  readonly waits: /** `newer`: groups that were committed after its own; undefined where its own is not committed yet. */
    | { readonly kind: "group"; readonly line: number; readonly newer: number | undefined }
    | { readonly kind: "mbarrier"; readonly place: PlaceView }
    /** `place`: the object that a tcgen05.commit signals at its end; undefined where no commit has followed. */
    | { readonly kind: "commit"; readonly place: PlaceView | undefined }
    | { readonly kind: "none" };
}

/** The asynchronous state of a session, for tools. */
export class AsyncView {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** The operations that have not been waited for yet, in the order of issue. */
  flights(): readonly FlightView[] {
    const engine = this.#session.state?.context.asynchrony;
    return [...(engine?.flights ?? [])].map((flight) => this.#view(flight));
  }

  /** The mbarrier objects of running blocks, and what their phases miss. */
  barriers(): readonly { readonly place: PlaceView; readonly text: string }[] {
    const { barriers } = this.#session.state?.context.asynchrony ?? {};
    if (barriers === undefined) return [];
    return [...barriers.objects()].map((at) => ({ place: this.#place(at, 8), text: barriers.describe(at) }));
  }

  #view(flight: Flight): FlightView {
    const { operation, moved, sourceFree } = flight;
    const { thread, site, what, proxy, reads, writes, completion } = operation;
    const places = (ranges: Operation["reads"]) => ranges.map(({ start, bytes }) => this.#place(start, bytes));
    return {
      thread,
      site,
      what,
      proxy,
      moved,
      sourceFree,
      reads: places(reads),
      writes: places(writes),
      waits: this.#waits(flight, completion),
    };
  }

  #waits(flight: Flight, completion: Completion): FlightView["waits"] {
    if (completion.kind === "none") return { kind: "none" };
    if (completion.kind === "commit") {
      const flights = this.#session.state?.context.asynchrony.flights ?? [];
      const commits = [...flights].filter(({ operation }) => operation.after?.includes(flight));
      const told = commits.map(({ operation }) => operation.completion).find(({ kind }) => kind === "mbarrier");
      return { kind: "commit", place: told?.kind === "mbarrier" ? this.#place(told.at, 8) : undefined };
    }
    if (completion.kind === "mbarrier") return { kind: "mbarrier", place: this.#place(completion.at, 8) };
    const newer = this.#session.state?.context.asynchrony.newerGroups(flight);
    return { kind: "group", line: completion.line, newer };
  }

  #place(start: number, bytes: number): PlaceView {
    const { context, scheduler } = this.#session.state!;
    for (const { shared, block } of scheduler.slots)
      if (shared !== undefined && start >= shared.start && start < shared.end)
        return { space: "shared", name: "", offset: start - shared.start, block, bytes };
    const owner = context.memory.allocations.find(start);
    return {
      space: "global",
      name: owner?.name ?? "",
      offset: start - (owner?.start ?? 0),
      block: undefined,
      bytes,
    };
  }
}
