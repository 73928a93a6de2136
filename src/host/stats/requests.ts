import type { ThreadId } from "../../interp/contract/launch/thread-id.ts";
import type { Observer, WarpAccess } from "../../interp/contract/observer.ts";
import type { Instruction } from "../../interp/contract/program.ts";
import type { Space, StateSpace } from "../../interp/contract/space.ts";
import { spaceAt, spaceOf } from "../../interp/contract/window.ts";
import type { Session } from "../../interp/machine/session.ts";
import { type Banks, globalSectors, localSectors, type Sectors, sharedBanks, type Touch } from "./transactions.ts";

/**
 * The addresses that one lane's cp.async reads in global memory and writes in shared memory; nothing where it only
 * fills with zeros.
 */
interface LaneCopy {
  readonly bytes: number;
  readonly to: number;
  readonly from: number | undefined;
}

/** True for cp.async, whose accesses observers see later, together, and not always lane by lane. */
const isLaneCopy = (instruction: Instruction | undefined): boolean => instruction?.plan.shape === "copy async";

/** The copy of a lane whose next instruction is cp.async. */
function laneCopy(session: Session, { plan, operands }: Instruction, at: ThreadId): LaneCopy | undefined {
  const value = (index: number): bigint | undefined => {
    const operand = operands[index];
    return operand && session.operand(at, operand)[0];
  };
  const [to, from, bytes] = [value(0), value(1), value(2)];
  if (plan.shape !== "copy async" || to === undefined || from === undefined || bytes === undefined) return undefined;
  // Even for a part of the source it reads the complete sectors.
  const isRead = plan.fills === undefined || (plan.fills === "size" ? value(3) !== 0n : value(3) !== 1n);
  const low = (address: bigint): number => Number(address & 0xffff_ffffn);
  return { bytes: Number(bytes), to: low(to), from: isRead ? low(from) : undefined };
}

export type AccessKind = "load" | "store" | "atomic";

/**
 * What the lanes of a warp access by one execution of an instruction, in one space: what hardware calls a request.
 * `sectors` is there for global and local memory, `banks` for shared memory.
 */
export interface Request {
  readonly pc: number;
  readonly block: number;
  readonly warp: number;
  /** True for an access of an asynchronous operation, which is observed when its thread has waited for it. */
  readonly late: boolean;
  /** The space that the addresses lie in: one generic access may make a request of several. */
  readonly space: StateSpace;
  readonly kind: AccessKind;
  /** One for each lane that takes part; lanes of a wmma.load have several parts each. */
  readonly accesses: number;
  readonly bytes: number;
  readonly sectors?: Sectors;
  readonly banks?: Banks;
}

/** An access that is not yet reported completely. */
interface Gathered {
  readonly pc: number;
  readonly block: number;
  readonly warp: number;
  readonly late: boolean;
  readonly space: Request["space"];
  readonly kind: AccessKind;
  /** Of one touch. */
  readonly bytes: number;
  readonly touches: Touch[];
  lanes: number;
}

/** More than a lane can access at once: parts of a bulk copy, which do not go through the banks lane by lane. */
const WIDEST = 16;

/** Combines observed accesses, one request for all lanes, and reports each when it is complete. */
export class Requests {
  readonly #report: (request: Request) => void;
  #open: Gathered[] = [];
  #pc = -1;
  readonly #session: Session;

  constructor(session: Session, report: (request: Request) => void) {
    this.#session = session;
    this.#report = report;
  }

  /** The callbacks that an observer needs for this; call `begin` and `end` in its `instruction` and `after`. */
  observer(): Required<Pick<Observer, "access" | AccessKind>> {
    return {
      access: (access) => this.#access(access),
      load: (at, space, address, bytes, _sem, _scope, _where, by) => this.#touch("load", at, space, address, bytes, by),
      store: (at, space, address, bytes, _sem, _scope, _where, _value, by) =>
        this.#touch("store", at, space, address, bytes, by),
      atomic: (at, space, address, bytes, _sem, _scope, _where, by) =>
        this.#touch("atomic", at, space, address, bytes, by),
    };
  }

  /**
   * Begins an instruction: an access without a named instruction belongs to it. Accesses that lanes make by
   * cp.async count here.
   */
  begin(block: number, warp: number, pc: number, taken: number): void {
    this.#pc = pc;
    const instruction = this.#session.program.code[pc];
    if (instruction === undefined || !isLaneCopy(instruction)) return;
    for (let lane = 0; lane < 32; lane++) {
      if (!((taken >>> lane) & 1)) continue;
      const copy = laneCopy(this.#session, instruction, { block, warp, lane });
      if (copy === undefined) continue;
      const { bytes, from, to } = copy;
      if (from !== undefined) this.#add("load", pc, block, warp, false, "global", bytes, lane, from);
      this.#add("store", pc, block, warp, false, "shared", bytes, lane, to);
    }
  }

  /** Ends the instruction. */
  end(): void {
    if (this.#open.length === 0) return;
    for (const gathered of this.#open) this.#report(whole(gathered));
    this.#open = [];
  }

  /** Drops the accesses of an instruction that did not end. */
  clear(): void {
    this.#open = [];
  }

  #access({ how, pc, block, warp, lanes, space, bytes, addresses }: WarpAccess): void {
    for (let lane = 0; lane < 32; lane++) {
      if (!((lanes >>> lane) & 1)) continue;
      const place = space === "generic" ? (spaceAt(addresses[2 * lane + 1] ?? 0) ?? "global") : space;
      this.#add(how, pc, block, warp, false, place, bytes, lane, addresses[2 * lane] ?? 0);
    }
  }

  #touch(
    kind: AccessKind,
    { block, warp, lane }: ThreadId,
    space: Space,
    address: bigint,
    bytes: number,
    by?: number,
  ): void {
    if (by !== undefined && isLaneCopy(this.#session.program.code[by])) return;
    const place = space === "generic" ? (spaceOf(address) ?? "global") : space;
    const low = Number(address & 0xffff_ffffn);
    this.#add(kind, by ?? this.#pc, block, warp, by !== undefined, place, bytes, lane, low);
  }

  #add(
    kind: AccessKind,
    pc: number,
    block: number,
    warp: number,
    late: boolean,
    space: Request["space"],
    bytes: number,
    lane: number,
    address: number,
  ): void {
    const bit = 1 << lane;
    let gathered = this.#open.findLast(
      (each) => each.pc === pc && each.kind === kind && each.space === space && each.bytes === bytes,
    );
    // Operations that complete together may come from several executions, or several warps, of one
    // instruction.
    const other =
      gathered !== undefined &&
      late &&
      (gathered.warp !== warp || gathered.block !== block || (gathered.lanes & bit) !== 0);
    if (gathered === undefined || other) {
      gathered = { pc, block, warp, late, space, kind, bytes, touches: [], lanes: 0 };
      this.#open.push(gathered);
    }
    gathered.touches.push({ lane, address });
    gathered.lanes |= bit;
  }
}

function whole({ touches, bytes, lanes: _, ...rest }: Gathered): Request {
  const request = { ...rest, accesses: touches.length, bytes: touches.length * bytes };
  switch (rest.space) {
    case "global":
      return { ...request, sectors: globalSectors(touches, bytes) };
    case "local":
      return { ...request, sectors: localSectors(touches, bytes) };
    case "shared":
      return bytes > WIDEST ? request : { ...request, banks: sharedBanks(touches, bytes) };
    default:
      return request;
  }
}
