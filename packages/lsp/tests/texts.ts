import { Document } from "../src/document.ts";
import type { Settings } from "../src/settings.ts";
import { lintVisa } from "../src/visa/lint.ts";

/** A document and the offset of the `|` in its text, which is not part of it. */
export function marked(
  text: string,
  settings: Settings = {},
): { readonly document: Document; readonly offset: number } {
  const offset = text.indexOf("|");
  if (offset < 0) throw new Error("no | in the text");
  const whole = text.slice(0, offset) + text.slice(offset + 1);
  return { document: new Document("text.ptx", whole, { settings, visa: lintVisa }), offset };
}

export const header = (version = "8.0", target = "sm_80"): string =>
  `.version ${version}\n.target ${target}\n.address_size 64\n`;

/** A kernel around some statements. */
export const kernel = (body: string, more: { readonly version?: string; readonly target?: string } = {}): string =>
  `${header(more.version, more.target)}.visible .entry k(.param .u64 p, .param .u32 n)\n{\n${body}\n}\n`;
