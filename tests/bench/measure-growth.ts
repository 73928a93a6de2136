import { Device, must } from "../../src/index.ts";
import type { Executor } from "../../src/interp/state/executor.ts";
import { digits, least, row } from "./time.ts";

/** Each thread computes a little and adds one word of 4 KiB: time grows with the threads, and memory with nothing. */
const text = `
.version 8.0
.target sm_80
.address_size 64
.visible .entry grow(.param .u64 out)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  .reg .pred %p;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r1, %r2, 256, %r1;
  mad.lo.u32 %r3, %r1, 1664525, 1013904223;
  mov.u32 %r4, 0;
LOOP:
  xor.b32 %r3, %r3, %r1;
  mad.lo.u32 %r3, %r3, 1664525, 1013904223;
  add.u32 %r4, %r4, 1;
  setp.lt.u32 %p, %r4, 4;
  @%p bra LOOP;
  and.b32 %r5, %r1, 1023;
  ld.param.u64 %rd1, [out];
  mul.wide.u32 %rd2, %r5, 4;
  add.s64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r3;
  ret;
}`;

export interface GrowthTargets {
  /** A thread of the largest launch takes at most so many times what one of 10^5 takes. */
  readonly time: number;
  /** What the process takes more for the largest launch than before it, MiB. */
  readonly megabytes: number;
}

/** Launches from 10^3 to 10^7 threads. Gives whether time is linear and memory flat, by the last executor. */
export function measureGrowth(
  part: string,
  executors: ReadonlyMap<string, Executor | undefined>,
  targets: GrowthTargets,
): boolean {
  if (!"growth".includes(part)) return true;
  let met = true;
  row("growth", "threads", "ms", "ns a thread", "MiB more");
  for (const [name, executor] of executors) {
    const device = new Device();
    const kernel = must(must(device.module(text)).kernel("grow"));
    const out = device.buffer(new Uint32Array(1024));
    const found: { readonly each: number; readonly megabytes: number }[] = [];
    for (const threads of [1e3, 1e4, 1e5, 1e6, 1e7]) {
      const run = (): void => {
        const options = { grid: Math.ceil(threads / 256), block: 256, args: [out], ...(executor && { executor }) };
        const { stop } = must(kernel.launch(options))!;
        if (stop.reason !== "exit") throw new Error(`grow ends by ${stop.reason}`);
      };
      const before = process.memoryUsage.rss();
      const [time = 0] = least(threads > 1e6 ? 1 : 5, [run]);
      const megabytes = (process.memoryUsage.rss() - before) / 2 ** 20;
      found.push({ each: time / threads, megabytes });
      row(name, threads.toExponential(0), digits(time * 1000), digits((time / threads) * 1e9), megabytes.toFixed(0));
    }
    const [middle, largest] = [found[2]!, found[4]!];
    const grown = largest.each / middle.each;
    met = grown <= targets.time && largest.megabytes <= targets.megabytes;
    row(name, "", "", `x${grown.toFixed(2)}`, "", `target ${targets.time}`, met ? "" : "ABOVE");
  }
  return met;
}
