/** Characters of a program's output that are kept: sixteen times CUDA's buffer. */
const MAX_KEPT_CHARACTERS = 2 ** 24;

/** A program's output, kept until the end. A program that never stops printing does not fill memory. */
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
