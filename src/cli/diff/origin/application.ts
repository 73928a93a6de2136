import type { OneRun } from "./follow.ts";
import type { Ran } from "./step.ts";

/** Arithmetic of floats, which compilers do not take apart: what it makes of which operands; nothing for other steps. */
export function application({ program }: OneRun, { pc, reads, results }: Ran): string | undefined {
  const instruction = program.code[pc];
  if (instruction?.plan.shape !== "compute" || results.length === 0) return undefined;
  const [mnemonic = "", ...modifiers] = instruction.opcode.split(".");
  const type = modifiers.find((each) => each === "f32" || each === "f64" || each === "f16" || each === "f16x2");
  if (type === undefined || mnemonic === "cvt" || mnemonic === "neg") return undefined;
  return `${mnemonic}.${type} ${[...reads].sort().join(" ")} gives ${results.join(" ")}`;
}
