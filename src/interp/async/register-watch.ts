import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { Flight, Site } from "./operation.ts";

/** An instruction that has touched a register since the last wgmma.fence of its warp. */
interface Touched {
  readonly site: Site;
  readonly wrote: boolean;
  /** It only moves bits: compilers place initial values behind the fence, and ptxas adds another fence there. */
  readonly moves: boolean;
}

/** A register that an operation in flight uses. */
interface Held {
  readonly flight: Flight;
  readonly how: "d" | "a";
  /** Accumulators pass without a fence between operations of the same shape. */
  readonly shape: string;
  readonly fences: number;
}

interface WarpRegisters {
  fences: number;
  readonly touched: Map<number, Touched>;
  readonly held: Map<number, Held>;
}

/** An error in the use of registers. */
export type RegisterProblem =
  /** wgmma uses a register that was touched and not fenced since; without `by` there was no fence at all. */
  | { readonly kind: "unfenced"; readonly slot: number | undefined; readonly by: Touched | undefined }
  /** A register is in flight. */
  | { readonly kind: "held"; readonly slot: number; readonly flight: Flight; readonly how: "d" | "a" };

const copyOf = ({ fences, touched, held }: WarpRegisters): WarpRegisters => ({
  fences,
  touched: new Map(touched),
  held: new Map(held),
});

/**
 * Registers that wgmma works on while the warp goes on (PTX ISA, wgmma Proxy Operations): a wgmma.fence must stand
 * between a use by the program and one by wgmma, a wgmma.wait_group between one by wgmma and one by the program.
 * Slots are those of bank r.
 */
export class RegisterWatch {
  #warps: Map<number, WarpRegisters> = new Map();
  /** Instructions of wgmma that have been reported. */
  #reported: Set<number> = new Set();

  /** True on the first call for an instruction. */
  isNews(pc: number): boolean {
    const news = !this.#reported.has(pc);
    this.#reported.add(pc);
    return news;
  }

  /** An instruction of the warp is about to read and write these slots. Returns those of them that are in flight. */
  touch(
    thread: ThreadId,
    site: Site,
    {
      reads,
      writes,
      moves,
    }: { readonly reads: readonly number[]; readonly writes: readonly number[]; readonly moves: boolean },
    inFlight: (flight: Flight) => boolean,
  ): RegisterProblem | undefined {
    const { touched, held } = this.#of(thread);
    let problem: RegisterProblem | undefined;
    const look = (slot: number, wrote: boolean): void => {
      const there = held.get(slot);
      if (there !== undefined && inFlight(there.flight)) problem ??= { kind: "held", slot, ...there };
      else held.delete(slot);
      // A later read does not clear the record of a write.
      if (wrote || !(touched.get(slot)?.wrote ?? false)) touched.set(slot, { site, wrote, moves });
    };
    for (const slot of reads) look(slot, false);
    for (const slot of writes) look(slot, true);
    return problem;
  }

  /** wgmma.fence. */
  fence(thread: ThreadId): void {
    const warp = this.#of(thread);
    warp.fences++;
    warp.touched.clear();
  }

  /** Checks the accumulators and A of a new operation of this shape. */
  judge(
    thread: ThreadId,
    d: readonly number[],
    a: readonly number[],
    shape: string,
    inFlight: (flight: Flight) => boolean,
  ): RegisterProblem | undefined {
    const { fences, touched, held } = this.#of(thread);
    for (const [slots, role] of [
      [d, "d"],
      [a, "a"],
    ] as const)
      for (const slot of slots) {
        const there = held.get(slot);
        if (there === undefined || !inFlight(there.flight) || (role === "a" && there.how === "a")) continue;
        if (role === "d" && there.how === "d" && (there.shape === shape || there.fences < fences)) continue;
        if (role === "d" && there.how === "d") return { kind: "unfenced", slot, by: undefined };
        return { kind: "held", slot, flight: there.flight, how: there.how };
      }
    if (fences === 0) return { kind: "unfenced", slot: undefined, by: undefined };
    let mild: RegisterProblem | undefined;
    for (const slot of [...d, ...a]) {
      const by = touched.get(slot);
      if (by !== undefined && !by.moves) return { kind: "unfenced", slot, by };
      if (by !== undefined) mild ??= { kind: "unfenced", slot, by };
    }
    return mild;
  }

  /** Records that an operation uses these registers from now on. */
  hold(thread: ThreadId, d: readonly number[], a: readonly number[], shape: string, flight: Flight): void {
    const { held, fences } = this.#of(thread);
    for (const slot of a) held.set(slot, { flight, how: "a", shape, fences });
    for (const slot of d) held.set(slot, { flight, how: "d", shape, fences });
  }

  end(block: number): void {
    for (const key of this.#warps.keys()) if (key >>> 5 === block) this.#warps.delete(key);
  }

  save(): RegisterImage {
    return {
      warps: new Map([...this.#warps].map(([key, warp]) => [key, copyOf(warp)])),
      reported: new Set(this.#reported),
    };
  }

  restore({ warps, reported }: RegisterImage): void {
    this.#warps = new Map([...warps].map(([key, warp]) => [key, copyOf(warp)]));
    this.#reported = new Set(reported);
  }

  #of({ block, warp }: ThreadId): WarpRegisters {
    const key = block * 32 + warp;
    const known = this.#warps.get(key) ?? { fences: 0, touched: new Map(), held: new Map() };
    this.#warps.set(key, known);
    return known;
  }
}

/** What a snapshot keeps. */
interface RegisterImage {
  readonly warps: ReadonlyMap<number, WarpRegisters>;
  readonly reported: ReadonlySet<number>;
}
