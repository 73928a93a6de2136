/** One line of a working: what it is about, and what is to be said. Without a label it goes on with the line above. */
export interface Row {
  readonly label: string;
  readonly text: string;
  /** Rows that belong to this one: those of a lane. */
  readonly inner?: readonly Row[];
  /** The bits that the row is about, where it is about some, and the type that they are in. */
  readonly value?: Typed;
}

/** Bits and how they are read. */
export interface Typed {
  readonly type: string;
  readonly bits: bigint;
}

/** What a step of a working gives: its rows, and the bits that follow from them. */
export interface Worked {
  readonly rows: readonly Row[];
  readonly bits: bigint;
}

/** An operand as an operation takes it. */
export interface Given {
  readonly name: string;
  readonly bits: bigint;
}

export const row = (label: string, text: string, value?: Typed): Row =>
  value === undefined ? { label, text } : { label, text, value };

/** A label that is longer than this has its text behind it; it does not push the others to the right. */
const WIDEST = 32;

/** Lines with their labels in one column. */
export function linesOf(rows: readonly Row[], indent = "  "): string[] {
  const lengths = rows.filter(({ inner }) => inner === undefined).map(({ label }) => label.length);
  const width = Math.max(0, ...lengths.filter((length) => length <= WIDEST));
  return rows.flatMap(({ label, text, inner }) => {
    if (inner === undefined) return `${indent}${label.padEnd(width)}  ${text}`.trimEnd();
    return [`${indent}${label}${text === "" ? "" : `  ${text}`}`, ...linesOf(inner, `${indent}  `)];
  });
}

/** Rows as data: one that goes on with the row above is a further line of its text; bits are hexadecimal. */
export function rowsToJson(rows: readonly Row[]): Record<string, unknown>[] {
  const made: ({ text: string } & Record<string, unknown>)[] = [];
  for (const { label, text, inner, value } of rows) {
    const above = made.at(-1);
    if (label === "" && inner === undefined && above !== undefined) above.text = `${above.text}\n${text}`;
    else
      made.push({
        label,
        text,
        ...(value && { type: value.type, bits: `0x${value.bits.toString(16)}` }),
        ...(inner && { rows: rowsToJson(inner) }),
      });
  }
  return made;
}
