type Child = Node | string | undefined | false;

export interface Properties {
  /** Attributes; an undefined or false one is left out. */
  readonly [attribute: string]: string | number | boolean | undefined | (() => void);
  readonly onclick?: () => void;
  readonly onchange?: () => void;
}

/** Makes an element with attributes and children; `onclick` and `onchange` listen. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return made;
}

/** The element of the page with an id; the page's own text has it. */
export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} ${id}`);
}

/** A menu of choices: value and words. */
export function select(
  label: string,
  choices: readonly (readonly [string, string])[],
  chosen: string,
  take: (value: string) => void,
): HTMLLabelElement {
  const menu = element(
    "select",
    {},
    ...choices.map(([value, text]) => element("option", { value, selected: value === chosen }, text)),
  );
  menu.addEventListener("change", () => take(menu.value));
  return element("label", { class: "pick" }, element("span", {}, label), menu);
}
