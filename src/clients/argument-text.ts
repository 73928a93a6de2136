import type { Argument } from "../host/index.ts";
import type { Parameter } from "../interp/contract/program.ts";

/** Bytes of an aggregate that are shown. */
const MAX_SHOWN_BYTES = 32;

/** An argument as a person reads it: addresses and bits in hexadecimal, integers and floats as numbers. */
export function argumentText({ type, bytes, aggregate }: Parameter, argument: Argument | undefined): string {
  const given = bytesOf(argument, bytes);
  if (given === undefined) return "?";
  const view = new DataView(given.buffer, given.byteOffset, given.byteLength);
  if (!aggregate && given.length === bytes) {
    if (type === "f32") return String(view.getFloat32(0, true));
    if (type === "f64") return String(view.getFloat64(0, true));
    if (bytes === 8 && type !== "s64") return `0x${view.getBigUint64(0, true).toString(16)}`;
    const bits = given.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    if (type.startsWith("s")) return String(BigInt.asIntN(8 * bytes, bits));
    return type.startsWith("u") ? String(bits) : `0x${bits.toString(16)}`;
  }
  const shown = [...given.subarray(0, MAX_SHOWN_BYTES)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `hex:${shown}${given.length > MAX_SHOWN_BYTES ? "..." : ""}`;
}

/** The bytes that a parameter of `bytes` bytes gets; undefined for what is neither bits nor bytes. */
export function bytesOf(argument: Argument | undefined, bytes: number): Uint8Array | undefined {
  if (argument instanceof Uint8Array) return argument;
  if (typeof argument !== "object" || !("bits" in argument)) return undefined;
  return Uint8Array.from({ length: bytes }, (_, at) => Number((argument.bits >> BigInt(8 * at)) & 255n));
}
