import type { Parameter } from "../interp/contract/program.ts";

/** A parameter by its name, by its number from 0, or by the end of its name that no other has: `param_2` of `_Z1kPfi_param_2`. */
export function findParameter(parameters: readonly Parameter[], name: string): Parameter | undefined {
  const named = parameters.find((each) => each.name === name);
  if (named !== undefined || name === "") return named;
  if (/^\d+$/.test(name)) return parameters[Number(name)];
  const ending = parameters.filter((each) => each.name.endsWith(`_${name}`));
  return ending.length === 1 ? ending[0] : undefined;
}
