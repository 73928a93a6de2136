/**
 * The result of reading: the bytes, a reason in words, `tooLarge` when there are more than were allowed, `late` when it
 * took too long.
 */
export type BoundedRead =
  | { readonly bytes: Uint8Array }
  | { readonly wrong: string }
  | { readonly tooLarge: true }
  | { readonly late: true };

/** Restrictions beyond a regular file at a path without links. */
export interface Trust {
  readonly pipes: boolean;
  /** Whether the path is free of links, and exactly the file there must be opened. */
  readonly exact: boolean;
}

/** A path after resolving its links, a reason why that failed, or that it lies outside of all the folders. */
export type Located = { readonly real: string } | { readonly wrong: string } | { readonly outside: true };

/** A file that is written incrementally; each method returns why it failed, in words. */
export interface Writing {
  write(text: string): string | undefined;
  close(): string | undefined;
}

/** The compression of PNG (zlib, RFC 1950), from the platform's library. */
export interface Zlib {
  /** Unpacks at most `most` bytes; throws for data that is not packed, or longer. */
  inflate(bytes: Uint8Array, most: number): Uint8Array;
  deflate(bytes: Uint8Array): Uint8Array;
  /** The checksum of ISO 3309, 32 bits without a sign. */
  crc32(bytes: Uint8Array): number;
}

/** The files that a command sees; relative paths begin in one folder. */
export interface Files {
  /** An absolute path; with several, each relative to the one before. */
  resolve(...paths: readonly string[]): string;
  /** The folder that a path lies in. */
  folderOf(path: string): string;
  /** Reads a file of at most `most` bytes; `isLate` returns true when the time is over. */
  read(path: string, most: number, trust: Trust, isLate?: () => boolean): BoundedRead;
  /** Finds a path that must lie below one of the folders, both as spelled and after resolving links. */
  locate(path: string, folders: readonly string[]): Located;
  /** Writes a file in one call; returns why it failed, in words. */
  write(path: string, contents: Uint8Array | string): string | undefined;
  /** Writes behind what a file has; returns why it failed, in words. */
  append(path: string, text: string): string | undefined;
  /** Opens a file for writing, empty at first; or returns why that failed. */
  open(path: string): Writing | string;
  /** For pictures; without it they are not read. */
  readonly zlib?: Zlib;
}

/** For environments without files, such as a page: nothing is found, and nothing can be written. */
export const noFiles: Files = {
  resolve: (...paths) => paths.at(-1) ?? "",
  folderOf: () => "",
  read: () => ({ wrong: "there are no files here" }),
  locate: () => ({ wrong: "there are no files here" }),
  write: () => "there are no files here",
  append: () => "there are no files here",
  open: () => "there are no files here",
};
