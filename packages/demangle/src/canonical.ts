/** A declaration without the spaces that C++ does not need: `float*` for `float *`, `A<B<int>>` for `A<B<int> >`. */
export const canonical = (text: string): string => text.trim().replace(/\s+/g, " ").replace(needless, "");

const needless = /(?<![\w$]) | (?![\w$])/g;

/**
 * A declaration normalised across compilers' spellings: `const float *x` as `float const*`, 3 for `3u` and `(E)3`,
 * `unsigned` for `unsigned int`.
 */
export const loosely = (text: string): string =>
  canonical(
    canonical(text)
      .replace(words, "")
      .replace(/\b(unsigned|signed|short|long) int\b/g, "$1")
      .replace(/\(void\)/g, "()")
      .replace(/\([\w:<>*& ]+\)(?=-?\d)/g, "")
      .replace(/\b(\d+)[uUlL]{1,3}\b/g, "$1"),
  );

const words = /\b(?:const|volatile|struct|class|enum|union|typename)\b/g;

/** A word quoted for a shell. */
export const shellWord = (text: string): string =>
  /^[\w$%@:,.+/=-]+$/.test(text) && !text.includes("$") ? text : `'${text.replaceAll("'", "'\\''")}'`;
