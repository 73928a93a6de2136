/** One line of a derivation: its subject, and its text. Without a label it continues the line above. */
export interface Row {
  readonly label: string;
  readonly text: string;
  /** Rows that belong to this one: those of a lane. */
  readonly inner?: readonly Row[];
  /** The bits that the row is about, if any, with their type. */
  readonly value?: Typed;
}

/** Bits and how they are read. */
export interface Typed {
  readonly type: string;
  readonly bits: bigint;
}

/** The result of a step of a derivation: its rows, and the resulting bits. */
export interface Worked {
  readonly rows: readonly Row[];
  readonly bits: bigint;
}

/** An operand as an operation sees it. */
export interface Given {
  readonly name: string;
  readonly bits: bigint;
}

export const row = (label: string, text: string, value?: Typed): Row =>
  value === undefined ? { label, text } : { label, text, value };

/** After a longer label the text follows directly; it does not widen the column. */
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
