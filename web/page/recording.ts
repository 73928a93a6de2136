import type { Client, Explanation, LaneRegisters, LineValues, Loaded, MemoryBytes, Space, Strip } from "./client.ts";

/** A launch as it was when it had ended, and what panels ask about that. */
export interface Recording {
  readonly loaded: Loaded;
  readonly lanes: LaneRegisters;
  readonly strip: Strip;
  readonly values: LineValues | undefined;
  /** By buffer, its beginning. */
  readonly memory: readonly {
    readonly space: Space;
    readonly address: bigint;
    readonly held: MemoryBytes;
  }[];
}

/** Bytes of a buffer that are recorded. */
export const RECORDED_BYTES = 512;

/** A client that answers from a recording what can be asked about its end, and leaves all else to another one. */
export function playback({ lanes, strip, values, memory }: Recording, client: Client): Client {
  return {
    ...client,
    lanes: async () => lanes,
    strip: async () => strip,
    values: async () => values,
    lineHistory: async () => undefined,
    explain: async (): Promise<Explanation | undefined> => undefined,
    memory: async (space, address, bytes) => {
      const found = memory.find((each) => each.space === space && each.address === address);
      const cut = (all: Uint8Array): Uint8Array => all.slice(0, bytes);
      if (found === undefined) return { bytes: new Uint8Array(0) };
      const { bytes: now, before } = found.held;
      return { bytes: cut(now), ...(before && { before: cut(before) }) };
    },
  };
}

/**
 * A recording as text: JSON in which bigints and arrays of numbers are written as objects; those of 32 bits as differences, since most
 * of them count.
 */
export const freeze = (recording: Recording): string =>
  JSON.stringify(recording, (_, value: unknown) => {
    if (typeof value === "bigint") return { big: String(value) };
    if (value instanceof Uint8Array) return { u8: [...value] };
    return value instanceof Uint32Array ? { u32: [...value].map((each, at) => each - (value[at - 1] ?? 0)) } : value;
  });

export const thaw = (text: string): Recording =>
  JSON.parse(text, (_, value) => {
    if (typeof value?.big === "string") return BigInt(value.big);
    if (Array.isArray(value?.u8)) return Uint8Array.from(value.u8);
    if (!Array.isArray(value?.u32)) return value;
    let sum = 0;
    return Uint32Array.from(value.u32 as number[], (each) => {
      sum += each;
      return sum;
    });
  });
