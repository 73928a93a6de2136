import type { DeviceState, StatePage } from "../../host/index.ts";
import { addressIn } from "../../interp/contract/window.ts";

/** Bytes that are there now, and were not before. */
export interface Change {
  readonly address: bigint;
  readonly bytes: Uint8Array;
}

/** Bytes that stay what they were between two changes of one list entry: shorter gaps are not worth an entry. */
const GAP = 16;

/** What differs between two states of a device, in order of address. */
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

/** A byte that is not as it should be. */
export interface Difference {
  readonly address: bigint;
  readonly wanted: number;
  readonly got: number;
}

/** Bytes of changes that are looked at one by one, where two lists do not agree. */
const MAX_COMPARED_BYTES = 1 << 16;

/**
 * Bytes that two lists of changes from the same memory do not agree on, in order of address, and not more than a person wants
 * to know. One that only one of them names must be what `before` has there.
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

/** Those that the others have not in the same way. */
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
