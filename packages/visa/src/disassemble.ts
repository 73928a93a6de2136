import { hasErrors, type Staged } from "../../../src/source/diagnostic.ts";
import { Source } from "../../../src/source/source.ts";
import { readObject } from "./binary/read.ts";
import { printFile } from "./text/print.ts";

/** The text of an object, for all consumers of text: spans, messages, stepping. */
export function disassemble(name: string, bytes: Uint8Array): Staged<Source | undefined> {
  const { value, diagnostics } = readObject(name, bytes);
  if (value === undefined || hasErrors(diagnostics)) return { value: undefined, diagnostics };
  return { value: new Source(name, printFile(value)), diagnostics };
}
