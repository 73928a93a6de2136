import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cost } from "../cost.ts";
import { corpus, type Hostile } from "../hostile/corpus.ts";
import { draws, share } from "../share.ts";
import { Bundle } from "../unit/cli/bundle.ts";
import { looking, type Outcome, World } from "../unit/cli/world.ts";

const world = new World();
afterAll(() => world.remove());
const all = corpus().map((each, index): Hostile & { readonly file: string } => ({ ...each, file: `h${index}/h.ptx` }));

/** Writes a file and what lies beside it; gives its command line. */
function placed({ file, text, beside = {}, argv }: Hostile & { readonly file: string }): string[] {
  world.write(file, text);
  for (const [ending, contents] of Object.entries(beside)) world.write(file.replace(".ptx", ending), contents);
  return argv.map((word) => (word === "FILE" ? file : word));
}

/** What must hold of everything that reaches a terminal. */
function decent(said: string): void {
  expect(said).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not come through
  expect(said).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069]/u);
  expect(said).not.toContain("bug in ptxrun");
}

/** As at a terminal, but without colours and progress, which are ours and not the file's. */
const terminal = { terminal: { out: true, err: true }, env: { NO_COLOR: "1", TERM: "dumb" } };

/** Milliseconds of each look at the clock: limits of a second, or of less, end what would never end, and nothing that does. */
const LOOK = 0.01;

/** What one file may cost, see `cost`: four times what the slowest does. */
const MOST = 250;

describe("the hostile corpus", () => {
  it("holds at least 300 files, the same ones each time", () => {
    expect(all.length).toBeGreaterThanOrEqual(300);
    expect(corpus().map(({ text }) => text)).toEqual(all.map(({ text }) => text));
    expect(new Set(all.map(({ name, argv }) => `${argv[0]} ${name}`)).size).toBeGreaterThan(290);
  });

  beforeAll(async () => {
    // Loads the code of each command, which is no file's fault.
    world.write("warm.ptx", "//@ case one: a=1 -> d=0xfffffffe\nnot.b32 d, a;\n");
    for (const command of ["run", "check", "lint"]) await world.ptxrun([command, "warm.ptx"]);
  });

  it.each(
    share(
      all.map((each) => [each.name, each] as const),
      9,
      3,
    ),
  )("%s", async (_, each) => {
    const argv = placed(each);
    let outcome: Outcome | undefined;
    const taken = await cost(async () => {
      outcome = await world.ptxrun(argv, { ...terminal, now: looking(LOOK) });
    }, MOST);
    const { exit, out, err } = outcome!;
    decent(out + err);
    if (each.exits === undefined) expect([0, 1, 2, 3, 4, 5, 6, 7]).toContain(exit);
    else
      expect([each.exits, (out + err).slice(0, 400)]).toEqual([
        expect.arrayContaining([exit]),
        (out + err).slice(0, 400),
      ]);
    expect(taken).toBeLessThan(MOST);
  });
});

describe("the hostile corpus as processes", () => {
  let bundle: Bundle;
  beforeAll(async () => {
    bundle = await Bundle.make();
  });
  afterAll(() => bundle.remove());

  // Each takes a process of its own; HOSTILE_STRIDE=1 takes all. Most are small changes of a small text: of those few, and
  // some of the longest texts.
  const stride = Number(process.env["HOSTILE_STRIDE"] ?? draws(160, 60));
  const long = all.toSorted((one, other) => other.text.length - one.text.length).filter((_, at) => at % 4 === 0);
  const some = all.filter((each, index) => index % stride === 0 || long.slice(0, draws(0, 6)).includes(each));
  // No operating system passes a NUL in a command line.
  const possible = some.filter(({ argv }) => argv.every((word) => !word.includes("\0")));
  it.each(possible.map((each) => [each.name, each] as const))("%s stays within 256 MB", (_, each) => {
    const { exit, out, err, kibibytes } = bundle.run(placed(each), world.folder);
    // A pipe gets what the program printed as it is.
    decent(each.name.startsWith("printing") ? err : out + err);
    expect([0, 1, 2, 3, 4, 5, 6, 7]).toContain(exit);
    expect(kibibytes).toBeGreaterThan(1000);
    expect(kibibytes).toBeLessThan(256 * 1024);
  });
});
