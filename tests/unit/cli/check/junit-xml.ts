import { DOMParser, type Element as Node } from "@xmldom/xmldom";

/** An element of an XML text, with its own text and its children. */
export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Element[];
  readonly text: string;
}

/** Reads an XML 1.0 text; throws for anything that is not well-formed. */
export function readXml(text: string): Element {
  if (!text.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n')) throw new Error("no declaration");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 allows none of them, and the parser lets them pass
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text)) throw new Error("a character XML forbids");
  // Neither does it mind these.
  if (/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)/.test(text)) throw new Error("a & that begins no entity");
  const parser = new DOMParser({
    onError: (level, message) => {
      throw new Error(`${level}: ${message}`);
    },
  });
  const { documentElement } = parser.parseFromString(text, "text/xml");
  if (documentElement === null) throw new Error("no element");
  return elementOf(documentElement);
}

const elementOf = (node: Node): Element => ({
  name: node.tagName,
  attributes: new Map([...node.attributes].map(({ name, value }) => [name, value])),
  children: [...node.childNodes].flatMap((each) =>
    each.nodeType === each.ELEMENT_NODE ? [elementOf(each as Node)] : [],
  ),
  text: [...node.childNodes].map((each) => (each.nodeType === each.TEXT_NODE ? (each.nodeValue ?? "") : "")).join(""),
});
