/**
 * Shows what a launch prints, once: when it goes back to a moment before and comes by again, it says the same, which is not
 * shown again.
 */
export class Printing {
  readonly #show: ((text: string) => void) | undefined;
  /** Calls of device printf so far, and how many have been shown. */
  printed = 0;
  #shown = 0;

  constructor(show: ((text: string) => void) | undefined) {
    this.#show = show;
  }

  print(text: string): void {
    this.printed++;
    if (this.printed <= this.#shown) return;
    this.#shown = this.printed;
    this.#show?.(text);
  }

  /** Somebody has changed the state by hand: what comes now may be another thing than what was shown. */
  change(): void {
    this.#shown = this.printed;
  }

  /** Makes changes that were made before, too: what came after them has been shown. */
  repeat(change: () => void): void {
    const shown = this.#shown;
    change();
    this.#shown = Math.max(this.#shown, shown);
  }
}
