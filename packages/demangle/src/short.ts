import type { Source } from "../../../src/source/source.ts";
import { demangle } from "./demangle.ts";
import { eachCharacter, spelled } from "./spelled.ts";

/** Longer names are cut where that hurts least. */
const MAX_NAME_LENGTH = 60;

/**
 * A short form of a function's name: `matmul<float>(...)` for `_Z6matmulIfEvPT_i` and for `void matmul<float>(float*,
 * int)`. Return type and parameters are left out, and of long lists of template arguments the nested parts, or the end.
 * A name that is not mangled and has no parameters is returned as it is.
 */
export function shortName(name: string): string {
  const parts = demangle(name) ?? (name.includes("(") ? spelled(name) : undefined);
  if (parts === undefined) return name;
  const { signature } = parts;
  const takes =
    signature === parts.name ? "" : /\(\)[ a-z&]*$/.test(signature.slice(parts.name.length)) ? "()" : "(...)";
  return `${elided(parts.name)}${takes}`;
}

const tokens = /(?<![\w$.])_[ZR][\w$.]*[\w$]/g;

/**
 * A text with mangled names shortened, `matmul<float>(...)_param_0` with the suffixes of PTX; and the declarations that
 * this source uses as names.
 */
export function withShortNames(text: string, source?: Source): string {
  const known = source === undefined ? [] : (declared.get(source) ?? []);
  const shorter = known.reduce((all, name) => all.replaceAll(name, () => shortName(name)), text);
  return shorter.replace(tokens, (token) => {
    const added = /_param_\d+$/.exec(token)?.[0] ?? "";
    const name = token.slice(0, token.length - added.length);
    const short = shortName(name);
    return short === name ? token : short + added;
  });
}

function elided(name: string): string {
  // Tags distinguish versions of a library, and Numba's options, in many letters.
  const untagged = name.replace(tags, "");
  if (untagged.length <= MAX_NAME_LENGTH) return untagged;
  const forms = [
    () => collapsed(untagged, 3),
    () => collapsed(untagged, 2),
    () => collapsed(withPlainArguments(untagged), 2),
    () => collapsed(withPlainArguments(untagged), 1),
    () => withoutNamespaces(collapsed(withPlainArguments(untagged), 2)),
    () => withoutNamespaces(collapsed(withPlainArguments(untagged), 1)),
  ];
  for (const form of forms) {
    const shorter = form();
    if (shorter.length <= MAX_NAME_LENGTH) return shorter;
  }
  const least = withoutNamespaces(collapsed(withPlainArguments(untagged), 1));
  return cutList(least) ?? `${least.slice(0, MAX_NAME_LENGTH - 3)}...`;
}

const tags = /\[abi:\w+\]/g;
const namespaces = /\b(?:[A-Za-z_]\w*::)+/g;

/** Template arguments without the namespaces that they are in. */
function withPlainArguments(name: string): string {
  const first = name.search(/\w</) + 1;
  return first === 0 ? name : name.slice(0, first) + name.slice(first).replace(namespaces, "");
}

/** Brackets within so many others hold `...`. */
function collapsed(name: string, depth: number): string {
  let text = "";
  eachCharacter(name, (at, open) => {
    const [inner] = open.slice(depth);
    if (inner === undefined) text += name[at] === undefined ? "" : written(name, at);
    else if (inner === at - 1) text += "...";
  });
  return text;
}

/** A character, or all of an operator's name that begins there. */
function written(name: string, at: number): string {
  const operator = /^operator(?!\w)(?:\(\)|\[\]|[-+*/%^&|~!=<>,]+)?/.exec(name.slice(at, at + 12))?.[0];
  return operator !== undefined && !/\w/.test(name[at - 1] ?? "") ? operator : (name[at] ?? "");
}

/** `...::f<int>` for `a::b::f<int>`. */
function withoutNamespaces(name: string): string {
  let last = 0;
  eachCharacter(name, (at, open) => {
    if (open.length === 0 && name.startsWith("::", at)) last = at;
  });
  return last === 0 ? name : `...${name.slice(last)}`;
}

/** The first list without its end: `f<int, float, ...>`. */
function cutList(name: string): string | undefined {
  let cut: number | undefined;
  let rest: number | undefined;
  eachCharacter(name, (at, open) => {
    if (name[at] === "," && open.length === 1 && at <= MAX_NAME_LENGTH && rest === undefined) cut = at;
    if (name[at] === ">" && open.length === 0 && rest === undefined) rest = at;
  });
  if (rest === undefined) return undefined;
  const head = cut === undefined ? name.slice(0, name.indexOf("<") + 1) : `${name.slice(0, cut)}, `;
  const text = `${head}...${name.slice(rest)}`;
  return text.length <= MAX_NAME_LENGTH + 30 ? text : undefined;
}

const declared = new WeakMap<Source, readonly string[]>();

/** Records the functions of a text that names them as C++ declares them, for `withShortNames`. */
export function noteDeclarations(source: Source, names: readonly string[]): void {
  const written = names.filter((name) => name.includes("(") && shortName(name) !== name);
  // A name may be the end of a longer one.
  declared.set(
    source,
    written.sort((a, b) => b.length - a.length),
  );
}
