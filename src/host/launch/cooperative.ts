import type { Memory } from "../../interp/index.ts";

/** The most blocks that are resident together. */
export const MOST_RESIDENT = 1024;

/** More than nvcc's cooperative groups use. */
const BYTES = 256;

/** By device memory: where the workspace of its cooperative launches lies. */
const workspaces = new WeakMap<Memory, bigint>();

/**
 * The workspace of a cooperative launch: memory where its grid-wide barrier counts. It is zeroed at the start of each
 * launch, since a fault may have stopped the last one midway. Undefined when the device's memory is full.
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
