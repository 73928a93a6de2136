/** Where a line that passes through a gutter enters and leaves it; it runs up or down a lane between. */
export interface Pass {
  readonly ends: readonly [Gate, Gate];
}

export interface Gate {
  readonly wall: "left" | "right";
  readonly y: number;
}

/** A lane for each line through one gutter, counted from the left, such that lines cross seldom and never share a lane. */
export function lanesOf(passes: readonly Pass[]): number[] {
  const order = passes.map((_, at) => at);
  const pass = (at: number) => passes[order[at]!]!;
  for (let round = 0; round < passes.length; round++)
    for (let at = 0; at + 1 < order.length; at++)
      if (crossings(pass(at + 1), pass(at)) < crossings(pass(at), pass(at + 1)))
        [order[at], order[at + 1]] = [order[at + 1]!, order[at]!];
  const lanes = passes.map(() => 0);
  for (const [place, at] of order.entries())
    for (const before of order.slice(0, place))
      if (meet(passes[before]!, passes[at]!)) lanes[at] = Math.max(lanes[at]!, lanes[before]! + 1);
  return lanes;
}

/** How often two lines cross if the first one's lane is left of the second one's. */
function crossings(left: Pass, right: Pass): number {
  const outward = (pass: Pass, wall: Gate["wall"], other: Pass) =>
    pass.ends.filter((end) => end.wall === wall && low(other) <= end.y && end.y <= high(other)).length;
  return outward(left, "right", right) + outward(right, "left", left);
}

/** Less than this apart, lines in one lane look like one. */
const apart = 8;

const meet = (a: Pass, b: Pass): boolean => low(a) < high(b) + apart && low(b) < high(a) + apart;
const low = ({ ends }: Pass): number => Math.min(ends[0].y, ends[1].y);
const high = ({ ends }: Pass): number => Math.max(ends[0].y, ends[1].y);

/** A lane for each stretch, from the first, such that those in one lane do not overlap. */
export function packed(stretches: readonly (readonly [number, number])[]): number[] {
  const lanes: (readonly [number, number])[][] = [];
  return stretches.map(([from, to]) => {
    const free = lanes.findIndex((used) => used.every(([a, b]) => to < a || b < from));
    if (free < 0) return lanes.push([[from, to]]) - 1;
    lanes[free]?.push([from, to]);
    return free;
  });
}
