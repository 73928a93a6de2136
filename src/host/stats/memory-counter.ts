import { spaceNames } from "../../interp/contract/space.ts";
import type { AccessKind, Request } from "./requests.ts";
import type { Banks } from "./transactions.ts";

/** Traffic of one space and one kind. */
export interface MemoryStats {
  readonly space: Request["space"];
  readonly kind: AccessKind;
  /** Instructions of warps; accesses of lanes, and their bytes. */
  readonly requests: number;
  readonly accesses: number;
  readonly bytes: number;
  /** Global and local memory: transactions of 32 bytes, and the fewest that would be enough. */
  readonly sectors: number;
  readonly fewest: number;
}

/** Traffic of one instruction, by space and kind; `parts` and `passes` are of shared memory. */
export interface AccessStats extends MemoryStats, Banks {
  readonly pc: number;
}

type Row = { -readonly [K in keyof AccessStats]: AccessStats[K] };

/** Adds up requests by instruction, space and kind. */
export class MemoryCounter {
  readonly #rows = new Map<string, Row>();

  add({ pc, space, kind, accesses, bytes, sectors, banks }: Request): void {
    const key = `${pc} ${space} ${kind}`;
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = { pc, space, kind, requests: 0, accesses: 0, bytes: 0, sectors: 0, fewest: 0, parts: 0, passes: 0 };
      this.#rows.set(key, row);
    }
    row.requests += 1;
    row.accesses += accesses;
    row.bytes += bytes;
    row.sectors += sectors?.touched ?? 0;
    row.fewest += sectors?.fewest ?? 0;
    row.parts += banks?.parts ?? 0;
    row.passes += banks?.passes ?? 0;
  }

  /** A row for each instruction, space and kind, in the order of the instructions. */
  accesses(): readonly AccessStats[] {
    return [...this.#rows.values()].map((row) => ({ ...row })).sort((a, b) => a.pc - b.pc || order(a) - order(b));
  }

  restore(rows: readonly AccessStats[]): void {
    this.#rows.clear();
    for (const row of rows) this.#rows.set(`${row.pc} ${row.space} ${row.kind}`, { ...row });
  }
}

/** All instructions together: a row for each space and kind. */
export function bySpace(accesses: readonly AccessStats[]): readonly MemoryStats[] {
  const sums = new Map<string, { -readonly [K in keyof MemoryStats]: MemoryStats[K] }>();
  for (const { space, kind, ...each } of accesses) {
    const key = `${space} ${kind}`;
    const sum = sums.get(key) ?? { space, kind, requests: 0, accesses: 0, bytes: 0, sectors: 0, fewest: 0 };
    sums.set(key, sum);
    for (const name of ["requests", "accesses", "bytes", "sectors", "fewest"] as const) sum[name] += each[name];
  }
  return [...sums.values()].sort((a, b) => order(a) - order(b));
}

/** Bank statistics of the accesses to shared memory. */
export function banksOf(accesses: readonly AccessStats[]): Banks & { readonly conflicts: number } {
  const parts = accesses.reduce((sum, each) => sum + each.parts, 0);
  const passes = accesses.reduce((sum, each) => sum + each.passes, 0);
  return { parts, passes, conflicts: passes - parts };
}

const kinds: readonly AccessKind[] = ["load", "store", "atomic"];
const order = ({ space, kind }: Pick<MemoryStats, "space" | "kind">): number =>
  spaceNames.indexOf(space) * 3 + kinds.indexOf(kind);
