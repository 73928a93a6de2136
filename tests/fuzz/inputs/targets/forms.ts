import { readVerdicts, type Verdict, wholeText } from "../../../conformance/verdict.ts";
import type { Random } from "../../executors/random.ts";
import type { Target } from "../input.ts";
import { mutated, wordsOf } from "../mutation.ts";
import { attemptModule } from "./ptx.ts";

/** Every form and type that ptxas was seen to take, each with a register file of its own. */
export const forms: Target = {
  bases: () =>
    [...readVerdicts("accepted.jsonl.gz"), ...readVerdicts("bulk.jsonl.gz")].map((row) => [JSON.stringify(row)]),
  change: ([row = "{}"], random) => {
    // What a row has become stands in the corpus, as a text.
    if (!row.startsWith("{")) return [mutated(row, wordsOf([row]), random)];
    const asked = JSON.parse(row) as Verdict;
    const names = Object.entries(asked.decl);
    const words = [...names.map(([name]) => name), "0", "-1", "0x7fffffff", "1.5", "%tid.x", "{", "}", "[", "]", "_"];
    const text = random.chance(75) ? asked.text : mutated(asked.text, words, random);
    // Every register has a value before the instruction.
    const values = names.flatMap(([name, type]) => valued(name, type, random));
    return [wholeText({ ...asked, text: [...values, text].join("\n") })];
  },
  attempt: ([text = ""]) => attemptModule(text),
};

/** Codes at which arithmetic goes wrong come as often as all others. */
const corners = [
  0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x3c00, 0x7c00, 0x7e00, 0xfc00, 0x3f80, 0x7f80, 0x7fc0,
].flatMap((code) => [BigInt(code), BigInt(code) << 16n, BigInt(code) << 48n, BigInt(code) * 0x1_0001_0001_0001n]);

function valued(name: string, type: string, random: Random): readonly string[] {
  if (type === "pred") return [`  setp.ne.u32 ${name}, ${random.below(2)}, 0;`];
  const bits = /^[busf](16|32|64)$/.exec(type)?.[1];
  if (bits === undefined) return [];
  const any = (BigInt(random.word()) << 32n) | BigInt(random.word());
  const code = BigInt.asUintN(Number(bits), random.chance(50) ? random.any(corners) : any);
  return [`  mov.b${bits} ${name}, 0x${code.toString(16)};`];
}
