/**
 * Characters that must not reach a terminal unescaped: C0 and C1 controls, DEL, line and paragraph separators, marks
 * that turn the direction of text (a source that reads differently from what runs), zero-width marks, and lone
 * surrogates.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\ud800-\udfff]/u;

/** One character as it may be printed: itself, or `\n`, `\t`, `\x1b`, `\u{202e}`. */
export function visible(character: string): string {
  if (!unsafe.test(character)) return character;
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  if (character === "\r") return "\\r";
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}

/** Text from the input, made safe for one line of output: nothing in it moves the cursor, colours or hides text. */
export const printable = (text: string): string => Array.from(text, visible).join("");

/** The same for text of several lines: line ends and tabs are kept. */
export const printableLines = (text: string): string => text.replace(/[^\n\t]+/g, printable);
