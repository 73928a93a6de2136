import { type HostSpace, spaceNames } from "../../../src/interp/contract/space.ts";
import type { Debuggee } from "./debuggee.ts";
import { DapError } from "./protocol/problem.ts";

/** Most bytes of one response. */
const MAX_READ_BYTES = 1 << 20;

const spaces: readonly HostSpace[] = [...spaceNames, "generic"];

/** An address as clients store it: `shared:0x10`; without a space it is a generic address. */
export const placeText = (space: HostSpace, address: bigint): string => `${space}:0x${address.toString(16)}`;

/** Reads such an address; throws a `DapError`. */
export function readPlaceText(text: string): { readonly space: HostSpace; readonly address: bigint } {
  const [, word = "generic", digits] = /^(?:(\w+):)?(0x[\da-f]+|\d+)$/i.exec(text.trim()) ?? [];
  const space = spaces.find((each) => each === word);
  if (digits === undefined || space === undefined)
    throw new DapError(`${text} is not a place in memory; expected global:0x10 and the like`);
  return { space, address: BigInt(digits) };
}

/** Bytes from an address on, as far as they can be read. */
export function readMemory(
  debuggee: Debuggee,
  text: string,
  offset: number,
  count: number,
): { readonly address: string; readonly data: Uint8Array } {
  const { space, address } = readPlaceText(text);
  const from = BigInt.asUintN(64, address + BigInt(offset));
  const wanted = Math.min(count, MAX_READ_BYTES);
  const address_ = placeText(space, from);
  // A binary search finds the end of the readable bytes.
  let least = 0;
  let most = wanted + 1;
  let data = new Uint8Array(0);
  while (most - least > 1) {
    const middle = least === 0 && most === wanted + 1 ? wanted : (least + most) >> 1;
    const read = attempt(() => debuggee.debugger.read(space, from, middle));
    if (read === undefined) most = middle;
    else {
      least = middle;
      data = new Uint8Array(read);
    }
  }
  return { address: address_, data };
}

/** Writes bytes; throws a `DapError` where there is no such memory. */
export function writeMemory(debuggee: Debuggee, text: string, offset: number, data: Uint8Array): void {
  const { space, address } = readPlaceText(text);
  try {
    debuggee.debugger.write(space, BigInt.asUintN(64, address + BigInt(offset)), data);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DapError(error.message);
  }
}

function attempt(read: () => Uint8Array): Uint8Array | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** Bytes as base64 (RFC 4648), which the protocol requires. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x2000) text += String.fromCharCode(...bytes.subarray(at, at + 0x2000));
  return btoa(text);
}

export function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  } catch {
    throw new DapError("data is not base64");
  }
}
