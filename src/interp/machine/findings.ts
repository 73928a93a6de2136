import type { Diagnostic } from "../../source/diagnostic.ts";

/** What a launch has found, in order. */
export class Findings {
  list: Diagnostic[] = [];
  /** Where something was found: offsets in the source, and their complements for notes. */
  places: Set<number> = new Set();

  /** One finding an instruction: the others would say the same. But a note does not hide a mistake. */
  add(finding: Diagnostic): void {
    const { start } = finding.span;
    const place = finding.severity === "note" ? ~start : start;
    if (this.places.has(start) || this.places.has(place)) return;
    this.places.add(place);
    this.list.push(finding);
  }

  /** Finds nothing more at these places. */
  overlook(places: Iterable<number>): void {
    for (const place of places) this.places.add(place);
  }

  /** Goes back to what a snapshot has copied. */
  restore(list: readonly Diagnostic[], places: ReadonlySet<number>): void {
    this.list = [...list];
    this.places = new Set(places);
  }
}
