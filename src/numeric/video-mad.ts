import type { Op } from "./op.ts";
import { selected, type VideoPart, type VideoType } from "./video.ts";

/** What the modifiers, selectors and signs of a vmad say. */
export interface VideoMadMode {
  readonly atype: VideoType;
  readonly btype: VideoType;
  readonly sat?: boolean | undefined;
  readonly scale?: "shr7" | "shr15" | undefined;
  /** a * b + c + 1. */
  readonly po?: boolean | undefined;
  readonly asel?: VideoPart | undefined;
  readonly bsel?: VideoPart | undefined;
  /** Which of a * b and c is subtracted; never both. */
  readonly negated?: "product" | "c" | undefined;
}

/** vmad: a * b + c with signs, plus one, scaled and saturated (9.7.18.3). */
export function videoMad(mode: VideoMadMode): Op {
  const { atype, btype, sat, scale, po, asel, bsel, negated } = mode;
  const signed = atype === "s32" || btype === "s32" || negated !== undefined;
  const [ta, tb] = [selected(atype, asel), selected(btype, bsel)];
  const words = [atype, btype, po ? "po" : "", sat ? "sat" : "", scale, "a", asel, "b", bsel, negated];
  const down = BigInt(scale?.slice(3) ?? 0);
  const [least, most] = signed ? [-(1n << 31n), (1n << 31n) - 1n] : [0n, (1n << 32n) - 1n];
  const extended = (c: number): bigint => BigInt(signed ? c | 0 : c >>> 0);
  const sum = (product: bigint, c: number): bigint => {
    if (negated === "product") return extended(c) - product;
    // The manual complements c at 32 bits and extends that by its sign: an unsigned c counts as signed here.
    if (negated === "c") return product + extended(~c) + 1n;
    return product + extended(c) + (po ? 1n : 0n);
  };
  return {
    name: ["vmad", ...words].filter((word) => word).join("."),
    takes: [32, 32, 32],
    gives: 32,
    about: { kind: "video mad", mode },
    js: (a: number, b: number, c: number) => {
      const scaled = sum(BigInt(ta(a)) * BigInt(tb(b)), c) >> down;
      const result = signed ? BigInt.asIntN(64, scaled) : BigInt.asUintN(64, scaled);
      const kept = !sat ? result : result < least ? least : result > most ? most : result;
      return Number(BigInt.asUintN(32, kept));
    },
  };
}
