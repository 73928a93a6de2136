/** How a client counts lines and columns: from 1, as everything here does, or from 0. */
export interface Counting {
  readonly lines: 0 | 1;
  readonly columns: 0 | 1;
}

/** The client's choice in `initialize`. */
export const countingOf = (given: Readonly<Record<string, unknown>>): Counting => ({
  lines: given["linesStartAt1"] === false ? 0 : 1,
  columns: given["columnsStartAt1"] === false ? 0 : 1,
});

/** Converts a body of the client to lines and columns from 1. */
export const fromClient = <T>(body: T, counting: Counting): T => counted(body, counting, 1);

/** Converts a body for the client. */
export const forClient = <T>(body: T, counting: Counting): T => counted(body, counting, -1);

/** The protocol's fields that hold lines or columns; no other field has these names. */
const fields: Readonly<Record<string, keyof Counting>> = {
  line: "lines",
  endLine: "lines",
  column: "columns",
  endColumn: "columns",
};

function counted<T>(body: T, counting: Counting, sign: 1 | -1): T {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
        if (field === undefined || typeof each !== "number") return [name, walk(each)];
        return [name, each + sign * (1 - counting[field])];
      }),
    );
  };
  return walk(body) as T;
}
