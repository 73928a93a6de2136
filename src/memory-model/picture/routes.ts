import type { Arrow } from "./arrows.ts";
import type { Box, Sheet } from "./sheet.ts";

/** A side of a box where an arrow leaves or arrives. */
export interface Port {
  readonly box: Box;
  readonly side: "left" | "right";
}

/**
 * The way of an arrow, before anything has a size. Between columns are gutters (gutter `g` is left of column `g`), between
 * rows channels (channel `k` is above row `k`): no box stands in either, so an arrow that keeps to them runs through none.
 * - `down`: to the next box of the column;
 * - `side`: through one gutter, to the next column or back to the same;
 * - `over`: through a gutter, along a channel past other columns, and through the gutter beside its end;
 * - `initial`: from an initial write along channel 0, and through the gutter beside its end.
 */
export type Route = { readonly arrow: Arrow } & (
  | { readonly way: "down"; readonly from: Box; readonly to: Box }
  | { readonly way: "side"; readonly from: Port; readonly to: Port; readonly gutter: number }
  | {
      readonly way: "over";
      readonly from: Port;
      readonly to: Port;
      readonly gutter: number;
      readonly channel: number;
      readonly last: number;
    }
  | { readonly way: "initial"; readonly from: Box; readonly to: Port; readonly gutter: number }
);

/** A way for each arrow, chosen so that gutters and channels are about equally full. */
export function routesOf(arrows: readonly Arrow[], { columns, boxOf }: Sheet): Route[] {
  const rows = Math.max(0, ...columns.map(({ boxes }) => boxes.length));
  const gutters = columns.map(() => 0).concat(0);
  const channels = Array<number>(rows + 1).fill(0);
  const use = (counts: number[], at: number): number => {
    counts[at] = counts[at]! + 1;
    return at;
  };
  const least = (counts: number[], among: readonly number[]): number =>
    use(
      counts,
      among.reduce((best, at) => (counts[at]! < counts[best]! ? at : best)),
    );

  const routeOf = (arrow: Arrow): Route[] => {
    const [from, to] = [boxOf[arrow.from], boxOf[arrow.to]];
    if (!from || !to || from === to || to.column < 0) return [];
    if (from.column < 0) {
      const gutter = least(gutters, inwards(to.column, columns.length));
      return [{ arrow, way: "initial", from, to: facing(to, gutter), gutter }];
    }
    if (from.column === to.column) {
      if (arrow.name === "po" && to.row === from.row + 1) return [{ arrow, way: "down", from, to }];
      const gutter = least(gutters, inwards(from.column, columns.length));
      return [{ arrow, way: "side", from: facing(from, gutter), to: facing(to, gutter), gutter }];
    }
    const right = to.column > from.column;
    const gutter = use(gutters, right ? from.column + 1 : from.column);
    const ends = { from: facing(from, gutter) };
    if (Math.abs(to.column - from.column) === 1)
      return [{ arrow, way: "side", ...ends, to: facing(to, gutter), gutter }];
    const last = use(gutters, right ? to.column : to.column + 1);
    const channel = least(channels, channelsBetween(from.row, to.row, rows));
    return [{ arrow, way: "over", ...ends, to: facing(to, last), gutter, channel, last }];
  };
  return [...arrows].sort((a, b) => reach(a, boxOf) - reach(b, boxOf)).flatMap(routeOf);
}

/** Those that can go one way only are placed first: the others then see where there is room. */
function reach({ from, to }: Arrow, boxOf: Sheet["boxOf"]): number {
  const [a, b] = [boxOf[from]?.column ?? -1, boxOf[to]?.column ?? -1];
  if (a < 0) return 1000;
  return a === b ? 500 : Math.abs(a - b);
}

/** The gutters beside a column; the one that is nearer to the middle of the picture first. */
const inwards = (column: number, count: number): number[] =>
  column + 0.5 < count / 2 ? [column + 1, column] : [column, column + 1];

const facing = (box: Box, gutter: number): Port => ({ box, side: gutter === box.column ? "left" : "right" });

/** Channel 0 belongs to the initial writes. */
function channelsBetween(from: number, to: number, rows: number): number[] {
  if (from === to) return from + 1 < rows || from === 0 ? [from + 1] : [from, from + 1];
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  return Array.from({ length: high - low }, (_, at) => low + 1 + at);
}
