import type { Document } from "../document.ts";
import type { Place } from "../text/place.ts";
import { namesAt } from "./names.ts";

/** A register that may be meant, and how far away it was last used. */
export interface NearRegister {
  readonly name: string;
  /** Absent where nothing declares it. */
  readonly type: string | undefined;
  readonly rank: number;
}

/**
 * The registers that are visible at a place: those that the body uses, those nearest before it first, and of each range
 * the first one that nobody uses.
 */
export function registersNear(document: Document, place: Place): readonly NearRegister[] {
  const { offset, whole } = place;
  const { definitions, mentions } = namesAt(document, place);
  const found = new Map<string, NearRegister>();
  const before = mentions.filter(({ start }) => start < whole.start).reverse();
  const after = mentions.filter(({ start }) => start >= whole.end);
  let order = 0;
  for (const { text, definition } of [...before, ...after]) {
    const undeclared = definition === undefined && document.kind === "snippet" && !text.includes("%tid");
    if (found.has(text) || !(definition?.kind === "register" || undeclared)) continue;
    if (definition && (definition.scope.end < offset || definition.from > offset)) continue;
    found.set(text, { name: text, type: definition?.type, rank: Math.min(0.9, order++ / 1000) });
  }
  for (const { kind, name, count, type, scope, from } of definitions) {
    if (kind !== "register" || offset < from || scope.end < offset) continue;
    const next = count === undefined ? name : firstUnused(name, count, found);
    if (next !== undefined && !found.has(next)) found.set(next, { name: next, type, rank: 1 });
  }
  return [...found.values()];
}

function firstUnused(stem: string, count: number, used: ReadonlyMap<string, unknown>): string | undefined {
  for (let number = 0; number < count; number++) if (!used.has(`${stem}${number}`)) return `${stem}${number}`;
  return undefined;
}
