import { portOf, portsAt } from "./measure.ts";
import type { Route } from "./routes.ts";
import type { Box, Sheet } from "./sheet.ts";

/** What is known of heights before lines are led to boxes, in px. */
export interface Standing {
  readonly top: ReadonlyMap<Box, number>;
  readonly along: ReadonlyMap<Route, number>;
  high(box: Box): number;
}

type End = "from" | "to";

/** Lines that end on opposite sides of a gutter, less apart than this, look like one line. */
const apart = 6;
/** As close do ports of one side come, and to the corners of a box. */
const close = 10;
const corner = 7;
/** A line that would run nearly level does so if one of its ends can move as much. */
const level = 12;

/**
 * How high each line leaves and arrives. Ports of one side stand evenly, those that lead up above those that lead down;
 * then each moves a little where that makes a line level, or keeps it apart from one that comes from across the gutter.
 */
export function portsOf(
  sheet: Sheet,
  routes: readonly Route[],
  standing: Standing,
): (route: Route, end: End) => number {
  const { top, high } = standing;
  const at = { from: new Map<Route, number>(), to: new Map<Route, number>() };
  const sides = sheet.columns.flatMap(({ boxes }) =>
    boxes.flatMap((box) =>
      (["left", "right"] as const).map((side) => ({
        box,
        gutter: side === "left" ? box.column : box.column + 1,
        side,
        here: portsAt(routes, { box, side }).sort(
          (a, b) => goal(a.route, a.end, standing) - goal(b.route, b.end, standing),
        ),
      })),
    ),
  );
  const y = (route: Route, end: End): number => at[end].get(route)!;
  for (const { box, here } of sides)
    for (const [place, { route, end }] of here.entries())
      at[end].set(route, top.get(box)! + (high(box) * (place + 1)) / (here.length + 1));
  for (const { box, gutter, side, here } of sides) {
    const across = sides
      .filter((other) => other.gutter === gutter && other.side !== side)
      .flatMap((other) => other.here);
    const [low, bottom] = [top.get(box)! + corner, top.get(box)! + high(box) - corner];
    for (const [place, { route, end }] of here.entries()) {
      const own = y(route, end);
      const [above, below] = [here[place - 1], here[place + 1]];
      const free = (to: number): boolean =>
        low <= to &&
        to <= bottom &&
        (!above || y(above.route, above.end) + close <= to) &&
        (!below || to <= y(below.route, below.end) - close) &&
        across.every((other) => other.route === route || Math.abs(y(other.route, other.end) - to) >= apart);
      const partner =
        route.way === "side" && route.from.side !== route.to.side ? y(route, end === "from" ? "to" : "from") : own;
      const wanted = [...(Math.abs(partner - own) <= level ? [partner] : []), own];
      for (let shift = 2; shift <= level; shift += 2) wanted.push(own + shift, own - shift);
      at[end].set(route, wanted.find(free) ?? own);
    }
  }
  return y;
}

/** How high a line goes next, seen from one of its ends. */
function goal(route: Route, end: End, { top, along, high }: Standing): number {
  if (route.way !== "side") return along.get(route)!;
  const other = portOf(route, end === "from" ? "to" : "from");
  return other ? top.get(other.box)! + high(other.box) / 2 : 0;
}
