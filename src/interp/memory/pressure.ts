/** Bytes that are reported to the engine at once. */
const STEP = 4 << 20;

/** A resizable buffer has a mapping to itself, so that it costs only addresses until it is touched. */
const Mapped = ArrayBuffer as new (bytes: number, options: { maxByteLength: number }) => ArrayBuffer;

/** Bytes that memories have touched since the last report. */
let untold = 0;

/**
 * Reports the size of a memory to the engine's garbage collector. Shared buffers count nothing there, so dropped
 * memories would pile up until the machine is full. For every 4 MiB touched an ordinary buffer is made, which does
 * count; it is never touched, and lives as long as the memory.
 */
export class Pressure {
  readonly #reported: ArrayBuffer[] = [];
  #touched = 0;

  /** Notes that `bytes` bytes in all have been touched by now; a smaller number has no effect. */
  note(bytes: number): void {
    if (bytes <= this.#touched) return;
    untold += bytes - this.#touched;
    this.#touched = bytes;
    if (untold < STEP) return;
    try {
      this.#reported.push(new Mapped(untold, { maxByteLength: untold }));
    } catch {
      // Lack of address space is reported where memory is allocated; this buffer only makes collections come sooner.
    }
    untold = 0;
  }
}
