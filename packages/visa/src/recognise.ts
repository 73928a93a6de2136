/**
 * True for text with a statement that only vISA has, and none that only PTX has; or an instruction with a mask. It runs
 * on every text, also of ten megabytes: the test that decides soonest for PTX comes first.
 */
export const isVisa = (text: string): boolean =>
  (!/^[ \t]*\.(?:target|entry)\b/m.test(text) &&
    /\.(?:kernel|global_function|decl)/.test(text) &&
    /^[ \t]*\.(?:kernel|global_function|decl|kernel_attr)\b/m.test(text)) ||
  (mayHaveMask(text) &&
    /^[ \t]*(?:\([^)\n]{1,80}\)[ \t]*)?[A-Za-z][\w.]*[ \t]*\([ \t]*(?:M[1-8](?:_NM)?|NoMask)[ \t]*,[ \t]*\d+[ \t]*\)/m.test(
      text,
    ));

const MASK = /\([ \t]*(?:M[1-8]|NoMask)/y;

/** True where a mask follows a parenthesis. PTX has few of these, and to search for one character is quick. */
function mayHaveMask(text: string): boolean {
  for (let at = text.indexOf("("); at >= 0; at = text.indexOf("(", at + 1)) {
    MASK.lastIndex = at;
    if (MASK.test(text)) return true;
  }
  return false;
}

/** "CISA", with which every object begins. */
export const magic = [0x43, 0x49, 0x53, 0x41] as const;

/** Whether a file is a vISA object rather than text. */
export const isObject = (bytes: Uint8Array): boolean => magic.every((byte, at) => bytes[at] === byte);
