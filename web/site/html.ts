/** Markup that is safe to stand in a page. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | undefined | false | readonly Part[];

/** Markup with values in it: texts are escaped, lists follow one another, `undefined` and `false` are nothing. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: strings.map((text, at) => (at === 0 ? text : written(parts[at - 1]) + text)).join(""),
});

/** Markup that was made elsewhere. */
export const raw = (text: string): Html => ({ html: text });

export const nothing: Html = raw("");

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

function written(part: Part): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "string") return escaped(part);
  if (typeof part === "number") return String(part);
  return "html" in part ? part.html : part.map(written).join("");
}

/** Parts with something between them. */
export const joined = (parts: readonly Part[], between: Part): Html =>
  html`${parts.map((part, at) => (at === 0 ? part : [between, part]))}`;

/** A name for an address: lower case, letters and digits with single hyphens between them. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .join("-");
