import { largest, type Rounding } from "../exact/exact.ts";
import { codes, type Format } from "../format/format.ts";

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
const HIGH = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0;

/** `rs` is stochastic: up with the chance that comes with the value. */
type Narrowing = Exclude<Rounding, "rna"> | "rs";

/**
 * From a value, never NaN, to the bits of a format of up to 20 bits, rounded once. In units of the result's last place
 * the value is an exact double, since only its exponent changes.
 */
export function rounderTo(f: Format, rnd: Narrowing, satfinite = false): (value: number, chance?: number) => number {
  const up = roundsUp[rnd];
  const lowest = (f.frac > 0 ? 1 : 0) - f.bias;
  const scale = Float64Array.from({ length: 1025 - lowest }, (_, at) => 2 ** (f.frac - lowest - at));
  const { most, infinite } = limits(f, satfinite);
  const { signBit } = codes(f);
  const nan = f.specials === "nan-only" ? Number(f.nan) : undefined;
  const hidden = 2 ** f.frac;
  const unit = 2 ** f.pad;
  return (value, chance = 0) => {
    const neg = f.sign === 1 && (value < 0 || Object.is(value, -0));
    const size = Math.abs(value);
    double[0] = size;
    const above = Math.max((words[HIGH]! >>> 20) - 1023 - lowest, 0);
    const scaled = size * scale[above]!;
    let whole = Math.floor(scaled);
    if (up(neg, whole, scaled - whole, chance)) whole += 1;
    // Adding the significand into the exponent field carries 1.111..1 over to the next binade by itself.
    let code = above * hidden + whole;
    // A format without a fraction has no subnormals: every code has its hidden bit, and what vanishes is the least.
    if (f.frac === 0) code = Math.max(code - 1, 0);
    if (code > most) code = size === Number.POSITIVE_INFINITY || up(neg, 1, 1, chance) ? infinite : most;
    // A NaN in the place of an infinity has no sign.
    return (neg && code !== nan ? signBit : 0) + code * unit;
  };
}

/** Does the significand go up? `rest` is what lies below its last bit, from 0 to 1. */
type Up = (neg: boolean, whole: number, rest: number, chance: number) => boolean;
const roundsUp: Readonly<Record<Narrowing, Up>> = {
  rn: (_, whole, rest) => rest > 0.5 || (rest === 0.5 && whole % 2 === 1),
  rz: () => false,
  rm: (neg, _, rest) => neg && rest > 0,
  rp: (neg, _, rest) => !neg && rest > 0,
  // The sum is exact where it is near 1: `rest` has at most 24 bits, `chance` 16.
  rs: (_neg, _whole, rest, chance) => rest + chance >= 1,
};

/** The largest number, and what an infinity becomes: codes without sign and padding. */
function limits(f: Format, satfinite: boolean): { readonly most: number; readonly infinite: number } {
  const most = Number(largest(f) >> BigInt(f.pad));
  if (satfinite || f.specials === "none") return { most, infinite: most };
  return { most, infinite: most + 1 };
}
