import { Device, isModuleText } from "../../../src/host/index.ts";
import { isCollective } from "../../../src/interp/contract/plan/effects.ts";
import type { Program } from "../../../src/interp/contract/program.ts";
import { Source } from "../../../src/source/source.ts";

/** What a text resolves to; throws with what is wrong, because an example that cannot be read is a mistake of its maker. */
export function programOf(text: string): Program {
  const source = new Source("example.ptx", text);
  const device = new Device();
  const module = isModuleText(source) ? device.module(source) : undefined;
  const name = module?.value?.entries[0] ?? "";
  const kernel = module === undefined ? device.snippet(source) : module.value?.kernel(name);
  if (kernel?.value !== undefined) return kernel.value.program;
  const wrong = [...(module?.diagnostics ?? []), ...(kernel?.diagnostics ?? [])];
  throw new Error(`${wrong.map(({ message }) => message).join("; ")} in an example:\n${text}`);
}

/** The threads that a block needs at least: a warp for what a warp does as one. */
export const threadsOf = ({ code }: Program): number => (code.some(({ plan }) => isCollective(plan)) ? 32 : 1);
