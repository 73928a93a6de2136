import { malformed } from "./itanium/output.ts";

/** A mangled name being read from left to right. Every reading function throws `malformed` where it finds something else. */
export class Reader {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  /** The character at a distance from here; nothing past the end. */
  peek(ahead = 0): string {
    return this.text[this.at + ahead] ?? "";
  }

  /** True if this comes next. */
  sees(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  /** Consumes this text if it comes next. */
  takes(text: string): boolean {
    if (!this.sees(text)) return false;
    this.at += text.length;
    return true;
  }

  expect(text: string): void {
    if (!this.takes(text)) throw malformed;
  }

  take(): string {
    const character = this.peek();
    if (character === "") throw malformed;
    this.at++;
    return character;
  }

  get seesDigit(): boolean {
    return isDigit(this.peek());
  }

  /** The digits that come next, possibly none. */
  digits(): string {
    const start = this.at;
    while (this.seesDigit) this.at++;
    return this.text.slice(start, this.at);
  }

  /** A decimal number that is small enough to count something. */
  number(): number {
    const digits = this.digits();
    if (digits === "" || digits.length > 9) throw malformed;
    return Number(digits);
  }

  /** `_` is 0, `0_` is 1, `1_` is 2. */
  ordinal(): number {
    if (this.takes("_")) return 0;
    const number = this.number();
    this.expect("_");
    return number + 1;
  }

  /** A number of characters in decimal digits, and that many characters. */
  counted(): string {
    const length = this.number();
    const text = this.text.slice(this.at, this.at + length);
    if (length === 0 || text.length < length) throw malformed;
    this.at += length;
    return text;
  }
}

export const isDigit = (character: string): boolean => character >= "0" && character <= "9" && character.length === 1;
export const isLower = (character: string): boolean => character >= "a" && character <= "z" && character.length === 1;
