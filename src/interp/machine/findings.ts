import type { Diagnostic } from "../../source/diagnostic.ts";

/** The findings of a launch, in order. */
export class Findings {
  list: Diagnostic[] = [];
  /** The places of findings: offsets in the source, complemented for notes. */
  places: Set<number> = new Set();

  /** Adds one finding an instruction, since more would say the same. But a note does not hide an error. */
  add(finding: Diagnostic): void {
    const { start } = finding.span;
    const place = finding.severity === "note" ? ~start : start;
    if (this.places.has(start) || this.places.has(place)) return;
    this.places.add(place);
    this.list.push(finding);
  }

  /** Suppresses findings at these places. */
  overlook(places: Iterable<number>): void {
    for (const place of places) this.places.add(place);
  }

  /** Restores the findings of a snapshot. */
  restore(list: readonly Diagnostic[], places: ReadonlySet<number>): void {
    this.list = [...list];
    this.places = new Set(places);
  }
}
