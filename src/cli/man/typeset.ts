import type { Palette } from "../../present/text/palette.ts";

/** Where text, the text under a tag, and the headings of parts begin. */
const TEXT = 7;
const BODY = 14;
const PART = 3;

/** A manual page as a terminal shows it: the macros of man(7) that `manual` writes, and no others. */
export function typeset(lines: readonly string[], columns: number, { strong }: Pick<Palette, "strong">): string {
  const out: string[] = [];
  let indent = TEXT;
  let words: string[] = [];
  let filling = true;
  let isTag = false;
  const fonts = (text: string): string => bare(text.replace(/\\fB(.*?)\\fR/g, (_, bold: string) => strong(bold)));
  const put = (text: string, at = indent): void => {
    out.push(text === "" ? "" : " ".repeat(at) + fonts(text));
  };
  const flush = (): void => {
    let line = "";
    for (const word of words) {
      if (line !== "" && indent + bare(line).length + 1 + bare(word).length > columns) {
        put(line);
        line = "";
      }
      line += line === "" ? word : ` ${word}`;
    }
    if (line !== "") put(line);
    words = [];
  };
  const bold = (text: string): string => `\\fB${text}\\fR`;
  for (const each of lines.flatMap((line) => line.split("\n"))) {
    const [, macro, rest = ""] = /^\.(\w+) ?(.*)$/.exec(each) ?? [];
    if (macro === undefined) {
      if (!filling) put(each);
      else if (isTag) put(each);
      else words.push(...each.split(" "));
      if (isTag) indent = BODY;
      isTag = false;
      continue;
    }
    flush();
    if (macro === "SH" || macro === "SS") {
      indent = TEXT;
      out.push("");
      put(bold(rest), macro === "SH" ? 0 : PART);
    } else if (macro === "TP" || macro === "PP") {
      indent = TEXT;
      isTag = macro === "TP";
      if (macro === "PP") out.push("");
    } else if (macro === "B") words.push(...rest.split(" ").map(bold));
    else if (macro === "BR") words.push(bold(rest.replace(/ \(.*/, "")) + (/\(.*/.exec(rest)?.[0] ?? ""));
    else if (macro === "nf" || macro === "fi") filling = macro === "fi";
  }
  flush();
  return `${out.join("\n").trim()}\n`;
}

/** A text without fonts, its escapes as the characters that they stand for. */
const bare = (text: string): string =>
  text
    .replace(/\\f[BIR]/g, "")
    .replaceAll("\\-", "-")
    .replaceAll("\\&", "")
    .replaceAll("\\e", "\\");
