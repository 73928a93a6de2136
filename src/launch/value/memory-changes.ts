import type { DeviceState, StatePage } from "../../host/index.ts";
import { addressIn } from "../../interp/contract/window.ts";

/** Bytes that differ from before. */
export interface Change {
  readonly address: bigint;
  readonly bytes: Uint8Array;
}

/** Unchanged bytes between two changes of one list entry: shorter gaps do not split an entry. */
const GAP = 16;

/** The differences between two states of a device, in order of address. */
export function changesBetween(before: DeviceState, after: DeviceState): readonly Change[] {
  const known = new Map(before.pages.map((page): [number, StatePage] => [page.at, page]));
  const constants = after.allocations.filter(({ space }) => space === "const");
  const changes: Change[] = [];
  for (const { at, data } of after.pages) {
    const old = known.get(at)?.data ?? new Uint8Array(data.length);
    for (let from = 0; from < data.length; from++) {
      if (data[from] === old[from]) continue;
      let end = from + 1;
      for (let byte = end; byte < data.length && byte < end + GAP; byte++) if (data[byte] !== old[byte]) end = byte + 1;
      const inside = constants.some(({ address, bytes }) => address <= at + from && at + from < address + bytes);
      changes.push({
        address: addressIn(inside ? "const" : "global", at + from),
        bytes: new Uint8Array(data.subarray(from, end)),
      });
      from = end;
    }
  }
  return changes;
}

/** A byte with a wrong value. */
export interface Difference {
  readonly address: bigint;
  readonly wanted: number;
  readonly got: number;
}

/** Bytes of changes that are compared one by one, where two lists disagree. */
const MAX_COMPARED_BYTES = 1 << 16;

/**
 * Bytes on which two lists of changes from the same memory disagree, in order of address, up to a readable number. A
 * byte in only one list must have its value in `before`.
 */
export function differences(
  wanted: readonly Change[],
  got: readonly Change[],
  before: (address: bigint) => number,
): readonly Difference[] {
  const [left, right] = [bytesOf(without(wanted, got)), bytesOf(without(got, wanted))];
  const addresses = [...new Set([...left.keys(), ...right.keys()])].sort((a, b) => (a < b ? -1 : 1));
  return addresses.flatMap((address) => {
    const [a, b] = [left.get(address) ?? before(address), right.get(address) ?? before(address)];
    return a === b ? [] : [{ address, wanted: a, got: b }];
  });
}

/** The changes that the other list does not contain identically. */
function without(changes: readonly Change[], others: readonly Change[]): readonly Change[] {
  const known = new Map(others.map(({ address, bytes }) => [address, bytes]));
  const same = (a: Uint8Array, b: Uint8Array | undefined): boolean =>
    a.length === b?.length && a.every((byte, at) => byte === b[at]);
  return changes.filter(({ address, bytes }) => !same(bytes, known.get(address)));
}

function bytesOf(changes: readonly Change[]): ReadonlyMap<bigint, number> {
  const all = new Map<bigint, number>();
  for (const { address, bytes } of changes)
    for (const [at, byte] of bytes.entries()) if (all.size < MAX_COMPARED_BYTES) all.set(address + BigInt(at), byte);
  return all;
}
