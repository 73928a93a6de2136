/** Strings, comments and words of a text. */
const tokens = /"[^"\n]*"|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[A-Za-z_$%][\w$]*/g;

/** A text with names replaced, except those in `hidden`, in strings and in comments. */
export const renamed = (
  text: string,
  names: ReadonlyMap<string, string>,
  hidden: ReadonlySet<string> = new Set(),
): string =>
  names.size === 0 ? text : text.replace(tokens, (word) => (hidden.has(word) ? word : (names.get(word) ?? word)));

/** A text whose `.file` and `.loc` have numbers greater by `more`. */
export const withFileNumbers = (text: string, more: number): string =>
  more === 0
    ? text
    : text.replace(/^([ \t]*\.(?:file|loc)[ \t]+)(\d+)(.*)$/gm, (_, head: string, file: string, rest: string) => {
        const inlined = rest.replace(
          /(\binlined_at\s+)(\d+)/,
          (_, before: string, at: string) => `${before}${Number(at) + more}`,
        );
        return `${head}${Number(file) + more}${inlined}`;
      });
