/** `0-3,8` of a mask of lanes; `base` is added to each number. */
export function laneRanges(lanes: number, base = 0): string {
  const ranges: string[] = [];
  for (let lane = 0; lane < 32; lane++) {
    if (((lanes >>> lane) & 1) === 0) continue;
    const from = lane;
    while (lane < 31 && (lanes >>> (lane + 1)) & 1) lane++;
    ranges.push(from === lane ? `${base + from}` : `${base + from}-${base + lane}`);
  }
  return ranges.join(",");
}
