import { addressIn } from "../../interp/contract/window.ts";
import type { Memory } from "../../interp/index.ts";
import type { Buffer } from "./buffer.ts";

/**
 * A multicast object (`cuMulticastCreate`): one range of multimem addresses that stands for memory on several devices. Here
 * one device holds all of it, a buffer for each that is bound.
 */
export class Multicast {
  /** The multimem address; only multimem instructions accept it. */
  readonly address: bigint;
  /** The replicas; each also has an ordinary address. */
  readonly replicas: readonly Buffer[];

  /** @internal Made by `Device.multicast`. */
  constructor(memory: Memory, name: string, replicas: readonly Buffer[]) {
    this.replicas = replicas;
    const offsets = replicas.map(({ address }) => Number(BigInt.asUintN(32, address)));
    this.address = addressIn("multimem", offsets[0] ?? 0);
    memory.multicasts.push({ name, bytes: replicas[0]?.bytes ?? 0, replicas: offsets });
  }
}
