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

it("only notes that no fence follows an mbarrier.init whose object the block's own copy signals", () => {
  const codes = (fence: string): readonly string[] =>
    runKernel(
      `mbarrier.init.shared.b64 [bar], 1; ${fence} mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%in], 16, [bar];
W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra W;`,
      1,
      { module: ".shared .align 16 .b8 tile[16]; .shared .align 8 .b64 bar;", given: new Uint32Array(4) },
    ).findings;
  expect(codes("")).toEqual(["PTX4025"]);
  expect(codes("fence.mbarrier_init.release.cluster;")).toEqual([]);
  expect(codes("fence.proxy.async.shared::cta;")).toEqual([]);
});
