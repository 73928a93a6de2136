/**
 * Forwards a launch's printed output once: after a restore the launch prints the same again, which is not
 * forwarded again.
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

  /** The state was edited: the following output may differ, and is forwarded. */
  change(): void {
    this.#shown = this.printed;
  }

  /** Repeats earlier edits: the output after them has been forwarded already. */
  repeat(change: () => void): void {
    const shown = this.#shown;
    change();
    this.#shown = Math.max(this.#shown, shown);
  }
}
