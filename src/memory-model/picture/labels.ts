import { sizes, textWidth } from "./measure.ts";

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Point = readonly [number, number];

/**
 * Where the name of each line stands: on it (beside one that only goes down), at the place that covers nothing that is
 * `taken`, no name of another line, and as few other lines as can be. The middles of names.
 */
export function labelsOf(
  lines: readonly { readonly text: string; readonly points: readonly Point[] }[],
  taken: readonly Rectangle[],
): Point[] {
  const names: Rectangle[] = [];
  const result: Point[] = lines.map(({ points }) => points[0]!);
  // Short lines have the least choice.
  for (const own of [...lines.keys()].sort((a, b) => total(lines[a]!) - total(lines[b]!))) {
    const { text, points } = lines[own] as { text: string; points: Point[] };
    let least = Number.POSITIVE_INFINITY;
    for (const { at, cost } of candidates(points, text)) {
      const area = around(at, text);
      const near = { ...area, y: area.y - 3, height: area.height + 6 };
      const crossed = lines.filter(
        (line, index) => index !== own && segments(line.points).some((each) => touches(each, near)),
      );
      const hidden = [...taken, ...names].filter((other) => overlap(other, area)).length;
      const sum = hidden * 1000 + crossed.length * 10 + cost;
      if (sum >= least) continue;
      least = sum;
      result[own] = at;
    }
    names.push(around(result[own] as Point, text));
  }
  return result;
}

const total = (line: { readonly points: readonly Point[] }): number =>
  segments(line.points).reduce((sum, each) => sum + length(each), 0);

const around = ([x, y]: Point, text: string): Rectangle => {
  const [width, height] = [textWidth(text, sizes.note) + 4, sizes.note + 2];
  return { x: x - width / 2, y: y - height / 2, width, height };
};

/** Places along a line and how bad each is: best in the middle of a long stretch, never close to the arrow's head. */
function candidates(points: readonly Point[], text: string): { at: Point; cost: number }[] {
  const stretches = segments(points);
  const [[x0, y0], [x1, y1]] = stretches[0] as [Point, Point];
  if (stretches.length === 1 && x0 === x1) {
    const beside = textWidth(text, sizes.note) / 2 + 6;
    return [0.45, 0.25, 0.65].flatMap((part) =>
      [1, -1].map((side) => ({ at: [x0 + side * beside, y0 + (y1 - y0) * part] as const, cost: side < 0 ? 1 : 0 })),
    );
  }
  return stretches.flatMap((stretch) => {
    const far = length(stretch);
    const [[x0, y0], [x1, y1]] = stretch;
    return [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9, 0.35, 0.65]
      .filter((part) => far * Math.min(part, 1 - part) >= 9)
      .map((part) => ({
        at: [x0 + (x1 - x0) * part, y0 + (y1 - y0) * part] as const,
        cost: Math.abs(part - 0.5) * 8 + (far < 40 ? 6 : 0) + 40 / far,
      }));
  });
}

export const segments = (points: readonly Point[]): [Point, Point][] =>
  points.slice(1).map((point, at) => [points[at] as Point, point]);

const length = ([[x0, y0], [x1, y1]]: readonly [Point, Point]): number => Math.hypot(x1 - x0, y1 - y0);

/** Whether the rectangle around a stretch, which is level, upright or short, touches an area. */
export const touches = ([[x0, y0], [x1, y1]]: readonly [Point, Point], area: Rectangle): boolean =>
  overlap(area, { x: Math.min(x0, x1), y: Math.min(y0, y1), width: Math.abs(x1 - x0), height: Math.abs(y1 - y0) });

const overlap = (a: Rectangle, b: Rectangle): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
