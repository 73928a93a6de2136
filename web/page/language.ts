/**
 * The name of a project whose text has changed. Its end says the language, so a text that somebody has pasted in place of one
 * in another language gets another end.
 */
export function languageOf(name: string, text: string): string {
  const isVisa = /^[ \t]*\.kernel[ \t]/m.test(text) && !/^[ \t]*\.target[ \t]/m.test(text);
  if (isVisa === name.endsWith(".visaasm")) return name;
  return isVisa ? "pasted.visaasm" : "pasted.ptx";
}
