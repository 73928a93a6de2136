import type { Diagnostic } from "../../source/diagnostic.ts";

/** The findings of a launch, in order. */
export class Findings {
  list: Diagnostic[] = [];
  /** The places of findings: offsets in the source, complemented for notes. */
  places: Set<number> = new Set();

  /** Adds one finding an instruction, since more would say the same: false for others. But a note does not hide an error. */
  add(finding: Diagnostic): boolean {
    const { start } = finding.span;
    const place = finding.severity === "note" ? ~start : start;
    if (this.places.has(start) || this.places.has(place)) return false;
    this.places.add(place);
    this.list.push(finding);
    return true;
  }

  /** Puts a finding that says more in the place of an earlier one. */
  amend(finding: Diagnostic, by: Diagnostic): void {
    const at = this.list.indexOf(finding);
    if (at >= 0) this.list[at] = by;
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
