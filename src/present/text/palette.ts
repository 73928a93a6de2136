/** Where a link leads: a file's line, or an address. */
export type LinkTarget = { readonly file: string; readonly line: number } | { readonly url: string };

/** Colours and links for parts of the output. With `plain` the text is the same, so golden files and pipes see no difference. */
export interface Palette {
  error(text: string): string;
  warning(text: string): string;
  note(text: string): string;
  /** A heading, or the message itself. */
  strong(text: string): string;
  /** Line numbers, bars, arrows. */
  faint(text: string): string;
  good(text: string): string;
  /** A text that leads somewhere when it is clicked; its width stays. */
  link(text: string, to: LinkTarget): string;
}

const same = (text: string): string => text;

export const plain: Palette = {
  error: same,
  warning: same,
  note: same,
  strong: same,
  faint: same,
  good: same,
  link: same,
};
