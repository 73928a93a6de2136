/** Bytes for which the engine is told at once. */
const STEP = 4 << 20;

/** A buffer that may change its size is mapped on its own, so that it costs addresses alone until it is touched. */
const Mapped = ArrayBuffer as new (bytes: number, options: { maxByteLength: number }) => ArrayBuffer;

/** Bytes that memories have touched since the engine was told last. */
let untold = 0;

/**
 * Tells the engine's collector what a memory weighs. Shared buffers count nothing there, so that dropped memories would
 * pile up until the machine is full. For every 4 MiB that are touched an ordinary buffer is made, which does count,
 * which nobody touches, and which lives as long as the memory that asked for it.
 */
export class Pressure {
  readonly #told: ArrayBuffer[] = [];
  #touched = 0;

  /** Notes that `bytes` bytes in all have been touched by now; less than before is no news. */
  note(bytes: number): void {
    if (bytes <= this.#touched) return;
    untold += bytes - this.#touched;
    this.#touched = bytes;
    if (untold < STEP) return;
    try {
      this.#told.push(new Mapped(untold, { maxByteLength: untold }));
    } catch {
      // Who has no address space left is told so where memory is asked for; here it only helps to collect sooner.
    }
    untold = 0;
  }
}
