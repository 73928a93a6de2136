import { sitePolicy } from "../build/policy.js";
import { type Html, html, nothing, raw } from "./html.ts";

/** A file of the site: its path from the root, and its text. */
export interface File {
  readonly path: string;
  readonly text: string;
}

/** What a page says of itself. */
export interface Page {
  /** From the root: `manual/integer.html`. */
  readonly path: string;
  readonly title: string;
  readonly about: string;
  /** Which part of the site it belongs to. */
  readonly part: Part | undefined;
  /** Stands beside the text on wide screens, before it on narrow ones. */
  readonly beside?: Html;
  /** A script of its own, below `assets`. */
  readonly script?: string;
  readonly main: Html;
}

export type Part = "manual" | "messages" | "docs";

/** The playground's page. */
export const PLAYGROUND = "play.html";

/** The way from a page to the root: `../` once for each folder. */
export const upFrom = (path: string): string => "../".repeat(path.split("/").length - 1);

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230b6b54'/%3E%3Cpath d='M4 4h3v3H4zM4 9h3v3H4zM9 4h3v3H9z' fill='%23fff'/%3E%3C/svg%3E";

/** A page in the frame that all share. */
export function page({ path, title, about, part, beside, script, main }: Page): File {
  const up = upFrom(path);
  const link = (to: string, name: string, own: Part | undefined): Html =>
    html`<li><a class="place" href="${up}${to}"${part !== undefined && own === part ? html` aria-current="true"` : nothing}>${name}</a></li>`;
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${raw(sitePolicy)}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${about}">
<title>${title}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${up}assets/colours.css">
<link rel="stylesheet" href="${up}assets/site.css">
<script src="${up}assets/site.js" data-root="${up}"></script>${script === undefined ? nothing : html`\n<script src="${up}assets/${script}" defer></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header class="top">
<a class="brand" href="${up}index.html">ptxrun</a>
<nav aria-label="Site"><ul>
${link(PLAYGROUND, "Playground", undefined)}
${link("manual/index.html", "Manual", "manual")}
${link("messages/index.html", "Messages", "messages")}
${link("docs/index.html", "Guides", "docs")}
</ul></nav>
<div class="tools">
<button type="button" id="search" class="search" aria-haspopup="dialog" aria-keyshortcuts="/" hidden>Search<kbd aria-hidden="true">/</kbd></button>
<button type="button" id="theme" class="icon" hidden>Theme</button>
</div>
</header>
<div class="columns${beside === undefined ? " alone" : ""}">
${beside === undefined ? nothing : html`<nav class="beside" aria-label="On this page">${beside}</nav>`}
<main id="main" tabindex="-1">
${main}
</main>
</div>
<footer>
<p>Made from the same sources as the program. Nothing on this page is fetched from elsewhere.</p>
</footer>
</body>
</html>
`;
  return { path, text: text.html };
}

/** A line of a contents list: the address within the page, what it is called, and lines below it. */
export interface Stop {
  readonly id: string;
  readonly name: Html;
  readonly below?: readonly Stop[];
}

/** A contents list that can be folded. */
export const contents = (title: string, stops: readonly Stop[]): Html =>
  html`<details open><summary>${title}</summary>${list(stops)}</details>`;

const list = (stops: readonly Stop[], kind = "stop"): Html =>
  html`<ul>${stops.map(({ id, name, below = [] }) => html`<li><a class="${kind}" href="#${id}">${name}</a>${below.length === 0 ? nothing : list(below, "stop inner")}</li>`)}</ul>`;
