import type { Execution, Forbidden } from "../outcome.ts";
import { type Drawing, drawingOf } from "./layout.ts";
import { lineOf } from "./line.ts";
import { leading, sizes, textWidth } from "./measure.ts";
import { described, finalWords, raceWords, steps } from "./says.ts";
import { type Column, type Sheet, sheetOf } from "./sheet.ts";
import { pictureClass, pictureStyle } from "./style.ts";
import { type ArrowName, arrowNames, arrowWords, plain } from "./words.ts";
import { wrapped } from "./wrapped.ts";
import { type Element, element, serialized } from "./xml.ts";

/** The words above and below a drawing want as much, in px, however small it is. */
const narrowest = 560;
const line = sizes.note * 1.5;

/**
 * An execution as SVG: threads from left to right in frames for their blocks, initial writes on top, arrows that run
 * through no box; of a forbidden one the axiom and the cycle in colour. A document of its own (a file, or in an `<img>`),
 * or an element of a page. Light or dark as the reader prefers. Nothing outside it is asked for.
 */
export function pictureAsSvg(execution: Execution, threads: readonly Column[], forbidden?: Forbidden): string {
  const sheet = sheetOf(execution, threads);
  const heading = headingOf(sheet, forbidden, drawingOf(sheet, execution, 0, forbidden).width);
  const drawing = drawingOf(sheet, execution, heading.height, forbidden);
  const width = Math.ceil(Math.max(drawing.width, narrowest));
  const below = belowOf(sheet, execution, drawing, width);
  const height = Math.ceil(below.height);
  const shift = Math.round((width - drawing.width) / 2);
  const title = forbidden
    ? `Forbidden execution: ${plain(forbidden.axiom)} (PTX ISA ${plain(forbidden.section)})`
    : "Execution that the memory model allows";
  const onCycle = new Set(forbidden?.cycle.flatMap(({ from, to }) => [sheet.boxOf[from], sheet.boxOf[to]]));
  const lines = drawing.lines.map((each) => lineOf(each, sheet, forbidden !== undefined));
  return serialized(
    element(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg",
        width,
        height,
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        class: pictureClass,
      },
      element("title", {}, title),
      element("desc", {}, described(execution, sheet, forbidden)),
      element("style", {}, pictureStyle),
      element("rect", { class: "paper", width, height }),
      ...heading.elements,
      element(
        "g",
        { transform: `translate(${shift} 0)` },
        ...drawing.frames.flatMap(({ label, x, y, width: wide, height: high }) => [
          element("rect", { class: "frame", x, y, width: wide, height: high, rx: 8 }),
          element("text", { class: "quiet", x: x + 8, y: y + 14 }, label),
        ]),
        ...drawing.boxes.flatMap((box) => boxOf(box, onCycle.has(box.box))),
        ...drawing.notes.map(({ at: [x, y], text, as }) =>
          element("text", { class: as === "head" ? as : `${as} middle`, x, y }, text),
        ),
        // What forbids the execution lies above the rest, and names above all lines.
        ...lines.filter(({ forbids }) => !forbids).map(({ path }) => path),
        ...lines.filter(({ forbids }) => forbids).map(({ path }) => path),
        ...lines.map(({ name }) => name),
      ),
      ...below.elements,
    ),
  );
}

interface Words {
  readonly elements: readonly Element[];
  /** Of the picture down to their end. */
  readonly height: number;
}

/** Which axiom forbids it, and the cycle. */
function headingOf(sheet: Sheet, forbidden: Forbidden | undefined, width: number): Words {
  if (!forbidden) return { elements: [], height: sizes.margin };
  const room = Math.max(width, narrowest) - 2 * sizes.margin;
  const title = `Forbidden by ${plain(forbidden.axiom)} (PTX ISA ${plain(forbidden.section)})`;
  const cycle = wrapped(steps(forbidden, sheet), Math.floor(room / textWidth("0", sizes.note)), 2);
  const top = sizes.margin + sizes.title;
  return {
    elements: [
      element("text", { class: "title forbids", x: sizes.margin, y: top }, title),
      ...cycle.map((text, at) =>
        element("text", { class: "steps", x: sizes.margin, y: top + line * (at + 1.2) }, text),
      ),
    ],
    height: top + line * (cycle.length + 1.2) + 4,
  };
}

/** What memory holds, races, and what the arrows mean. */
function belowOf(sheet: Sheet, execution: Execution, drawing: Drawing, width: number): Words {
  const room = width - 2 * sizes.margin;
  /** Letters of the fonts without fixed width are narrower, on average. */
  const fits = (px: number) => Math.floor(px / (sizes.note * 0.5));
  let y = drawing.height + line;
  const elements: Element[] = [];
  for (const text of [...finalWords(execution), ...raceWords(execution, sheet)].flatMap((each) =>
    wrapped(each, fits(room), 2),
  )) {
    y += line;
    elements.push(element("text", { x: sizes.margin, y }, text.replace(/ {2,}/g, ": ").replace(/^: /, "")));
  }
  if (elements.length > 0) y += line / 2;
  const used = arrowNames.filter((name) => drawing.lines.some(({ arrow }) => arrow.name === name));
  for (const name of used) {
    const lines = wrapped(`${arrowWords[name].means} (${arrowWords[name].section})`, fits(room - 86), 0);
    for (const [at, text] of lines.entries()) {
      y += line;
      elements.push(keyOf(at === 0 ? name : undefined, text, y));
    }
  }
  return { elements, height: y + sizes.margin };
}

function keyOf(name: ArrowName | undefined, text: string, y: number): Element {
  const words = element("text", { class: "quiet", x: sizes.margin + 86, y }, text);
  if (!name) return words;
  return element(
    "g",
    { class: `key ${name}` },
    element("path", { d: `M${sizes.margin} ${y - 4}h34` }),
    element("text", { class: "name", x: sizes.margin + 42, y }, name),
    words,
  );
}

function boxOf({ x, y, width, height, lines }: Drawing["boxes"][number], onCycle: boolean): Element[] {
  const text = lines.reduce((sum, { as }) => sum + sizes[as] * leading, 0);
  let base = y + (height - text) / 2;
  return [
    element("rect", { class: onCycle ? "box forbids" : "box", x, y, width, height, rx: 4 }),
    ...lines.map(({ text: words, as }) => {
      base += sizes[as] * leading;
      return element("text", { class: as, x: x + sizes.side, y: base - sizes[as] * 0.3 }, words);
    }),
  ];
}
