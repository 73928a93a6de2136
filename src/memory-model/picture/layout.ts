import type { Execution, Forbidden } from "../outcome.ts";
import { type Arrow, arrowsOf } from "./arrows.ts";
import { framesOf } from "./frames.ts";
import { type Heights, heightsOf } from "./heights.ts";
import { labelsOf, type Point, type Rectangle } from "./labels.ts";
import { type Measured, measured, sizes, textWidth } from "./measure.ts";
import { type Route, routesOf } from "./routes.ts";
import { registerWords } from "./says.ts";
import type { Box, Sheet } from "./sheet.ts";
import { type Widths, widthsOf } from "./widths.ts";
import { wrapped } from "./wrapped.ts";

/** An execution with a place for everything, in px from the upper left corner. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly frames: readonly (Rectangle & { readonly label: string })[];
  readonly boxes: readonly (Rectangle & { readonly box: Box; readonly lines: Measured["lines"] })[];
  /** Lines from corner to corner: the first point at the box from which an arrow comes, the last where its head is. */
  readonly lines: readonly { readonly arrow: Arrow; readonly points: readonly Point[]; readonly label: Point }[];
  /** Names of threads, and registers below them: middles of their base lines. */
  readonly notes: readonly { readonly at: Point; readonly text: string; readonly as: "head" | "code" }[];
}

/** Lays an execution out below `top` px that are left free. */
export function drawingOf(sheet: Sheet, execution: Execution, top: number, forbidden?: Forbidden): Drawing {
  const routes = routesOf(onceForBoxes(arrowsOf(execution, sheet, forbidden), sheet), sheet);
  const sizesOf = measured(sheet, routes);
  const { frames, depth } = framesOf(sheet);
  const headings = (depth + 1) * sizes.heading + 8;
  const heights = heightsOf(sheet, routes, sizesOf, top, headings);
  const registers = sheet.columns.map(({ thread }) =>
    registerWords(execution, thread).flatMap((line) => wrapped(line, 28, 2)),
  );
  const gutters = Array.from({ length: sheet.columns.length + 1 }, (_, gutter) => ({
    ending: frames.filter(({ last }) => last === gutter - 1).length,
    beginning: frames.filter(({ first }) => first === gutter).length,
  }));
  const wide = sheet.columns.map(({ name }, at) => {
    const labels = frames
      .filter(({ first, last }) => first === at && last === at)
      .map(({ label }) => textWidth(label, sizes.note));
    const own = [textWidth(name, sizes.head), ...registers[at]!.map((line) => textWidth(line, sizes.code))];
    return Math.max(...labels, ...own);
  });
  const widths = widthsOf(sheet, routes, sizesOf, heights, gutters, wide);

  const end = heights.bottom + Math.max(0, ...registers.map(({ length }) => length)) * sizes.code * 1.4 + 4;
  const boxes = [...sheet.initial, ...sheet.columns.flatMap((column) => column.boxes)].map((box) => {
    const { lines, width, height } = sizesOf.get(box) as Measured;
    return { box, lines, x: widths.left.get(box)!, y: heights.top.get(box)!, width, height };
  });
  const lines = routes.map((route) => ({
    arrow: route.arrow,
    points: pointsOf(route, boxes, heights, widths),
  }));
  const middle = (at: number) => widths.columns[at]!.left + widths.columns[at]!.width / 2;
  const notes = sheet.columns.flatMap(({ name }, at) => [
    { at: [middle(at), heights.frames + headings - 10] as const, text: name, as: "head" as const },
    ...registers[at]!.map((text, line) => ({
      at: [middle(at), heights.bottom + sizes.code * (1 + 1.4 * line)] as const,
      text,
      as: "code" as const,
    })),
  ]);
  const labels = labelsOf(
    lines.map(({ arrow, points }) => ({ text: arrow.name, points })),
    [...boxes, ...notes.map(areaOf)],
  );
  return {
    width: widths.width,
    height: end + depth * sizes.frame,
    frames: frames.map(({ label, first, last, depth: outer }) => {
      const inset = (depth - outer) * sizes.frame;
      const x = widths.columns[first]!.left - inset;
      const right = widths.columns[last]!.left + widths.columns[last]!.width + inset;
      const y = heights.frames + outer * sizes.heading;
      return { label, x, y, width: right - x, height: end + inset - y };
    }),
    boxes,
    lines: lines.map((line, at) => ({ ...line, label: labels[at] as Point })),
    notes,
  };
}

/** Elements of a vector that are all read from one place get one arrow. */
function onceForBoxes(arrows: readonly Arrow[], { boxOf }: Sheet): Arrow[] {
  const same = (a: Arrow, b: Arrow) =>
    a.name === b.name && boxOf[a.from] === boxOf[b.from] && boxOf[a.to] === boxOf[b.to];
  const first = arrows.filter((arrow, at) => arrows.findIndex((other) => same(arrow, other)) === at);
  return first.map((arrow) => ({ ...arrow, forbids: arrows.some((other) => other.forbids && same(arrow, other)) }));
}

const areaOf = ({ at: [x, y], text, as }: Drawing["notes"][number]): Rectangle => {
  const width = textWidth(text, sizes[as]);
  return { x: x - width / 2, y: y - sizes[as], width, height: sizes[as] * 1.3 };
};

function pointsOf(route: Route, boxes: Drawing["boxes"], heights: Heights, widths: Widths): Point[] {
  const placed = (box: Box) => boxes.find((each) => each.box === box) as Rectangle;
  if (route.way === "down") {
    const [from, to] = [placed(route.from), placed(route.to)];
    const x = from.x + from.width / 2;
    return [
      [x, from.y + from.height],
      [x, to.y],
    ];
  }
  const y1 = heights.port(route, "to");
  const beside = ({ box, side }: { box: Box; side: string }): number =>
    placed(box).x + (side === "left" ? 0 : placed(box).width);
  const x1 = beside(route.to);
  const along = heights.along.get(route) ?? 0;
  if (route.way === "initial") {
    const from = placed(route.from);
    const x0 = widths.trunk(route);
    const lane = widths.lane(route, route.gutter) ?? x1;
    return [
      [x0, from.y + from.height],
      [x0, along],
      [lane, along],
      [lane, y1],
      [x1, y1],
    ];
  }
  const y0 = heights.port(route, "from");
  const x0 = beside(route.from);
  const lane = widths.lane(route, route.gutter);
  if (route.way === "side")
    return lane === undefined
      ? [
          [x0, y0],
          [x1, y1],
        ]
      : [
          [x0, y0],
          [lane, y0],
          [lane, y1],
          [x1, y1],
        ];
  const last = widths.lane(route, route.last) ?? x1;
  return [
    [x0, y0],
    [lane ?? x0, y0],
    [lane ?? x0, along],
    [last, along],
    [last, y1],
    [x1, y1],
  ];
}
