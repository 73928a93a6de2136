import type { LineSums } from "../../host/stats/line-counts.ts";
import type { Stats } from "../../host/stats/stats.ts";
import { columns } from "../text/columns.ts";
import { printable } from "../text/escape.ts";
import type { Palette } from "../text/palette.ts";

/** Lines that the text names; the rest are summed up. */
const MAX_NAMED_LINES = 16;

/** Counts by line, most first: of the program's text, and of what it was compiled from where `.loc` says that. */
export function renderLines({ lines, sources }: Stats, palette: Palette): string[] {
  const own = lines.map((sums) => ({ name: String(sums.line), sums, text: printable(sums.text) }));
  const compiled = sources.map((sums) => ({ name: `${fileName(sums.file)}:${sums.line}`, sums, text: "" }));
  const tables: [string, readonly Named[]][] = [
    ["line", own],
    ["compiled from", compiled],
  ];
  return tables.flatMap(([title, rows]) => (rows.length === 0 ? [] : [table(title, rows, palette)]));
}

interface Named {
  readonly name: string;
  readonly sums: LineSums;
  readonly text: string;
}

/** The last part of a path, of either kind. */
export const fileName = (path: string): string =>
  printable(path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1));

/** The columns of a line; a column without values is left out. */
const shown: readonly (readonly [title: string, cell: (sums: LineSums) => string | undefined])[] = [
  ["warps", ({ warp }) => String(warp)],
  ["threads", ({ thread }) => String(thread)],
  ["divergent", ({ divergent }) => (divergent === 0 ? undefined : String(divergent))],
  ["sectors", ({ transfers, sectors }) => (transfers === 0 ? undefined : String(sectors))],
  ["a request", ({ transfers, sectors }) => (transfers === 0 ? undefined : ratio(sectors, transfers))],
  ["ideal", ({ transfers, fewest }) => (transfers === 0 ? undefined : ratio(fewest, transfers))],
  ["passes", ({ parts, passes }) => (parts === 0 ? undefined : String(passes))],
  ["conflicts", ({ parts, conflicts }) => (parts === 0 ? undefined : String(conflicts))],
];

/** With one digit behind the point where it is no integer. */
export const ratio = (part: number, all: number): string =>
  part % all === 0 ? String(part / all) : (part / all).toFixed(1);

function table(title: string, all: readonly Named[], palette: Palette): string {
  const sorted = [...all].sort(
    (a, b) => b.sums.warp - a.sums.warp || dearness(b.sums) - dearness(a.sums) || b.sums.thread - a.sums.thread,
  );
  const rows = sorted.slice(0, MAX_NAMED_LINES);
  const left = sorted.slice(MAX_NAMED_LINES);
  if (left.length > 0) rows.push({ name: `${left.length} others`, sums: together(left), text: "" });
  const used = shown.filter(([, cell]) => all.some(({ sums }) => cell(sums) !== undefined));
  return columns(
    [title, ...used.map(([name]) => name)],
    rows.map(({ name, sums }) => [name, ...used.map(([, cell]) => cell(sums) ?? "")]),
    rows.map(({ text }) => text),
    palette,
  );
}

/**
 * What a better order of the same accesses and branches would save: of equally frequent lines, the most expensive come
 * first.
 */
export const dearness = ({ sectors, fewest, conflicts, divergent }: LineSums): number =>
  sectors - fewest + conflicts + divergent;

function together(rows: readonly Named[]): LineSums {
  const sum = (key: keyof LineSums): number => rows.reduce((all, { sums }) => all + sums[key], 0);
  return {
    warp: sum("warp"),
    active: sum("active"),
    thread: sum("thread"),
    divergent: sum("divergent"),
    barriers: sum("barriers"),
    requests: sum("requests"),
    bytes: sum("bytes"),
    transfers: sum("transfers"),
    sectors: sum("sectors"),
    fewest: sum("fewest"),
    parts: sum("parts"),
    passes: sum("passes"),
    conflicts: sum("conflicts"),
  };
}
