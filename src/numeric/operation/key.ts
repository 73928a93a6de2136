import type { Operation } from "./operation.ts";

const keys = new WeakMap<Operation, string>();

/** The operation written out: two operations with the same meaning, node for node, have the same key. */
export function keyOf(operation: Operation): string {
  const known = keys.get(operation);
  if (known !== undefined) return known;
  const key = JSON.stringify(operation, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
  keys.set(operation, key);
  return key;
}
