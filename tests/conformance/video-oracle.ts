/** Video instructions by the pseudo-code of PTX ISA, from an instruction's text, on memory and unbounded integers. */

export type Given = Readonly<Record<"a" | "b" | "c", bigint>>;

const pattern = /^v(add|sub|absdiff|min|max|avrg|shl|shr|mad|set)([24]?)((?:\.\w+)+) (.+);$/;

interface Written {
  readonly what: string;
  readonly lanes: number;
  readonly words: readonly string[];
  readonly types: readonly string[];
  /** By name: the sign and the selector. */
  readonly operands: ReadonlyMap<string, { readonly minus: boolean; readonly selector: string }>;
}

function read(text: string): Written {
  const [, what = "", lanes = "", dotted = "", list = ""] = pattern.exec(text) ?? [];
  const words = dotted.slice(1).split(".");
  const operands = list.split(", ").map((operand) => {
    const [, minus, name = "", selector = ""] = /^(-?)(\w)\w*(?:\.(\w+))?$/.exec(operand) ?? [];
    return [name, { minus: minus === "-", selector }] as const;
  });
  const types = words.filter((word) => /^[us]32$/.test(word));
  return { what, lanes: Number(lanes), words, types, operands: new Map(operands) };
}

/** b:a as the machine would hold it, a in the low four bytes. */
function memory({ a, b }: Given): DataView {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, Number(a), true);
  view.setUint32(4, Number(b), true);
  return view;
}

/** The number of `bytes` bytes that lies `at` bytes into memory. */
function number(view: DataView, at: number, bytes: number, type: string): bigint {
  const signed = type.startsWith("s");
  if (bytes === 1) return BigInt(signed ? view.getInt8(at) : view.getUint8(at));
  if (bytes === 2) return BigInt(signed ? view.getInt16(at, true) : view.getUint16(at, true));
  return BigInt(signed ? view.getInt32(at, true) : view.getUint32(at, true));
}

const clamp = (x: bigint, bits: number, type: string): bigint => {
  const [most, least] = type.startsWith("s")
    ? [2n ** BigInt(bits - 1) - 1n, -(2n ** BigInt(bits - 1))]
    : [2n ** BigInt(bits) - 1n, 0n];
  return x > most ? most : x < least ? least : x;
};

function primary({ what, words }: Written, x: bigint, y: bigint): bigint {
  const distance = x - y;
  switch (what) {
    case "add":
      return x + y;
    case "sub":
      return distance;
    case "absdiff":
      return distance < 0n ? -distance : distance;
    case "min":
      return distance < 0n ? x : y;
    case "max":
      return distance < 0n ? y : x;
    case "avrg":
      return x + y >= 0n ? (x + y + 1n) >> 1n : (x + y) >> 1n;
    case "shl":
    case "shr": {
      const by = words.includes("wrap") ? y & 0x1fn : y > 32n ? 32n : y;
      return what === "shl" ? x << by : x >> by;
    }
    default: {
      const cmp = words.find((word) => /^(eq|ne|lt|le|gt|ge)$/.test(word)) ?? "";
      const holds = { eq: x === y, ne: x !== y, lt: x < y, le: x <= y, gt: x > y, ge: x >= y };
      return holds[cmp as keyof typeof holds] ? 1n : 0n;
    }
  }
}

/** What an instruction leaves in d. */
export function video(text: string, given: Given): bigint {
  const written = read(text);
  if (written.what === "mad") return multiplyAdd(written, given);
  return BigInt.asUintN(32, written.lanes === 0 ? scalar(written, given) : simd(written, given));
}

/** partSelectSignExtend on the register at `base` of memory. */
function part(view: DataView, base: number, selector: string, type: string): bigint {
  if (selector === "") return number(view, base, 4, type);
  const bytes = selector.startsWith("h") ? 2 : 1;
  return number(view, base + Number(selector[1]) * bytes, bytes, type);
}

function scalar(written: Written, given: Given): bigint {
  const { what, words, types, operands } = written;
  const [dtype = "", atype = "", btype = ""] = what === "set" ? ["u32", ...types] : types;
  const view = memory(given);
  const ta = part(view, 0, operands.get("a")?.selector ?? "", atype);
  const tb = part(view, 4, operands.get("b")?.selector ?? "", btype);
  const tmp = BigInt.asIntN(34, primary(written, ta, tb));
  const dsel = operands.get("d")?.selector ?? "";
  const width = dsel === "" ? 32 : dsel.startsWith("h") ? 16 : 8;
  const result = words.includes("sat") ? clamp(tmp, width, dtype) : BigInt.asIntN(33, tmp);
  const c = dtype === "s32" ? BigInt.asIntN(32, given.c) : given.c;
  // "max" and "min" are words only where they are the secondary operation.
  if (words.includes("add")) return result + c;
  if (words.includes("min")) return result < c ? result : c;
  if (words.includes("max")) return result > c ? result : c;
  if (dsel === "") return result;
  const merged = new DataView(new ArrayBuffer(4));
  merged.setUint32(0, Number(given.c), true);
  if (width === 16) merged.setUint16(Number(dsel[1]) * 2, Number(BigInt.asUintN(16, result)), true);
  else merged.setUint8(Number(dsel[1]), Number(BigInt.asUintN(8, result)));
  return BigInt(merged.getUint32(0, true));
}

function simd(written: Written, given: Given): bigint {
  const { what, lanes, words, types, operands } = written;
  const [dtype = "", atype = "", btype = ""] = what === "set" ? ["u32", ...types] : types;
  const bytes = 4 / lanes;
  const view = memory(given);
  const digits = (name: string, otherwise: string): number[] =>
    [...(operands.get(name)?.selector.slice(1) || otherwise)].map(Number).reverse();
  const from = [digits("a", lanes === 2 ? "10" : "3210"), digits("b", lanes === 2 ? "32" : "7654")];
  const mask = digits("d", "3210");
  const results = mask
    .filter((lane) => lane < lanes)
    .map((lane) => {
      const va = number(view, (from[0]?.[lane] ?? 0) * bytes, bytes, atype);
      const vb = number(view, (from[1]?.[lane] ?? 0) * bytes, bytes, btype);
      const t = primary(written, va, vb);
      return [lane, words.includes("sat") ? clamp(t, 8 * bytes, dtype) : t] as const;
    });
  if (words.includes("add")) return results.reduce((d, [, t]) => d + t, given.c);
  return results.reduce((d, [lane, t]) => {
    const low = BigInt(lane * bytes * 8);
    const kept = d - (((d >> low) % 2n ** BigInt(8 * bytes)) << low);
    return kept + (BigInt.asUintN(8 * bytes, t) << low);
  }, given.c);
}

function multiplyAdd({ words, types, operands }: Written, given: Given): bigint {
  const view = memory(given);
  const [, atype = "", btype = ""] = types;
  const sign = (name: string): boolean => operands.get(name)?.minus ?? false;
  const product = sign("a") !== sign("b");
  const signed = atype === "s32" || btype === "s32" || product || sign("c");
  let tmp =
    part(view, 0, operands.get("a")?.selector ?? "", atype) * part(view, 4, operands.get("b")?.selector ?? "", btype);
  let c = given.c;
  let lsb = 0n;
  if (words.includes("po")) lsb = 1n;
  else if (product) {
    tmp = ~tmp;
    lsb = 1n;
  } else if (sign("c")) {
    c = BigInt.asUintN(32, ~c);
    lsb = 1n;
  }
  tmp += (signed ? BigInt.asIntN(32, c) : c) + lsb;
  const shift = words.includes("shr7") ? 7n : words.includes("shr15") ? 15n : 0n;
  const result = signed ? BigInt.asIntN(64, tmp >> shift) : BigInt.asUintN(64, tmp >> shift);
  return BigInt.asUintN(32, words.includes("sat") ? clamp(result, 32, signed ? "s32" : "u32") : result);
}
