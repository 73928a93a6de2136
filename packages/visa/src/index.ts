import { hasErrors, type Staged } from "../../../src/source/diagnostic.ts";
import type { Source } from "../../../src/source/source.ts";
import { type LoadOptions, loadFile, type VisaImage } from "./resolve/load.ts";
import { platformOf } from "./resolve/platform.ts";
import { parseVisa } from "./text/parse.ts";
import { besideOf } from "./zeinfo/beside.ts";

export { readObject } from "./binary/read.ts";
export { objectVersion } from "./binary/version.ts";
export { writeObject } from "./binary/write.ts";
export { disassemble } from "./disassemble.ts";
export type { Form } from "./isa/define.ts";
export type { Named } from "./isa/named.ts";
export { forms } from "./isa/table.ts";
export type { LoadOptions, VisaImage } from "./resolve/load.ts";
export { type Platform, platformNamed, platformOf, usual } from "./resolve/platform.ts";
export { typedVisa } from "./resolve/typed.ts";
export { parseVisa } from "./text/parse.ts";
export { printFile } from "./text/print.ts";
export { type Beside, besideOf, type Constants, describe, functionPath, joined, zeinfoPaths } from "./zeinfo/beside.ts";

/**
 * Reads a vISA text: `Program`s that run like those of PTX, and the variables that hosts set and dump. After syntax
 * errors, meaning is not checked. Never throws for bad input.
 */
export function loadVisa(source: Source, options: LoadOptions = {}): Staged<VisaImage | undefined> {
  const platform = options.platform ?? platformOf(source.text);
  const grf = options.grf ?? platform.grf;
  const snippet = !/^[^\S\r\n\u2028\u2029]*\.(?:version|kernel|global_function)\b/m.test(source.text);
  const parsed = parseVisa(source, { grf, snippet });
  if (hasErrors(parsed.diagnostics)) return { value: undefined, diagnostics: parsed.diagnostics };
  const beside = options.beside ?? besideOf(source);
  const loaded = loadFile(source, parsed.value, { ...options, platform, infer: snippet, ...(beside && { beside }) });
  return { value: loaded.value, diagnostics: [...parsed.diagnostics, ...loaded.diagnostics] };
}
