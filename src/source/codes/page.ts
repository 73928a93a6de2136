/** What `ptxrun explain CODE` prints. One page a code; a code is never reused for another meaning. */
export interface Page {
  /** The mistake in a few words, as a heading. */
  readonly title: string;
  /** Why it is one, and what the manual says. */
  readonly why: string;
  /** PTX (or a command line) that shows it. */
  readonly wrong?: string;
  /** The same, corrected. */
  readonly right?: string;
}

/** Keeps the keys, so that a diagnostic whose code has no page does not compile, but no text: the package's types repeat neither. */
export const pages = <const K extends `PTX${number}`>(all: Readonly<Record<K, Page>>): Readonly<Record<K, Page>> => all;
