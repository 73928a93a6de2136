import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { LaunchOptions } from "../../src/index.ts";
import type { Diagnostic } from "../../src/source/diagnostic.ts";
import type { Pair } from "./asynchrony/pair.ts";
import { type Ran, runKernel } from "./on-device.ts";

const folder = new URL("./asynchrony/", import.meta.url);
const files = readdirSync(folder).filter((file) => file !== "pair.ts");
const subjects = await Promise.all(
  files.map(async (file) => {
    const { pairs } = (await import(new URL(file, folder).href)) as { readonly pairs: readonly Pair[] };
    return { subject: file.replace(".ts", ""), pairs };
  }),
);

/** Every way for data to move, and some orders of warps beside it. */
const settings: readonly Pick<LaunchOptions, "async" | "schedule">[] = [
  { async: { when: "late" } },
  { async: { when: "early" } },
  ...[1, 2, 3].map((seed) => ({ async: { when: "random", seed } as const })),
  { async: { when: "late" }, schedule: { seed: 4 } },
  { schedule: { seed: 5 } },
];

function run(body: string, { module, target, given, launch, leaves }: Pair, setting: (typeof settings)[number]): Ran {
  return runKernel(body, leaves.length, {
    ...(module === undefined ? {} : { module }),
    ...(target === undefined ? {} : { target }),
    given: Uint32Array.from(given ?? Array.from({ length: 256 }, (_, at) => at)),
    launch: { maxSteps: 1_000_000, ...launch, ...setting },
  });
}

/** All that is said: the message, its places and its help. */
const textOf = ({ message, related = [], help = [] }: Diagnostic): string =>
  [message, ...related.map((each) => each.message), ...help.map((each) => each.message)].join("\n");

describe.each(subjects)("$subject", ({ pairs }) => {
  it.each(pairs)("$name: found whenever data move", (pair) => {
    for (const setting of settings) {
      const { diagnostic, errors } = run(pair.wrong, pair, setting);
      const found = errors[0] ?? diagnostic;
      expect([JSON.stringify(setting), found?.code, found?.message]).toEqual([
        JSON.stringify(setting),
        pair.finds,
        found?.message,
      ]);
      for (const pattern of pair.says) expect(textOf(found!)).toMatch(pattern);
    }
  });

  it.each(pairs)("$name: nothing is said of its repaired twin", (pair) => {
    for (const setting of settings) {
      const { words, stop, diagnostic, errors } = run(pair.right, pair, setting);
      const said = [diagnostic, ...errors].flatMap((each) => (each === undefined ? [] : [textOf(each)]));
      expect([JSON.stringify(setting), stop.reason, said, [...words]]).toEqual([
        JSON.stringify(setting),
        "exit",
        [],
        [...pair.leaves],
      ]);
    }
  });
});
