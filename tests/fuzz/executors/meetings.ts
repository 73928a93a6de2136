import type { Random } from "./random.ts";

/** A barrier of a block of so many threads, or of a warp. */
export function barrierLine(random: Random, threads: number): string {
  const p = `%p${random.below(5)}`;
  const count = 32 * Math.ceil(threads / 32) - (random.chance(90) ? 0 : 32);
  return random.any([
    "bar.sync 0;", "bar.sync 0;", "bar.sync 0;", "bar.sync 0;", "bar.sync 1;", "barrier.sync 1;", `bar.sync 2, ${count};`,
    "bar.sync %i0;", "barrier.cta.sync.aligned 2;", "bar.warp.sync -1;", `bar.red.popc.u32 %r${random.below(8)}, 0, ${p};`,
    `bar.red.and.pred ${p}, 1, !${p};`, `barrier.red.or.pred ${p}, 3, ${p};`,
    random.chance(8) ? `bar.arrive 4, ${count};` : "bar.sync 0;", random.chance(8) ? `bar.sync 5, ${count};` : "bar.sync 0;",
  ]); // biome-ignore format: a list
}

/** Where lanes wait for each other that have parted. */
export const meetingLine = (random: Random): string =>
  random.any([
    "barrier.sync 1;", "barrier.sync 1;", "barrier.sync 2;", "bar.warp.sync -1;", "bar.warp.sync -1;",
    `vote.sync.ballot.b32 %r${random.below(8)}, %p0, -1;`, `shfl.sync.bfly.b32 %r1, %r2, ${1 << random.below(5)}, 31, -1;`,
  ]); // biome-ignore format: a list
