import type * as ast from "../../parser/ast.ts";
import type { Source } from "../../source/source.ts";
import type { Part } from "./part.ts";

/** All of an item but its body, and the names that it declares. */
interface Head {
  readonly text: string;
  readonly names: readonly string[];
  /** Where shared variables lie follows from all of them. */
  readonly shared: boolean;
}

/** The heads of a module: what its bodies may see of each other. */
export const headsOf = (source: Source, { items }: ast.Module): readonly Head[] =>
  items.map((item) => ({
    text: source.text.slice(item.start, endOf(item)),
    names: namesOf(item),
    shared: item.kind === "declaration" && item.space.text === "shared",
  }));

function endOf(item: ast.Item): number {
  if (item.kind === "section") return item.start;
  return item.kind === "function" && item.body !== undefined ? item.body.start : item.end;
}

function namesOf(item: ast.Item): readonly string[] {
  switch (item.kind) {
    case "function":
      return [item.name.text];
    case "declaration":
      return item.variables.map(({ name }) => name.text);
    case "alias":
      return [item.alias.text, item.aliasee.text];
    default:
      return [];
  }
}

/** Each changed name is looked for in all of the text. */
const MOST_NAMES = 20;

/**
 * The names whose meaning is not what it was; undefined where too much has changed to tell. What stands before and after
 * the heads that differ is the same and in the same order.
 */
export function changedNames(before: readonly Head[], now: readonly Head[]): ReadonlySet<string> | undefined {
  const most = Math.min(before.length, now.length);
  let first = 0;
  while (first < most && before[first]?.text === now[first]?.text) first++;
  let last = 0;
  while (last < most - first && before.at(-1 - last)?.text === now.at(-1 - last)?.text) last++;
  const changed = [...before.slice(first, before.length - last), ...now.slice(first, now.length - last)];
  const names = new Set(changed.flatMap((head) => head.names));
  return changed.some(({ shared }) => shared) || names.size > MOST_NAMES ? undefined : names;
}

/** True where findings of a part may be others now that these names mean something else. */
export function dependsOn(part: Part, names: ReadonlySet<string>, text: string): boolean {
  if (names.size === 0) return false;
  // Messages suggest names that resemble what is written, so what has any is read again.
  if (part.lacks !== undefined || (part.findings?.diagnostics.length ?? 0) > 0) return true;
  const own = text.slice(part.start, part.end);
  return [...names].some((name) => own.includes(name));
}
