import { printable } from "../../../present/escape.ts";

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text for XML and HTML: no markup of its own, nothing that no document may have. */
export const escaped = (text: string): string =>
  printable(text).replace(/[&<>"]|[\ufffe\uffff]/g, (character) => entities[character] ?? "\ufffd");
