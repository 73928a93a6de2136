import { type Edit, touches } from "../text/edit.ts";
import { type Item, movedPart, type Part } from "./part.ts";

/** What is known of the functions and sections of a text, kept while it is edited. */
export class Parts {
  #byStart = new Map<number, Part>();

  /** Forgets what an edit touches, and moves the rest. What comes out of a comment again is still known. */
  edited(edit: Edit): void {
    const kept = [...this.#byStart.values()].flatMap((part) => (touches(edit, part) ? [] : [movedPart(part, edit)]));
    this.#byStart = new Map(kept.map((part) => [part.start, part]));
  }

  /** What is known of an item; where that is nothing, its place alone. */
  of({ start, end }: Item): Part {
    const known = this.#byStart.get(start);
    return known?.end === end ? known : { start, end };
  }

  put(part: Part): Part {
    this.#byStart.set(part.start, part);
    return part;
  }

  /** Forgets the findings of those that `concerned` says. */
  forgetFindings(concerned: (part: Part) => boolean): void {
    for (const part of this.#byStart.values())
      if (concerned(part)) this.put({ ...part, findings: undefined, lacks: undefined });
  }

  clear(): void {
    this.#byStart.clear();
  }
}
