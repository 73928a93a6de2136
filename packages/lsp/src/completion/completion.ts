import { specialRegisters } from "../../../../src/isa/special-registers.ts";
import type { Document } from "../document.ts";
import { moduleNames } from "../names/text-names.ts";
import { type Place, placeAt } from "../text/place.ts";
import { sketchOf } from "../text/sketch.ts";
import { completeDirective } from "./directive.ts";
import { at, type Completion } from "./item.ts";
import { namesAt } from "./names.ts";
import { completeMnemonic, completeSuffix } from "./opcode.ts";
import { completeGuard, completeOperand } from "./operand.ts";

/** Directives of golden checks in a comment. */
function completeComment(document: Document, { within, offset }: Place): readonly Completion[] {
  if (within === undefined || within.kind !== "comment") return [];
  const written = document.text.slice(within.start, offset);
  const begun = /^\/\/@\s*(\w*)$/.exec(written);
  if (begun) {
    const item = at({ start: offset - (begun[1]?.length ?? 0), end: offset });
    return [
      item("directive", "case", { insert: "case ", detail: "case NAME: INPUTS -> EXPECTATIONS" }),
      item("directive", "args", { insert: "args: ", detail: "options of the cases below" }),
      item("directive", "launch", { insert: "launch ", detail: "launch KERNEL OPTIONS: ARGUMENTS" }),
      item("directive", "snapshot", { detail: "compare with NAME.snap" }),
    ];
  }
  const launch = /^\/\/@\s*launch\s+([\w$]*)$/.exec(written);
  const kernels = moduleNames(document).filter(({ kind }) => kind === "kernel");
  if (launch) {
    const item = at({ start: offset - (launch[1]?.length ?? 0), end: offset });
    return kernels.map(({ name }) => item("function", name));
  }
  const inputs = /^\/\/@\s*(?:case|launch|snapshot)\b.*:(?:.*\s)?([\w$]*)$/.exec(written);
  if (!inputs) return [];
  const item = at({ start: offset - (inputs[1]?.length ?? 0), end: offset });
  const heads = document.module.value.items.flatMap((each) =>
    each.kind === "function" && each.entry ? each.parameters : [],
  );
  const names = new Set(heads.flatMap(({ name }) => (name === undefined ? [] : [name.text])));
  return [...names].map((name) => item("parameter", name, { insert: `${name}=` }));
}

/** What may be written at an offset: only what the text's version, its target or the instruction's form allows. */
export function completions(document: Document, offset: number): readonly Completion[] {
  if (document.kind === "vISA") return [];
  const place = placeAt(document, offset);
  const all = candidates(document, place).filter(({ label }) => label.startsWith(place.word.text) || place.within);
  return [...all].sort((a, b) => a.rank - b.rank || (a.label < b.label ? -1 : 1));
}

function candidates(document: Document, place: Place): readonly Completion[] {
  const { within, inBody, before, word } = place;
  if (within !== undefined) return completeComment(document, place);
  const [first] = before;
  if (!inBody || first?.kind === "dotted") return completeDirective(document, place);
  const last = before.at(-1);
  const against = last !== undefined && last.end === word.start && (word.kind === "dotted" || word.text === "");
  const sketch = sketchOf(before);
  if (sketch.guarding) return completeGuard(document, place);
  if (sketch.mnemonic === undefined) {
    const mnemonics = word.kind === "dotted" ? [] : completeMnemonic(document, place);
    return before.length > 0 ? mnemonics : [...mnemonics, ...completeDirective(document, place)];
  }
  const opcode = sketch.modifiers.at(-1) ?? sketch.mnemonic;
  if (
    word.kind === "dotted" &&
    opcode.end === word.start &&
    sketch.operands.length === 1 &&
    !sketch.operands[0]?.length
  )
    return completeSuffix(document, place, sketch);
  if (against && word.kind === "dotted") return components(document, place);
  if (opcode.end === word.start) return [];
  return completeOperand(document, place, sketch);
}

/** `.x` of `%tid` and of vectors. */
function components(document: Document, place: Place): readonly Completion[] {
  const { before, whole } = place;
  const name = before.at(-1)?.text ?? "";
  const item = at(whole);
  const parts = (count: number) => [...".x .y .z .w".split(" ")].slice(0, count).map((part) => item("component", part));
  const own = namesAt(document, place).definitions.find((each) => each.name === name);
  const size = /^v(\d)/.exec(own?.type ?? "")?.[1];
  if (size !== undefined) return parts(Number(size));
  return own === undefined && specialRegisters.get(name.slice(1))?.vector && name.startsWith("%") ? parts(3) : [];
}
