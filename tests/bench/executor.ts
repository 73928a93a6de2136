import { Device, must } from "../../src/index.ts";
import { decodedSwitch } from "./decoded-switch.ts";
import { kernels, sample } from "./kernels.ts";
import { BLOCKS, BYTES, mixes, THREADS } from "./mixes.ts";

/** CPU seconds of this process: others use the machine, too. The compiler's threads and the collector count. */
function seconds(run: () => void): number {
  const { user, system } = process.cpuUsage();
  run();
  const now = process.cpuUsage();
  return (now.user + now.system - user - system) / 1e6;
}

/** Millions a second of `run`, which does `millions`: the median of several rounds after a warm-up. */
function rate(millions: number, rounds: number, repeat: number, run: () => void): number {
  for (let i = 0; i < repeat; i++) run();
  const rates = Array.from({ length: rounds }, () => {
    const taken = seconds(() => {
      for (let i = 0; i < repeat; i++) run();
    });
    return (millions * repeat) / taken;
  });
  return rates.sort((a, b) => a - b)[rounds >> 1]!;
}

const row = (...cells: readonly string[]): void =>
  console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(16) : cell.padStart(16))).join(""));

/** Prints thread-instructions a second, in millions. Only the ratio within one run says much. */
export function measure(): void {
  row("mix", "warps", "decoded switch", "ratio");
  for (const [name, text] of mixes) {
    const device = new Device();
    const kernel = must(must(device.module(text)).kernel("mix"));
    const out = device.buffer(new Uint8Array(BYTES));
    const warps = (): number => {
      const { stop, session } = must(kernel.launch({ grid: BLOCKS, block: THREADS, args: [out] }))!;
      if (stop.reason !== "exit") throw new Error(`${name} ends by ${stop.reason}`);
      return session.steps;
    };
    const simple = decodedSwitch(text);
    const millions = (warps() * 32) / 1e6;
    if (Buffer.compare(out.read(), simple()) !== 0) throw new Error(`${name}: unlike results`);
    const [ours, theirs] = [rate(millions, 7, 20, warps), rate(millions, 7, 8, simple)];
    row(name, ours.toFixed(0), theirs.toFixed(0), (ours / theirs).toFixed(1));
  }
  console.log("");
  row("kernel", "warps");
  for (const [name, { instructions }] of Object.entries(kernels))
    row(name, rate(instructions / 1e6, 3, 1, sample(name).run).toFixed(0));
}
