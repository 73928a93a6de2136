import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cost } from "../cost.ts";
import { corpus, type Hostile } from "../hostile/corpus.ts";
import { inputs, place } from "../hostile/input.ts";
import { texts } from "../hostile/texts.ts";
import { draws, everything, sample, share } from "../share.ts";
import { Bundle } from "../unit/cli/bundle.ts";
import { looking, World } from "../unit/cli/world.ts";

const world = new World();
let bundle: Bundle;
beforeAll(async () => {
  bundle = await Bundle.make();
  // Loads the code of each command, which is no file's fault.
  world.write("warm.ptx", "//@ case one: a=1 -> d=0xfffffffe\nnot.b32 d, a;\n");
  for (const command of ["run", "check", "lint"]) await world.ptxrun([command, "warm.ptx"]);
  if (everything) place(world);
});
afterAll(() => {
  bundle.remove();
  world.remove();
});

let made = 0;
/** Writes a file and what lies beside it; gives its command line. */
function placed({ text, beside = {}, argv }: Hostile): string[] {
  const folder = `h${made++}`;
  if (text !== undefined) world.write(`${folder}/h.ptx`, text);
  for (const [ending, contents] of Object.entries(beside)) world.write(`${folder}/h${ending}`, contents);
  return argv.map((word) => (word === "FILE" ? `${folder}/h.ptx` : word));
}

/** As at a terminal, but without colours and progress, which are ours and not the file's. */
const terminal = { terminal: { out: true, err: true }, env: { NO_COLOR: "1", TERM: "dumb" } };

/** Milliseconds of each look at the clock: limits of a second, or of less, end what would never end, and nothing that does. */
const LOOK = 0.01;

/** Runs it, in this process if it can be, and says what must hold of everything that reaches a terminal. */
async function attempt(each: Hostile, argv = placed(each)): Promise<void> {
  const { name, from, alone, exits = [0, 1, 2, 3, 4, 5, 6, 7], says, io } = each;
  const isProcess = alone === true || from !== undefined;
  const ran = isProcess ? bundle.run(argv, world.folder, from) : await world.ptxrun(argv, { ...terminal, now: looking(LOOK), ...io }); // biome-ignore format: one line
  // A pipe gets what the program printed as it is.
  const said = isProcess && name.startsWith("printing") ? ran.err : ran.out + ran.err;
  expect([ran.exit, said.slice(0, 400)]).toEqual([expect.toBeOneOf([...exits]), said.slice(0, 400)]);
  if (says !== undefined) expect(said).toMatch(says);
  if (argv.includes("--reporter")) expect(ran.err).toBe("");
  expect(said).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not come through
  expect(said).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069]/u);
  expect(said).not.toMatch(/password|bug in ptxrun/);
  if ("kibibytes" in ran) {
    expect(ran.kibibytes).toBeGreaterThan(1000);
    expect(ran.kibibytes).toBeLessThan((each.mebibytes ?? (from === undefined ? 128 : 384)) * 1024);
  } else expect(said.length).toBeLessThan(100_000);
}

const all = corpus();
const named = (list: readonly Hostile[]) => list.map((each) => [each.name, each] as const);

describe("the hostile corpus", () => {
  it("holds at least 300 files, the same ones each time", () => {
    expect(all.length).toBeGreaterThanOrEqual(300);
    expect(corpus().map(({ text }) => text)).toEqual(all.map(({ text }) => text));
    expect(new Set(all.map(({ name, argv }) => `${argv[0]} ${name}`)).size).toBeGreaterThan(290);
  });

  /** What one file may cost, see `cost`: four times what the slowest does. */
  const MOST = 250;
  it.each(named(share(all, 36, 3)))("%s", async (_, each) => {
    const argv = placed(each);
    expect(await cost(() => attempt(each, argv), MOST)).toBeLessThan(MOST);
  });
});

describe("as processes, or of more than the corpus has", () => {
  // Each takes a process of its own; HOSTILE_STRIDE=1 takes all. Most are small changes of a small text: of those few, and
  // some of the longest texts.
  const stride = Number(process.env["HOSTILE_STRIDE"] ?? draws(640, 60));
  const size = ({ text = "" }: Hostile): number => text.length;
  const long = all.toSorted((one, other) => size(other) - size(one)).filter((_, at) => at % 4 === 0);
  const some = all.filter((each, index) => index % stride === 0 || long.slice(0, draws(0, 6)).includes(each));
  // No operating system passes a NUL in a command line.
  const possible = some.filter(({ argv }) => argv.every((word) => !word.includes("\0")));
  // What ends by a limit of time ends otherwise there.
  const processes = possible.map(({ exits, ...each }): Hostile => ({ ...each, alone: true, mebibytes: 256 }));
  it.each(named([...processes, ...(everything ? sample([...texts(), ...inputs()], 5) : [])]))("%s", async (_, each) =>
    attempt(each),
  );
});
