/** The transactions of a warp's memory access, by NVIDIA's documented layout; this is no timing model. */

/** One lane's access: an address in its space, and the lane. */
export interface Touch {
  readonly lane: number;
  readonly address: number;
}

/** Bytes of one transaction of global and local memory (CUDA C++ Best Practices Guide, coalesced access). */
const SECTOR = 32;
/** Banks of shared memory, four bytes each (CUDA C++ Programming Guide, shared memory of compute capability 5.0 and up). */
const BANKS = 32;
const WORD = 4;

export interface Sectors {
  /** Aligned sectors of 32 bytes that the access touches. */
  readonly touched: number;
  /** The fewest that could contain the different bytes that it touches. */
  readonly fewest: number;
}

/** Transactions of one access to global memory, `bytes` contiguous bytes a lane. */
export function globalSectors(touches: readonly Touch[], bytes: number): Sectors {
  const sectors = new Set<number>();
  for (const { address } of touches)
    for (let at = Math.floor(address / SECTOR); at * SECTOR < address + bytes; at++) sectors.add(at);
  return { touched: sectors.size, fewest: Math.ceil(distinctBytes(touches, bytes) / SECTOR) };
}

/**
 * The same for local memory, in which consecutive 32-bit words belong to consecutive lanes (CUDA C++ Programming Guide,
 * local memory): lanes that all use one offset are coalesced.
 */
export function localSectors(touches: readonly Touch[], bytes: number): Sectors {
  const words = touches.flatMap(({ lane, address }) => {
    const found: Touch[] = [];
    for (let at = Math.floor(address / WORD); at * WORD < address + bytes; at++)
      found.push({ lane, address: (at * 32 + lane) * WORD });
    return found;
  });
  const { touched } = globalSectors(words, WORD);
  return { touched, fewest: Math.ceil((touches.length * bytes) / SECTOR) };
}

export interface Banks {
  /** Parts that the access is split into: half a warp for 8 bytes a lane, a quarter for 16. */
  readonly parts: number;
  /** Passes that it needs: a part needs as many as its busiest bank has different words. */
  readonly passes: number;
}

/** Bank statistics of one access to shared memory. Lanes that access the same word share it. */
export function sharedBanks(touches: readonly Touch[], bytes: number): Banks {
  const lanes = Math.max(1, Math.min(32, Math.floor((32 * WORD) / bytes)));
  let parts = 0;
  let passes = 0;
  for (let first = 0; first < 32; first += lanes) {
    const wanted = new Map<number, Set<number>>();
    for (const { lane, address } of touches) {
      if (lane < first || lane >= first + lanes) continue;
      for (let word = Math.floor(address / WORD); word * WORD < address + bytes; word++) {
        const bank = wanted.get(word % BANKS);
        if (bank === undefined) wanted.set(word % BANKS, new Set([word]));
        else bank.add(word);
      }
    }
    if (wanted.size === 0) continue;
    parts += 1;
    passes += Math.max(...[...wanted.values()].map(({ size }) => size));
  }
  return { parts, passes };
}

function distinctBytes(touches: readonly Touch[], bytes: number): number {
  let count = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const address of touches.map(({ address }) => address).sort((a, b) => a - b)) {
    count += address + bytes - Math.max(address, Math.min(end, address + bytes));
    end = address + bytes;
  }
  return count;
}
