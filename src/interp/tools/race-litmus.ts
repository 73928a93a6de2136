import { distance } from "../contract/memory-consistency.ts";
import { type Flag, type Passed, scopeOf } from "./race-order.ts";
import type { StrongAccess } from "./race-strong.ts";
import type { RecordedAccess } from "./race-word.ts";

/** Two accesses that race, and whether they store. */
export interface Raced {
  readonly other: RecordedAccess;
  readonly now: RecordedAccess;
  readonly wrote: boolean;
  readonly writes: boolean;
  /** They are in shared memory. */
  readonly shared: boolean;
}

/**
 * A litmus test in plain PTX that shows the bad outcome of a race in small: one thread for each of the two, the data, the
 * flag if there was one, and the fences that the program has. `ptxrun litmus` says that the outcome is allowed.
 */
export function raceAsLitmus({ other, now, wrote, writes, shared }: Raced, flag: Flag | undefined): string {
  const apart = distance(other.thread.blockClock, now.thread.blockClock);
  const space = shared && apart === 0 ? "shared" : "global";
  const access = (stores: boolean, at: RecordedAccess, value: number): string => {
    const sem = at.reach < 0 ? ".weak" : `.relaxed${scopeOf(at.reach)}`;
    return stores ? `st${sem}.${space}.u32 [data], ${value};` : `ld${sem}.${space}.u32 r0, [data];`;
  };
  const place = apart === 0 ? "cta 0 cluster 0" : apart === 1 ? "cta 1 cluster 0" : "cta 1 cluster 1";
  const seen = flag === undefined ? [] : ["P1:r1 == 1"];
  // What the first did is not there yet, or what the second did already is.
  const bad = !wrote ? "P0:r0 == 2" : writes ? "data == 1" : "P1:r0 == 0";
  return [
    "//@ litmus race",
    `.${space} .u32 data;`,
    ...(flag === undefined ? [] : [".global .u32 flag;"]),
    "//@ thread P0 cta 0 cluster 0",
    access(wrote, other, 1),
    ...(flag === undefined
      ? []
      : [...flag.before.map(fence), `st${manner(flag.write, "release")}.global.u32 [flag], 1;`]),
    `//@ thread P1 ${place}`,
    ...(flag === undefined
      ? []
      : [`ld${manner(flag.read, "acquire")}.global.u32 r1, [flag];`, ...flag.after.map(fence)]),
    access(writes, now, 2),
    `//@ exists ${[...seen, bad].join(" /\\ ")}`,
  ].join("\n");
}

const fence = ({ sem, scope }: Passed): string => `fence.${sem}.${scope};`;

/** An atomic orders as a store of its kind where it releases, and as a load of its kind where it acquires. */
function manner({ sem, reach }: StrongAccess, half: "release" | "acquire"): string {
  return `.${sem === half || sem === "acq_rel" ? half : "relaxed"}${scopeOf(reach)}`;
}
