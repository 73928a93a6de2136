/** An element of an XML text, as far as JUnit files go: no namespaces, no CDATA. */
export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Element[];
  readonly text: string;
}

/** Reads an XML 1.0 text; throws for anything that is not well-formed. */
export function readXml(text: string): Element {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!text.startsWith(declaration)) throw new Error("no declaration");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 allows none of them, escaped or not
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text)) throw new Error("a character XML forbids");
  const { element, at } = elementAt(text, declaration.length);
  if (text.slice(at).trim() !== "") throw new Error(`behind the end: ${text.slice(at)}`);
  return element;
}

function elementAt(text: string, start: number): { element: Element; at: number } {
  const open = /<([a-z]+)((?:\s+[a-z]+="[^"<]*")*)\s*(\/?)>/y;
  open.lastIndex = start;
  const found = open.exec(text);
  if (found === null) throw new Error(`no element at ${text.slice(start, start + 40)}`);
  const [whole, name = "", list = "", closed] = found;
  const attributes = new Map<string, string>();
  for (const [, key = "", value = ""] of list.matchAll(/([a-z]+)="([^"]*)"/g)) {
    if (attributes.has(key)) throw new Error(`${key} twice`);
    attributes.set(key, plain(value));
  }
  let at = start + whole.length;
  const children: Element[] = [];
  let inner = "";
  if (closed === "/") return { element: { name, attributes, children, text: "" }, at };
  for (;;) {
    const next = text.indexOf("<", at);
    if (next < 0) throw new Error(`${name} is not closed`);
    inner += plain(text.slice(at, next));
    if (text.startsWith("</", next)) {
      if (!text.startsWith(`</${name}>`, next)) throw new Error(`${name} is closed by another`);
      return { element: { name, attributes, children, text: inner }, at: next + name.length + 3 };
    }
    const child = elementAt(text, next);
    children.push(child.element);
    at = child.at;
  }
}

/** Text without its entities; a bare `&` is none. */
function plain(text: string): string {
  return text.replace(/&(\w*);?/g, (entity) => {
    const character = new Map([
      ["&amp;", "&"],
      ["&lt;", "<"],
      ["&gt;", ">"],
      ["&quot;", '"'],
    ]).get(entity);
    if (character === undefined) throw new Error(`${entity} is no entity`);
    return character;
  });
}
