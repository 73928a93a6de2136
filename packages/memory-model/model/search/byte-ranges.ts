import type { Initial, Location, Read } from "../event.ts";

/**
 * Memory, cut at every byte where some access begins or ends: each access then covers complete pieces, and the value of
 * a read is given piece by piece (PTX ISA 8.9.7 speaks of bytes; bytes that no access distinguishes go together). Where
 * all accesses to a variable have one size, it is one piece.
 */
export class ByteRanges {
  /** Where pieces begin or end, ascending. */
  #cuts: number[] = [];
  readonly #accessed: Location[] = [];
  readonly #methods = new Set<string>();

  /**
   * Records an access; true where it adds a cut or uses a new proxy or mapping, so that earlier results are invalid.
   */
  take(location: Location, proxy: Read["proxy"]): boolean {
    const ways = this.#methods.size;
    this.#methods.add(`${proxy} ${location.alias}`);
    const cut = this.#cut(location);
    if (cut || !this.#accessed.some(({ at, bytes }) => at === location.at && bytes === location.bytes))
      this.#accessed.push(location);
    return cut || this.#methods.size > ways;
  }

  /** Whether all accesses use one proxy and one mapping: then proxies never interrupt base causality order. */
  get plain(): boolean {
    return this.#methods.size <= 1;
  }

  /** Whether memory is cut where the location begins and ends. */
  knows(location: Location): boolean {
    return this.#cuts.includes(location.at) && this.#cuts.includes(location.at + location.bytes);
  }

  /** The pieces of a location, by the number of the cut where each begins. */
  of(location: Location): number[] {
    const result: number[] = [];
    for (let i = this.#cuts.indexOf(location.at); (this.#cuts[i] as number) < location.at + location.bytes; i++)
      result.push(i);
    return result;
  }

  /** Where a piece begins. */
  start(piece: number): number {
    return this.#cuts[piece] as number;
  }

  /** The part of a value at a location (little endian) in one of its pieces. */
  part(location: Location, value: bigint, piece: number): bigint {
    const bits = 8 * ((this.#cuts[piece + 1] as number) - this.start(piece));
    return BigInt.asUintN(bits, value >> BigInt(8 * (this.start(piece) - location.at)));
  }

  /** The value of a location, combined from its pieces. */
  whole(location: Location, parts: readonly bigint[]): bigint {
    const pieces = this.of(location);
    return parts.reduce(
      (sum, part, i) => sum | (part << BigInt(8 * (this.start(pieces[i] as number) - location.at))),
      0n,
    );
  }

  /** The initial writes of all accessed memory (PTX ISA 8.2.6): the given ones, and zero for all other bytes. */
  initial(given: readonly Initial[]): Initial[] {
    const touched = given.filter(({ location }) => this.#accessed.some((access) => meets(access, location)));
    for (const { location } of touched) this.#cut(location);
    const said = new Set(touched.flatMap(({ location }) => this.of(location)));
    const unsaid: Initial[] = [];
    for (const location of this.#accessed) {
      const pieces = this.of(location);
      const missing = pieces.filter((piece) => !said.has(piece));
      for (const piece of missing) said.add(piece);
      if (missing.length === pieces.length) unsaid.push({ location, value: 0n });
      else
        for (const piece of missing) {
          const at = this.start(piece);
          const bytes = (this.#cuts[piece + 1] as number) - at;
          unsaid.push({
            location: { ...location, name: `${location.name}+${at - location.at}`, at, bytes },
            value: 0n,
          });
        }
    }
    return [...touched, ...unsaid];
  }

  #cut(location: Location): boolean {
    let grew = false;
    for (const at of [location.at, location.at + location.bytes])
      if (!this.#cuts.includes(at)) {
        this.#cuts.push(at);
        grew = true;
      }
    if (grew) this.#cuts.sort((a, b) => a - b);
    return grew;
  }
}

const meets = (a: Location, b: Location): boolean => a.at < b.at + b.bytes && b.at < a.at + a.bytes;
