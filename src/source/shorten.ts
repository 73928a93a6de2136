const LONGEST = 200;

/**
 * A message in which no word is longer than 200 characters, however long what it quotes is: a name of ten megabytes
 * tells a reader no more than its beginning. Mangled C++ names and the manual's syntax lines pass.
 */
export const shorten = (message: string): string =>
  message.length <= LONGEST ? message : message.replace(WORDS, (word) => `${word.slice(0, 57)}...`);

const WORDS = /\S{201,}/g;
