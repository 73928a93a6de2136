import type { LoadOptions as VisaOptions } from "../../../packages/visa/src/index.ts";
import { targetNumber } from "../../numeric/tensor/rules.ts";
import type { Staged } from "../../source/diagnostic.ts";
import type { Kind } from "../../source/given.ts";
import { Source } from "../../source/source.ts";
import { isContainer, ptxIn } from "../container/device-code.ts";
import { kindOfText } from "./kind-of-text.ts";

/** PTX text, with a name for messages. */
export type Text = string | { readonly name: string; readonly text: string } | Source;

/** A file that is not text: a cubin, a fat binary, an object, a library or a program with PTX in it. */
export type ModuleFile = Uint8Array | { readonly name: string; readonly bytes: Uint8Array };

/** A text as it is; of a file the PTX for `target` (`sm_90`), by default for the newest. */
export function textOf(given: Text | ModuleFile, target?: string): Staged<Text | undefined> {
  if (typeof given === "string" || given instanceof Source || "text" in given) return { value: given, diagnostics: [] };
  const { name, bytes } = given instanceof Uint8Array ? { name: "<module>", bytes: given } : given;
  if (!isContainer(bytes)) return { value: { name, text: new TextDecoder().decode(bytes) }, diagnostics: [] };
  const { value: text, diagnostics } = ptxIn(name, bytes, target === undefined ? undefined : targetNumber(target));
  return { value: text === undefined ? undefined : { name, text }, diagnostics };
}

export const sourceOf = (text: Text): Source =>
  text instanceof Source
    ? text
    : typeof text === "string"
      ? new Source("<text>", text)
      : new Source(text.name, text.text);

/** True for a module, false for a snippet: text without `.version`, `.entry` and `.func`. */
export const isModuleText = (text: Text): boolean => kindOfText(sourceOf(text)) !== "snippet";

export const snippetOptions: Readonly<Record<keyof SnippetOptions, Kind>> = {
  target: "text",
  version: "text",
  override: "truth",
};

/** The options of a module, of vISA too. */
export const moduleOptions: Readonly<Record<keyof (SnippetOptions & VisaOptions), Kind>> = {
  ...snippetOptions,
  platform: "object",
  grf: "number",
  infer: "truth",
  beside: "object",
};

/** Defaults for the header that a text lacks: a snippet, or a module without `.version` or `.target`. */
export interface SnippetOptions {
  /** `sm_90`; by default a snippet may use every form, and a module gets the oldest sufficient target. */
  readonly target?: string;
  /** The target counts in place of the one that a module states, which PTX9021 says. */
  readonly override?: boolean;
  /** `8.7`; the newest by default. */
  readonly version?: string;
}
