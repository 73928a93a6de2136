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

/** Something to measure: `run` does `millions`, and is repeated to give a time that can be measured. */
interface Contender {
  readonly millions: number;
  readonly repeat: number;
  readonly run: () => void;
}

/** Millions a second of each: the median of several rounds after a warm-up. They take turns, so that noise meets all. */
function rates(rounds: number, contenders: readonly Contender[]): readonly number[] {
  const again = ({ repeat, run }: Contender): void => {
    for (let i = 0; i < repeat; i++) run();
  };
  contenders.forEach(again);
  const found = contenders.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [at, contender] of contenders.entries())
      found[at]!.push((contender.millions * contender.repeat) / seconds(() => again(contender)));
  return found.map((rates) => rates.sort((a, b) => a - b)[rounds >> 1]!);
}

const row = (...cells: readonly string[]): void =>
  console.log(
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(16) : cell.padStart(16)))
      .join("")
      .trimEnd(),
  );

/** What a mix must reach: millions of thread-instructions a second on one core, and times the decoded switch. */
const TARGETS: Readonly<Record<string, number>> = { integer: 150, f32: 150, f64: 100, addressing: 100, f16x2: 50 };
const TIMES = 2;

/**
 * Prints thread-instructions a second, in millions, of the mixes and kernels that have `part` in their names, and the
 * CPU time of a kernel. Only the ratio within one run says much. Gives whether every target is met.
 */
export function measure(part: string): boolean {
  let met = true;
  row("mix", "warps", "target", "decoded switch", "ratio", `target ${TIMES.toFixed(1)}`);
  for (const [name, text] of mixes) {
    if (!name.includes(part)) continue;
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
    const [ours = 0, theirs = 0] = rates(7, [
      { millions, repeat: 6, run: warps },
      { millions, repeat: 3, run: simple },
    ]);
    const target = TARGETS[name];
    const missed = ours < (target ?? 0) || ours / theirs < TIMES;
    if (missed) met = false;
    row(
      name,
      ...[ours, target, theirs].map((rate) => rate?.toFixed(0) ?? ""),
      (ours / theirs).toFixed(1),
      missed ? "BELOW" : "",
    );
  }
  console.log("");
  row("kernel", "warps", "seconds");
  for (const [name, { instructions }] of Object.entries(kernels)) {
    if (!name.includes(part)) continue;
    const [ours = 0] = rates(3, [{ millions: instructions / 1e6, repeat: 1, run: sample(name).run }]);
    row(name, ours.toFixed(ours < 20 ? 1 : 0), (instructions / 1e6 / ours).toFixed(2));
  }
  return met;
}
