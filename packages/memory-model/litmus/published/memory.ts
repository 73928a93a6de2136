import type { Initial, Location, Proxy as MemoryProxy } from "../../model/event.ts";

/** Bytes of a variable, of an element of an array and of an address. */
const width = 8;
/** Elements reserved for each name, so that a test may use more than it declares. */
const least = 64;

/** A name of memory: its location, the value of its address, and its proxy. */
interface Named {
  readonly at: number;
  /** What a register holds as its address: differs for each name. */
  readonly virtual: number;
  readonly count: number;
  /** The virtual address, as the model tells them apart: a texture of a name has the name's (`Location.alias`). */
  readonly alias: string;
  readonly proxy: MemoryProxy;
  /** Whether it is a second name of memory. */
  readonly second: boolean;
}

/** The memory of a test in the published format: variables and arrays of 64-bit values, and other names for them. */
export class Memory {
  readonly #named = new Map<string, Named>();
  readonly #initial = new Map<number, bigint>();
  #physical = 0x1000;
  #virtual = 0x1000;

  /** Declares a variable, or an array of so many elements; a second time it may only grow. */
  declare(name: string, count = 1): void {
    const known = this.#named.get(name);
    if (known && known.count >= count) return;
    const room = width * (Math.max(count, least) + 1);
    const place = known ?? {
      at: this.#physical,
      virtual: this.#virtual,
      alias: "",
      proxy: "generic" as const,
      second: false,
    };
    if (!known) {
      this.#physical += room;
      this.#virtual += room;
    }
    this.#named.set(name, { ...place, count });
  }

  /** Another name of existing memory, through a proxy; by the generic one it is another virtual address. */
  alias(name: string, of: string, proxy: MemoryProxy): void {
    this.declare(of);
    const { at, count, alias } = this.#named.get(of) as Named;
    const address = proxy === "generic" ? name : alias;
    this.#named.set(name, { at, virtual: this.#virtual, count, alias: address, proxy, second: true });
    this.#virtual += width * (Math.max(count, least) + 1);
  }

  knows(name: string): boolean {
    return this.#named.has(name);
  }

  /** Sets an initial value. */
  set(name: string, index: number, value: bigint): void {
    this.declare(name, index + 1);
    const { at } = this.#named.get(name) as Named;
    this.#initial.set(at + width * index, BigInt.asUintN(8 * width, value));
  }

  /** The address of an element, as a register contains it. */
  address(name: string, index = 0): bigint {
    this.declare(name, index + 1);
    return BigInt((this.#named.get(name) as Named).virtual + width * index);
  }

  /** The location at an address, and the proxy of its name; undefined for any other address. */
  at(address: bigint): { readonly location: Location; readonly proxy: MemoryProxy } | undefined {
    for (const [name, { at, virtual, count, alias, proxy }] of this.#named) {
      const offset = Number(address) - virtual;
      if (offset < 0 || offset >= width * count || offset % width !== 0) continue;
      const index = offset / width;
      return { location: { name: elementName(name, index, count), at: at + offset, bytes: width, alias }, proxy };
    }
    return undefined;
  }

  /** The initial values of all memory, each location once. */
  initial(): Initial[] {
    const all: Initial[] = [];
    for (const [name, { at, count, alias, second }] of this.#named)
      for (let index = 0; index < count && !second; index++) {
        const place = at + width * index;
        const location = { name: elementName(name, index, count), at: place, bytes: width, alias };
        all.push({ location, value: this.#initial.get(place) ?? 0n });
      }
    return all;
  }

  /** The names that conditions may use, each with its name in `initial`. */
  names(): Map<string, string> {
    const names = new Map<string, string>();
    const own = new Map(this.initial().map(({ location }) => [location.at, location.name]));
    for (const [name, { at, count }] of this.#named)
      for (let index = 0; index < count; index++) {
        const called = own.get(at + width * index) ?? name;
        names.set(`${name}[${index}]`, called);
        if (index === 0) names.set(name, called);
      }
    return names;
  }

  /** The addresses of all names. */
  addresses(): Map<string, bigint> {
    return new Map([...this.#named].map(([name, { virtual }]) => [name, BigInt(virtual)]));
  }
}

const elementName = (name: string, index: number, count: number): string => (count === 1 ? name : `${name}[${index}]`);
