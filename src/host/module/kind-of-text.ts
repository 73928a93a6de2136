import { isVisa } from "../../../packages/visa/src/recognise.ts";
import { isModule } from "../../parser/index.ts";
import type { Source } from "../../source/source.ts";

/** What a text is: a PTX module, the body of a PTX kernel alone, or vISA. */
export type KindOfText = "module" | "snippet" | "vISA";

const kinds = new WeakMap<Source, KindOfText>();

/**
 * The kind of a text, cached for each source: determining it scans the complete text, and golden checks need it for
 * each case.
 */
export function kindOfText(source: Source): KindOfText {
  const known = kinds.get(source);
  if (known !== undefined) return known;
  const kind = isVisa(source.text) ? "vISA" : isModule(source.text) ? "module" : "snippet";
  kinds.set(source, kind);
  return kind;
}
