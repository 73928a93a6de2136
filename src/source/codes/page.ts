/** What `ptxrun explain CODE` prints. One page a code; a code is never reused for another meaning. */
export interface Page {
  /** The mistake in a few words, as a heading. */
  readonly title: string;
  /** Why it is one, and what the manual says. */
  readonly why: string;
  /** PTX (or a command line) that shows it. */
  readonly wrong?: string;
  /** The same, mended. */
  readonly right?: string;
}

/** Keeps the literal keys, so that a diagnostic whose code has no page does not compile. */
export const pages = <const T extends Readonly<Record<`PTX${number}`, Page>>>(all: T): T => all;
