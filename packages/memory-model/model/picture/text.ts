import type { Execution, Forbidden } from "../outcome.ts";
import { type Arrow, arrowsOf } from "./arrows.ts";
import { finalWords, forbiddenWords, raceWords, registerWords } from "./says.ts";
import { type Column, type Sheet, sheetOf } from "./sheet.ts";
import { arrowNames, arrowWords, placeWords, wrapped } from "./words.ts";

/** Widest line, in characters. */
const widest = 100;
/** Most threads side by side; those that follow stand below them. */
const most = 4;
const gap = 3;

/**
 * An execution as text: a column for each thread with the events of its instructions, then the arrows by name with
 * their meanings, then the values of registers and memory; for a forbidden one the axiom and the cycle first. Lines end
 * with `\n`.
 */
export function pictureAsText(execution: Execution, threads: readonly Column[], forbidden?: Forbidden): string {
  const sheet = sheetOf(execution, threads);
  const initially = sheet.initial.flatMap(({ lines }) => lines);
  const parts = [
    forbidden ? forbiddenWords(forbidden, sheet) : [],
    initially.length > 0 ? wrapped(`initially  ${initially.join(", ")}`, widest, 11) : [],
    ...bands(sheet, execution),
    arrowLines(arrowsOf(execution, sheet, forbidden), sheet),
    [...finalWords(execution), ...raceWords(execution, sheet)].flatMap((line) => wrapped(line, widest, 2)),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

/** The columns, in as few bands as needed, all equally full. */
function bands(sheet: Sheet, execution: Execution): string[][] {
  const { columns } = sheet;
  const beside = Math.ceil(columns.length / Math.ceil(columns.length / most));
  const result: string[][] = [];
  for (let at = 0; at < columns.length; at += beside)
    result.push(bandOf(columns.slice(at, at + beside), sheet, execution));
  return result;
}

/** Threads side by side, the rows of their instructions level. */
function bandOf(columns: Sheet["columns"], sheet: Sheet, execution: Execution): string[] {
  const most = Math.floor((widest - gap * (columns.length - 1)) / columns.length);
  const placements = sheet.columns.map(({ placement }) => placement);
  const blocks = columns.map(({ boxes }) => boxes.map(({ lines }) => lines.flatMap((line) => wrapped(line, most, 5))));
  const heights = Array.from({ length: Math.max(...blocks.map(({ length }) => length)) }, (_, row) =>
    Math.max(...blocks.map((own) => own[row]?.length ?? 0)),
  );
  const level = (own: readonly string[], height: number) => [...own, ...Array<string>(height - own.length).fill("")];
  const heads = columns.map(({ name, placement }) =>
    [name, placeWords(placement, placements)].flatMap((line) => wrapped(line, most, 2)),
  );
  const high = Math.max(...heads.map(({ length }) => length));
  const texts = columns.map(({ thread }, at) => {
    const head = level([...heads[at]!].reverse(), high).reverse();
    const body = heights.flatMap((height, row) => level(blocks[at]![row] ?? [], height));
    const foot = registerWords(execution, thread).flatMap((line) => wrapped(line, most, 2));
    const width = Math.max(...[...head, ...body, ...foot].map(({ length }) => length));
    return { width, lines: [...head, "-".repeat(width), ...body, ...foot] };
  });
  const tall = Math.max(...texts.map(({ lines }) => lines.length));
  return Array.from({ length: tall }, (_, row) =>
    texts
      .map(({ width, lines }) => (lines[row] ?? "").padEnd(width))
      .join(" ".repeat(gap))
      .trimEnd(),
  );
}

/** For each relation a line: what it means, and its arrows; those of an order joined to chains. */
function arrowLines(arrows: readonly Arrow[], sheet: Sheet): string[] {
  return arrowNames.flatMap((name) => {
    const own = arrows.filter((arrow) => arrow.name === name);
    if (own.length === 0) return [];
    const { means, section } = arrowWords[name];
    const called = (at: number) => {
      const all = name === "po" ? (sheet.boxOf[at]?.events ?? [at]) : [at];
      return all.map((each) => sheet.names[each]).join("+");
    };
    const list = chains(own, called).map((chain) =>
      chain.reduce(
        (text, { both, to }) => `${text} ${both ? "<->" : "->"} ${called(to)}`,
        called((chain[0] as Arrow).from),
      ),
    );
    return [`${name.padEnd(6)}${means} (${section})`, ...wrapped(`      ${list.join(", ")}`, widest, 6)];
  });
}

/** `a -> b`, `b -> c` as `a -> b -> c`, for orders, where no meaning is lost. */
function chains(arrows: readonly Arrow[], called: (at: number) => string): Arrow[][] {
  const chained: Arrow[][] = [];
  for (const arrow of arrows) {
    const before = chained.find((chain) => called((chain.at(-1) as Arrow).to) === called(arrow.from));
    if (before && orders.has(arrow.name)) before.push(arrow);
    else chained.push([arrow]);
  }
  return chained;
}
const orders: ReadonlySet<string> = new Set(["po", "co", "sc", "cause"]);
