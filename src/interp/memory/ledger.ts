/** Flags for what a worker has done to a page. */
export const MAPPED = 1;
export const STORED_TO = 2;
/** All of the page counts as read; after a store to it, all initialised bytes count as stored. */
export const WHOLE = 4;
/** It has cells with reductions, to be combined with those of other workers (`ReducedCells`). */
export const REDUCED = 8;

/**
 * An overlay's record for the other workers, page by page, in memory that threads share: which pages it has mapped,
 * which of them it has stored to, and between which bytes (`low` to `high`, of the page) it may have read what it had
 * not stored.
 */
export interface Ledger {
  readonly flags: Uint8Array;
  readonly low: Uint16Array;
  /** 0 while nothing has been read. */
  readonly high: Uint16Array;
}

/** Bytes of a ledger's buffer for so many pages. */
export const ledgerBytes = (pages: number): number => 5 * pages + 1;

export const ledgerOf = (buffer: ArrayBufferLike, pages: number): Ledger => ({
  low: new Uint16Array(buffer, 0, pages),
  high: new Uint16Array(buffer, 2 * pages, pages),
  flags: new Uint8Array(buffer, 4 * pages, pages),
});
