import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Device, type Kernel, must } from "../../src/index.ts";
import { share } from "../share.ts";

/**
 * The golden set of carries, half and mixed precision through the whole house: text, tree, program, steps, registers.
 * Expectations come from an exact rational oracle that agrees with Berkeley TestFloat; approximate rows carry the
 * window that the manual's error bound allows.
 */
interface Case {
  readonly id: string;
  readonly instr: string;
  readonly args: readonly string[];
  readonly cls: "exact" | "approx";
  readonly expect?: string;
  readonly lanes?: readonly { readonly accept: readonly [string, string] | string }[];
  readonly cfIn?: 0 | 1;
  readonly cfOut?: 0 | 1;
}
interface Chain {
  readonly id: string;
  readonly type: string;
  readonly init: readonly string[];
  readonly prog: readonly string[];
  readonly final: readonly string[];
  readonly cfTrace: readonly (0 | 1)[];
}

const records: readonly (Case | Chain)[] = gunzipSync(readFileSync(new URL("../data/dev.jsonl.gz", import.meta.url)))
  .toString()
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const cases = records.filter((record): record is Case => "instr" in record);
const chains = records.filter((record): record is Chain => "prog" in record);
const first = { block: 0, warp: 0, lane: 0 };
const bits = (digits: string): bigint => BigInt(`0x${digits}`);

/** Operand types of a spelling; the destination comes first. */
function types(instr: string): string[] {
  const words = instr.split(".");
  const operands = { neg: 1, abs: 1, tanh: 1, ex2: 1, fma: 3, mad: 3, madc: 3 }[words[0] ?? ""] ?? 2;
  const small = words.find((word) => word === "f16" || word === "bf16");
  if (words.includes("f32") && small) return ["f32", ...Array(operands - 1).fill("b16"), "f32"];
  const integer = words.find((word) => /^[us](32|64)$/.test(word));
  return Array(operands + 1).fill(integer ?? (small ? "b16" : "b32"));
}

const device = new Device();
const kernels = new Map<string, Kernel>();

/** One kernel a spelling, so that five thousand cases resolve a few hundred programs. */
function kernel(text: string): Kernel {
  const known = kernels.get(text);
  if (known) return known;
  const made = must(device.snippet(text));
  kernels.set(text, made);
  return made;
}

function run(text: string, registers: ReadonlyMap<string, bigint>, carry: 0 | 1 = 0) {
  const { stop, session } = must(kernel(text).launch({ registers, carry }));
  if (stop.reason !== "exit")
    throw new Error(`${text}: ${stop.reason === "trap" ? stop.diagnostic.message : stop.reason}`);
  const found = new Map(session.registers(first).map(({ name, bits: [value] }) => [name, value]));
  return { found, carry: session.carry(first) };
}

/** Sign and magnitude of a 16-bit code to an integer in the order of the values; a window may cross zero. */
const rank = (code: bigint): bigint => (code >= 0x8000n ? -(code & 0x7fffn) : code);

function accepted(got: bigint, lanes: Case["lanes"]): boolean {
  return (lanes ?? []).every(({ accept }, lane) => {
    const code = (got >> BigInt(16 * lane)) & 0xffffn;
    if (typeof accept === "string") return accept.startsWith("any NaN") && code === 0x7fffn;
    const [low, high] = accept.map((digits) => rank(bits(digits))).sort((a, b) => (a < b ? -1 : 1));
    return low !== undefined && high !== undefined && rank(code) >= low && rank(code) <= high;
  });
}

function judge({ id, instr, args, cls, expect: wanted, lanes, cfIn, cfOut }: Case): string | undefined {
  const names = ["d", "a", "b", "c"].slice(0, args.length + 1);
  const declarations = types(instr).map((type, index) => `.reg .${type} ${names[index]};`);
  const text = `${declarations.join(" ")}\n${instr} ${names.join(", ")};`;
  const registers = new Map(args.map((digits, index) => [names[index + 1] ?? "", bits(digits)]));
  const { found, carry } = run(text, registers, cfIn);
  const got = found.get("d") ?? -1n;
  const right = cls === "exact" ? got === bits(wanted ?? "") : accepted(got, lanes);
  if (right && (cfOut === undefined || carry === cfOut)) return undefined;
  return `${id} ${instr} ${args.join(" ")}: ${got.toString(16)} cf=${carry}`;
}

function judgeChain({ id, type, init, prog, final, cfTrace }: Chain): string | undefined {
  const declaration = `.reg .${type} ${init.map((_, index) => `r${index}`).join(", ")};`;
  // Every register is mentioned, so that the dump has those that the chain leaves alone.
  const text = `${declaration}\n${init.map((_, index) => `mov.${type} r${index}, r${index};`).join("\n")}\n${prog.map((line) => `${line};`).join("\n")}`;
  const { found, carry } = run(text, new Map(init.map((digits, index) => [`r${index}`, bits(digits)])));
  const got = init.map((_, index) => found.get(`r${index}`));
  const right = final.every((digits, index) => got[index] === bits(digits)) && carry === cfTrace.at(-1);
  return right
    ? undefined
    : `${id} ${prog.join("; ")}: ${got.map((value) => value?.toString(16)).join(" ")} cf=${carry}`;
}

describe("the golden set, as programs", () => {
  it("is whole", () => {
    expect([cases.length + chains.length, new Set(cases.map(({ instr }) => instr)).size]).toEqual([5008, 256]);
  });

  it("agrees in every case of one instruction", () => {
    expect(
      share(cases, 12)
        .map(judge)
        .filter((wrong) => wrong !== undefined),
    ).toEqual([]);
  });

  it("agrees in every carry chain", () => {
    expect(
      share(chains, 12)
        .map(judgeChain)
        .filter((wrong) => wrong !== undefined),
    ).toEqual([]);
  });
});
