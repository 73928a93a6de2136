import { canonical, demangle, loosely, spelled } from "../../../packages/demangle/src/index.ts";
import { nearest } from "../../resolve/nearest.ts";

/** The functions that a written name matches: one, several, or none, and then perhaps a similar one. */
export type Meaning =
  | { readonly kind: "one"; readonly name: string }
  | { readonly kind: "several"; readonly names: readonly string[] }
  | { readonly kind: "none"; readonly meant?: string };

/** A name in its usual forms: complete, without return type, without parameters, without `<...>`. */
interface Called {
  readonly name: string;
  readonly kernel: boolean;
  readonly forms: readonly string[];
  readonly loose: readonly string[];
}

/**
 * The kernels of a module, and the functions that can be run like them, by their usual names: the mangled name, its
 * declaration, or a unique part of either. Spaces count only where C++ needs them.
 */
export class FunctionNames {
  readonly kernels: readonly string[];
  readonly functions: readonly string[];
  readonly #exact: ReadonlySet<string>;
  #called: readonly Called[] | undefined;
  /** The function that a form matches, empty for several. */
  readonly #only = new Map<string, string>();
  #byName: ReadonlyMap<string, Called> | undefined;

  constructor(kernels: readonly string[], functions: readonly string[] = []) {
    this.kernels = kernels;
    this.functions = functions;
    this.#exact = new Set([...kernels, ...functions]);
  }

  /** Complete names have priority over parts, and kernels over functions. */
  meaning(written: string): Meaning {
    if (this.#exact.has(written)) return { kind: "one", name: written };
    const text = canonical(demangle(written)?.full ?? written);
    if (text === "") return { kind: "none" };
    for (const matches of ways(text, written)) {
      const found = this.#all().filter(matches);
      const kernels = found.filter(({ kernel }) => kernel);
      const chosen = kernels.length > 0 ? kernels : found;
      const [only] = chosen;
      if (chosen.length === 1 && only !== undefined) return { kind: "one", name: only.name };
      if (chosen.length > 1) return { kind: "several", names: chosen.map(({ name }) => name) };
    }
    const meant = this.#nearest(written, text);
    return meant === undefined ? { kind: "none" } : { kind: "none", meant };
  }

  /** The shortest unique form of a function's name. */
  shortest(name: string): string {
    return this.beginning(name, "") ?? name;
  }

  /** The shortest unique form of a function's name with this prefix; undefined where there is none. */
  beginning(name: string, start: string): string | undefined {
    const { forms = [] } = this.#calledSo(name) ?? {};
    const [full = name, signature = full, plain = full, bare = full] = forms;
    for (const form of [unqualified(bare), bare, unqualified(plain), plain, signature, full]) {
      const text = readable(form);
      if (!text.startsWith(start)) continue;
      // Thousands of kernels may share a form.
      let only = this.#only.get(form);
      if (only === undefined) {
        const meaning = this.meaning(form);
        only = meaning.kind === "one" ? meaning.name : "";
        this.#only.set(form, only);
      }
      if (only === name) return text;
    }
    return name.startsWith(start) ? name : undefined;
  }

  /** The shortest names of some, and how many more there are. */
  listed(names: readonly string[], most: number): { readonly shown: readonly string[]; readonly more: number } {
    return { shown: names.slice(0, most).map((name) => this.shortest(name)), more: Math.max(0, names.length - most) };
  }

  #calledSo(name: string): Called | undefined {
    this.#byName ??= new Map(this.#all().map((each) => [each.name, each]));
    return this.#byName.get(name);
  }

  #all(): readonly Called[] {
    this.#called ??= [
      ...this.kernels.map((name) => called(name, true)),
      ...this.functions.map((name) => called(name, false)),
    ];
    return this.#called;
  }

  #nearest(written: string, text: string): string | undefined {
    const byForm = new Map<string, string>();
    for (const { name, forms } of this.#all()) {
      for (const form of [name, ...forms, ...forms.map(unqualified)]) if (!byForm.has(form)) byForm.set(form, name);
    }
    const form = nearest(text, byForm.keys()) ?? nearest(written, byForm.keys());
    const name = form === undefined ? undefined : byForm.get(form);
    return name === undefined ? undefined : this.shortest(name);
  }
}

/** The ways in which a text can match a name, from the most certain to the least. */
function* ways(text: string, written: string): Generator<(called: Called) => boolean> {
  const loose = loosely(text);
  const raw = written.trim();
  yield ({ forms: [full, signature, name] }) => full === text || signature === text || name === text;
  yield ({ forms }) => forms.some((form) => isTail(form, text));
  yield ({ loose: forms }) => forms.some((form) => isTail(form, loose));
  if (text.includes("...")) {
    const pieces = text.split("...");
    yield ({ forms }) => forms.some((form) => isElided(form, pieces));
  }
  yield ({ name, forms: [full = ""] }) => full.includes(text) || name.includes(raw);
  yield ({ loose: [full = ""] }) => full.includes(loose);
}

/** Whether a text is a complete name, or its end from some `::` on. */
const isTail = (form: string, text: string): boolean => form === text || form.endsWith(`::${text}`);

/** True if the pieces occur in a name in this order, the first at its beginning and the last at its end. */
function isElided(form: string, pieces: readonly string[]): boolean {
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const found = index === pieces.length - 1 ? form.length - piece.length : form.indexOf(piece, at);
    if (found < at || (index === 0 && found !== 0) || !form.startsWith(piece, found)) return false;
    at = found + piece.length;
  }
  return true;
}

function called(name: string, kernel: boolean): Called {
  const mangled = demangle(name);
  const parts = mangled ?? spelled(name) ?? { name, signature: name };
  const forms = [mangled?.full ?? name, parts.signature, parts.name, withoutArguments(parts.name)].map(canonical);
  return { name, kernel, forms, loose: forms.map(loosely) };
}

/** `ns::axpy` for `ns::axpy<float>`. */
function withoutArguments(name: string): string {
  if (!name.endsWith(">") || /operator[-<>=]*>$/.test(name)) return name;
  let open = 0;
  for (let at = name.length - 1; at > 0; at--) {
    if (name[at] === ">" && name[at - 1] !== "-") open++;
    else if (name[at] === "<" && --open === 0) return name.slice(0, at).trimEnd();
  }
  return name;
}

/** The part after the last `::` outside of brackets. */
function unqualified(form: string): string {
  let open = 0;
  for (let at = 0, from = 0; ; at++) {
    const character = form[at];
    if (character === undefined || (character === "(" && open === 0 && at > from)) return form.slice(from);
    if ("<([{".includes(character)) open++;
    else if (">)]}".includes(character)) open--;
    else if (open === 0 && form.startsWith("::", at)) from = at + 2;
  }
}

/** A canonical form with a space behind each comma. */
const readable = (form: string): string => form.replaceAll(",", ", ");
