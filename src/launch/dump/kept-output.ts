/** Characters that are kept of what a program prints: sixteen times CUDA's buffer. */
const MAX_KEPT_CHARACTERS = 2 ** 24;

/** What a program has printed, for those who want it at the end. A program that never stops printing fills no memory. */
export class KeptOutput {
  #text = "";
  #cut = false;

  add(text: string): void {
    if (this.#cut) return;
    const room = MAX_KEPT_CHARACTERS - this.#text.length;
    this.#text += text.slice(0, room);
    if (text.length <= room) return;
    this.#text += "\n... (what else was printed is not kept)\n";
    this.#cut = true;
  }

  get text(): string {
    return this.#text;
  }
}
