import { printable } from "../text/escape.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text from the input as it may stand in HTML, in an attribute too: nothing in it is markup or hides other text. */
export const html = (text: string): string => printable(text).replace(/[&<>"']/g, (each) => entities[each] ?? each);

/** The same for a line of code, whose tabs become blanks; cut where it is very long. */
export const code = (line: string): string => {
  const text = line.replace(/\t/g, "    ").trimEnd();
  return html(text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text);
};
const LONGEST = 200;

/** Data that the page's script reads: no text in it ends the element that it stands in. */
export const json = (data: unknown): string => JSON.stringify(data).replace(/</g, "\\u003c");

/** `1,234,567`. */
export const grouped = (count: number): string => count.toLocaleString("en-US");

/** `1 pass`, `2 passes`. */
export const many = (count: number, one: string, several = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : several}`;
