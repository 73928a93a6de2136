import { packed } from "./lanes.ts";
import { type Measured, sizes } from "./measure.ts";
import { portsOf } from "./ports.ts";
import type { Route } from "./routes.ts";
import type { Box, Sheet } from "./sheet.ts";

/** Where everything stands from top to bottom, in px. */
export interface Heights {
  /** The upper edge of a box. */
  readonly top: ReadonlyMap<Box, number>;
  /** Where a line runs along its channel. */
  readonly along: ReadonlyMap<Route, number>;
  /** Where a line leaves a side of a box, or arrives there. */
  port(route: Route, end: "from" | "to"): number;
  /** Below channel 0: the upper edge of the outermost frame. */
  readonly frames: number;
  /** The lower edge of the last row, with the channel below it. */
  readonly bottom: number;
}

/**
 * From `start` downwards: initial writes, channel 0, headings of frames and threads (`headings` px in all), then rows and
 * channels. Boxes of a row stand in its middle.
 */
export function heightsOf(
  sheet: Sheet,
  routes: readonly Route[],
  sizesOf: ReadonlyMap<Box, Measured>,
  start: number,
  headings: number,
): Heights {
  const high = (box: Box): number => sizesOf.get(box)!.height;
  const rows = Math.max(0, ...sheet.columns.map(({ boxes }) => boxes.length));
  const lanes = channelLanes(routes, rows);
  const count = (channel: number) => 1 + Math.max(-1, ...lanes[channel]!.map(({ lane }) => lane));
  const top = new Map<Box, number>();
  const along = new Map<Route, number>();
  const channel = (at: number, y: number) => {
    for (const { route, lane } of lanes[at]!) along.set(route, y + 10 + lane * sizes.lane);
  };

  let y = start;
  for (const box of sheet.initial) top.set(box, y);
  if (sheet.initial.length > 0) y += Math.max(...sheet.initial.map(high));
  channel(0, y + 4);
  if (sheet.initial.length > 0) y += 14 + count(0) * sizes.lane + (count(0) > 0 ? 6 : 0);
  const frames = y;
  y += headings;
  for (let row = 0; row < rows; row++) {
    const boxes = sheet.columns.flatMap(({ boxes }) => boxes[row] ?? []);
    const height = Math.max(...boxes.map(high));
    for (const box of boxes) top.set(box, y + Math.floor((height - high(box)) / 2));
    y += height;
    channel(row + 1, y);
    const lines = count(row + 1);
    // An arrow of program order wants some length even where no line passes; nothing but lines is below the last row.
    y += row + 1 < rows ? Math.max(30, 14 + lines * sizes.lane) : 6 + lines * sizes.lane;
  }
  return { top, along, port: portsOf(sheet, routes, { top, along, high }), frames, bottom: y };
}

/** For each channel its lines and the lanes they run in. */
function channelLanes(routes: readonly Route[], rows: number): { route: Route; lane: number }[][] {
  return Array.from({ length: rows + 1 }, (_, at) => {
    const own = routes.filter((route) =>
      route.way === "over" ? route.channel === at : at === 0 && route.way === "initial",
    );
    const stretches = own.map((route): readonly [number, number] => {
      if (route.way !== "over") return [-1, Number.POSITIVE_INFINITY];
      return [Math.min(route.gutter, route.last), Math.max(route.gutter, route.last)];
    });
    return packed(stretches).map((lane, index) => ({ route: own[index] as Route, lane }));
  });
}
