import type { Execution, Forbidden } from "../outcome.ts";
import { forbidding, graphOf, lookOf } from "./graph.ts";
import { drawingOf, type Point, sizes, widthOf } from "./layout.ts";
import type { Column } from "./sheet.ts";
import { wrapped } from "./words.ts";

const { letter, line, pad } = sizes;
const font = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace';
const [ink, quiet, paper, shade] = ["#1b1f24", "#555f6d", "#ffffff", "#f4f6f9"];
/** The colours of a light picture; inverted, they suit a dark one. */
const dark = "@media (prefers-color-scheme:dark){.ptxrun-picture{filter:invert(1) hue-rotate(180deg)}}";

/**
 * An execution as SVG: threads from left to right in frames, with arrows that run through no node; of a forbidden one
 * the axiom and the cycle in colour. Light or dark as the reader prefers. It loads nothing external.
 */
export function pictureAsSvg(execution: Execution, threads: readonly Column[], why?: Forbidden): string {
  const { title, clusters, edges, notes } = graphOf(execution, threads, why);
  const { boxes, columns, lines, ...size } = drawingOf(clusters, edges);
  const letters = Math.floor(Math.max(600, size.width) / widthOf(["x"]));
  const above = title.flatMap((text) => wrapped(text, letters, 2));
  const below = notes.flatMap((text) => wrapped(text, letters, 6));
  const most = (part: "head" | "foot") => Math.max(0, ...clusters.map((cluster) => cluster[part].length)) * line;
  const frame = (above.length + 1) * line;
  const first = frame + most("head") + pad;
  const foot = first + size.height + pad;
  const end = foot + most("foot") + pad;
  const width = Math.ceil(letters * widthOf(["x"])) + 4 * pad;
  const height = Math.ceil(end + (below.length + 1) * line) + 2 * pad;
  const drawn = lines.map((each) => ({ ...each, look: lookOf(each.edge) }));
  drawn.sort((a, b) => Number(a.edge.forbids) - Number(b.edge.forbids));
  const said = [
    ...clusters.map(({ head, nodes, foot }) =>
      [head.join(" "), ...nodes.map(({ lines }) => lines.join(" ")), ...foot].join("; "),
    ),
    ...edges.map(({ says }) => says),
    ...notes,
  ];
  return `${tag(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      class: "ptxrun-picture",
    },
    tag("title", {}, escaped(title.join(": "))),
    tag("desc", {}, escaped(said.join("\n"))),
    tag("style", {}, dark),
    tag("rect", { width, height, fill: paper }),
    tag(
      "g",
      { transform: `translate(${2 * pad} ${pad})`, "font-family": font, "font-size": letter, fill: ink },
      ...texts(above, 0, 0, { "font-weight": "bold", ...(why ? { fill: forbidding } : {}) }),
      ...clusters.flatMap((cluster, at) => {
        const { x, width } = columns[at]!;
        const left = x - width / 2;
        const place = { x: left - pad / 2, y: frame, width: width + pad, height: end - frame };
        return [
          tag("rect", { class: "frame", ...place, rx: 8, fill: "none", stroke: quiet, "stroke-dasharray": "2 3" }),
          ...texts(cluster.head, left + pad / 2, frame + 4, { "font-weight": "bold" }),
          ...texts(cluster.foot, left + pad / 2, foot, { fill: quiet }),
        ];
      }),
      tag(
        "g",
        { transform: `translate(0 ${first})` },
        ...clusters.flatMap(({ nodes }) =>
          nodes.flatMap(({ id, lines, forbids }) => {
            const { x, y, width, height } = boxes.get(id)!;
            const [left, top] = [x - width / 2, y - height / 2];
            const stroke = forbids ? { stroke: forbidding, "stroke-width": 2.4 } : { stroke: quiet };
            return [
              tag("rect", { class: "node", x: left, y: top, width, height, rx: 4, fill: shade, ...stroke }),
              ...texts(lines, left + pad, y - (lines.length * line) / 2),
            ];
          }),
        ),
        // The arrows of the cycle are on top, and names above all lines.
        ...drawn.map(({ edge, points, look: { colour, width, dash } }) =>
          tag(
            "g",
            {
              class: `edge ${edge.name}${edge.forbids ? " forbids" : ""}`,
              stroke: colour,
              fill: colour,
              ...(why && !edge.forbids ? { opacity: 0.5 } : {}),
            },
            tag("title", {}, escaped(edge.says)),
            tag("polyline", {
              points: pairs(points),
              fill: "none",
              "stroke-width": width,
              "stroke-linejoin": "round",
              ...(dash ? { "stroke-dasharray": dash } : {}),
            }),
            ...(edge.both ? [points, [...points].reverse()] : [points]).map((way) =>
              tag("polygon", { points: pairs(headOf(way)) }),
            ),
          ),
        ),
        tag(
          "g",
          { "text-anchor": "middle", stroke: paper, "stroke-width": 5, "paint-order": "stroke" },
          ...drawn.flatMap(({ edge, label: { x, y }, look }) =>
            texts([edge.name], x, y - line / 2, { fill: look.colour, "font-weight": "bold" }),
          ),
        ),
      ),
      ...texts(below, 0, end + pad, { fill: quiet }),
    ),
  )}\n`;
}

/** One below the other, from the upper edge of the first. */
const texts = (lines: readonly string[], x: number, y: number, attributes: Attributes = {}): string[] =>
  lines.map((text, at) =>
    tag("text", { x, y: y + (at + 0.75) * line, "xml:space": "preserve", ...attributes }, escaped(text)),
  );

/** The head of an arrow at the last of some points. */
function headOf(points: readonly Point[]): Point[] {
  const [from, to] = points.slice(-2) as [Point, Point];
  const far = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [x, y] = [(9 * (to.x - from.x)) / far, (9 * (to.y - from.y)) / far];
  return [to, ...[0.45, -0.45].map((side) => ({ x: to.x - x - y * side, y: to.y - y + x * side }))];
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
const pairs = (points: readonly Point[]): string => points.map(({ x, y }) => `${rounded(x)},${rounded(y)}`).join(" ");

type Attributes = Readonly<Record<string, string | number>>;

/** An element around others, which are XML already. */
function tag(name: string, attributes: Attributes, ...content: readonly string[]): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${typeof value === "number" ? rounded(value) : escaped(value)}"`,
  );
  return `<${name}${written.join("")}>${content.join("\n")}</${name}>`;
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);
