import type { Document } from "../document.ts";
import type { BodyNames } from "../names/body-names.ts";
import { namesAround } from "../names/text-names.ts";
import type { Place } from "../text/place.ts";

const known = new WeakMap<Place, BodyNames>();

/** The names of the body around a place, whatever is being written there. */
export function namesAt(document: Document, place: Place): BodyNames {
  const start = place.before[0]?.start ?? place.whole.start;
  const names = known.get(place) ?? namesAround(document, place.func, { start, end: place.offset });
  known.set(place, names);
  return names;
}
