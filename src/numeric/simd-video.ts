import type { Op } from "./op.ts";
import { clamped, field, type VideoOperation, type VideoType, videoOperations } from "./video.ts";

/** What the modifiers and the operands' selectors of a SIMD video instruction say. */
export interface SimdVideoMode {
  readonly dtype: VideoType;
  readonly atype: VideoType;
  readonly btype: VideoType;
  readonly sat?: boolean | undefined;
  /** The results are added to c instead of merged with it. */
  readonly add?: boolean | undefined;
  /** `h10`: which elements of b:a come in, the highest first. */
  readonly asel?: string | undefined;
  readonly bsel?: string | undefined;
  /** `h1`: the elements that take part; the others are c's. */
  readonly mask?: string | undefined;
}

/** Two halves or four bytes at once: vadd2, vset4 and their kin (9.7.18.5 to 9.7.18.8). */
export function simdVideo(lanes: 2 | 4, operation: VideoOperation, mode: SimdVideoMode): Op {
  const { dtype, atype, btype, sat, add, asel, bsel, mask } = mode;
  const width = 32 / lanes;
  const letter = lanes === 2 ? "h" : "b";
  const words = [dtype, atype, btype, sat ? "sat" : "", add ? "add" : "", "d", mask, "a", asel, "b", bsel];
  const primary = videoOperations[operation];
  const saturate = sat ? clamped(dtype, width) : (t: number) => t;
  const va = elements(asel ?? (lanes === 2 ? "h10" : "b3210"), atype, width);
  const vb = elements(bsel ?? (lanes === 2 ? "h32" : "b7654"), btype, width);
  const active = Array.from({ length: lanes }, (_, lane) => mask === undefined || mask.includes(String(lane)));
  const ones = 2 ** width - 1;
  const result = (a: number, b: number, lane: number): number => saturate(primary(va[lane]!(a, b), vb[lane]!(a, b)));
  const accumulate = (a: number, b: number, c: number): number => {
    let d = c;
    for (let lane = 0; lane < lanes; lane++) if (active[lane]) d += result(a, b, lane);
    return d >>> 0;
  };
  const merge = (a: number, b: number, c: number): number => {
    let d = c;
    for (let lane = 0; lane < lanes; lane++) {
      if (!active[lane]) continue;
      const up = lane * width;
      d = (d & ~(ones << up)) | ((result(a, b, lane) & ones) << up);
    }
    return d >>> 0;
  };
  return {
    name: [`v${operation}${lanes}${letter}`, ...words].filter((word) => word).join("."),
    takes: [32, 32, 32],
    gives: 32,
    about: { kind: "simd video", operation, lanes, mode },
    js: add ? accumulate : merge,
  };
}

/** One reader a lane, the lowest first: the element of b:a that the selector's digit names. */
function elements(selector: string, type: VideoType, width: number): ((a: number, b: number) => number)[] {
  const perRegister = 32 / width;
  return [...selector.slice(1)].reverse().map((digit) => {
    const at = Number(digit);
    const take = field(type, (at % perRegister) * width, width);
    return at < perRegister ? (a) => take(a) : (_, b) => take(b);
  });
}
