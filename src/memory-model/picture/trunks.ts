import { type Measured, sizes } from "./measure.ts";
import type { Route } from "./routes.ts";
import type { Box } from "./sheet.ts";

/** Lines that run side by side stand so far apart at least, in px. */
const apart = 6;

/**
 * Where each line leaves the lower edge of its initial write: evenly along it, or a little beside that, so that it goes
 * straight down into its lane, and never along the line of another one.
 */
export function trunksOf(
  routes: readonly Route[],
  sizesOf: ReadonlyMap<Box, Measured>,
  left: ReadonlyMap<Box, number>,
  lane: (route: Route) => number | undefined,
): Map<Route, number> {
  const trunks = new Map<Route, number>();
  for (const route of routes) {
    if (route.way !== "initial") continue;
    const own = routes.filter((other) => other.way === "initial" && other.from === route.from);
    const start = left.get(route.from)!;
    const width = sizesOf.get(route.from)!.width;
    const even = start + (width * (own.indexOf(route) + 1)) / (own.length + 1);
    const others = routes.flatMap((other) =>
      other === route || other.way !== "initial"
        ? []
        : [lane(other) ?? even + width, trunks.get(other) ?? even + width],
    );
    const free = (x: number): boolean =>
      start + apart <= x && x <= start + width - apart && others.every((other) => Math.abs(other - x) >= apart);
    const straight = lane(route) ?? even;
    const wanted = [...(Math.abs(straight - even) <= 2 * sizes.port ? [straight] : []), even];
    for (let shift = 2; shift < width; shift += 2) wanted.push(even + shift, even - shift);
    trunks.set(route, wanted.find(free) ?? even);
  }
  return trunks;
}
