/** Integer, carry, logic and shift instructions by the formulas of PTX ISA, on unbounded integers. */

const typeOf = (words: readonly string[]): { bits: number; signed: boolean } => {
  const type = words.find((word) => /^[bus]\d+$/.test(word)) ?? "";
  return { bits: Number(type.slice(1)), signed: type.startsWith("s") };
};
const has = (words: readonly string[], word: string): boolean => words.includes(word);
const absolute = (x: bigint): bigint => (x < 0n ? -x : x);
const clamp = (x: bigint, bits: number, signed: boolean): bigint => {
  const most = (1n << BigInt(signed ? bits - 1 : bits)) - 1n;
  const least = signed ? -most - 1n : 0n;
  return x > most ? most : x < least ? least : x;
};

/** What is left of `x` in a register of `bits`. */
export const cut = (x: bigint, bits: number): bigint =>
  ((x % (1n << BigInt(bits))) + (1n << BigInt(bits))) % (1n << BigInt(bits));
/** The number that `bits` bits stand for. */
export const read = (x: bigint, bits: number, signed: boolean): bigint => {
  const low = cut(x, bits);
  return signed && low >> BigInt(bits - 1) === 1n ? low - (1n << BigInt(bits)) : low;
};

/** Each of the lanes of a packed type, two halves or four bytes; undefined for the whole. */
function lanes(words: readonly string[], given: readonly bigint[]): bigint | undefined {
  const [, type = "", count = ""] = /^([us]\d+)x(\d)$/.exec(words.at(-1) ?? "") ?? [];
  if (count === "") return undefined;
  const inner = [...words.slice(0, -1), type];
  const width = Number(type.slice(1));
  const lane = (at: number): bigint => {
    const d = integer(
      inner,
      given.map((x) => cut(x >> BigInt(at * width), width)),
    );
    if (d === undefined) throw new Error(`${words.join(".")}: no result for a lane`);
    return d << BigInt(at * width);
  };
  return Array.from({ length: Number(count) }, (_, at) => lane(at)).reduce((all, each) => all | each);
}

/** d of `mnemonic{.words} d, a, b, c`; undefined where the manual leaves it open. */
export function integer(words: readonly string[], given: readonly bigint[]): bigint | undefined {
  const packed = lanes(words, given);
  if (packed !== undefined) return packed;
  const { bits, signed } = typeOf(words);
  const [mnemonic] = words;
  const [a = 0n, b = 0n, c = 0n] = given.map((x) => read(x, bits, signed));
  const [least, most] = a < b ? [a, b] : [b, a];
  const sum = (x: bigint): bigint => cut(has(words, "sat") ? clamp(x, bits, signed) : x, bits);
  const relu = (x: bigint): bigint => cut(has(words, "relu") && x < 0n ? 0n : x, bits);
  switch (mnemonic) {
    case "add":
      return sum(a + b);
    case "sub":
      return sum(a - b);
    case "mul":
    case "mad": {
      if (has(words, "wide")) return cut(a * b + (mnemonic === "mad" ? (given[2] ?? 0n) : 0n), 2 * bits);
      const part = has(words, "hi") ? (a * b) >> BigInt(bits) : a * b;
      return sum(part + (mnemonic === "mad" ? c : 0n));
    }
    case "clmad": {
      const product = collectXor(64, (at) => (bit(a, at) === 1n ? b << BigInt(at) : 0n));
      return cut(has(words, "hi") ? product >> 64n : product, 64) ^ c;
    }
    case "mul24":
    case "mad24": {
      const [x, y] = [read(a, 24, signed), read(b, 24, signed)];
      const part = has(words, "hi") ? (x * y) >> 16n : read(x * y, 32, signed);
      return sum(part + (mnemonic === "mad24" ? c : 0n));
    }
    case "sad":
      return cut(c + absolute(a - b), bits);
    case "div":
      return b === 0n ? undefined : cut(a / b, bits);
    case "rem":
      return b === 0n ? undefined : cut(a % b, bits);
    case "abs":
      return cut(absolute(a), bits);
    case "neg":
      return cut(-a, bits);
    case "min":
      return relu(least);
    case "max":
      return relu(most);
    case "and":
      return a & b;
    case "or":
      return a | b;
    case "xor":
      return a ^ b;
    case "not":
      return cut(-1n - a, bits);
    case "cnot":
      return a === 0n ? 1n : 0n;
    case "shl":
      return cut(a * 2n ** amount(given[1], bits), bits);
    case "shr":
      return cut(a >> amount(given[1], bits), bits);
    default:
      return field(words, given, bits, signed);
  }
}

const bit = (x: bigint, at: number): bigint => (x >> BigInt(at)) & 1n;
const collect = (count: number, of: (at: number) => bigint): bigint =>
  Array.from({ length: count }, (_, at) => of(at) << BigInt(at)).reduce((sum, each) => sum + each, 0n);

const collectXor = (count: number, of: (at: number) => bigint): bigint =>
  Array.from({ length: count }, (_, at) => of(at)).reduce((all, each) => all ^ each, 0n);

/** Bit fields and bytes, by the loops of the manual's semantics. */
function field(words: readonly string[], given: readonly bigint[], bits: number, signed: boolean): bigint | undefined {
  const [a = 0n, b = 0n, c = 0n, d = 0n] = given;
  const positions = Array.from({ length: bits }, (_, at) => at);
  switch (words[0]) {
    case "popc":
      return BigInt(positions.filter((at) => bit(a, at) === 1n).length);
    case "clz":
    case "bfind": {
      const seek = signed && bit(a, bits - 1) === 1n ? 0n : 1n;
      const found = BigInt(positions.findLastIndex((at) => bit(a, at) === seek));
      if (words[0] === "clz") return BigInt(bits - 1) - found;
      if (found === -1n) return 0xffff_ffffn;
      return has(words, "shiftamt") ? BigInt(bits - 1) - found : found;
    }
    case "brev":
      return collect(bits, (at) => bit(a, bits - 1 - at));
    case "bfe": {
      const [position, length] = [Number(b & 0xffn), Number(c & 0xffn)];
      const sign = !signed || length === 0 ? 0n : bit(a, Math.min(position + length - 1, bits - 1));
      return collect(bits, (at) => (at < length && position + at < bits ? bit(a, position + at) : sign));
    }
    case "bfi": {
      const [position, length] = [Number(c & 0xffn), Number(d & 0xffn)];
      return collect(bits, (at) => (at >= position && at < position + length ? bit(a, at - position) : bit(b, at)));
    }
    case "shf": {
      const amount = has(words, "wrap") ? c % 32n : c > 32n ? 32n : c;
      const whole = (b << 32n) | a;
      return has(words, "l") ? cut((whole << amount) >> 32n, 32) : cut(whole >> amount, 32);
    }
    case "prmt": {
      const mode = words[2];
      const selector = (at: number): bigint => {
        const n = c & 3n;
        const p = BigInt(at);
        if (mode === "f4e") return n + p;
        if (mode === "b4e") return (8n + n - p) % 8n;
        if (mode === "rc8") return n;
        if (mode === "ecl") return p > n ? p : n;
        if (mode === "ecr") return p < n ? p : n;
        if (mode === "rc16") return 2n * (n % 2n) + (p % 2n);
        return (c >> (4n * p)) & 15n;
      };
      const byte = (at: number): bigint => (((b << 32n) | a) >> (8n * (selector(at) & 7n))) & 0xffn;
      const filled = (at: number): bigint => (selector(at) < 8n ? byte(at) : byte(at) < 0x80n ? 0n : 0xffn);
      return [0, 1, 2, 3].reduce((sum, at) => sum + (filled(at) << BigInt(8 * at)), 0n);
    }
    case "fns": {
      if (b > 31n) return undefined;
      const offset = read(c, 32, true);
      const ones = positions.filter((at) => bit(a, at) === 1n);
      const way = offset > 0n ? ones.filter((at) => at >= b) : ones.filter((at) => at <= b).reverse();
      const found = offset === 0n ? ones.find((at) => BigInt(at) === b) : way[Number(absolute(offset)) - 1];
      return BigInt(found ?? 0xffff_ffff);
    }
    case "szext": {
      const length = Number(has(words, "wrap") ? b % 32n : b);
      return length === 0 ? 0n : cut(read(a, Math.min(length, 32), signed), 32);
    }
    case "bmsk": {
      const [from, length] = has(words, "wrap") ? [a % 32n, b % 32n] : [a, b];
      return collect(32, (at) => (at >= from && at < from + length ? 1n : 0n));
    }
    case "dp4a":
      return cut(
        [0, 1, 2, 3].reduce((d, at) => d + element(a, 8, at, words[1]) * element(b, 8, at, words[2]), c),
        32,
      );
    case "dp2a": {
      const first = has(words, "hi") ? 2 : 0;
      return cut(
        [0, 1].reduce((d, at) => d + element(a, 16, at, words[2]) * element(b, 8, first + at, words[3]), c),
        32,
      );
    }
    default:
      throw new Error(`no oracle for ${words.join(".")}`);
  }
}
const element = (x: bigint, width: number, at: number, type = ""): bigint =>
  read(x >> BigInt(at * width), width, type.startsWith("s"));
/** Shift amounts are 32 bits wide and clamped to the width. */
const amount = (b: bigint | undefined, bits: number): bigint => {
  const low = cut(b ?? 0n, 32);
  return low > BigInt(bits) ? BigInt(bits) : low;
};

/** d and CC.CF of an instruction with a carry; the flag after a subtraction is 1 when nothing was borrowed. */
export function carried(
  words: readonly string[],
  given: readonly bigint[],
  carryIn: bigint,
): { d: bigint; carry: bigint } {
  const { bits, signed } = typeOf(words);
  const [mnemonic = ""] = words;
  const [a = 0n, b = 0n, c = 0n] = given.map((x) => cut(x, bits));
  const extra = mnemonic.endsWith("c") ? carryIn : mnemonic === "sub" ? 1n : 0n;
  const product = read(a, bits, signed) * read(b, bits, signed);
  const part = cut(has(words, "hi") ? product >> BigInt(bits) : product, bits);
  const total = mnemonic.startsWith("sub")
    ? a + cut(-1n - b, bits) + extra
    : (mnemonic.startsWith("mad") ? part + c : a + b) + extra;
  return { d: cut(total, bits), carry: has(words, "cc") ? total >> BigInt(bits) : carryIn };
}

/** `a op b` of setp on integers and bits; `lo`, `ls`, `hi`, `hs` are names for unsigned types. */
export function integersCompare(words: readonly string[], given: readonly bigint[]): boolean {
  const { bits, signed } = typeOf(words);
  const [a = 0n, b = 0n] = given.map((x) => read(x, bits, signed));
  switch (words[1]) {
    case "eq":
      return a === b;
    case "ne":
      return a !== b;
    case "lt":
    case "lo":
      return a < b;
    case "le":
    case "ls":
      return a <= b;
    case "gt":
    case "hi":
      return a > b;
    case "ge":
    case "hs":
      return a >= b;
    default:
      throw new Error(`no oracle for ${words.join(".")}`);
  }
}
