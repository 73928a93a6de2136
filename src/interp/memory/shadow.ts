/**
 * The state of one byte of memory, as bits of its shadow byte. The check of n aligned bytes is one comparison on a
 * view n bytes wide.
 */
export const ALLOCATED = 1;
export const INITIALISED = 2;
export const READ_ONLY = 4;
/** Belongs to a shared, local or parameter window: global addresses do not reach it. */
export const WINDOWED = 8;
/** An asynchronous operation in flight reads it: it must not be overwritten before that is waited for. */
export const IN_FLIGHT_READ = 16;
/** An asynchronous operation in flight writes it: its value is undefined before that is waited for. */
export const IN_FLIGHT_WRITE = 32;
/** An instruction has stored it since a worker mapped its page: see `overlay.ts`. Other memories never set it. */
export const STORED = 64;
/** Belongs to an mbarrier object: only mbarrier instructions touch it. */
export const MBARRIER = 128;

/** The same shadow byte in each of four bytes. */
export const fourfold = (byte: number): number => Math.imul(byte, 0x0101_0101);

/** A condition on shadow bytes: `(shadow & mask) === want`, for each byte. */
export interface Demand {
  readonly mask: number;
  readonly want: number;
}
