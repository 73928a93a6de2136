import { type Argument, Device, must } from "../../src/index.ts";
import type { Executor } from "../../src/interp/state/executor.ts";
import { kernels, load } from "./kernels.ts";
import { digits, least, row } from "./time.ts";

/** Kernels that live on memory, small enough to be run with everything turned on. */
const samples = { sgemm_naive: { grid: [4, 4], size: 64 }, reduce: { grid: 64, size: 1 << 14 } } as const;

/** At most so many times the time of the same launch without. */
export interface CostTargets {
  readonly "memory checks": number;
  readonly observers: number;
  /** By kernel. */
  readonly "race detection": Readonly<Record<string, number>>;
}

/**
 * What checks and tools cost, as a multiple of the same launch without them, by the same executor. Gives whether the targets are
 * met.
 */
export function measureCosts(
  part: string,
  executors: ReadonlyMap<string, Executor | undefined>,
  targets: CostTargets,
  rounds: number,
): boolean {
  let met = true;
  row("cost", "kernel", "executor", "without ms", "with ms", "times", "target");
  for (const [name, { grid, size }] of Object.entries(samples)) {
    if (!name.includes(part) && !"cost".includes(part)) continue;
    for (const [by, executor] of executors) {
      const device = new Device();
      const { kernel, launch } = load(name, device);
      const options = {
        ...launch,
        grid,
        args: [...(launch.args as readonly Argument[]).slice(0, -1), size],
        ...(executor && { executor }),
      };
      const run = (more: object): void => {
        const { stop } = must(kernel.launch({ ...options, ...more }))!;
        if (stop.reason !== "exit") throw new Error(`${name} ends by ${stop.reason}`);
      };
      let heard = 0;
      const observed = (): void => {
        const session = must(kernel.session(options))!;
        session.observe({ access: () => void heard++ });
        session.run();
        session.close();
      };
      const [bare = 0, checked = 0, plain = 0, watched = 0] = least(rounds, [
        () => run({ sanitize: { mem: false, init: false } }),
        () => run({}),
        () => run({ readableRegisters: true }),
        observed,
      ]);
      if (heard === 0) throw new Error("the observer has heard nothing");
      const rows = [
        ["memory checks", bare, checked],
        ["observers", plain, watched],
      ] as const;
      for (const [what, without, having] of rows) {
        const missed = having / without > targets[what];
        if (missed) met = false;
        const cells = [name, by, digits(without * 1000), digits(having * 1000), digits(having / without)];
        row(what, ...cells, String(targets[what]), missed ? "ABOVE" : "");
      }
    }
  }
  return measureRaces(part, executors, targets["race detection"], rounds) && met;
}

/**
 * What race detection costs: each kernel whole, as a multiple of the launch that is measured against native code. The last
 * executor, which runs what is long, has to meet the targets.
 */
function measureRaces(
  part: string,
  executors: ReadonlyMap<string, Executor | undefined>,
  targets: CostTargets["race detection"],
  rounds: number,
): boolean {
  let met = true;
  for (const name of Object.keys(kernels)) {
    if (!name.includes(part) && !"cost".includes(part)) continue;
    for (const [by, executor] of executors) {
      const { kernel, launch } = load(name, new Device());
      const run = (race: boolean): void => {
        const options = { ...launch, sanitize: { mem: true, init: true, race }, ...(executor && { executor }) };
        const { stop } = must(kernel.launch(options))!;
        if (stop.reason !== "exit") throw new Error(`${name} ends by ${stop.reason}`);
      };
      const [plain = 0, raced = 0] = least(rounds, [() => run(false), () => run(true)]);
      const isLast = by === [...executors.keys()].at(-1);
      const missed = isLast && raced / plain > targets[name]!;
      if (missed) met = false;
      const cells = [name, by, digits(plain * 1000), digits(raced * 1000), digits(raced / plain)];
      row("race detection", ...cells, isLast ? String(targets[name]) : "", missed ? "ABOVE" : "");
    }
  }
  return met;
}
