const WORD = /^[\w@%+=:,./-]+$/;

/** A word quoted for a shell. */
export const quoted = (word: string): string => (WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
