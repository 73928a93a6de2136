import { type Html, html } from "./html.ts";

/** Comments, texts, directives with their dots, specials and other words with what follows their dots, numbers, and the rest. */
const pieces =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<text>"[^"\n]*")|(?<directive>\.[A-Za-z_][\w:]*)|(?<special>%[A-Za-z_][\w.]*)|(?<number>\d[\w.]*)|(?<word>[A-Za-z_$][\w$]*(?:(?:\.|::)\w+)*)|(?<rest>\s+|[\s\S])/g;

/** PTX with its parts in colours; what is not PTX comes out as it is. */
export function highlighted(text: string): Html {
  // An instruction begins at the start, behind the end of what was before, and behind its guard.
  let begins = true;
  let guarded = false;
  const parts: Html[] = [];
  for (const { 0: piece, groups = {} } of text.matchAll(pieces)) {
    if (groups["rest"] !== undefined) {
      if (piece === "@") guarded = begins;
      else if (";{}:".includes(piece) || piece === "\n") begins = true;
      parts.push(html`${piece}`);
      continue;
    }
    if (groups["comment"] !== undefined) {
      parts.push(html`<i class="c-comment">${piece}</i>`);
      continue;
    }
    if (guarded) {
      guarded = false;
      parts.push(html`<i class="c-register">${piece}</i>`);
      continue;
    }
    if (groups["word"] !== undefined && begins) parts.push(opcode(piece, text));
    else if (groups["word"] !== undefined) parts.push(html`${piece}`);
    else parts.push(html`<i class="c-${kindOf(groups, piece)}">${piece}</i>`);
    begins = groups["directive"] !== undefined && piece === ".visible";
  }
  return html`${parts}`;
}

const kindOf = (groups: Readonly<Record<string, string | undefined>>, piece: string): string =>
  groups["directive"] !== undefined
    ? "directive"
    : groups["number"] !== undefined || groups["text"] !== undefined
      ? "number"
      : /^%(?:tid|ntid|ctaid|nctaid|laneid|warpid|clock|cluster|globaltimer|smid|gridid|lanemask|dynamic|total|envreg|pm)/.test(
            piece,
          )
        ? "special"
        : "register";

/** The mnemonic and its modifiers; a word before a colon is a label. */
function opcode(word: string, text: string): Html {
  if (text.includes(`${word}:`) && !word.includes(".")) return html`<i class="c-label">${word}</i>`;
  const dot = word.indexOf(".");
  if (dot < 0) return html`<i class="c-mnemonic">${word}</i>`;
  return html`<i class="c-mnemonic">${word.slice(0, dot)}</i><i class="c-modifier">${word.slice(dot)}</i>`;
}
