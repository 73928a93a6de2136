import type { LaneStrips } from "../../host/stats/lane-strip.ts";
import type { LineSums } from "../../host/stats/line-counts.ts";
import type { Stats } from "../../host/stats/stats.ts";
import type { Program } from "../../interp/contract/program.ts";
import type { Source } from "../../source/source.ts";
import { fileName } from "../trace/line-stats.ts";
import { html } from "./html.ts";
import { type Listing, listingOf } from "./listing.ts";
import { accessesOf, cardsOf, mixOf } from "./overview.ts";
import { script } from "./script.ts";
import { dataOf, stripsOf } from "./strips.ts";
import { style } from "./style.ts";

/** The content of a page: one launch. */
export interface Report {
  readonly program: Program;
  /** The kernel's short name. */
  readonly name: string;
  /** How the launch was made, and how it ended, in words. */
  readonly about: readonly string[];
  readonly stats: Stats;
  readonly strips: LaneStrips;
  /** A program that the PTX was compiled from, by its name there; undefined where it is not to be found. */
  original(file: string): Source | undefined;
}

/** The element that marks a page of ptxrun, so that it is recognised later. */
export const MADE_BY = '<meta name="generator" content="ptxrun --report">';

/** Files that the program was compiled from, at most; those with the most executions. */
const MOST_FILES = 4;

/**
 * One page about one launch: a self-contained document that loads nothing, which its policy enforces in the browser.
 */
export function renderReport(report: Report): string {
  const { program, name, about, stats, strips } = report;
  const listings = [...originalsOf(report), ownOf(report)];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
${MADE_BY}
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';style-src 'unsafe-inline';script-src 'unsafe-inline';img-src data:">
<link rel="icon" href="data:,">
<title>${html(name)}: where it spends its instructions</title><style>${style}</style></head><body>
<header><h1>${html(name)}</h1><p class="q">${about.map(html).join(" &middot; ")}</p></header><main>
${cardsOf(stats)}
<section><h2>Where</h2><p class="q">Executions by warps are shown before each line; the hotter, the more.</p>
<div class="panes${listings.length > 1 ? " two" : ""}">${listings.map(listingOf).join("\n")}</div></section>
${stripsOf(strips)}
${accessesOf(stats)}
${mixOf(stats)}
</main><footer>Written by ptxrun. These are exact counts of what the program did; there is no timing model behind them.</footer>
<script type="application/json" id="data">${dataOf(strips, program)}</script><script>${script}</script></body></html>
`;
}

/** The program's own text, each line linked with the one that it was compiled from. */
function ownOf({ program, stats }: Report): Listing {
  const { source, code } = program;
  const links = new Map<number, string>();
  const files = filesOf(stats);
  for (const { span, location } of code) {
    const { line } = source.position(span.start);
    if (location !== undefined && !links.has(line)) links.set(line, link(files, location));
  }
  const counts = new Map<number, LineSums>(stats.lines.map((each) => [each.line, each]));
  return { name: source.name, text: source.text.replace(/\n$/, "").split(/\r?\n/), counts, links };
}

function originalsOf({ stats, original }: Report): Listing[] {
  const files = filesOf(stats);
  return files.slice(0, MOST_FILES).map((file) => {
    const rows = stats.sources.filter((each) => each.file === file);
    return {
      name: fileName(file),
      text: original(file)?.text.replace(/\n$/, "").split(/\r?\n/),
      counts: new Map<number, LineSums>(rows.map((each) => [each.line, each])),
      links: new Map(rows.map((each) => [each.line, link(files, each)])),
    };
  });
}

/** Those with the most executions first. */
function filesOf({ sources }: Stats): string[] {
  const sums = new Map<string, number>();
  for (const { file, warp } of sources) sums.set(file, (sums.get(file) ?? 0) + warp);
  return [...sums].sort(([, a], [, b]) => b - a).map(([file]) => file);
}

const link = (files: readonly string[], { file, line }: { readonly file: string; readonly line: number }): string =>
  `${files.indexOf(file)}:${line}`;
