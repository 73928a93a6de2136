/** An element, or text, to be written. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly content: readonly (Element | string)[];
}

export const element = (
  name: string,
  attributes: Element["attributes"],
  ...content: readonly (Element | string)[]
): Element => ({ name, attributes, content });

/** As XML, with a line for each child of the outermost element and of what is directly below it. */
export function serialized(one: Element | string, depth = 0): string {
  if (typeof one === "string") return escaped(one);
  const attributes = Object.entries(one.attributes).map(
    ([name, value]) => ` ${name}="${typeof value === "number" ? rounded(value) : escaped(value)}"`,
  );
  const open = `<${one.name}${attributes.join("")}`;
  if (one.content.length === 0) return `${open}/>${depth === 0 ? "\n" : ""}`;
  const lines = depth < 2 && one.content.some((each) => typeof each !== "string");
  const inside = one.content.map((each) => serialized(each, depth + 1) + (lines ? "\n" : ""));
  return `${open}>${lines ? "\n" : ""}${inside.join("")}</${one.name}>${depth === 0 ? "\n" : ""}`;
}

/** A length with two decimals at most. */
export const rounded = (value: number): string => `${Math.round(value * 100) / 100}`;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (each) => entities[each] ?? each);
