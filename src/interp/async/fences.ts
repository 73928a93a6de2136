import type { ThreadId } from "../contract/thread-id.ts";
import type { AsyncFinding } from "./judge.ts";
import { LoadedRegisters } from "./loaded-registers.ts";
import type { Operation, Site } from "./operation.ts";
import { Proxies, type ProxiesImage, type Unfenced } from "./proxies.ts";
import { RegisterWatch } from "./register-watch.ts";
import { WarpgroupLog } from "./warpgroup-log.ts";

/** What a program owes to those who read asynchronously: fences between proxies and for registers, and all four warps. */
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

  /** An operation begins. What the async proxy is about to read, and only the generic one has written, is a finding. */
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
        "write fence.proxy.async.shared::cta behind the stores, in each thread that stores, and a barrier behind that",
      ],
    });
  }

  #tellOfInit({ thread, site }: Operation, by: Unfenced["write"]): void {
    // Within a block, kernels of compilers rely on a plain barrier, which has sufficed so far.
    const severity = by.thread.block === thread.block ? "note" : "error";
    const [name, initialised] = ["fence.mbarrier_init.release.cluster", by.site.opcode];
    this.#report({
      code: "PTX4025",
      severity,
      thread,
      site,
      message: `signals by the async proxy an mbarrier object behind whose ${initialised} no fence follows`,
      related: [{ ...by, message: `${initialised}, by the generic proxy` }],
      help: [`write ${name} or fence.proxy.async.shared::cta behind ${initialised}, and a barrier behind that`],
    });
  }

  /** A warp of a warpgroup executes what the other three have to execute too, with the same `given`. */
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
        message: `is executed by a part of the warpgroup: warp${missing.length === 1 ? "" : "s"} ${missing.join(", ")} of the block ended without it`,
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
