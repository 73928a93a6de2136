import { expect, test } from "vitest";
import { createSession, Memory, type Session } from "../../src/interp/index.ts";
import { share } from "../share.ts";
import { outcomeOf, readVerdicts, type Verdict } from "./verdict.ts";

/** Loads and stores of registers; constants as stored values are the business of constant_values. */
const records = readVerdicts("accepted.jsonl.gz").filter(
  ({ text, decl, quirk }) =>
    quirk === undefined &&
    /^(ld|ldu|st)\.(?!async|bulk)\S+ +(\{[^}]*\}|\w+|\[\w+\]), *(\{[^}]*\}|[a-z]\w*|\[\w+\])(, *pol)?;$/.test(text) &&
    decl["a"] !== "u16",
);
const first = { block: 0, warp: 0, lane: 0 };
type Space = "global" | "const" | "shared" | "local" | "param";

interface Transfer {
  readonly loads: boolean;
  readonly space: Space;
  readonly bytes: number;
  readonly signed: boolean;
  readonly registers: readonly string[];
}

function read({ text }: Verdict): Transfer {
  const [opcode = ""] = text.split(/\s/);
  const words = opcode.split(".");
  const type = words.find((word) => /^[busf](8|16|32|64|128)$/.test(word)) ?? "none";
  const space = words
    .map((word) => word.split("::")[0])
    .find((word) => /^(const|shared|local|param)$/.test(word ?? ""));
  const values = text.replace(opcode, "").replace(/\[\w+\]|, *pol|;/g, "");
  return {
    loads: words[0] !== "st",
    space: (space ?? "global") as Space,
    bytes: Number(type.slice(1)) / 8,
    signed: type.startsWith("s"),
    registers: [...values.matchAll(/\w+/g)].map(([name]) => name),
  };
}

const widthOf = (type: string): number => (type === "f16x2" ? 32 : Number(type.slice(1)));

/** A byte of the pattern: every second one has its sign bit set. */
const pattern = (at: number): number => (at * 0x35 + 0x81) & 0xff;
const image = Uint8Array.from({ length: 256 }, (_, at) => pattern(at));
const integerOf = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** What the registers of a load, or memory behind a store, should be and is not. */
function differences(asked: Verdict): string[] {
  const { program, diagnostics } = outcomeOf(asked);
  if (program === undefined) return [`${asked.text}: ${diagnostics.map(({ message }) => message).join("; ")}`];
  const made = read(asked);
  const { loads, bytes, signed, registers, space } = made;
  const memory = new Memory({ limit: 1 << 20 });
  const windowed = space === "shared" || space === "local" || space === "param";
  const at = windowed
    ? 0n
    : memory.allocate({ name: "cell", bytes: 256, space: space === "const" ? "const" : "global" })!;
  if (loads && !windowed) memory.write(at, image);
  const given = new Map(
    loads ? [] : registers.map((name, index) => [name, [sample(index, widthOf(asked.decl[name]!))]]),
  );
  // What a load leaves of a wider register would show.
  if (loads) for (const name of registers) if (name !== "_") given.set(name, [sample(1, widthOf(asked.decl[name]!))]);
  if (asked.decl["a"] !== undefined) given.set("a", [at]);
  const session = createSession({
    program,
    memory,
    registers: given,
    grid: [1, 1, 1],
    block: [1, 1, 1],
    dynamicShared: 256,
    parameters: image.slice(0, program.parameterBytes),
    addressOf: () => 0n,
  });
  if (loads && space === "shared") session.write("shared", at, image, first);
  const stop = session.run();
  if (stop.reason !== "exit")
    return [`${asked.text}: ${stop.reason === "trap" ? stop.diagnostic.message : stop.reason}`];
  return registers.flatMap((name, index) => {
    const cell = BigInt.asUintN(8 * bytes, loads ? integerOf(image.slice(index * bytes, (index + 1) * bytes)) : 0n);
    const width = widthOf(asked.decl[name] ?? "b0");
    const wanted = loads
      ? BigInt.asUintN(width, signed ? BigInt.asIntN(8 * bytes, cell) : cell)
      : BigInt.asUintN(8 * bytes, sample(index, width));
    const found = loads
      ? registerOf(session, name)
      : integerOf(session.read(space, at + BigInt(index * bytes), bytes, first));
    return found === wanted || name === "_" ? [] : [`${asked.text}: ${name} is ${found}, not ${wanted}`];
  });
}

const sample = (index: number, width: number): bigint =>
  BigInt.asUintN(width, 0xf1e2_d3c4_b5a6_9788_7f6e_5d4c_3b2a_1908n + BigInt(index) * 0x1111n);
const registerOf = (session: Session, name: string): bigint | undefined =>
  session.registers(first).find((each) => each.name === name)?.bits[0];

/** What needs a place that such a kernel does not have, stores constants, cuts its address, or names a register twice. */
const isOther = (asked: Verdict): boolean => {
  const { text, decl } = asked;
  if (/\.local|\.param::func/.test(text) || !/\[(a|kp0)\]/.test(text)) return true;
  if (decl["a"]?.endsWith("32") && !/\.(shared|param)/.test(text)) return true;
  const { registers } = read(asked);
  const odd = registers.some((name) => name !== "_" && (decl[name] ?? "v").startsWith("v"));
  return odd || new Set(registers).size < registers.length;
};

test("loads extend and stores cut, for every type, vector and register that ptxas takes", () => {
  const run = records.filter((record) => !isOther(record));
  expect(run.length).toBeGreaterThan(1000);
  expect(share(run, 8, 2).flatMap(differences).slice(0, 20)).toEqual([]);
});
