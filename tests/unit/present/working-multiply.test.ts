import { describe, expect, it } from "vitest";
import { Device, must } from "../../../src/host/index.ts";
import { holderOf } from "../../../src/interp/contract/matrix/fragment.ts";
import { fragmentsOf } from "../../../src/interp/contract/matrix/matrix-fragments.ts";
import { match, table } from "../../../src/isa/index.ts";
import { elementBits } from "../../../src/numeric/tensor/element.ts";
import { formalsOf } from "../../../src/present/working/form.ts";
import { workMultiply } from "../../../src/present/working/tensor/instruction.ts";
import { type Spelling, spellings } from "../../conformance/spellings.ts";
import { share } from "../../share.ts";
import { hardBits, type Mood, moodFrom, type Random, randomFrom } from "../numeric/tensor/hard-operands.ts";

const forms = table
  .flatMap((section) => section.forms)
  .filter(({ mnemonic }) => mnemonic === "mma" || mnemonic === "wmma");
/** Some spellings of each form: the first, the last and those that a seed draws. */
function drawn(every: readonly Spelling[], random: Random): readonly Spelling[] {
  if (every.length <= 8) return every;
  return [every[0]!, every.at(-1)!, ...Array.from({ length: 6 }, () => every[random(every.length)]!)];
}

const random = randomFrom(17);
const cases = forms.flatMap((form) =>
  drawn([...spellings(form)], random).map(({ words }) => [words.join("."), words] as const),
);

describe("the element that explain works through at a stop", () => {
  it("has forms to try", () => expect(cases.length).toBeGreaterThan(80));

  it.each(share(cases, 16))("%s", (spelling, [mnemonic = "", ...words]) => {
    const found = match(mnemonic, words);
    const [candidate] = found.kind === "forms" ? found.candidates : [];
    const plan = candidate?.plan();
    if (candidate === undefined || plan?.shape !== "multiply") return;
    const operands = formalsOf(candidate).map(({ name, takes }) => {
      if (name === "f" || takes.kind === "literal") return "0";
      if (name.startsWith("i") && takes.kind === "vector") return "{0, 0}";
      return takes.kind === "vector" ? `{${Array.from({ length: takes.count }, (_, at) => `${name}${at}`)}}` : name;
    });
    const { ptx, sm, only } = candidate.since;
    const version = candidate.form.until === undefined && ptx <= 90 ? "9.0" : `${Math.floor(ptx / 10)}.${ptx % 10}`;
    const target = only === undefined && version === "9.0" ? "sm_100a" : `sm_${sm}${only ?? ""}`;
    const text = `${spelling} ${operands.join(", ")};`;
    compare(text, { target, version }, plan.op);
  });
});

/** Runs the instruction on hard operands, and compares some elements with what their workings end in. */
function compare(
  text: string,
  lang: { readonly target: string; readonly version: string },
  op: Parameters<typeof workMultiply>[0],
): void {
  const kernel = must(new Device().snippet(text, lang));
  const session = must(kernel.session({ block: 32, sanitize: { mem: false, init: false } }));
  const layout = fragmentsOf(op);
  const mood = moodFrom(random);
  const thread = (lane: number) => ({ block: 0, warp: 0, lane });
  for (let lane = 0; lane < 32; lane++)
    for (const { name, bits } of session.program.registers) {
      const role = name.replace(/\d+$/, "");
      const type = role === "a" || role === "b" || role === "c" ? op[role] : undefined;
      const value =
        type === undefined ? hardBits("ue4m3", "any", random) : filled(type, layout[role as "a"].bits, bits, mood);
      session.writeRegister(thread(lane), name, [BigInt.asUintN(bits, value)]);
    }
  const { code } = session.program;
  const pc = code.findIndex(({ plan }) => plan.shape === "multiply");
  const read = (at: number, lane: number): readonly bigint[] => {
    const operand = code[pc]!.operands[at];
    return operand === undefined ? [] : session.operand(thread(lane), operand);
  };
  const places = Array.from({ length: 3 }, () => ({ row: random(op.m), column: random(op.n) }));
  const ends = places.map((place) => workMultiply(op, lang.target, random(32), place, read)!.join("\n"));
  const lanes = places.map(({ row, column }, at) => {
    const [, lane, i] = /lane (\d+) gets as d(\d+)/.exec(ends[at]!)!.map(Number);
    if (layout.d.matrices === undefined) expect(holderOf(layout.d, row, column)).toEqual({ lane, i });
    return { lane: lane!, i: i! };
  });
  expect(session.run().reason).toBe("exit");
  const whole = layout.d.bits === 64 ? 64 : 32;
  for (const [at, { lane, i }] of lanes.entries()) {
    const each = whole / layout.d.bits;
    const register = session.registers(thread(lane)).find(({ name }) => name === `d${Math.floor(i / each)}`)!;
    const bits = BigInt.asUintN(layout.d.bits, register.bits[0]! >> BigInt((i % each) * layout.d.bits));
    const shown = BigInt(/^ {2}d +\w+ (0x[\da-f]+)/m.exec(ends[at]!)![1]!);
    // What .satfinite of wmma makes of infinities and NaN stands in a line of its own.
    if (op.satfinite && op.d !== "s32" && shown !== bits) expect(ends[at]).toMatch(/^ {2}\.satfinite/m);
    else expect({ text, bits, end: bits === shown ? "" : ends[at] }).toEqual({ text, bits: shown, end: "" });
  }
}

/** A register full of hard elements. */
function filled(
  type: Parameters<typeof hardBits>[0] & Parameters<typeof elementBits>[0],
  container: number,
  width: number,
  mood: Mood,
): bigint {
  let register = 0n;
  for (let at = 0; at < width; at += container) {
    const element = type === "b1" ? BigInt(random(2)) : hardBits(type, mood, random);
    const shift = container === 8 && elementBits(type) === 4 && type === "e2m1" ? 2 : 0;
    register |= element << BigInt(at + shift);
  }
  return register;
}
