import type { Inferred, Inputs } from "./client.ts";

/** Fields with what was inferred where nobody has typed anything. */
export function filled(inputs: Inputs, inferred: Inferred | undefined): Inputs {
  if (inferred === undefined) return inputs;
  const smem = inputs.smem?.trim() || inferred.smem;
  const typed = Object.entries(inputs.values).filter(([, value]) => value.trim() !== "");
  return {
    ...inputs,
    grid: inputs.grid.trim() || inferred.grid,
    block: inputs.block.trim() || inferred.block,
    ...(smem !== "" && { smem }),
    values: { ...inferred.values, ...Object.fromEntries(typed) },
  };
}
