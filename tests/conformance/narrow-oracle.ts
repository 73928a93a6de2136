/**
 * Formats of up to 19 bits judged by the list of their numbers: the code of a value is found by search, and rounding
 * compares it with its two neighbours. All of it is exact in binary64. Shares nothing with `src/numeric`.
 */
interface Narrow {
  readonly exponent: number;
  readonly fraction: number;
  /** The code of the largest number; what lies above it (an infinity or a NaN), and what a NaN becomes. */
  readonly last: number;
  readonly over?: number;
  readonly nan: number;
  /** Position of the sign; none for ue8m0 and ue5m3. */
  readonly sign?: number;
}

const formats: ReadonlyMap<string, Narrow> = new Map<string, Narrow>([
  ["f16", { exponent: 5, fraction: 10, last: 0x7bff, over: 0x7c00, nan: 0x7fff, sign: 15 }],
  ["bf16", { exponent: 8, fraction: 7, last: 0x7f7f, over: 0x7f80, nan: 0x7fff, sign: 15 }],
  ["tf32", { exponent: 8, fraction: 10, last: 0x3fbff, over: 0x3fc00, nan: 0x3ffff, sign: 18 }],
  ["e5m2", { exponent: 5, fraction: 2, last: 0x7b, over: 0x7c, nan: 0x7f, sign: 7 }],
  ["e4m3", { exponent: 4, fraction: 3, last: 0x7e, over: 0x7f, nan: 0x7f, sign: 7 }],
  ["e3m2", { exponent: 3, fraction: 2, last: 0x1f, nan: 0x1f, sign: 5 }],
  ["e2m3", { exponent: 2, fraction: 3, last: 0x1f, nan: 0x1f, sign: 5 }],
  ["e2m1", { exponent: 2, fraction: 1, last: 0x7, nan: 0x7, sign: 3 }],
  ["ue8m0", { exponent: 8, fraction: 0, last: 0xfe, over: 0xff, nan: 0xff }],
  ["ue5m3", { exponent: 5, fraction: 3, last: 0xfe, over: 0xff, nan: 0xff }],
]);

export const isNarrow = (name: string): boolean => formats.has(name);

const lists = new Map<string, Float64Array>();

/** The numbers of the codes from 0 to the last, in order. */
function numbersOf(name: string, { exponent, fraction, last }: Narrow): Float64Array {
  const known = lists.get(name);
  if (known) return known;
  const bias = 2 ** (exponent - 1) - 1;
  const list = Float64Array.from({ length: last + 1 }, (_, code) => {
    if (fraction === 0) return 2 ** (code - bias);
    const [e, f] = [Math.floor(code / 2 ** fraction), code % 2 ** fraction];
    return e === 0 ? f * 2 ** (1 - bias - fraction) : (1 + f / 2 ** fraction) * 2 ** (e - bias);
  });
  lists.set(name, list);
  return list;
}

const formatOf = (name: string): Narrow => {
  const format = formats.get(name);
  if (format === undefined) throw new Error(`${name} is no narrow format`);
  return format;
};

/** What a code means; bits above the sign do not count. */
export function numberOf(name: string, bits: number): number {
  const format = formatOf(name);
  const { last, over, sign } = format;
  const code = sign === undefined ? bits : bits % 2 ** sign;
  const negative = sign !== undefined && Math.floor(bits / 2 ** sign) % 2 === 1;
  const infinite = code === over && !/^(e4m3|ue)/.test(name);
  const size = code <= last ? numbersOf(name, format)[code]! : infinite ? Number.POSITIVE_INFINITY : Number.NaN;
  return negative ? -size : size;
}

export interface Narrowing {
  readonly rnd: string;
  readonly satfinite?: boolean;
  readonly relu?: boolean;
  /** -0 becomes +0. */
  readonly pzo?: boolean;
  /** For `rs`: so many random bits. */
  readonly random?: { readonly bits: number; readonly value: number } | undefined;
}

/** The code of a value. */
export function codeOf(name: string, value: number, narrowing: Narrowing): number {
  const code = signedCodeOf(name, value, narrowing);
  const { sign } = formatOf(name);
  return narrowing.pzo && sign !== undefined && code === 2 ** sign ? 0 : code;
}

function signedCodeOf(name: string, value: number, { rnd, satfinite, relu, random }: Narrowing): number {
  const format = formatOf(name);
  const { last, over, nan, sign, fraction } = format;
  if (Number.isNaN(value)) return nan;
  const negative = value < 0 || Object.is(value, -0);
  if (negative && relu) return 0;
  const size = Math.abs(value);
  const highest = satfinite || over === undefined ? last : over;
  const signed = (code: number): number => (negative && sign !== undefined ? 2 ** sign : 0) + code;
  if (size === Number.POSITIVE_INFINITY) return signed(highest);
  const list = numbersOf(name, format);
  if (size < list[0]!) return 0;
  let [low, high] = [0, last];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list[middle]! <= size) low = middle;
    else high = middle - 1;
  }
  const below = list[low]!;
  if (below === size) return signed(low);
  const above = low < last ? list[low + 1]! : fraction === 0 ? 2 * below : 2 * below - list[low - 1]!;
  const part = Math.min((size - below) / (above - below), 1);
  const up = new Map([
    ["rn", part > 0.5 || (part === 0.5 && low % 2 === 1)],
    ["rna", part >= 0.5],
    ["rz", false],
    ["rp", sign === undefined || !negative],
    ["rm", sign !== undefined && negative],
    ["rs", Math.floor(part * 2 ** (random?.bits ?? 0)) + (random?.value ?? 0) >= 2 ** (random?.bits ?? 0)],
  ]).get(rnd);
  if (up === undefined) throw new Error(`no rounding ${rnd}`);
  if (!up) return signed(low);
  return signed(low < last ? low + 1 : highest);
}
