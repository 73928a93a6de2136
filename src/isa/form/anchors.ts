import { type ChapterName, chapters } from "../chapters.ts";

/**
 * Sections of the manual that are not called by a mnemonic alone, by what their anchors begin with: `""` for the chapter's own,
 * the name of another chapter for that one's.
 * Each is the beginning of its syntax lines without what may be left out, and behind `=` its name where that is another.
 */
export type NamedSections = Readonly<Record<string, string>>;

/** The anchors of the forms of one chapter. */
export class Anchors {
  readonly #prefix: string;
  readonly #named: NamedSections;
  #byBeginning: ReadonlyMap<string, string> | undefined;

  constructor(prefix: string, named: NamedSections) {
    this.#prefix = prefix;
    this.#named = named;
  }

  /** The section of the longest beginning of a form's syntax line, else that of its mnemonic. */
  of({ mnemonic, syntax }: { readonly mnemonic: string; readonly syntax: string }): string {
    this.#byBeginning ??= this.#read();
    const words = (syntax.split(" ")[0] ?? "").replace(/\{[^{}]*\}/g, "").split(".");
    for (let count = words.length; count > 0; count--) {
      const found = this.#byBeginning.get(words.slice(0, count).join("."));
      if (found !== undefined) return found;
    }
    return `${this.#prefix}-${mnemonic}`;
  }

  #prefixOf(key: string): string {
    if (key === "") return this.#prefix;
    return Object.hasOwn(chapters, key) ? chapters[key as ChapterName].prefix : key;
  }

  #read(): ReadonlyMap<string, string> {
    return new Map(
      Object.entries(this.#named).flatMap(([prefix, all]) =>
        all.split(" ").map((each): [string, string] => {
          const [begins = "", name = begins] = each.split("=");
          return [begins, `${this.#prefixOf(prefix)}-${name.replace(/[._]/g, "-")}`];
        }),
      ),
    );
  }
}

/** Instructions that share a section, which is called by them all. */
export function together(instructions: string): string {
  const name = instructions.replaceAll(" ", ".");
  return instructions.replace(/\w+/g, (each) => `${each}=${name}`);
}
