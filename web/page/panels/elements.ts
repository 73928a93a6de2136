import type { MemoryBytes } from "../client.ts";
import { show } from "../views.ts";

/** An element of a buffer, as bits and as text, and whether it differs from what it is compared with. */
export interface Element {
  readonly bits: bigint;
  readonly text: string;
  readonly changed: boolean;
  /** What it was, where it has changed. */
  readonly before: string | undefined;
}

/** Bits of a type: 32 of `f16x2`. */
export function widthOf(type: string): number {
  const [, width = "8", count = "1"] = /(\d+)(?:x(\d))?$/.exec(type) ?? [];
  return Number(width) * Number(count);
}

const bitsAt = (bytes: Uint8Array, at: number, each: number): bigint => {
  let bits = 0n;
  for (let byte = each - 1; byte >= 0; byte--) bits = (bits << 8n) | BigInt(bytes[at + byte] ?? 0);
  return bits;
};

/** The whole elements that bytes hold; `old` are the bytes that they are compared with. */
export function elementsOf({ bytes }: MemoryBytes, type: string, old: Uint8Array | undefined): readonly Element[] {
  const width = widthOf(type);
  const each = Math.max(1, width / 8);
  const texts = new Map<bigint, string>();
  const textOf = (bits: bigint): string => {
    const known = texts.get(bits) ?? show(bits, width, type, "typed");
    texts.set(bits, known);
    return known;
  };
  return Array.from({ length: Math.floor(bytes.length / each) }, (_, index) => {
    const bits = bitsAt(bytes, index * each, each);
    const was = old && old.length >= (index + 1) * each ? bitsAt(old, index * each, each) : bits;
    const changed = was !== bits;
    return { bits, text: textOf(bits), changed, before: changed ? textOf(was) : undefined };
  });
}
