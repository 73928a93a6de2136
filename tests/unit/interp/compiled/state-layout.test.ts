import { expect, it } from "vitest";
import { offsetOf, stateOf } from "../../../../src/interp/compiled/boundary/state-layout.ts";
import { LOWEST } from "../../../../src/interp/memory/memory.ts";

type Row = Int32Array | Uint32Array;

const isRow = (value: unknown): value is Row => value instanceof Int32Array || value instanceof Uint32Array;

/** Each field of the state, those of records by themselves: its name, its offset, and its row; a word has none. */
function fieldsOf(state: object): readonly (readonly [name: string, offset: number, row: Row | undefined])[] {
  return Object.entries(offsetOf).flatMap(([name, offset]) => {
    const held = (state as Record<string, number | Row | Record<string, Row>>)[name];
    if (typeof offset !== "number")
      return Object.entries(offset).map(([field, at]) => [field, at, (held as Record<string, Row>)[field]] as const);
    return [[name, offset, isRow(held) ? held : undefined] as const];
  });
}

it("gives each word of the state a place of its own, below the lowest address of a program", () => {
  // It has no room for a row that lies further behind.
  const buffer = new ArrayBuffer(LOWEST);
  const state = stateOf(buffer);
  const all = new Int32Array(buffer);
  const fields = fieldsOf(state);
  expect(fields.length).toBeGreaterThan(50);
  const taken = fields.flatMap(([, offset, row]) =>
    Array.from({ length: row?.length ?? 1 }, (_, at) => offset / 4 + at),
  );
  expect(new Set(taken).size).toBe(taken.length);
  expect(taken.every((word) => Number.isInteger(word) && word >= 0 && word < all.length)).toBe(true);
});

it("reads and writes in JavaScript what lies at the offsets that compiled code has", () => {
  const buffer = new ArrayBuffer(LOWEST);
  const state = stateOf(buffer);
  const words = state as unknown as Record<string, number>;
  const all = new Int32Array(buffer);
  for (const [name, offset, row] of fieldsOf(state)) {
    if (row === undefined) words[name] = -2;
    else row[row.length - 1] = -2;
    const at = offset / 4 + (row === undefined ? 0 : row.length - 1);
    expect([name, all[at]]).toEqual([name, -2]);
    all[at] = -3;
    expect([name, [-3, 2 ** 32 - 3].includes(row?.at(-1) ?? words[name]!)]).toEqual([name, true]);
    all.fill(0);
  }
});

it("gives masks of lanes unsigned, and begins rows where a vector may lie", () => {
  const state = stateOf(new ArrayBuffer(LOWEST));
  state.activeLanes = -1;
  state.steps = -1;
  expect([state.activeLanes, state.steps]).toEqual([2 ** 32 - 1, -1]);
  const rows = fieldsOf(state).filter(([, , row]) => row !== undefined);
  expect(rows.filter(([, offset]) => offset % 16 !== 0)).toEqual([]);
});
