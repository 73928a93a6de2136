/** A golden check as it stands in a text. */
export interface Found {
  readonly name: string;
  /** Counted from 0. */
  readonly line: number;
}

/** The `//@ case` and `//@ snapshot` lines of a text. Cases of a sidecar are known when they have run. */
export function findChecks(text: string): Found[] {
  return text.split("\n").flatMap((line, index) => {
    const at = line.indexOf("//@");
    if (at < 0) return [];
    const said = line.slice(at + 3).trim();
    if (said.startsWith("case ")) {
      const colon = said.indexOf(":");
      const name = said.slice(5, Math.max(5, colon)).trim();
      return name === "" ? [] : [{ name, line: index }];
    }
    const [word, name = "snapshot"] = (said.split(":")[0] ?? "").trim().split(/\s+/);
    return word === "snapshot" ? [{ name, line: index }] : [];
  });
}
