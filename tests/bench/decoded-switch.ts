import { toF16, valuesOf } from "../../src/numeric/binary64/double.ts";
import { fmaDouble } from "../../src/numeric/binary64/double-fma.ts";
import { f16 } from "../../src/numeric/format/format.ts";
import { BLOCKS, BYTES, THREADS } from "./mixes.ts";

/**
 * The baseline: the usual simple interpreter, made as well as its kind allows. The text is decoded once; then one
 * thread after the other goes through a `switch` on small integers, with registers as JavaScript values in an array
 * and BigInt for 64 bits. It knows what the mixes use and trusts them; halves and the fused multiply and add of doubles
 * come from ptxrun's own arithmetic, for JavaScript has neither.
 */
type Value = number | bigint | boolean;

interface Decoded {
  readonly code: number;
  /** Indices of registers; a literal has a register of its own. */
  readonly d: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  /** The guard's register, or -1. */
  readonly guard: number;
  /** Branch target, or offset of an address. */
  readonly at: number;
}

// biome-ignore format: a listing, in the order of the switch
const names = [
  "exit", "bra", "mov", "ld.param.u64", "ld.global.u32", "st.global.u32", "st.global.f32", "st.global.u64",
  "st.global.f64", "add.u32", "sub.u32", "mul.lo.u32", "mad.lo.u32", "and.b32", "or.b32", "xor.b32", "shl.b32",
  "shr.u32", "setp.lt", "setp.ne", "selp", "add.f32", "sub.f32", "mul.f32", "fma.rn.f32", "add.f64", "sub.f64",
  "mul.f64", "fma.rn.f64", "cvt.rn.f32.u32", "cvt.rn.f64.u32", "cvt.u64.u32", "add.64", "sub.u64", "mul.lo.u64",
  "mad.lo.u64", "mul.hi.u64", "mul.wide.u32", "mad.wide.u32", "shl.b64", "shr.u64", "xor.b64", "or.b64", "min.u64",
  "add.f16x2", "sub.f16x2", "mul.f16x2", "fma.rn.f16x2",
];

/** Relations and selections are the same for every JavaScript value, and so are additions of 64 bits. */
const shorten = (mnemonic: string): string =>
  mnemonic.replace(/^(mov|setp\.lt|setp\.ne|selp)\..*/, "$1").replace(/^add\.[us]64$/, "add.64");

/** A runner of one kernel; each call gives the output buffer. */
export function decodedSwitch(text: string): () => Uint8Array {
  const registers = new Map<string, number>();
  const initial: Value[] = [];
  const register = (name: string, value: Value): number => {
    const known = registers.get(name);
    if (known !== undefined) return known;
    registers.set(name, initial.length);
    return initial.push(value) - 1;
  };
  const tid = register("%tid.x", 0);
  const ctaid = register("%ctaid.x", 0);
  const labels = new Map<string, number>();
  const lines: string[] = [];
  const body = text.slice(text.indexOf("{") + 1, text.lastIndexOf("}"));
  for (const piece of body.split(/;|(?<=\w:)\s/).map((piece) => piece.trim())) {
    if (/^\w+:$/.test(piece)) labels.set(piece.slice(0, -1), lines.length);
    else if (piece !== "" && !piece.startsWith(".reg")) lines.push(piece);
  }
  const program = lines.map((line): Decoded => {
    const [, guard, name, rest] = /^(?:@(%\w+) )?([\w.]+)\s*(.*)$/s.exec(line)!;
    const code = names.indexOf(shorten(name!));
    if (code < 0) throw new Error(`the baseline lacks ${name}`);
    const kind = name!.split(".").at(-1)!;
    let at = labels.get(rest!) ?? 0;
    const operands = labels.has(rest!)
      ? []
      : rest!.split(/\s*,\s*/).map((operand) => {
          const address = /^\[(%\w+)\+?(\d*)\]$/.exec(operand);
          if (address !== null) at = Number(address[2]);
          if (address !== null) return register(address[1]!, 0);
          // A shift amount has 32 bits, whatever is shifted.
          const type = /^sh[lr]/.test(name!) ? "u32" : kind;
          return operand.startsWith("%")
            ? register(operand, 0)
            : register(`${operand} ${type}`, literal(operand, type));
        });
    const [d = 0, a = 0, b = 0, c = 0] = operands;
    return { code, d, a, b, c, at, guard: guard === undefined ? -1 : register(guard, false) };
  });
  return () => {
    const memory = new DataView(new ArrayBuffer(BYTES));
    for (let thread = 0; thread < BLOCKS * THREADS; thread++) {
      const values = [...initial];
      values[tid] = thread % THREADS;
      values[ctaid] = Math.floor(thread / THREADS);
      execute(program, values, memory);
    }
    return new Uint8Array(memory.buffer);
  };
}

/** A literal as the value that its instruction's type has in JavaScript; the kernel's parameter is address 0. */
function literal(text: string, kind: string): Value {
  const bits = text.slice(2);
  if (text.startsWith("0f")) return new Float32Array(Uint32Array.of(Number(`0x${bits}`)).buffer)[0]!;
  if (text.startsWith("0d")) return new Float64Array(BigUint64Array.of(BigInt(`0x${bits}`)).buffer)[0]!;
  if (!/^\d/.test(text)) return 0n;
  return kind.endsWith("64") ? BigInt(text) : Number(text);
}

const halves = valuesOf(f16);
const low = (bits: Value | undefined): number => halves[(bits as number) & 0xffff]!;
const high = (bits: Value | undefined): number => halves[(bits as number) >>> 16]!;
const join = (low: number, high: number): number => (toF16(low) | (toF16(high) << 16)) >>> 0;
const N = (value: Value | undefined): number => value as number;
const B = (value: Value | undefined): bigint => value as bigint;

// biome-ignore format: a listing
function execute(program: readonly Decoded[], v: Value[], memory: DataView): void {
  for (let pc = 0; ; pc++) {
    const { code, d, a, b, c, guard, at } = program[pc]!;
    if (guard >= 0 && !v[guard]) continue;
    switch (code) {
      case 0: return;
      case 1: pc = at - 1; break;
      case 2: v[d] = v[a]!; break;
      case 3: v[d] = v[a]!; break;
      case 4: v[d] = memory.getUint32(Number(v[a]) + at, true); break;
      case 5: memory.setUint32(Number(v[d]) + at, N(v[a]), true); break;
      case 6: memory.setFloat32(Number(v[d]) + at, N(v[a]), true); break;
      case 7: memory.setBigUint64(Number(v[d]) + at, B(v[a]), true); break;
      case 8: memory.setFloat64(Number(v[d]) + at, N(v[a]), true); break;
      case 9: v[d] = (N(v[a]) + N(v[b])) >>> 0; break;
      case 10: v[d] = (N(v[a]) - N(v[b])) >>> 0; break;
      case 11: v[d] = Math.imul(N(v[a]), N(v[b])) >>> 0; break;
      case 12: v[d] = (Math.imul(N(v[a]), N(v[b])) + N(v[c])) >>> 0; break;
      case 13: v[d] = (N(v[a]) & N(v[b])) >>> 0; break;
      case 14: v[d] = (N(v[a]) | N(v[b])) >>> 0; break;
      case 15: v[d] = (N(v[a]) ^ N(v[b])) >>> 0; break;
      case 16: v[d] = N(v[b]) > 31 ? 0 : (N(v[a]) << N(v[b])) >>> 0; break;
      case 17: v[d] = N(v[b]) > 31 ? 0 : N(v[a]) >>> N(v[b]); break;
      case 18: v[d] = v[a]! < v[b]!; break;
      case 19: v[d] = v[a] !== v[b]; break;
      case 20: v[d] = v[c] ? v[a]! : v[b]!; break;
      case 21: v[d] = Math.fround(N(v[a]) + N(v[b])); break;
      case 22: v[d] = Math.fround(N(v[a]) - N(v[b])); break;
      case 23: v[d] = Math.fround(N(v[a]) * N(v[b])); break;
      case 24: v[d] = Math.fround(N(v[a]) * N(v[b]) + N(v[c])); break;
      case 25: v[d] = N(v[a]) + N(v[b]); break;
      case 26: v[d] = N(v[a]) - N(v[b]); break;
      case 27: v[d] = N(v[a]) * N(v[b]); break;
      case 28: v[d] = fmaDouble(N(v[a]), N(v[b]), N(v[c])); break;
      case 29: v[d] = Math.fround(N(v[a])); break;
      case 30: v[d] = N(v[a]); break;
      case 31: v[d] = BigInt(N(v[a])); break;
      case 32: v[d] = BigInt.asUintN(64, B(v[a]) + B(v[b])); break;
      case 33: v[d] = BigInt.asUintN(64, B(v[a]) - B(v[b])); break;
      case 34: v[d] = BigInt.asUintN(64, B(v[a]) * B(v[b])); break;
      case 35: v[d] = BigInt.asUintN(64, B(v[a]) * B(v[b]) + B(v[c])); break;
      case 36: v[d] = (B(v[a]) * B(v[b])) >> 64n; break;
      case 37: v[d] = BigInt(N(v[a])) * BigInt(N(v[b])); break;
      case 38: v[d] = BigInt.asUintN(64, BigInt(N(v[a])) * BigInt(N(v[b])) + B(v[c])); break;
      case 39: v[d] = N(v[b]) > 63 ? 0n : BigInt.asUintN(64, B(v[a]) << BigInt(N(v[b]))); break;
      case 40: v[d] = N(v[b]) > 63 ? 0n : B(v[a]) >> BigInt(N(v[b])); break;
      case 41: v[d] = B(v[a]) ^ B(v[b]); break;
      case 42: v[d] = B(v[a]) | B(v[b]); break;
      case 43: v[d] = B(v[a]) < B(v[b]) ? v[a]! : v[b]!; break;
      case 44: v[d] = join(low(v[a]) + low(v[b]), high(v[a]) + high(v[b])); break;
      case 45: v[d] = join(low(v[a]) - low(v[b]), high(v[a]) - high(v[b])); break;
      case 46: v[d] = join(low(v[a]) * low(v[b]), high(v[a]) * high(v[b])); break;
      case 47: v[d] = join(low(v[a]) * low(v[b]) + low(v[c]), high(v[a]) * high(v[b]) + high(v[c])); break;
    }
  }
}
