import type { About } from "../numeric/index.ts";
import { hex } from "./value.ts";
import { type Given, type Row, row, type Worked } from "./working/row.ts";

/** Bits in groups of four, the highest first. */
export const binary = (bits: bigint, width: number): string =>
  BigInt.asUintN(width, bits)
    .toString(2)
    .padStart(width, "0")
    .replace(/\B(?=(?:\d{4})+$)/g, "_");

const aligned = ({ name, bits }: Given, width: number): Row => row(name, `${binary(bits, width)}  ${hex(bits, width)}`);
const ones = (width: number): bigint => (1n << BigInt(width)) - 1n;
const NONE = 0xffff_ffffn;

/** and, or, xor, not, cnot, lop3 and what counts or reverses bits. */
export function bitwise({ operation }: About & { kind: "bits" }, given: readonly Given[], width: number): Worked {
  const [a = 0n, b = 0n, c = 0n, table = 0n] = given.map(({ bits }) => bits);
  const rows = given.slice(0, 3).map((each) => aligned(each, width));
  const done = (label: string, text: string, bits: bigint): Worked => ({ rows: [...rows, row(label, text)], bits });
  const aName = given[0]?.name ?? "a";
  switch (operation) {
    case "and":
      return done("and", `${binary(a & b, width)}: 1 where both are`, a & b);
    case "or":
      return done("or", `${binary(a | b, width)}: 1 where either is`, a | b);
    case "xor":
      return done("xor", `${binary(a ^ b, width)}: 1 where they differ`, a ^ b);
    case "not":
      return done("not", `${binary(~a, width)}: every bit turned over`, a ^ ones(width));
    case "cnot":
      return done("cnot", a === 0n ? `${aName} is 0: 1` : `${aName} is not 0: 0`, a === 0n ? 1n : 0n);
    case "popc": {
      const count = [...a.toString(2)].filter((bit) => bit === "1").length;
      return done("popc", `${count} bits are 1`, BigInt(count));
    }
    case "clz": {
      const zeros = a === 0n ? width : width - a.toString(2).length;
      return done(
        "clz",
        a === 0n ? `no bit is 1: ${zeros}` : `the highest 1 is bit ${width - 1 - zeros}: ${zeros} zeros above it`,
        BigInt(zeros),
      );
    }
    case "brev": {
      const bits = BigInt(`0b${[...a.toString(2).padStart(width, "0")].reverse().join("")}`);
      return done("brev", `${binary(bits, width)}: bit 0 becomes bit ${width - 1}`, bits);
    }
    case "fns":
      return found(rows, a, b, BigInt.asIntN(32, c));
    case "lop3": {
      const bits = lookUp(a, b, c, table);
      return { rows: [...rows, ...tableRows(table), row("lop3", `${binary(bits, 32)}  ${hex(bits, 32)}`)], bits };
    }
  }
}

/** The table of lop3, an answer for each combination of three bits. */
const tableRows = (table: bigint): Row[] => {
  const all = [7, 6, 5, 4, 3, 2, 1, 0];
  return [
    row("a b c", all.map((at) => at.toString(2).padStart(3, "0")).join(" ")),
    row("gives", `${all.map((at) => ` ${(table >> BigInt(at)) & 1n} `).join(" ")}  ${hex(table & 0xffn, 8)}`),
  ];
};

function lookUp(a: bigint, b: bigint, c: bigint, table: bigint): bigint {
  let bits = 0n;
  for (let at = 0n; at < 32n; at++) {
    const entry = (((a >> at) & 1n) << 2n) | (((b >> at) & 1n) << 1n) | ((c >> at) & 1n);
    bits |= ((table >> entry) & 1n) << at;
  }
  return bits;
}

function found(rows: readonly Row[], mask: bigint, base: bigint, offset: bigint): Worked {
  const up = offset > 0n;
  const places = Array.from({ length: 32 }, (_, at) => BigInt(at)).filter((at) => (mask >> at) & 1n);
  const way =
    offset === 0n ? places.filter((at) => at === base) : places.filter((at) => (up ? at >= base : at <= base));
  const inOrder = up ? way : way.reverse();
  const nth = offset === 0n ? 0 : Number(offset < 0n ? -offset : offset) - 1;
  const at = base < 32n ? inOrder[nth] : undefined;
  const which = offset === 0n ? `bit ${base} itself` : `the ${nth + 1}. 1 from bit ${base} ${up ? "up" : "down"}`;
  const text = at === undefined ? `${which}: there is none` : `${which} is bit ${at}`;
  return { rows: [...rows, row("fns", text)], bits: at ?? NONE };
}

/** shl and shr. */
export function shift({ direction, width, signed }: About & { kind: "shift" }, given: readonly Given[]): Worked {
  const [a, by] = given;
  const bits = a?.bits ?? 0n;
  const amount = by?.bits ?? 0n;
  const rows = [
    ...(a === undefined ? [] : [aligned(a, width)]),
    row(by?.name ?? "b", `${amount}${amount >= BigInt(width) ? `, beyond the width: counts as ${width}` : ""}`),
  ];
  const steps = amount > BigInt(width) ? BigInt(width) : amount;
  const value = signed ? BigInt.asIntN(width, bits) : bits;
  const result = BigInt.asUintN(width, direction === "left" ? bits << steps : value >> steps);
  const filled = direction === "right" && signed ? `the sign ${value < 0n ? 1 : 0}` : "zeros";
  const lost = direction === "left" ? bits >> (BigInt(width) - steps) : bits & ones(Number(steps));
  const gone = lost === 0n ? "nothing is lost" : `${lost.toString(2).padStart(Number(steps), "0")} goes out`;
  return { rows: [...rows, row(direction, `${binary(result, width)}: filled with ${filled}, ${gone}`)], bits: result };
}

/** shf: the pair of b above a, shifted, of which one half counts. */
export function funnel({ direction, mode }: About & { kind: "funnel" }, given: readonly Given[]): Worked {
  const [a = 0n, b = 0n, c = 0n] = given.map(({ bits }) => bits);
  const [x = "a", y = "b", z = "c"] = given.map(({ name }) => name);
  const amount = mode === "clamp" ? (c > 32n ? 32n : c) : c & 31n;
  const pair = (b << 32n) | a;
  const shifted = direction === "l" ? BigInt.asUintN(64, pair << amount) : pair >> amount;
  const bits = BigInt.asUintN(32, direction === "l" ? shifted >> 32n : shifted);
  const rows = [
    row(`${y}:${x}`, binary(pair, 64)),
    row(z, `${c}${amount === c ? "" : `, with .${mode} ${amount}`}`),
    row(`shf.${direction}`, binary(shifted, 64)),
    row("half", `the ${direction === "l" ? "upper" : "lower"} one: ${hex(bits, 32)}`),
  ];
  return { rows, bits };
}

/** prmt: a selector a byte. */
export function permute({ mode, selectors }: About & { kind: "permute" }, given: readonly Given[]): Worked {
  const [a = 0n, b = 0n, c = 0n] = given.map(({ bits }) => bits);
  const pair = (b << 32n) | a;
  const chosen = selectors(Number(c));
  const rows = given.map(({ name, bits }) => row(name, hex(bits, 32)));
  if (mode !== undefined) rows.push(row(`.${mode}`, `${c & 3n} stands for the selectors ${hex(BigInt(chosen), 16)}`));
  let bits = 0n;
  for (let at = 0; at < 4; at++) {
    const selector = (chosen >>> (4 * at)) & 15;
    const byte = (pair >> BigInt(8 * (selector & 7))) & 0xffn;
    const sign = (selector & 8) !== 0;
    const value = sign ? (byte & 0x80n ? 0xffn : 0n) : byte;
    const name = `${(selector & 4 ? given[1]?.name : given[0]?.name) ?? ""}.b${selector & 3}`;
    rows.push(
      row(
        `byte ${at}`,
        `selector ${selector.toString(16)}: ${sign ? "the sign of " : ""}${name} = ${hex(byte, 8)}${sign ? `: ${hex(value, 8)}` : ""}`,
      ),
    );
    bits |= value << BigInt(8 * at);
  }
  return { rows, bits };
}

/** Bit fields: bfe, bfi, bfind, szext and bmsk. */
export function field({ operation, type, mode }: About & { kind: "field" }, given: readonly Given[]): Worked {
  const width = Number(type.slice(1));
  const signed = type.startsWith("s");
  const wide = { bfe: 1, bfi: 2, bfind: 1, szext: 1, bmsk: 0 }[operation];
  const rows = given.map((each, at) => (at < wide ? aligned(each, width) : row(each.name, `${each.bits}`)));
  const [a = 0n, b = 0n, c = 0n, d = 0n] = given.map(({ bits }) => bits);
  const done = (text: string, bits: bigint): Worked => ({
    rows: [...rows, row(operation, `${binary(bits, width)}: ${text}`)],
    bits,
  });
  switch (operation) {
    case "bfe": {
      const [position, length] = [Number(b & 0xffn), Number(c & 0xffn)];
      const source = (signed ? BigInt.asIntN(width, a) : a) >> BigInt(position);
      const bits = BigInt.asUintN(width, signed ? BigInt.asIntN(length, source) : BigInt.asUintN(length, source));
      return done(
        `${length} bits from bit ${position} on, ${signed ? "extended by the sign" : "zeros above them"}`,
        bits,
      );
    }
    case "bfi": {
      const [position, length] = [Number(c & 0xffn), Number(d & 0xffn)];
      const mask = BigInt.asUintN(width, ones(length) << BigInt(position));
      const bits = (b & ~mask) | ((a << BigInt(position)) & mask);
      return done(`the low ${length} bits of ${given[0]?.name} in place of those from bit ${position} on`, bits);
    }
    case "bfind": {
      const value = signed && (a >> BigInt(width - 1)) & 1n ? BigInt.asUintN(width, ~a) : a;
      const kind = signed ? "bit that is not the sign" : "1";
      if (value === 0n) return { rows: [...rows, row("bfind", `there is no ${kind}: 0xffffffff`)], bits: NONE };
      const place = value.toString(2).length - 1;
      const amount = width - 1 - place;
      const text = `the highest ${kind} is bit ${place}${mode === "shiftamt" ? `, ${amount} below the top` : ""}`;
      return { rows: [...rows, row("bfind", text)], bits: BigInt(mode === "shiftamt" ? amount : place) };
    }
    case "szext": {
      const length = mode === "clamp" ? (b > 32n ? 32 : Number(b)) : Number(b & 31n);
      const bits = BigInt.asUintN(32, signed ? BigInt.asIntN(length, a) : BigInt.asUintN(length, a));
      return done(`the low ${length} bits, ${signed ? "extended by their sign" : "zeros above them"}`, bits);
    }
    case "bmsk": {
      const clamp = (x: bigint): number => (mode === "clamp" ? (x > 32n ? 32 : Number(x)) : Number(x & 31n));
      const [position, length] = [clamp(a), clamp(b)];
      return done(`${length} ones from bit ${position} on`, BigInt.asUintN(32, ones(length) << BigInt(position)));
    }
  }
}
