import { specialOf } from "../../resolve/instruction/special-register.ts";
import type { Span } from "../../source/source.ts";
import type { Document } from "../document.ts";
import { definitionOf } from "../names/text-names.ts";
import { funcAround } from "../navigate/name-at.ts";
import { type Place, placeAt } from "../text/place.ts";
import { sketchOf } from "../text/sketch.ts";
import type { Token } from "../text/tokens.ts";
import { constantText } from "./constant.ts";
import { diagnosticTexts } from "./diagnostic.ts";
import { directiveText } from "./directive.ts";
import { definitionText, inferredText, specialText } from "./name.ts";
import { opcodeText } from "./opcode.ts";
import type { Hover } from "./said.ts";

/** What stands at an offset: an instruction's form, a register with its writers, a constant's value ... and what is wrong there. */
export function hover(document: Document, offset: number): Hover | undefined {
  if (document.kind === "vISA") return undefined;
  const place = placeAt(document, offset);
  if (place.within !== undefined) return undefined;
  const about = place.whole.end > place.whole.start ? textAt(document, place) : undefined;
  const wrong = diagnosticTexts(document, offset);
  const texts = [...(about ? [about.text] : []), ...wrong.map(({ text }) => text)];
  const span = about?.span ?? wrong[0]?.span;
  return span === undefined ? undefined : { text: texts.join("\n\n---\n\n"), span };
}

function textAt(document: Document, place: Place): Hover | undefined {
  const { whole, before, after, word, func, inBody } = place;
  const text = document.text.slice(whole.start, whole.end);
  const kind = word.text === "" ? kindOf(text) : word.kind;
  const token: Token = { kind, text, start: whole.start, end: whole.end };
  const said = (text: string | undefined, span: Span = token): Hover | undefined =>
    text === undefined ? undefined : { text, span: { start: span.start, end: span.end } };
  if (inBody) {
    const sketch = sketchOf([...before, token, ...after]);
    const { mnemonic, modifiers } = sketch;
    // A label may stand where a mnemonic could.
    const opcode =
      mnemonic && [mnemonic, ...modifiers].some(({ start }) => start === token.start)
        ? opcodeText(document, func, sketch)
        : undefined;
    if (mnemonic && opcode !== undefined)
      return said(opcode, { start: mnemonic.start, end: (modifiers.at(-1) ?? mnemonic).end });
  }
  if (kind === "number") return said(constantText(document, func, token));
  const owner = kind === "dotted" && before.at(-1)?.end === token.start ? before.at(-1) : undefined;
  const name = owner ?? token;
  if (name.kind === "dotted") return said(directiveText(name.text));
  // A head declares names, too.
  const around = func ?? funcAround(document, name.start);
  const found = definitionOf(document, name, around);
  if (found !== undefined) return said(definitionText(document, name, found, around));
  const special = specialOf(name.text);
  if (special !== undefined) return said(specialText(special), { start: name.start, end: token.end });
  return inBody ? said(inferredText(document, name, func)) : undefined;
}

const kindOf = (text: string): Token["kind"] =>
  text.startsWith(".") ? "dotted" : /^\d/.test(text) ? "number" : "word";
