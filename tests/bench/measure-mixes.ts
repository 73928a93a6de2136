import { Device, must } from "../../src/index.ts";
import type { Executor } from "../../src/interp/state/executor.ts";
import { CALIBRATION, calibrate } from "./calibration.ts";
import { decodedSwitch } from "./decoded-switch.ts";
import { BLOCKS, BYTES, mixes, THREADS } from "./mixes.ts";
import { digits, least, row } from "./time.ts";

/** What a mix must reach: so many times what it was `before`, in thread-instructions a round of the calibration loop. */
export type MixTargets = Readonly<Record<string, { readonly times: number; readonly before: number }>>;

/**
 * Millions of thread-instructions a second of each mix; `unit` is how many of them are executed in the time of one round of
 * the calibration loop, and `times` that number over the one of another day. Gives whether the last executor meets every
 * target. With `record` the numbers to be kept are printed.
 */
export function measureMixes(
  part: string,
  executors: ReadonlyMap<string, Executor | undefined>,
  targets: MixTargets,
  rounds: number,
  record: boolean,
): boolean {
  let met = true;
  const names = [...executors.keys()];
  row("mix", "switch M/s", ...names.flatMap((name) => [`${name} M/s`, "unit", "times"]), "target");
  for (const [name, text] of mixes) {
    if (!name.includes(part)) continue;
    const simple = decodedSwitch(text);
    let steps = 0;
    const runs = [...executors.values()].map((executor) => {
      const device = new Device();
      const kernel = must(must(device.module(text)).kernel("mix"));
      const out = device.buffer(new Uint8Array(BYTES));
      const options = { grid: BLOCKS, block: THREADS, args: [out], ...(executor && { executor }) };
      const run = (): void => {
        const { stop, session } = must(kernel.launch(options))!;
        if (stop.reason !== "exit") throw new Error(`${name} ends by ${stop.reason}`);
        steps = session.steps;
      };
      run();
      if (Buffer.compare(out.read(), simple()) !== 0) throw new Error(`${name}: unlike results`);
      return run;
    });
    const times = least(rounds, [calibrate, simple, ...runs]);
    const millions = (steps * 32) / 1e6;
    const rounded = times[0]! / CALIBRATION;
    const units = times.slice(2).map((time) => (millions / time) * rounded);
    const { before = 0, times: target = 0 } = targets[name] ?? {};
    const missed = before > 0 && units.at(-1)! / before < target;
    if (missed) met = false;
    const cells = units.flatMap((unit, at) => [
      digits(millions / times[at + 2]!),
      digits(unit),
      before > 0 ? digits(unit / before) : "",
    ]);
    row(name, digits(millions / times[1]!), ...cells, target > 0 ? String(target) : "", missed ? "BELOW" : "");
    if (record) console.log(`    "${name}": { "times": ${target}, "before": ${units[0]!.toFixed(4)} },`);
  }
  return met;
}
