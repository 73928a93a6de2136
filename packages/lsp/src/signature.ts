import { type Candidate, completions, type Form, match } from "../../../src/isa/index.ts";
import { formWords } from "../../../src/present/form.ts";
import type { Document } from "./document.ts";
import { placeAt } from "./text/place.ts";
import { sketchOf, wordsOf } from "./text/sketch.ts";

/** The operands of the unfinished instruction, for each form that it may be. */
export interface Signature {
  /** The manual's syntax line. */
  readonly label: string;
  /** Each operand: its position in the line, and what it accepts. */
  readonly operands: readonly { readonly start: number; readonly end: number; readonly takes: string }[];
  /** The operand at the cursor; past the last one where there are too many. */
  readonly active: number;
}

export function signatures(document: Document, offset: number): readonly Signature[] {
  if (document.kind === "vISA") return [];
  const place = placeAt(document, offset);
  if (place.within !== undefined || !place.inBody) return [];
  const sketch = sketchOf(place.before);
  const { mnemonic, modifiers } = sketch;
  const opcode = modifiers.at(-1) ?? mnemonic;
  if (mnemonic === undefined || opcode === undefined || opcode.end >= place.word.start) return [];
  const words = wordsOf(sketch);
  const found = match(mnemonic.text, words);
  const forms =
    found.kind === "forms" ? found.candidates.map(({ form }: Candidate) => form) : completions(mnemonic.text, words);
  const pairs = sketch.operands.at(-1)?.some(({ text }) => text === "|") ?? false;
  return forms.slice(0, 8).map((form) => signatureOf(form, words, sketch.operands.length - 1, pairs));
}

function signatureOf(form: Form, words: readonly string[], index: number, second: boolean): Signature {
  const { operands } = formWords(form, words);
  const head = form.syntax.indexOf(" ");
  const names = form.slots.flatMap((slot) => [slot.name, ...(slot.second ? [slot.second.name] : [])]);
  let at = head < 0 ? form.syntax.length : head;
  const shown = names.map((name) => {
    const start = parameterColumn(form.syntax, name, at);
    at = start + name.length;
    return { start, end: at, takes: operands.find((each) => each.name === name)?.takes ?? "" };
  });
  const slot = form.slots[index];
  const active =
    slot === undefined ? names.length : names.indexOf(second && slot.second ? slot.second.name : slot.name);
  return { label: form.syntax, operands: shown, active };
}

/** A name as a separate word. */
function parameterColumn(line: string, name: string, from: number): number {
  for (let at = line.indexOf(name, from); at >= 0; at = line.indexOf(name, at + 1))
    if (!/\w/.test(line.charAt(at - 1)) && !/\w/.test(line.charAt(at + name.length))) return at;
  return from;
}
