import { bench, describe } from "vitest";
import { Device, must } from "../../src/index.ts";
import { decodedSwitch } from "./decoded-switch.ts";
import { kernels, sample } from "./kernels.ts";
import { BLOCKS, BYTES, mixes, THREADS } from "./mixes.ts";

// The machine against the usual simple interpreter. A run is a million thread-instructions, so hz is millions of them a
// second; on a machine that others use, too, only the ratio within one run says anything.
describe.each([...mixes])("a million thread-instructions: %s", (name, text) => {
  const device = new Device();
  const kernel = must(must(device.module(text)).kernel("mix"));
  const out = device.buffer(new Uint8Array(BYTES));
  const warps = (): void => {
    const { stop } = must(kernel.launch({ grid: BLOCKS, block: THREADS, args: [out] }))!;
    if (stop.reason !== "exit") throw new Error(`${name} ends by ${stop.reason}`);
  };
  const simple = decodedSwitch(text);
  warps();
  // The baseline has no fused multiply and add of doubles.
  if (name !== "f64" && Buffer.compare(out.read(), simple()) !== 0) throw new Error(`${name}: unlike results`);
  bench("decoded switch", () => void simple());
  bench("warps", warps);
});

// Millions of thread-instructions a second are hz times what the name gives.
describe("kernels that nvcc compiled", () => {
  for (const [name, { instructions }] of Object.entries(kernels)) {
    const { run } = sample(name);
    bench(`${name}, ${(instructions / 1e6).toFixed(0)} million`, () => void run(), {
      time: 0,
      iterations: 3,
      warmupIterations: 1,
      warmupTime: 0,
    });
  }
});
