import type { Span } from "../../../source/source.ts";

/**
 * An access that names a variable and overruns it, as the program's text shows. In the parameter space that is an
 * error; elsewhere the bytes are those of a neighbour, which compilers may have intended.
 */
export interface Beyond {
  readonly name: string;
  readonly parameter: boolean;
  readonly bytes: number;
  /** Bytes from the beginning of the variable to the access. */
  readonly from: number;
  /** Where it is declared. */
  readonly span: Span;
}

/** `reads 4 bytes at a, which has 1`; `writes 4 bytes 4 into a, which has 6`. */
export function beyondText(act: "load" | "store", touched: number, { name, bytes, from }: Beyond): string {
  const where = from === 0 ? `at ${name}` : `${Math.abs(from)} ${from < 0 ? "before" : "into"} ${name}`;
  return `${act === "load" ? "reads" : "writes"} ${touched} bytes ${where}, which has ${bytes}`;
}
