import { WRITTEN } from "../warp/call-arguments.ts";
import type { BuiltinCall } from "./builtin.ts";

/** Low word of an argument of one lane. */
export const word = ({ parcel, parameters }: BuiltinCall, index: number, lane: number): number =>
  parcel.values[lane * parcel.stride + parameters[index]!]!;

/** An argument of 64 bits. */
export const long = ({ parcel, parameters }: BuiltinCall, index: number, lane: number): bigint => {
  const at = lane * parcel.stride + parameters[index]!;
  return (BigInt(parcel.values[at + 1]!) << 32n) | BigInt(parcel.values[at]!);
};

/** Sets the only result. */
export function answer({ parcel, results }: BuiltinCall, lane: number, value: bigint): void {
  const at = lane * parcel.stride + results[0]!;
  parcel.values[at] = Number(BigInt.asUintN(32, value));
  parcel.values[at + 1] = Number(BigInt.asUintN(32, value >> 32n));
  parcel.shadows.fill(WRITTEN, at, at + 2);
}

/** Calls `act` for the lanes of a call, in their order. */
export function eachLane({ warp, mask }: BuiltinCall, act: (lane: number) => void): void {
  for (let lane = 0; lane < warp.lanes; lane++) if ((mask >>> lane) & 1) act(lane);
}
