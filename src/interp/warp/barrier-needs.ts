import { bitsIn, LANES, lowest } from "../contract/launch/lane-mask.ts";
import type { CtaSync, Warp } from "../state/warp.ts";

/** Threads that have come to a barrier with arrivals, how many it still waits for, and where the others are, in words. */
export interface BarrierNeeds {
  /** How many it waits for; undefined where it is for all that have not exited. */
  readonly count: number | undefined;
  /** Threads that are still missing. A warp counts with all its lanes once those that have not exited have come. */
  readonly missing: number;
  /** Threads that have exited without having arrived. */
  readonly exited: number;
  /** `barrier 1 needs 64 threads, and the block has 32: 16 have arrived, 16 have exited`. */
  readonly text: string;
}

/** What barrier `number` of a block still needs; undefined where nobody waits for a count of threads there. */
export function barrierNeeds({ warps, threads, barriers }: CtaSync, number: number): BarrierNeeds | undefined {
  const barrier = barriers[number];
  if (barrier === undefined || barrier.split !== undefined) return undefined;
  const { whole } = barrier;
  let [here, counted, exited, late] = [0, 0, 0, 0];
  const others = new Map<string, number>();
  for (const warp of warps) {
    const { index, live } = warp;
    const arrived = barrier.arrived[index]!;
    here += bitsIn(arrived);
    if (arrived !== 0) counted += bitsIn(arrived | ~live);
    late += bitsIn(live & ~arrived);
    if (!whole) exited += bitsIn(lowest(Math.min(LANES, threads - index * LANES)) & ~live & ~arrived);
    for (const [does, mask] of doing(warp)) others.set(does, (others.get(does) ?? 0) + bitsIn(mask & ~arrived));
  }
  const all = [
    `${here} ${here === 1 ? "has" : "have"} arrived`,
    ...(exited === 0 ? [] : [`${exited} ${exited === 1 ? "has" : "have"} exited`]),
    ...[...others].flatMap(([does, count]) => {
      const verb = does === "" ? "run" : "wait";
      return count === 0 ? [] : [`${count} ${verb}${count === 1 ? "s" : ""}${does}`];
    }),
  ].join(", ");
  const few = !whole && barrier.threads > LANES * warps.length ? `, and the block has ${threads}` : "";
  const wanted = whole ? "all threads of the block" : `${barrier.threads} threads`;
  return {
    count: whole ? undefined : barrier.threads,
    missing: whole ? late : barrier.threads - counted,
    exited,
    text: `barrier ${number} needs ${wanted}${few}: ${all}`,
  };
}

/** What the lanes of a warp do. */
const doing = ({ active, waiting, parked }: Warp) => [
  ...parked.map(({ mask, on }) => [on.kind === "barrier" ? ` at barrier ${on.number}` : " elsewhere", mask] as const),
  ...[active, ...waiting.map(({ mask }) => mask)].map((mask) => ["", mask] as const),
];
