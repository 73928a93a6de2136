// Character classes for the reader of plain bodies.

export const BLANK = 1;
export const LETTER = 2;
export const DIGIT = 4;
/** Characters allowed within a word. */
export const INSIDE = 8;

/** The class of a character, by its code. */
export const classes: Uint8Array = new Uint8Array(128);
for (const char of " \t\r\n") classes[char.charCodeAt(0)] = BLANK;
for (const char of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$")
  classes[char.charCodeAt(0)] = LETTER | INSIDE;
for (const char of "0123456789") classes[char.charCodeAt(0)] = DIGIT | INSIDE;
classes[46 /* . */] = INSIDE;
classes[37 /* % */] = LETTER;

export const EXCLAMATION = 33;
export const QUOTE = 34;
export const OPEN_PAREN = 40;
export const CLOSE_PAREN = 41;
export const PLUS = 43;
export const COMMA = 44;
export const MINUS = 45;
export const DOT = 46;
export const SLASH = 47;
export const COLON = 58;
export const SEMICOLON = 59;
export const AT = 64;
export const OPEN_BRACKET = 91;
export const CLOSE_BRACKET = 93;
export const OPEN_BRACE = 123;
export const BAR = 124;
export const CLOSE_BRACE = 125;
