import type { LineCount } from "../../host/stats/line-counts.ts";
import type { Stats } from "../../host/stats/stats.ts";
import { percent } from "../text/percent.ts";
import { ratio } from "../trace/line-stats.ts";
import { code, grouped, html, many } from "./html.ts";

/** The numbers of the launch, one beside another. */
export function cardsOf({ instructions, lanes, branches, barriers, memory, banks }: Stats): string {
  const sectors = memory.reduce((sum, each) => sum + each.sectors, 0);
  const fewest = memory.reduce((sum, each) => sum + each.fewest, 0);
  const cards: [name: string, value: string, about: string][] = [
    ["warp instructions", grouped(instructions.warp), `${grouped(instructions.thread)} of threads`],
    ["lanes", percent(lanes.taken, lanes.all), "active and past their guards"],
    ["branches", grouped(branches.warp), `${grouped(branches.divergent)} divergent`],
    ["sectors", grouped(sectors), sectors === 0 ? "no global accesses" : `${grouped(fewest)} would do`],
    ["shared passes", grouped(banks.passes), `${grouped(banks.conflicts)} by conflicts`],
    ["barriers", grouped(barriers.completed), many(barriers.warp, "arrival")],
  ];
  const all = cards.map(([name, value, about]) => `<div><dt>${name}</dt><dd>${value}</dd><dd>${about}</dd></div>`);
  return `<dl class="cards">${all.join("")}</dl>`;
}

/** Sections of the manual as bars. */
export function mixOf({ mix }: Stats): string {
  const most = Math.max(1, ...mix.map(({ warp }) => warp));
  const rows = mix.map(
    ({ section, title, warp }) =>
      `<div class="bar" style="--h:${(warp / most).toFixed(3)}"><span>${html(`${section} ${title}`)}</span><span>${grouped(warp)}</span></div>`,
  );
  return `<section><h2>What kind of instructions</h2>${rows.join("")}</section>`;
}

/** Accesses that are shown; those with the most to gain come first. */
const MAX_SHOWN_ACCESSES = 24;

/** Each line with accesses to global, local or shared memory: what they take, against what would do. */
export function accessesOf({ lines }: Stats): string {
  const touching = lines
    .filter(({ transfers, parts }) => transfers > 0 || parts > 0)
    .sort((a, b) => excess(b) - excess(a) || b.requests - a.requests);
  if (touching.length === 0) return "";
  const rows = touching.slice(0, MAX_SHOWN_ACCESSES).map(accessOf);
  const left = touching.length - rows.length;
  const more = left === 0 ? "" : `<p class="q">${many(left, "more line")} with less to gain.</p>`;
  return `<section><h2>What memory accesses take</h2>
<p class="q">A full bar takes no more than it must. Those with the most to gain come first.</p>${rows.join("")}${more}</section>`;
}

const excess = ({ sectors, fewest, conflicts }: LineCount): number => sectors - fewest + conflicts;

function accessOf({ line, text, requests, transfers, sectors, fewest, parts, passes }: LineCount): string {
  const bars: string[] = [];
  if (transfers > 0)
    bars.push(
      meter(fewest, sectors, `${ratio(sectors, transfers)} sectors a request, ${ratio(fewest, transfers)} would do`),
    );
  if (parts > 0)
    bars.push(
      meter(parts, passes, `${ratio(passes, parts)} ${passes === parts ? "pass" : "passes"} through the banks a part`),
    );
  return `<div class="a"><code>${line}  ${code(text)}</code><span class="q">${many(requests, "request")}</span>${bars.join("")}</div>`;
}

function meter(good: number, all: number, says: string): string {
  const share = all === 0 ? 1 : good / all;
  const kind = share === 1 ? "good" : share >= 0.5 ? "warn" : "bad";
  return `<div class="m ${kind}" style="--h:${share.toFixed(3)}"><span>${says}</span></div>`;
}
