import type { Heights } from "./heights.ts";
import { type Gate, lanesOf } from "./lanes.ts";
import { type Measured, sizes, textWidth } from "./measure.ts";
import type { Route } from "./routes.ts";
import type { Box, Sheet } from "./sheet.ts";
import { trunksOf } from "./trunks.ts";

/** Where everything stands from left to right, in px. */
export interface Widths {
  readonly left: ReadonlyMap<Box, number>;
  readonly columns: readonly { readonly left: number; readonly width: number }[];
  /** The lane of a line in a gutter; undefined where it runs straight across. */
  lane(route: Route, gutter: number): number | undefined;
  /** Where a line leaves an initial write. */
  trunk(route: Route): number;
  readonly width: number;
}

/** Within so many px a line that crosses a gutter does so straight. */
const level = 12;

/**
 * `frames` says for each gutter how many frames end in it on the left and begin in it on the right; `wide` how wide each
 * column must be at least, for its heading and its registers.
 */
export function widthsOf(
  sheet: Sheet,
  routes: readonly Route[],
  sizesOf: ReadonlyMap<Box, Measured>,
  heights: Heights,
  frames: readonly { readonly ending: number; readonly beginning: number }[],
  wide: readonly number[],
): Widths {
  const lanes = new Map<Route, Map<number, number>>();
  const columns: { left: number; width: number }[] = [];
  let x = 0;
  for (const [gutter, { ending, beginning }] of frames.entries()) {
    const passes = routes.flatMap((route) => passesIn(route, gutter, heights));
    const bent = passes.filter(
      ({ route, ends: [a, b] }) => route.way !== "side" || a.wall === b.wall || Math.abs(a.y - b.y) > level,
    );
    const places = lanesOf(bent);
    const gap = Math.max(18, ...passes.map(({ route }) => textWidth(route.arrow.name, sizes.note) + 4));
    const used = 1 + Math.max(-1, ...places);
    const outer = gutter === 0 || gutter === frames.length - 1;
    const inside = passes.length === 0 ? (outer ? 0 : 20) : Math.max(used * gap + 16, outer ? 0 : 54);
    const start = x + ending * sizes.frame;
    for (const [index, { route }] of bent.entries()) {
      const own = lanes.get(route) ?? new Map<number, number>();
      own.set(gutter, start + inside / 2 + (places[index]! - (used - 1) / 2) * gap);
      lanes.set(route, own);
    }
    x = start + inside + beginning * sizes.frame;
    const column = sheet.columns[gutter];
    if (!column) continue;
    const width = Math.max(wide[gutter]!, 80, ...column.boxes.map((box) => sizesOf.get(box)!.width));
    columns.push({ left: x, width });
    x += width;
  }
  const chips = sheet.initial.reduce((sum, box) => sum + sizesOf.get(box)!.width + chipGap, -chipGap);
  const shift = sizes.margin + Math.max(0, (chips - x) / 2);
  const readers = routes.flatMap((route) => (route.way === "initial" ? [lanes.get(route)!.get(route.gutter)!] : []));
  const centre = readers.length === 0 ? x / 2 : readers.reduce((sum, lane) => sum + lane, 0) / readers.length;
  const left = new Map<Box, number>();
  for (const [at, { boxes }] of sheet.columns.entries())
    for (const box of boxes) {
      const { left: start, width } = columns[at]!;
      left.set(box, shift + start + (width - sizesOf.get(box)!.width) / 2);
    }
  let chip = shift + (chips > x ? (x - chips) / 2 : Math.min(Math.max(centre - chips / 2, 0), x - chips));
  for (const box of byTargets(sheet.initial, routes)) {
    left.set(box, chip);
    chip += sizesOf.get(box)!.width + chipGap;
  }
  const lane = (route: Route, gutter: number): number | undefined => {
    const own = lanes.get(route)?.get(gutter);
    return own === undefined ? undefined : own + shift;
  };
  const trunks = trunksOf(routes, sizesOf, left, (route) =>
    route.way === "initial" ? lane(route, route.gutter) : undefined,
  );
  return {
    left,
    columns: columns.map((column) => ({ ...column, left: column.left + shift })),
    lane,
    trunk: (route) => trunks.get(route)!,
    width: Math.max(x, chips) + 2 * sizes.margin,
  };
}

const chipGap = 16;

/** Initial writes in the order of the columns that read them, so that their lines cross seldom. */
function byTargets(initial: readonly Box[], routes: readonly Route[]): Box[] {
  const centre = (box: Box): number => {
    const own = routes.flatMap((route) => (route.way === "initial" && route.from === box ? [route.gutter] : []));
    return own.length === 0 ? Number.POSITIVE_INFINITY : own.reduce((sum, gutter) => sum + gutter, 0) / own.length;
  };
  return [...initial].sort((a, b) => (centre(a) === centre(b) ? a.row - b.row : centre(a) - centre(b)));
}

/** How a line passes through a gutter, if it does. */
function passesIn(route: Route, gutter: number, heights: Heights): { route: Route; ends: readonly [Gate, Gate] }[] {
  if (route.way === "down") return [];
  const gate = (end: "from" | "to"): Gate | undefined =>
    route.way === "initial" && end === "from"
      ? undefined
      : { wall: (route[end] as { side: string }).side === "left" ? "right" : "left", y: heights.port(route, end) };
  const [from, to] = [gate("from"), gate("to")];
  if (route.way === "side") return route.gutter === gutter && from && to ? [{ route, ends: [from, to] }] : [];
  const y = heights.along.get(route) ?? 0;
  const passes: { route: Route; ends: readonly [Gate, Gate] }[] = [];
  const opposite = ({ wall }: Gate): Gate => ({ wall: wall === "left" ? "right" : "left", y });
  if (from && route.gutter === gutter) passes.push({ route, ends: [from, opposite(from)] });
  const last = route.way === "over" ? route.last : route.gutter;
  if (to && last === gutter) passes.push({ route, ends: [opposite(to), to] });
  return passes;
}
