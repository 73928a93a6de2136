import { Source } from "../../source/source.ts";
import { kindOfText } from "./kind-of-text.ts";

/** PTX text, with a name for messages. */
export type Text = string | { readonly name: string; readonly text: string } | Source;

export const sourceOf = (text: Text): Source =>
  text instanceof Source
    ? text
    : typeof text === "string"
      ? new Source("<text>", text)
      : new Source(text.name, text.text);

/** True for a module, false for a snippet: text without `.version`, `.entry` and `.func`. */
export const isModuleText = (text: Text): boolean => kindOfText(sourceOf(text)) !== "snippet";

/** Defaults for the header that a text lacks: a snippet, or a module without `.version` or `.target`. */
export interface SnippetOptions {
  /** `sm_90`; by default a snippet may use every form, and a module gets the oldest sufficient target. */
  readonly target?: string;
  /** `8.7`; the newest by default. */
  readonly version?: string;
}
