/**
 * sin, cos, 2^x, log2, tanh and 1/sqrt of numbers that f32 holds, as integers in units of 2^-PLACES, off by far less
 * than 2^-200. Its ways are others than those of `src/numeric`: pi by arithmetic and geometric means, exponentials by
 * halving and squaring, angles by thirds, logarithms bit by bit.
 */
const PLACES = 400n;
const ONE = 1n << PLACES;

const times = (a: bigint, b: bigint): bigint => (a * b) >> PLACES;

function rootOf(x: bigint): bigint {
  let y = 1n << BigInt((x.toString(2).length + 1) >> 1);
  for (let next = (y + x / y) >> 1n; next < y; next = (y + x / y) >> 1n) y = next;
  return y;
}

/** pi in units of 2^-places (Gauss and Legendre). */
function piTo(places: bigint): bigint {
  const unit = 1n << places;
  let a = unit;
  let b = rootOf((unit * unit) / 2n);
  let t = unit / 4n;
  for (let p = 1n; a - b > 16n || b - a > 16n; p *= 2n) {
    const next = (a + b) / 2n;
    b = rootOf(a * b);
    t -= (p * (a - next) * (a - next)) >> places;
    a = next;
  }
  return ((a + b) * (a + b)) / (4n * t);
}

const MORE = 160n;
const pi = piTo(PLACES + MORE);

/** x in units of 2^-PLACES; numbers of f32 are exact in them. */
function fixed(x: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(x));
  const code = view.getBigUint64(0);
  const shift = (code >> 52n) - 1075n + PLACES;
  const sig = (code & 0xf_ffff_ffff_ffffn) | (1n << 52n);
  const size = x === 0 ? 0n : shift < 0n ? sig >> -shift : sig << shift;
  return x < 0 ? -size : size;
}

/** e^x for 0 <= x < 1. */
function exponential(x: bigint): bigint {
  const halvings = 24n;
  let term = ONE;
  let sum = ONE;
  for (let n = 1n; term !== 0n; n++) {
    term = times(term, x >> halvings) / n;
    sum += term;
  }
  for (let n = 0n; n < halvings; n++) sum = times(sum, sum);
  return sum;
}

/** ln 2 by Halley's method on e^y = 2. */
const ln2 = (() => {
  let y = fixed(Math.LN2);
  for (let round = 0; round < 6; round++) {
    const power = exponential(y);
    y += (2n * (2n * ONE - power) * ONE) / (2n * ONE + power);
  }
  return y;
})();

/** sin x for |x| < 2 by sin 3y = 3 sin y - 4 sin^3 y. */
function sine(x: bigint): bigint {
  const thirds = 12;
  const y = x / 3n ** BigInt(thirds);
  const square = times(y, y);
  let term = y;
  let sum = y;
  for (let n = 2n; term !== 0n && term !== -1n; n += 2n) {
    term = -times(term, square) / (n * (n + 1n));
    sum += term;
  }
  for (let n = 0; n < thirds; n++) sum = 3n * sum - 4n * times(sum, times(sum, sum));
  return sum;
}

/** sin(x + shift quarter turns). */
function turned(x: number, shift: bigint): bigint {
  const angle = fixed(x) << MORE;
  const quarter = pi / 2n;
  // To the nearest quarter turn.
  const count = (2n * angle + quarter) / (2n * quarter) - (2n * angle + quarter < 0n ? 1n : 0n);
  const rest = (angle - count * quarter) >> MORE;
  const quadrant = (((count + shift) % 4n) + 4n) % 4n;
  const half = sine(rest / 2n);
  const value = quadrant % 2n === 0n ? sine(rest) : ONE - 2n * times(half, half);
  return quadrant >= 2n ? -value : value;
}

/** 2^x in units of 2^-PLACES, for x below 130. */
function power(x: number): bigint {
  if (x < -300) return 0n;
  const whole = Math.floor(x);
  const value = exponential(times(fixed(x) - (BigInt(whole) << PLACES), ln2));
  return whole < 0 ? value >> BigInt(-whole) : value << BigInt(whole);
}

/** log2 x for x > 0: squaring a number doubles its logarithm, whose next bit is whether the square reaches 2. */
function logarithm(x: number): bigint {
  let m = fixed(x);
  const whole = BigInt(m.toString(2).length) - 1n - PLACES;
  m = whole < 0n ? m << -whole : m >> whole;
  if (m === ONE) return whole << PLACES;
  // The error of m doubles with each bit: half of the places are good.
  let bits = 0n;
  for (let n = 0; n < 200; n++) {
    m = times(m, m);
    bits <<= 1n;
    if (m >= 2n * ONE) {
      m >>= 1n;
      bits |= 1n;
    }
  }
  return (whole << PLACES) + (bits << (PLACES - 200n)) + (1n << (PLACES - 201n));
}

function hyperbolic(x: number): bigint {
  const size = Math.min(Math.abs(x), 64);
  const twice = fixed(size) * 2n;
  const whole = twice / ln2;
  const high = exponential(twice - whole * ln2) << whole;
  const value = ((high - ONE) * ONE) / (high + ONE);
  return x < 0 ? -value : value;
}

export type Fn = "sin" | "cos" | "ex2" | "lg2" | "tanh" | "rsqrt";

const functions: Readonly<Record<Fn, (x: number) => bigint>> = {
  sin: (x) => turned(x, 0n),
  cos: (x) => turned(x, 1n),
  ex2: power,
  lg2: logarithm,
  tanh: hyperbolic,
  rsqrt: (x) => (ONE << (PLACES / 2n)) / rootOf(fixed(x)),
};

/** Is fn a finite number of f32 at x, itself one? */
export const isNumber = (fn: Fn, x: number): boolean =>
  fn === "lg2" || fn === "rsqrt" ? x > 0 : fn !== "ex2" || x < 128;

/** How far a result is from the true value. */
export interface Miss {
  /** In units of the last place that f32 has at the result. */
  readonly ulp: number;
  readonly absolute: number;
  readonly relative: number;
}

/** A quotient of integers as a double, good to 30 bits. */
const ratio = (a: bigint, b: bigint): number => {
  const bits = a.toString(2).length - b.toString(2).length;
  const shift = 30 - bits;
  const quotient = shift > 0 ? (a << BigInt(shift)) / b : a / (b << BigInt(-shift));
  return Number(quotient) * 2 ** -shift;
};

/** How far `got` is from what `fn` is at x; both are finite numbers of f32, and x is where fn is a number. */
export function missOf(fn: Fn, x: number, got: number): Miss {
  const exact = functions[fn](x);
  const difference = fixed(got) - exact;
  const size = difference < 0n ? -difference : difference;
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(got) || 2 ** -149)), -126) - 23;
  const truth = exact < 0n ? -exact : exact;
  return {
    ulp: ratio(size, ONE) * 2 ** -exponent,
    absolute: ratio(size, ONE),
    relative: truth === 0n ? 0 : ratio(size, truth),
  };
}
