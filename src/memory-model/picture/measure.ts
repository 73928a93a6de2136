import type { Port, Route } from "./routes.ts";
import type { Box, Sheet } from "./sheet.ts";
import { wrapped } from "./wrapped.ts";

/** Lengths in a picture, in px. */
export const sizes = {
  /** Sizes of letters. */
  effect: 13,
  code: 11,
  note: 12,
  head: 14,
  title: 16,
  /** Blank around the picture. */
  margin: 16,
  /** Inside a box, left and right, and above and below. */
  side: 10,
  edge: 6,
  /** Between two arrows that arrive at one side of a box. */
  port: 16,
  /** Between two lanes of a channel. */
  lane: 12,
  /** Between a column and the frame around it, and between frames. */
  frame: 12,
  /** The line that names a frame or a thread. */
  heading: 18,
} as const;

/** Space for text in the fonts of a picture: letters of all monospaced fonts that systems have are at most this wide. */
export const textWidth = (text: string, size: number): number => Math.ceil(text.length * size * 0.61);

/** A line of text takes this much of its size. */
export const leading = 1.3;

/** A box with what it shows, and how large that is. */
export interface Measured {
  readonly lines: readonly { readonly text: string; readonly as: "effect" | "code" }[];
  readonly width: number;
  readonly height: number;
}

/** Sizes of all boxes; a box is as high as its text or as the arrows on one of its sides need. */
export function measured(sheet: Sheet, routes: readonly Route[]): Map<Box, Measured> {
  const sizesOf = new Map<Box, Measured>();
  const fold = sheet.columns.length <= 2 ? 42 : sheet.columns.length === 3 ? 32 : 24;
  for (const box of [...sheet.initial, ...sheet.columns.flatMap(({ boxes }) => boxes)]) {
    const lines = linesOf(box, sheet, fold);
    const text = lines.reduce((sum, { as }) => sum + sizes[as] * leading, 0);
    const wide = Math.max(...lines.map(({ text, as }) => textWidth(text, sizes[as])));
    const below = routes.filter((route) => route.way === "initial" && route.from === box).length;
    const beside = Math.max(...(["left", "right"] as const).map((side) => portsAt(routes, { box, side }).length));
    sizesOf.set(box, {
      lines,
      width: Math.max(wide + 2 * sizes.side, (below + 1) * sizes.port),
      height: Math.ceil(Math.max(text + 2 * sizes.edge, (beside + 1) * sizes.port)),
    });
  }
  // All boxes of a column are as wide as the widest.
  for (const { boxes } of sheet.columns) {
    const width = Math.max(0, ...boxes.map((box) => sizesOf.get(box)!.width));
    for (const box of boxes) sizesOf.set(box, { ...(sizesOf.get(box) as Measured), width });
  }
  return sizesOf;
}

function linesOf({ events, effects, text }: Box, { names }: Sheet, fold: number): Measured["lines"] {
  if (effects.length === 0)
    return wrapped(`${names[events[0]!]}: ${text}`, fold, 3).map((line) => ({ text: line, as: "effect" }));
  return [
    ...effects.flatMap((effect) => wrapped(effect, fold, 3).map((line) => ({ text: line, as: "effect" as const }))),
    ...(text ? wrapped(text, fold, 2).map((line) => ({ text: line, as: "code" as const })) : []),
  ];
}

/** The arrows that leave or arrive at a side of a box. */
export const portsAt = (routes: readonly Route[], { box, side }: Port): { route: Route; end: "from" | "to" }[] =>
  routes.flatMap((route) =>
    (["from", "to"] as const).flatMap((end) => {
      const port = portOf(route, end);
      return port?.box === box && port.side === side ? [{ route, end }] : [];
    }),
  );

/** Where an arrow leaves (or arrives), if that is the side of a box. */
export function portOf(route: Route, end: "from" | "to"): Port | undefined {
  if (route.way === "down") return undefined;
  if (route.way === "initial") return end === "to" ? route.to : undefined;
  return route[end];
}
