/** A pattern as a regular expression for whole names: `*` within a folder, `**` over folders, `?` one character. */
export function globPattern(glob: string): RegExp {
  const source = glob.replace(/\*\*\/?|\*|\?|[.+^${}()|[\]\\]/g, (piece) => {
    if (piece === "**/") return "(?:[^/]*/)*";
    if (piece === "**") return ".*";
    if (piece === "*") return "[^/]*";
    return piece === "?" ? "[^/]" : `\\${piece}`;
  });
  return new RegExp(`^${source}$`);
}

/** True for a pattern, false for a plain name. */
export const isGlob = (text: string): boolean => /[*?]/.test(text);
