import { Device, type LaunchOptions, must } from "../../../../src/host/index.ts";
import type { Executor } from "../../../../src/interp/state/executor.ts";

/** Words of the buffer that kernel k of these tests is given. */
const WORDS = 384;

/** All that can be seen of a launch of k whose registers nobody may look at. */
export function seen(text: string, executor: Executor, options: LaunchOptions, device = new Device()) {
  const out = device.buffer(new Uint32Array(WORDS));
  const loaded = must(must(device.module({ name: "k", text })).kernel("k"));
  const { stop, steps, findings } = must(
    loaded.launch({ args: [out], executor, readableRegisters: false, ...options }),
  );
  const told = stop.reason === "trap" ? [stop.diagnostic, ...findings] : findings;
  return { reason: stop.reason, steps, told, words: [...new Uint32Array(out.read().buffer)] };
}
