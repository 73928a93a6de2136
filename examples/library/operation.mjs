// An operation that no GPU has: (a + b) / 2 of bf16, rounded once. Its meaning is data; everything else reads it.
import { match, table } from "ptxrun/isa";
import {
  a,
  b,
  bf16,
  divided,
  fromBits,
  operation,
  plus,
  reference,
  round,
  scalarOf,
  textOf,
  toBits,
} from "ptxrun/numeric";

const mean = operation({ a: "bf16", b: "bf16" }, "bf16", round("bf16", { rnd: "rm" }, divided(plus(a, b), 2)));
console.log(textOf(mean));

const [x, y] = [toBits(bf16, 1), toBits(bf16, 1.0078125)];
// By exact arithmetic on bigints, and by the fastest function that ptxrun has for it: numbers up to 32 bits.
console.log(fromBits(bf16, reference(mean, [x, y])), fromBits(bf16, scalarOf(mean)(Number(x), Number(y))));

// The table of all instructions, as data.
const relu = table.flatMap(({ forms }) => forms).filter((form) => form.modifiers.some(({ name }) => name === "relu"));
console.log(`${relu.length} forms take .relu, such as ${relu[0]?.syntax}`);
const found = match("fma", ["rn", "relu", "bf16x2"]);
console.log(found.kind === "forms" ? found.candidates[0].since : "no such instruction");
