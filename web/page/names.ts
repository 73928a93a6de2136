import type { Loaded } from "./client.ts";

/**
 * A text in which the parameters that nvcc has named after their kernel, `_Z5saxpyifPKfPf_param_2`, have what tells them apart:
 * `param_2`.
 */
export function shorten(text: string, loaded: Loaded | undefined): string {
  const { entries = [], demands = [] } = loaded ?? {};
  return text.replace(/[\w$]+/g, (name) => {
    const at = name.lastIndexOf("_param_");
    const short = name.slice(at + 1);
    const isOne = at > 0 && entries.includes(name.slice(0, at)) && demands.every((each) => each.name !== short);
    return isOne ? short : name;
  });
}
