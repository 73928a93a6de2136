import { readPublished } from "../../packages/memory-model/litmus/published/read-published.ts";
import { judge, prepare } from "../../packages/memory-model/litmus/verdict.ts";
import { usualBounds } from "../../packages/memory-model/model/enumerate.ts";
import { Source } from "../../src/source/source.ts";
import { digits, row, seconds } from "./time.ts";

const places = "abcdefgh";
const at = (index: number, of: number): string => places[index % of]!;

/** A test of the published format whose condition names all registers, or those with a number. */
function text(name: string, columns: readonly (readonly string[])[], asked?: number): string {
  const rows = Array.from({ length: Math.max(...columns.map(({ length }) => length)) }, (_, row) =>
    columns.map((column) => column[row] ?? "").join(" | "),
  );
  const loads = columns.flatMap((column, thread) =>
    column
      .flatMap((operation) => /^ld\S* (r(\d+))/.exec(operation)?.slice(1, 3).join(" ") ?? [])
      .map((each) => ({
        register: `P${thread}:${each.split(" ")[0]}`,
        number: Number(each.split(" ")[1]),
      })),
  );
  const named = loads.filter(({ number }) => asked === undefined || number === asked);
  const threads = columns.map((_, thread) => `P${thread}@cta ${thread},gpu 0`).join(" | ");
  const claim = named.map(({ register }) => `${register} == 0`).join(" /\\ ");
  return `PTX ${name}\n{ }\n${threads} ;\n${rows.map((each) => `${each} ;`).join("\n")}\nexists (${claim})\n`;
}

/** Stores and loads in turn, over some places. */
const mixture = (thread: number, pairs: number, of: number): string[] =>
  Array.from({ length: pairs }, (_, pair) => [
    `st.relaxed.gpu ${at(thread + pair, of)}, ${thread * pairs + pair + 1}`,
    `ld.relaxed.gpu r${pair}, ${at(thread + pair + 1, of)}`,
  ]).flat();

const tests: readonly (readonly [name: string, text: string])[] = [
  [
    "4 x 4",
    text(
      "four-by-four",
      [0, 1, 2, 3].map((thread) => mixture(thread, 2, 4)),
    ),
  ],
  [
    "2 x 12",
    text(
      "two-by-twelve",
      [0, 1].map((thread) => mixture(thread, 6, 2)),
    ),
  ],
  [
    "4 x 8",
    text(
      "four-by-eight",
      [0, 1, 2, 3].map((thread) => mixture(thread, 4, 4)),
      3,
    ),
  ],
  [
    "ring of 8",
    text(
      "ring",
      Array.from({ length: 8 }, (_, i) => [
        `st.relaxed.gpu ${at(i, 8)}, 1`,
        "fence.sc.gpu",
        `ld.relaxed.gpu r0, ${at(i + 1, 8)}`,
      ]),
    ),
  ],
];

/** The most CPU seconds that a test may take, by its name. */
export type LitmusTargets = Readonly<Record<string, number>>;

/** Litmus tests of many executions: threads x operations. Gives whether all are decided in time. */
export function measureLitmus(part: string, targets: LitmusTargets): boolean {
  if (!"litmus".includes(part)) return true;
  row("litmus", "states", "seconds", "target");
  const met = tests.map(([name, source]) => {
    const { ready } = prepare(readPublished(new Source(name, source)).value!);
    let states = 0;
    let complete = false;
    const time = seconds(() => {
      const verdict = judge(ready!, usualBounds);
      states = verdict.states.length;
      complete = verdict.complete;
    });
    const target = targets[name] ?? 0;
    const isMet = complete && time <= target;
    row(name, String(states), digits(time), String(target), isMet ? "" : "ABOVE");
    return isMet;
  });
  return !met.includes(false);
}
