import type { Program } from "../contract/program.ts";

/** The registers in question: the kernel's, or a function's by its index. */
export function scopeOf(program: Program, callee: number | undefined): Pick<Program, "registers"> {
  const found = callee === undefined ? program : program.functions[callee];
  if (found === undefined) throw new RangeError(`there is no function ${callee}`);
  return found;
}
