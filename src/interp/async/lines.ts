import type { Flight } from "./operation.ts";
import { groupWords, kindOfLine, type Site } from "./operation.ts";

/** The groups of one thread or warp that are not waited for: what is not committed yet, and the groups, oldest first. */
export interface Line {
  open: readonly Flight[];
  groups: readonly (readonly Flight[])[];
  /** The last wait and how many groups it left in flight, for messages. */
  last: { readonly site: Site; readonly pending: number } | undefined;
}

/** Lines by their number. */
export class Lines {
  #lines: Map<number, Line> = new Map();

  /** Adds an operation to the group that is open. */
  join(line: number, flight: Flight): void {
    const { open, groups, last } = this.#line(line);
    this.#lines.set(line, { open: [...open, flight], groups, last });
  }

  /** Closes the open group, which may be empty. */
  commit(line: number): void {
    const { open, groups, last } = this.#line(line);
    this.#lines.set(line, { open: [], groups: [...groups, open], last });
  }

  /** Groups but the last `pending`, which a wait orders; with `take` they are gone. */
  due(line: number, pending: number, site: Site, take: boolean): readonly Flight[] {
    const { open, groups } = this.#line(line);
    const count = Math.max(groups.length - pending, 0);
    this.#lines.set(line, { open, groups: take ? groups.slice(count) : groups, last: { site, pending } });
    return groups.slice(0, count).flat();
  }

  /** What of a line is in flight. */
  all(line: number): readonly Flight[] {
    const { open, groups } = this.#line(line);
    return [...groups.flat(), ...open];
  }

  forget(line: number): void {
    this.#lines.delete(line);
  }

  /** What would order a flight of a line, and which wait has left it in flight. */
  advice(line: number, flight: Flight): { readonly help: string; readonly last: Line["last"] } {
    const { last } = this.#line(line);
    const words = groupWords[kindOfLine(line)];
    const newer = this.newer(line, flight);
    if (newer === undefined)
      return { help: `its group is not committed yet: ${words.commit}, then ${words.wait(0)}`, last };
    const than = newer === 0 ? "no group is newer" : newer === 1 ? "one group is newer" : `${newer} groups are newer`;
    return { help: `${than} than its own: ${words.wait(newer)} waits for it`, last };
  }

  /** How many groups are newer than a flight's own; undefined where that is not committed yet. */
  newer(line: number, flight: Flight): number | undefined {
    const { groups } = this.#line(line);
    const at = groups.findIndex((group) => group.includes(flight));
    return at < 0 ? undefined : groups.length - 1 - at;
  }

  save(): ReadonlyMap<number, Line> {
    return new Map(this.#lines);
  }

  restore(lines: ReadonlyMap<number, Line>): void {
    this.#lines = new Map(lines);
  }

  #line(line: number): Line {
    return this.#lines.get(line) ?? { open: [], groups: [], last: undefined };
  }
}
