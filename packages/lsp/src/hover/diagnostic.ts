import { codes } from "../../../../src/source/index.ts";
import type { Document } from "../document.ts";
import type { Hover } from "./said.ts";

/** The pages of the diagnostics at an offset. */
export function diagnosticTexts(document: Document, offset: number): readonly Hover[] {
  const here = document.diagnostics.filter(
    ({ span }) => span.start <= offset && offset <= Math.max(span.end, span.start + 1),
  );
  const seen = new Set<string>();
  return here.flatMap(({ code, span }) => {
    const page = codes.get(code);
    if (page === undefined || seen.has(code)) return [];
    seen.add(code);
    const examples =
      page.wrong === undefined || page.right === undefined
        ? ""
        : `\n\nwrong:\n${fenced(page.wrong)}\n\nright:\n${fenced(page.right)}`;
    return [{ text: `**${code}: ${page.title}**\n\n${page.why}${examples}`, span }];
  });
}

const fenced = (text: string): string => `\`\`\`ptx\n${text}\n\`\`\``;
