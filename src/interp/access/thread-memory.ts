import { windows } from "../contract/window.ts";
import { ALLOCATED, INITIALISED, READ_ONLY } from "../memory/shadow.ts";
import type { Context } from "../state/context.ts";
import { Fault, report } from "../state/fault.ts";
import type { Warp } from "../state/warp.ts";

/** The memory of a thread for the driver's functions, at generic addresses. */
export class ThreadMemory {
  readonly #context: Context;
  readonly #warp: Warp;
  readonly #lane: number;
  #reported = false;

  constructor(context: Context, warp: Warp, lane: number) {
    this.#context = context;
    this.#warp = warp;
    this.#lane = lane;
  }

  /** The byte at `address`. Outside every allocation is a fault, an uninitialised byte a finding; `what` names it. */
  byte(address: bigint, what: string): number {
    const { memory, sanitize } = this.#context;
    const at = this.#locate(address);
    if (at !== undefined) memory.know(at, 1);
    const shadow = at === undefined ? 0 : memory.shadow.u8[at]!;
    if (at === undefined || (shadow & ALLOCATED) === 0)
      throw new Fault("PTX3002", this.#lane, `reads ${what} at ${show(address)}, which is in no allocation`);
    if ((shadow & INITIALISED) === 0 && sanitize.init && !this.#reported) {
      this.#reported = true;
      const text = `reads ${what} at ${show(address)}, which nothing has written`;
      this.#context.report(report(this.#context, this.#warp, this.#lane, "PTX4001", text));
    }
    return memory.data.u8[at]!;
  }

  /** `bytes` bytes as an unsigned integer, low byte first. */
  integer(address: bigint, bytes: 4 | 8, what: string): bigint {
    let value = 0n;
    for (let at = 0; at < bytes; at++) value |= BigInt(this.byte(address + BigInt(at), what)) << BigInt(8 * at);
    return value;
  }

  /** Stores the low `bytes` bytes of a value. Outside of every allocation, and in constant memory, is a fault. */
  store(address: bigint, bytes: 4 | 8, value: bigint, what: string): void {
    const { memory } = this.#context;
    for (let index = 0; index < bytes; index++) {
      const to = address + BigInt(index);
      const at = this.#locate(to);
      if (at !== undefined) memory.know(at, 1);
      const shadow = at === undefined ? 0 : memory.shadow.u8[at]!;
      if (at === undefined || (shadow & ALLOCATED) === 0)
        throw new Fault("PTX3002", this.#lane, `stores ${what} at ${show(to)}, which is in no allocation`);
      if ((shadow & READ_ONLY) !== 0)
        throw new Fault("PTX3003", this.#lane, `stores ${what} at ${show(to)}, which is read-only`);
      memory.put(at, Uint8Array.of(Number(BigInt.asUintN(8, value >> BigInt(8 * index)))));
    }
  }

  /** The bytes from `address` up to a zero byte, at most `most`. */
  string(address: bigint, what: string, most: number): number[] {
    const bytes: number[] = [];
    while (bytes.length < most) {
      const byte = this.byte(address + BigInt(bytes.length), what);
      if (byte === 0) break;
      bytes.push(byte);
    }
    return bytes;
  }

  /** The offset of a generic address in memory's buffer. */
  #locate(address: bigint): number | undefined {
    const { memory, sharedBytes, localBytes, localStride, parameters, program } = this.#context;
    const offset = Number(BigInt.asUintN(32, address));
    const within = (start: number, bytes: number): number | undefined => (offset < bytes ? start + offset : undefined);
    switch (Number(BigInt.asUintN(32, address >> 32n))) {
      case windows.global:
      case windows.const:
        return memory.holds(address, 1) ? offset : this.#supplied(address);
      case windows.shared:
        return within(this.#warp.shared, sharedBytes) ?? this.#supplied(address);
      case windows.local:
        return within(this.#warp.local + this.#lane * localStride, localBytes) ?? this.#supplied(address);
      case windows.param:
        return within(parameters, program.parameterBytes) ?? this.#supplied(address);
      default:
        return this.#supplied(address);
    }
  }

  #supplied(address: bigint): number | undefined {
    const at = this.#context.memory.supply?.reach(Number(address >> 32n), Number(BigInt.asUintN(32, address)), 1) ?? -1;
    return at < 0 ? undefined : at;
  }
}

const show = (address: bigint): string => `0x${address.toString(16)}`;
