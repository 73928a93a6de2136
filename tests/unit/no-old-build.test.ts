import { describe, expect, it } from "vitest";
import { testFiles } from "./test-files.ts";

/**
 * A test that runs what was built before the change that it judges says nothing of that. What tests run as a process is bundled
 * from the sources in the same run: `Bundle` in `cli/bundle.ts`, and with a library of C `Programs` in `../../native/tests/programs.ts`.
 */
const old = /\bbin\/ptxrun\.js\b|(?<!ajv\/)\bdist\/|["'`]dist["'`]/;

/** Files that name them, and why. */
const allowed: Readonly<Record<string, string>> = {
  "tests/golden/checkout.test.ts": "makes a checkout whose command is the bundle of this run",
  "tests/golden/coverage.test.ts": "names the command that writes the page",
  "tests/golden/library.test.ts": "makes a package of the bundle of this run",
  "native/tests/programs.ts": "makes the folder beside the bundle of this run",
  "native/tests/python-suite.ts": "makes the folder of an installation, of the bundle of this run",
  "tests/unit/cli/start/code-cache.test.ts": "makes folders of its own",
  "editors/tests/extension.test.ts": "names what the extension ships, and runs nothing",
  "tests/unit/no-old-build.test.ts": "names what is forbidden",
};

/** Commands that somebody starts by hand, after `npm run build`; no test starts one. */
const byHand =
  /^tests\/(?:(?:bench|package|sweep|fuzz\/compiled)\/|campaign\/(?:keep|kills)\.js$|fuzz\/csmith\.js$)|^native\/tests\/(?:kills\.js|clients\.js|cudart\/run\.js)$|^web\/tests\/size\.test\.ts$/;

describe("no test runs what was built before", () => {
  it("but for those that only name it", () => {
    const named = [...testFiles(/\.(?:[jt]s|c|h|py)$/)].filter(([file, text]) => !byHand.test(file) && old.test(text));
    expect(named.map(([file]) => file).toSorted()).toEqual(Object.keys(allowed).toSorted());
  });

  it.each([
    'const command = fileURLToPath(new URL("../../../bin/ptxrun.js", import.meta.url));',
    'import { match } from "../../dist/isa/index.js";',
    'spawn(process.execPath, [join(root, "dist", "start.cjs")]);',
  ])("%s is seen", (text) => expect(text).toMatch(old));
});
