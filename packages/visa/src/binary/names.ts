import { predefinedNumber, predefinedSurfaceNumber } from "./codes.ts";
import { layoutNamed } from "./layout.ts";

/** The names that text can express. */
export const spellings = {
  variable: /^[A-Za-z_]\w{0,63}$/,
  label: /^(?:[A-Za-z_]\w{0,1023}|[A-Za-z_]{0,512}[$@?][\w$@?]{0,511})$/,
  attribute: /^[A-Za-z_]\w{0,63}$/,
  // A kernel's name, a file's name and an attribute's value are quoted.
  quoted: /^[^"\p{Cc}\ufffd]{1,1023}$/u,
} as const;

const keywords: ReadonlySet<string> = new Set([
  ...["v_type", "v_name", "type", "num_elts", "align", "alias", "attrs", "offset", "size"],
  ...["LOC", "FILE", "lifetime", "P0", "S31", "NoMask"],
]);

const isTaken = (name: string): boolean =>
  keywords.has(name) ||
  layoutNamed.has(name) ||
  predefinedNumber(name) !== undefined ||
  predefinedSurfaceNumber(name) !== undefined;

/** Gives each variable and label of one kernel a unique name that text can express. */
export class UniqueNames {
  readonly #given = new Set<string>();
  /** How many names of the object had to be changed. */
  renamed = 0;

  give(wanted: string, spelling: RegExp, otherwise: string): string {
    const fits = spelling.test(wanted) && !isTaken(wanted) && !this.#given.has(wanted);
    // Objects without readable names have empty names.
    if (!fits && wanted !== "") this.renamed += 1;
    let name = fits ? wanted : otherwise;
    while (this.#given.has(name)) name += "_";
    this.#given.add(name);
    return name;
  }
}
