/** What atom and red do, by big integers and rationals; shares nothing with `src`. */
import { float } from "./float-oracle.ts";
import { flush, formats } from "./rational-oracle.ts";
import type { Verdict } from "./verdict.ts";

/** One record with operands: what memory holds before, and what every lane brings. */
export interface AtomicCase {
  readonly op: string;
  readonly type: string;
  readonly bits: number;
  /** add.f32 that keeps subnormals in global memory, too. */
  readonly noftz: boolean;
  readonly space: "global" | "shared" | "generic";
  readonly vector: boolean;
  /** The address register, if there is one, and what is added to it. */
  readonly pointer: string | undefined;
  readonly offset: bigint;
  readonly registers: ReadonlyMap<string, readonly bigint[]>;
  /** By element: what memory holds, the operands b and c, the register of the result. */
  readonly held: readonly bigint[];
  readonly b: readonly bigint[];
  readonly c: readonly bigint[];
  readonly results: readonly (string | undefined)[];
}

const operations = ["and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max"];
const types = /^(b16|b32|b64|b128|u32|u64|s32|s64|f32|f64|f16|f16x2|bf16|bf16x2)$/;
const wordsOf = ({ text }: Verdict): readonly string[] => (text.split(/\s/)[0] ?? "").split(".");
const typeOf = (asked: Verdict): string => wordsOf(asked).find((word) => types.test(word)) ?? "none";
export const bitsOf = (asked: Verdict): number =>
  typeOf(asked).endsWith("x2") ? 32 : Number(/\d+$/.exec(typeOf(asked))?.[0]);

/** A generator of bit patterns, many of them at borders of integers and floats. */
export function drawFrom(seed: number): (bits: number) => bigint {
  let state = BigInt(seed) * 0x9e37_79b9_7f4a_7c15n;
  const next = (): bigint => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return state >> 20n;
  };
  return (bits) => {
    const random = next() | (next() << 44n) | (next() << 88n);
    const halves = [0n, 1n, 0x8000n, 0x8001n, 0x3c00n, 0x7c00n, 0x7e01n, 0x7f80n, 0xff81n, 0x0080n, 0xbc00n, 0x3f80n];
    const top = 1n << BigInt(bits - 1);
    const words = [
      0n,
      1n,
      2n,
      top,
      top + 1n,
      2n * top - 1n,
      top - 1n,
      0x0080_0000n,
      0x8000_0001n,
      0x3f80_0000n,
      0x7fc0_0001n,
    ];
    const half = (): bigint => halves[Number(next() % BigInt(halves.length))]!;
    const draws = [random, half() | (half() << 16n), words[Number(next() % BigInt(words.length))]!, random];
    return BigInt.asUintN(bits, draws[Number(next() % 4n)]!);
  };
}

/** Reads a record's text and gives its registers values. */
export function atomicCase(asked: Verdict, draw: () => bigint): AtomicCase {
  const words = wordsOf(asked);
  const bits = bitsOf(asked);
  const type = typeOf(asked);
  const operands = splitOperands(asked.text);
  const at = words[0] === "atom" ? 1 : 0;
  const registers = new Map<string, readonly bigint[]>();
  const named = (text: string): bigint => {
    const known = registers.get(text)?.[0];
    if (known !== undefined) return known;
    if (!/^[a-z]/.test(text)) return literal(text, bits, type);
    const value = draw();
    registers.set(text, [value]);
    return value;
  };
  const list = (text: string | undefined): readonly string[] =>
    text === undefined
      ? []
      : text.startsWith("{")
        ? text
            .slice(1, -1)
            .split(",")
            .map((each) => each.trim())
        : [text];
  const op = words.find((word) => operations.includes(word)) ?? "none";
  const b = list(operands[at + 1]).map(named);
  const c = op === "cas" ? list(operands[at + 2]).map(named) : [];
  const [, base = "", more = "0"] = /^\[\s*(\w+)\s*\+?\s*(.*)\]$/.exec(operands[at] ?? "") ?? [];
  // Half of the compare-and-swaps should succeed.
  const held = b.map((value) => (op === "cas" && draw() & 1n ? value : draw()));
  return {
    op,
    type,
    bits,
    noftz: words.includes("noftz"),
    registers,
    held,
    b,
    c,
    space: words.includes("global") ? "global" : words.some((word) => word.startsWith("shared")) ? "shared" : "generic",
    vector: b.length > 1,
    pointer: asked.decl[base]?.startsWith("module:") ? undefined : base,
    offset: offsets.get(more || "0") ?? 0n,
    results: at === 1 ? list(operands[0]) : b.map(() => undefined),
  };
}

const offsets: ReadonlyMap<string, bigint> = new Map([
  ["0", 0n],
  ["4", 4n],
  ["-4", -4n],
  ["0x10", 16n],
  ["(4*2)", 8n],
]);

function splitOperands(text: string): readonly string[] {
  const list = text.replace(/;.*$/, "").replace(/^\S+\s+/, "");
  return [...list.matchAll(/\{[^}]*\}|\[[^\]]*\]|[^,\s]+/g)].map(([each]) => each);
}

function literal(text: string, bits: number, type: string): bigint {
  if (!text.includes(".")) return BigInt.asUintN(bits, text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text));
  const view = new DataView(new ArrayBuffer(8));
  if (type === "f32") view.setFloat32(0, Number(text));
  else view.setFloat64(0, Number(text));
  return type === "f32" ? BigInt(view.getUint32(0)) : view.getBigUint64(0);
}

/** What memory holds after one lane; undefined where flushing depends on when tininess is seen. */
export function step(
  { op, type, bits, noftz, b, c }: AtomicCase,
  space: string,
  held: bigint,
  element: number,
): bigint | undefined {
  const by = b[element]!;
  const signed = (x: bigint): bigint => (type.startsWith("s") ? BigInt.asIntN(bits, x) : x);
  const wrap = (x: bigint): bigint => BigInt.asUintN(bits, x);
  if (/f/.test(type)) {
    if (op === "exch") return by;
    if (type.endsWith("x2")) {
      const parts = [0n, 16n].map((up) =>
        floating(op, type.slice(0, -2), (held >> up) & 0xffffn, (by >> up) & 0xffffn, false),
      );
      return parts[0] === undefined || parts[1] === undefined ? undefined : parts[0] | (parts[1] << 16n);
    }
    return floating(op, type, held, by, type === "f32" && space === "global" && !noftz);
  }
  switch (op) {
    case "and":
      return held & by;
    case "or":
      return held | by;
    case "xor":
      return held ^ by;
    case "exch":
      return by;
    case "cas":
      return held === by ? c[element]! : held;
    case "add":
      return wrap(held + by);
    case "inc":
      return held >= by ? 0n : held + 1n;
    case "dec":
      return held === 0n || held > by ? by : held - 1n;
    case "min":
      return signed(by) < signed(held) ? by : held;
    case "max":
      return signed(by) > signed(held) ? by : held;
    default:
      throw new Error(`no oracle for ${op}`);
  }
}

function floating(op: string, type: string, held: bigint, by: bigint, flushes: boolean): bigint | undefined {
  const f = formats.get(type)!;
  const given = flushes ? [flush(f, held), flush(f, by)] : [held, by];
  return float(flushes ? [op, "ftz", type] : [op, type], given);
}
