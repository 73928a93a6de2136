import { transformSync } from "esbuild";
import type { LoopText } from "../../../generate/lane-loop.ts";
import { modules } from "../../../generate/loops.ts";
import { newWarp } from "../../../src/interp/schedule/cta-slot.ts";
import type { Warp, WarpShape } from "../../../src/interp/state/warp.ts";
import type { Operation } from "../../../src/numeric/operation/operation.ts";
import { widthOf } from "../../../src/numeric/operation/type.ts";

export const LANES = 32;
export const FULL = 0xffff_ffff;
const shape: WarpShape = { lanes: LANES, p: 1, r: 5, q: 5, code: 1 };

/** A warp of five slots in each bank. */
export const emptyWarp = (): Warp => newWarp(0, 0, new ArrayBuffer(8192), shape);

const names: Record<string, unknown> = {};
for (const [file, list] of Object.entries(modules)) {
  const from = `../../../src/interp/javascript/${file}`;
  const module = (await import(from)) as Record<string, unknown>;
  for (const name of list) names[name] = module[name];
}

/** The function that a loop's source is: what the generated module would have. */
export function compiled<T>({ text }: LoopText): T {
  const { code } = transformSync(`return ${text}`, { loader: "ts", target: "node20" });
  return new Function(...Object.keys(names), code)(...Object.values(names)) as T;
}

/** Puts bits into lane `lane` of slot `slot`. */
export function put(warp: Warp, width: number, slot: number, lane: number, bits: bigint): void {
  if (width === 64) warp.q[slot * LANES + lane] = bits;
  else warp.r[slot * LANES + lane] = Number(bits);
}

export const get = (warp: Warp, width: number, slot: number, lane: number): bigint =>
  width === 64 ? warp.q[slot * LANES + lane]! : BigInt(warp.r[slot * LANES + lane]!);

/** Do registers have room for all operands and the result? */
export const inRegisters = ({ takes, gives }: Operation): boolean =>
  [gives, ...takes.map(({ type }) => type)].every((type) => [16, 32, 64].includes(widthOf(type)));
