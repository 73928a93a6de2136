import { first } from "../page/first.ts";
import * as debugging from "../worker/debugging.ts";

/** Lanes that the first page shows of its program; more would not fit beside it. */
const LANES = 8;

/** A run from step to step, as the first page plays it. */
export interface Recording {
  readonly text: string;
  readonly lanes: number;
  /** Of each step: its line, and which lanes execute it. */
  readonly steps: readonly (readonly [line: number, active: number])[];
  /** What each step changes: column, lane and the new value. */
  readonly changes: readonly (readonly (readonly [column: number, lane: number, value: number])[])[];
}

/** What is shown of each lane: registers, and its place in the result. */
export const columns = ["%n", "%steps", "result"] as const;

/** Runs the playground's first program in the worker's own way, a step at a time, and writes down what changes. */
export async function recorded(): Promise<Recording> {
  // Without the lines that say what to do with it, and what is said about single instructions.
  const text = first.text
    .replace(/^(?:\/\/.*\n|\n)+/, "")
    .replaceAll(/ +\/\/.*$/gm, "")
    .trimEnd();
  const inputs = { ...first.inputs, block: String(LANES), values: { "%result": `u32x${LANES}:fill=0` } };
  const { code } = await debugging.load({ name: first.name, text, inputs });
  const { furthest } = await debugging.move({ kind: "run" }, () => {});
  const { pcs, active } = await debugging.strip();
  const steps = Array.from(pcs, (pc, at) => [code[pc]?.line ?? 0, active[at] ?? 0] as const);
  const changes: (readonly [number, number, number])[][] = [];
  let before = await shownAt(0);
  for (let position = 1; position <= furthest; position++) {
    const shown = await shownAt(position);
    // Threads that have ended have no registers any more: the last ones stand.
    const now = position < furthest ? shown : [...before.slice(0, -1), ...shown.slice(-1)];
    const past = before;
    changes.push(
      now.flatMap((values, column) =>
        values.flatMap((value, lane) => (value === past[column]?.[lane] ? [] : [[column, lane, value] as const])),
      ),
    );
    before = now;
  }
  return { text, lanes: LANES, steps, changes };
}

/** Column by column, the values of all lanes. */
async function shownAt(position: number): Promise<readonly (readonly number[])[]> {
  const { buffers } = await debugging.move({ kind: "goTo", position }, () => {});
  const { registers } = debugging.lanes();
  const [result] = buffers;
  const { bytes } = debugging.memory("global", result?.address ?? 0n, 4 * LANES);
  const memory = new Uint32Array(bytes.slice().buffer);
  return columns.map((name) => {
    const bits = registers.find((each) => each.name === name)?.bits;
    return Array.from({ length: LANES }, (_, lane) =>
      bits === undefined ? (memory[lane] ?? 0) : Number(bits[lane] ?? 0n),
    );
  });
}
