import type { BuiltinCall } from "../warp/builtin-call.ts";
import { WRITTEN } from "../warp/call-arguments.ts";

/** The low word of an argument of one lane. */
export const word = ({ passed, parameters }: BuiltinCall, index: number, lane: number): number =>
  passed.values[lane * passed.stride + parameters[index]!]!;

/** A 64-bit argument. */
export const long = ({ passed, parameters }: BuiltinCall, index: number, lane: number): bigint => {
  const at = lane * passed.stride + parameters[index]!;
  return (BigInt(passed.values[at + 1]!) << 32n) | BigInt(passed.values[at]!);
};

/** Sets the single result. */
export function answer({ passed, results }: BuiltinCall, lane: number, value: bigint): void {
  const at = lane * passed.stride + results[0]!;
  passed.values[at] = Number(BigInt.asUintN(32, value));
  passed.values[at + 1] = Number(BigInt.asUintN(32, value >> 32n));
  passed.shadows.fill(WRITTEN, at, at + 2);
}

/** Calls `act` for the lanes of a call, in their order. */
export function eachLane({ warp, mask }: BuiltinCall, act: (lane: number) => void): void {
  for (let lane = 0; lane < warp.lanes; lane++) if ((mask >>> lane) & 1) act(lane);
}
