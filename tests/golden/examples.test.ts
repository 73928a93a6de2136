import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { main } from "../../src/cli/app.ts";
import { filesFrom } from "../../src/system/files.ts";

const root = resolve(import.meta.dirname, "../..");
const files = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" }).filter((name) =>
  /\.(?:ptx|visaasm)$/.test(name),
);

describe("the examples", () => {
  it("are there", () => {
    expect(files.length).toBeGreaterThan(30);
  });

  it("expect something, each of them", () => {
    const path = (name: string): string => join(root, "examples", name);
    const isEmpty = (name: string): boolean =>
      !/\/\/(?:~|@ (?!args))/.test(readFileSync(path(name), "utf8")) &&
      !existsSync(path(name.replace(/\.\w+$/, ".ptxcheck.json")));
    expect(files.filter(isEmpty)).toEqual([]);
  });

  // One in eight; the gate checks all of them by `ptxrun check examples`.
  it.each(files.sort().filter((_, at) => at % 8 === 0))("%s holds", async (file) => {
    let printed = "";
    const print = (text: string) => {
      printed += text;
    };
    const exit = await main(["check", join("examples", file)], {
      out: print,
      err: print,
      input: () => ({ bytes: new Uint8Array() }),
      env: {},
      cwd: root,
      files: filesFrom(root),
      terminal: { out: false, err: false },
      now: () => 0,
    });
    expect(printed).toMatch(/1 file: [1-9]\d* passed, 0 failed\n$/);
    expect(exit).toBe(0);
  });
});
