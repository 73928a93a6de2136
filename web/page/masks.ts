/** How many lanes a mask has. */
export function ones(mask: number): number {
  let count = 0;
  for (let rest = mask >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) count++;
  return count;
}

/** `0-7, 9`. */
export function laneRanges(mask: number): string {
  const ranges: string[] = [];
  for (let lane = 0; lane < 32; lane++) {
    if (((mask >>> lane) & 1) === 0) continue;
    let to = lane;
    while (to < 31 && ((mask >>> (to + 1)) & 1) === 1) to++;
    ranges.push(to === lane ? `${lane}` : `${lane}-${to}`);
    lane = to;
  }
  return ranges.join(", ");
}
