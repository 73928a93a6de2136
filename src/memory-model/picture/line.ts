import type { Point } from "./labels.ts";
import type { Drawing } from "./layout.ts";
import type { Sheet } from "./sheet.ts";
import { arrowWords } from "./words.ts";
import { type Element, element, rounded } from "./xml.ts";

/** How far an arrow's head reaches back, and half as wide as it is. */
const head = { length: 9, half: 4 };
/** Corners of lines are rounded so. */
const bend = 10;

/** The elements of one line: its path with its head, and its name, which is drawn after all paths. */
export function lineOf(
  { arrow, points, label }: Drawing["lines"][number],
  { names }: Sheet,
  someForbid: boolean,
): { forbids: boolean; path: Element; name: Element } {
  const { name, forbids, both } = arrow;
  const kind = `line ${name}${forbids ? " forbids" : someForbid ? " aside" : ""}`;
  const size = forbids ? 1.35 : 1;
  const shown = shortened(points, size, both);
  const tip = headOf(points.at(-2) as Point, points.at(-1) as Point, size);
  const tail = both ? [headOf(points[1] as Point, points[0] as Point, size)] : [];
  const says = `${names[arrow.from]} ${both ? "and" : "to"} ${names[arrow.to]}: ${arrowWords[name].means}`;
  return {
    forbids,
    path: element(
      "g",
      { class: kind },
      element("title", {}, says),
      element("path", { d: pathOf(shown) }),
      tip,
      ...tail,
    ),
    name: element("g", { class: kind }, element("text", { class: "name", x: label[0], y: label[1] + 4 }, name)),
  };
}

/** Without the stretch that the head covers. */
function shortened(points: readonly Point[], size: number, both: boolean): Point[] {
  const cut = (from: Point, to: Point): Point => {
    const far = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const part = far === 0 ? 0 : Math.max(0, far - head.length * size * 0.8) / far;
    return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
  };
  const result = [...points];
  result[result.length - 1] = cut(points.at(-2) as Point, points.at(-1) as Point);
  if (both) result[0] = cut(points[1] as Point, points[0] as Point);
  return result;
}

function headOf(from: Point, to: Point, size: number): Element {
  const far = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const [dx, dy] = [(to[0] - from[0]) / far, (to[1] - from[1]) / far];
  const [back, half] = [head.length * size, head.half * size];
  const corner = (side: number): Point => [to[0] - dx * back - dy * half * side, to[1] - dy * back + dx * half * side];
  return element("polygon", { points: [to, corner(1), corner(-1)].map(pair).join(" ") });
}

/** Stretches joined by arcs, which keep within the corners. */
function pathOf(points: readonly Point[]): string {
  const parts = [`M${pair(points[0] as Point)}`];
  for (let at = 1; at + 1 < points.length; at++) {
    const [before, corner, after] = [points[at - 1], points[at], points[at + 1]] as [Point, Point, Point];
    parts.push(`L${pair(towards(corner, before))}`, `Q${pair(corner)} ${pair(towards(corner, after))}`);
  }
  parts.push(`L${pair(points.at(-1) as Point)}`);
  return parts.join("");
}

/** A little way from a corner; at most to the middle, where the next corner's arc may begin. */
function towards([x, y]: Point, [x1, y1]: Point): Point {
  const far = Math.hypot(x1 - x, y1 - y);
  const part = far === 0 ? 0 : Math.min(bend, far / 2) / far;
  return [x + (x1 - x) * part, y + (y1 - y) * part];
}

const pair = ([x, y]: Point): string => `${rounded(x)} ${rounded(y)}`;
