/** Rounds of the loop below in one call. */
const ROUNDS = 2_000_000;

const words = new Int32Array(1024);
const floats = new Float64Array(1024);

/**
 * A loop that does the same on every day: integers, floats and memory in JavaScript. Speeds of today and of another day are
 * compared as multiples of its speed.
 */
export function calibrate(): number {
  let x = 88172645;
  let sum = 0;
  for (let round = 0; round < ROUNDS; round++) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    const at = x & 1023;
    words[at] = Math.imul(words[(at + 7) & 1023]!, 1664525) + x;
    floats[at] = floats[(at + 3) & 1023]! * 0.5 + words[at]!;
    sum = (sum + words[at]!) | 0;
  }
  return sum;
}

/** Millions of its rounds. */
export const CALIBRATION: number = ROUNDS / 1e6;
