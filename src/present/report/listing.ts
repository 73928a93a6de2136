import type { LineSums } from "../../host/stats/line-counts.ts";
import { ratio } from "../trace/line-stats.ts";
import { code, grouped, html, many } from "./html.ts";

/** A text with counts for its lines. */
export interface Listing {
  /** Its name on the page. */
  readonly name: string;
  /** All lines of the text, or undefined where only their numbers are known. */
  readonly text: readonly string[] | undefined;
  readonly counts: ReadonlyMap<number, LineSums>;
  /** By line, the link between lines of two listings: lines of the PTX and the line that they were compiled from. */
  readonly links: ReadonlyMap<number, string>;
}

/** Lines with counts that are shown; of more, the most frequent ones. */
const MAX_COUNTED_LINES = 2000;
/** Lines shown around those that ran. */
const AROUND = 2;
/** Lines that did not run and can be unfolded, at most. */
const FOLDABLE = 1500;

/** A text whose lines are as hot as they are frequent. Runs of lines that did nothing are folded. */
export function listingOf({ name, text, counts, links }: Listing): string {
  const chosen = [...counts].sort(([, a], [, b]) => b.warp - a.warp).slice(0, MAX_COUNTED_LINES);
  const hottest = Math.max(1, chosen[0]?.[1].warp ?? 0);
  const shown = new Map(chosen);
  const rows =
    text === undefined
      ? [...shown.keys()].sort((a, b) => a - b).map((line) => row(line, "", shown.get(line), hottest, links.get(line)))
      : rowsOf(text, shown, hottest, links);
  const left = counts.size - shown.size;
  const more = left === 0 ? "" : `<p class="q">${many(left, "line")} of fewer executions are not marked.</p>`;
  const about = text === undefined ? `<p class="q">Its text was not found: --source-dir says where it is.</p>` : "";
  return `<section class="pane"><h3>${html(name)}</h3>${about}
<div class="code" tabindex="0" role="listbox" aria-label="lines of ${html(name)}">${rows.join("")}</div>
<p class="read" aria-live="polite">Choose a line, by pointer or arrow keys, to see its counts.</p>${more}</section>`;
}

/** Lines that are shown with those around them, and what is between, folded. */
function rowsOf(
  text: readonly string[],
  shown: ReadonlyMap<number, LineSums>,
  hottest: number,
  links: Listing["links"],
): string[] {
  const isNear = (line: number): boolean => {
    for (let other = line - AROUND; other <= line + AROUND; other++) if (shown.has(other)) return true;
    return false;
  };
  const rows: string[] = [];
  let foldable = FOLDABLE;
  for (let line = 1; line <= text.length; ) {
    // Lines are linked through `.loc`.
    if (text[line - 1]?.trimStart().startsWith(".loc")) {
      line++;
      continue;
    }
    if (isNear(line)) {
      rows.push(row(line, text[line - 1] ?? "", shown.get(line), hottest, links.get(line)));
      line++;
      continue;
    }
    const from = line;
    while (line <= text.length && !isNear(line)) line++;
    const size = line - from;
    foldable -= size;
    const says = many(size, "line");
    if (foldable < 0) rows.push(`<div class="f">${says}</div>`);
    else {
      const inner = text.slice(from - 1, line - 1).map((each, at) => row(from + at, each, undefined, hottest));
      rows.push(`<details class="f"><summary>${says}</summary>${inner.join("")}</details>`);
    }
  }
  return rows;
}

function row(line: number, text: string, sums: LineSums | undefined, hottest: number, link?: string): string {
  const heat = sums === undefined ? "" : ` style="--h:${Math.sqrt(sums.warp / hottest).toFixed(2)}"`;
  const linked = link === undefined ? "" : ` data-s="${link}"`;
  const title = sums === undefined ? "" : ` title="${html(`line ${line}: ${inWords(sums)}`)}"`;
  const count = sums === undefined ? "" : short(sums.warp);
  const marks = sums === undefined ? "" : marksOf(sums);
  return `<div class="l${sums === undefined ? "" : " x"}" role="option"${linked}${heat}${title}><b>${line}</b><i>${count}</i><code>${code(text)}${marks}</code></div>`;
}

/** `1.2k`, `3.4M`: what fits in a column. */
const short = (count: number): string => {
  for (const [unit, name] of units) if (count >= unit) return `${(count / unit).toPrecision(3)}${name}`;
  return String(count);
};
const units = [
  [1e9, "G"],
  [1e6, "M"],
  [1e4, "k"],
] as const;

/** Labels for the noteworthy counts of a line. */
function marksOf({ divergent, barriers, transfers, sectors, fewest, parts, passes, conflicts }: LineSums): string {
  const marks: string[] = [];
  const mark = (kind: string, text: string): void => {
    marks.push(`<s class="${kind}">${text}</s>`);
  };
  if (divergent > 0) mark("warn", `${short(divergent)} divergent`);
  if (barriers > 0) mark("sync", "barrier");
  if (transfers > 0) mark(sectors > fewest ? "warn" : "good", `${ratio(sectors, transfers)} sectors`);
  if (parts > 0 && conflicts > 0) mark("bad", `${ratio(passes, parts)} passes`);
  else if (parts > 0) mark("good", "no conflicts");
  return marks.length === 0 ? "" : ` ${marks.join(" ")}`;
}

/** All of a line's counts as a sentence. */
export function inWords(sums: LineSums): string {
  const { warp, active, thread, divergent, barriers, transfers, sectors, fewest, parts, passes, conflicts } = sums;
  const said = [
    `${many(warp, "execution")} by warps, ${grouped(thread)} by threads`,
    `${ratio(active, Math.max(1, warp))} lanes of 32 active`,
  ];
  if (divergent > 0) said.push(`${many(divergent, "divergent branch", "divergent branches")}`);
  if (barriers > 0) said.push(`${many(barriers, "arrival")} at a barrier`);
  if (transfers > 0) said.push(`${ratio(sectors, transfers)} sectors a request, ${ratio(fewest, transfers)} would do`);
  if (parts > 0)
    said.push(
      `${many(passes, "pass", "passes")} of shared memory for ${many(parts, "part")}, ${grouped(conflicts)} by conflicts`,
    );
  return said.join("; ");
}
