import { match } from "../../../src/isa/index.ts";
import { spelled } from "./instruction.ts";

/** The syntax lines of the forms that the lines of a program may be; a spelling of several forms counts for all of them. */
export function formsIn(lines: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const line of lines) {
    const name = spelled(line);
    if (name === undefined) continue;
    const [mnemonic = "", ...words] = name.split(".");
    const matched = match(mnemonic, words, name);
    if (matched.kind === "forms") for (const { form } of matched.candidates) found.add(form.syntax);
  }
  return found;
}
