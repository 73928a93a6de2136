import type { Memory } from "../interp/index.ts";

/** Blocks that the machine keeps resident together. */
export const MOST_RESIDENT = 1024;

/** More than what nvcc's cooperative groups use of it. */
const BYTES = 256;

/** By device memory: where the workspace of its cooperative launches lies. */
const workspaces = new WeakMap<Memory, bigint>();

/**
 * The workspace of a cooperative launch: memory where its grid-wide barrier counts, zero at the start of each launch,
 * since a fault may have left the last one in the middle. Undefined when the device's memory is full.
 */
export function workspaceOf(memory: Memory): bigint | undefined {
  const known = workspaces.get(memory);
  if (known !== undefined) {
    memory.write(known, new Uint8Array(BYTES));
    return known;
  }
  const name = "the workspace of the cooperative launch";
  const address = memory.allocate({ name, bytes: BYTES, initialised: true });
  if (address !== undefined) workspaces.set(memory, address);
  return address;
}
