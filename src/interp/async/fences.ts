import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { AsyncFinding } from "./judge.ts";
import type { Operation, Site } from "./operation.ts";
import { Proxies, type ProxiesImage, type Unfenced } from "./proxies.ts";
import { RegisterWatch } from "./register-watch.ts";

/** One warp's instruction, which the other warps of its warpgroup must execute too. */
interface Entry {
  readonly site: Site;
  readonly thread: ThreadId;
  /** Operands on which all four warps must agree: descriptors, scale-d. */
  readonly given: string;
}

interface Group {
  /** The index of the first entry kept: entries that all four have executed are forgotten. */
  readonly first: number;
  readonly entries: readonly Entry[];
  /** How many entries each warp has executed. */
  readonly counts: readonly number[];
}

/** Two warps of a warpgroup that execute different instructions. */
interface Apart {
  readonly entry: Entry;
  /** Warps of the block that have not executed it; none where a warp has other operands. */
  readonly missing: readonly number[];
}

const none: readonly Apart[] = [];
const fresh: Group = { first: 0, entries: [], counts: [0, 0, 0, 0] };

/** Whether the four warps of each warpgroup execute the same wgmma instructions, as `.aligned` promises. */
export class WarpgroupLog {
  #groups: Map<number, Group> = new Map();

  /** A warp executes an entry. Returns another warp's entry at the same place where the two differ. */
  step(entry: Entry): Apart | undefined {
    const { block, warp } = entry.thread;
    const key = block * 8 + (warp >>> 2);
    const { first, entries, counts } = this.#groups.get(key) ?? fresh;
    const at = counts[warp & 3]!;
    const there = entries[at - first];
    const all = there === undefined ? [...entries, entry] : entries;
    const now = counts.map((count, index) => (index === (warp & 3) ? count + 1 : count));
    const done = Math.min(...now);
    this.#groups.set(key, { first: done, entries: all.slice(done - first), counts: now });
    if (there === undefined || (there.site.pc === entry.site.pc && there.given === entry.given)) return undefined;
    return { entry: there, missing: [] };
  }

  /** A block has ended: returns the entries that only some warps of a group have executed. */
  end(block: number): readonly Apart[] {
    if (this.#groups.size === 0) return none;
    const found: Apart[] = [];
    for (let group = 0; group < 8; group++) {
      const there = this.#groups.get(block * 8 + group);
      if (there === undefined) continue;
      const [entry] = there.entries;
      const missing = there.counts.flatMap((count, warp) => (count === there.first ? [4 * group + warp] : []));
      if (entry !== undefined) found.push({ entry, missing });
      this.#groups.delete(block * 8 + group);
    }
    return found;
  }

  save(): ReadonlyMap<number, Group> {
    return new Map(this.#groups);
  }

  restore(image: ReadonlyMap<number, Group>): void {
    this.#groups = new Map(image);
  }
}

/** The registers of one warp that loads in flight fill, by slot of bank r: the load's instruction. */
type Held = Map<number, Site>;

/**
 * Registers that a tcgen05.ld in flight fills: nothing may touch them before the tcgen05.wait::ld of the warp.
 */
export class LoadedRegisters {
  #warps: Map<number, Held> = new Map();

  /** A load of the warp fills these slots. */
  hold({ block, warp }: ThreadId, site: Site, slots: readonly number[]): void {
    const key = block * 32 + warp;
    const held: Held = this.#warps.get(key) ?? new Map();
    for (const slot of slots) held.set(slot, site);
    if (held.size > 0) this.#warps.set(key, held);
  }

  /** The first of these slots that a load still fills. */
  find(
    { block, warp }: ThreadId,
    slots: readonly number[],
  ): { readonly slot: number; readonly site: Site } | undefined {
    const held = this.#warps.get(block * 32 + warp);
    if (held === undefined) return undefined;
    for (const slot of slots) {
      const site = held.get(slot);
      if (site !== undefined) return { slot, site };
    }
    return undefined;
  }

  /** All loads of the warp are complete: tcgen05.wait::ld. */
  wait({ block, warp }: ThreadId): void {
    this.#warps.delete(block * 32 + warp);
  }

  end(block: number): void {
    for (const key of this.#warps.keys()) if (Math.floor(key / 32) === block) this.#warps.delete(key);
  }

  save(): LoadedImage {
    return new Map([...this.#warps].map(([key, held]) => [key, new Map(held)]));
  }

  restore(image: LoadedImage): void {
    this.#warps = new Map([...image].map(([key, held]) => [key, new Map(held)]));
  }
}

/** What a snapshot keeps. */
type LoadedImage = ReadonlyMap<number, ReadonlyMap<number, Site>>;

/** Checks on asynchronous readers: fences between proxies, fences for registers, and agreement of the four warps. */
export class Fences {
  readonly proxies: Proxies;
  readonly registers: RegisterWatch = new RegisterWatch();
  readonly loads: LoadedRegisters = new LoadedRegisters();
  readonly #log: WarpgroupLog = new WarpgroupLog();
  readonly #report: (finding: AsyncFinding) => void;

  /** `proxies`: whether the program reads shared memory by the async proxy. */
  constructor(proxies: boolean, report: (finding: AsyncFinding) => void) {
    this.proxies = new Proxies(proxies);
    this.#report = report;
  }

  /** An operation begins. Generic writes that it reads by the async proxy without a fence are a finding. */
  begins(operation: Operation): void {
    const init = this.proxies.unfencedInit(operation);
    if (init !== undefined) this.#tellOfInit(operation, init);
    const unfenced = this.proxies.unfenced(operation);
    if (unfenced === undefined) return;
    const { site, thread } = unfenced.write;
    this.#report({
      code: "PTX4025",
      severity: "error",
      thread: operation.thread,
      site: operation.site,
      message: `reads by the async proxy what ${site.opcode} has written, with no fence.proxy.async between them`,
      related: [{ site, thread, message: `${site.opcode}, by the generic proxy` }],
      help: [
        "write fence.proxy.async.shared::cta after the stores, in each thread that stores, and a barrier after that",
      ],
    });
  }

  #tellOfInit({ thread, site }: Operation, by: Unfenced["write"]): void {
    // Within a block it is a note: compiled kernels rely on a plain barrier there, which has sufficed so far.
    const severity = by.thread.block === thread.block ? "note" : "error";
    const [name, initialised] = ["fence.mbarrier_init.release.cluster", by.site.opcode];
    this.#report({
      code: "PTX4025",
      severity,
      thread,
      site,
      message: `signals by the async proxy an mbarrier object whose ${initialised} no fence follows`,
      related: [{ ...by, message: `${initialised}, by the generic proxy` }],
      help: [`write ${name} or fence.proxy.async.shared::cta after ${initialised}, and a barrier after that`],
    });
  }

  /** A warp of a warpgroup executes what the other three must execute too, with the same `given`. */
  together(entry: { readonly site: Site; readonly thread: ThreadId; readonly given: string }): void {
    const apart = this.#log.step(entry);
    if (apart === undefined) return;
    const { site, thread } = apart.entry;
    const same = site.pc === entry.site.pc;
    this.#report({
      code: "PTX4028",
      severity: "error",
      thread: entry.thread,
      site: entry.site,
      help: [],
      message: same
        ? `gets other descriptors, or another scale-d, than in warp ${thread.warp} of its warpgroup`
        : `is executed where warp ${thread.warp} of the warpgroup executes ${site.opcode}`,
      related: [{ site, thread, message: `warp ${thread.warp} of the warpgroup` }],
    });
  }

  /** A block has ended, whose shared memory is `[start, end)`. */
  end(block: number, start: number, end: number): void {
    this.proxies.end(block, start, end);
    this.registers.end(block);
    this.loads.end(block);
    for (const { entry, missing } of this.#log.end(block))
      this.#report({
        code: "PTX4028",
        severity: "error",
        thread: entry.thread,
        site: entry.site,
        related: [],
        help: [],
        message: `is executed by only part of the warpgroup: warp${missing.length === 1 ? "" : "s"} ${missing.join(", ")} of the block ended without it`,
      });
  }

  save(): FencesImage {
    return {
      proxies: this.proxies.active ? this.proxies.save() : undefined,
      registers: this.registers.save(),
      loads: this.loads.save(),
      log: this.#log.save(),
    };
  }

  restore({ proxies, registers, loads, log }: FencesImage): void {
    if (proxies !== undefined) this.proxies.restore(proxies);
    this.registers.restore(registers);
    this.loads.restore(loads);
    this.#log.restore(log);
  }
}

/** What a snapshot keeps. */
export interface FencesImage {
  readonly proxies: ProxiesImage | undefined;
  readonly registers: ReturnType<RegisterWatch["save"]>;
  readonly loads: ReturnType<LoadedRegisters["save"]>;
  readonly log: ReturnType<WarpgroupLog["save"]>;
}
