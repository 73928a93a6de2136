import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import schema from "../../../schema/self-1.json" with { type: "json" };
import { version } from "../../../src/system/version.ts";
import { violations } from "./json-schema.ts";
import { World } from "./world.ts";

const world = new World().write("home/native/libptxrun.so", "").write("home/native/libptxrun.dylib", "");
mkdirSync(join(world.folder, "home/.cache"), { mode: 0o700 });
afterAll(() => world.remove());
const HOME = join(world.folder, "home");
const env = { HOME, PTXRUN_NATIVE: join(HOME, "native") };

interface Part {
  readonly name: string;
  readonly works: boolean;
  readonly needed: boolean;
  readonly detail?: string;
}

describe("doctor --self", () => {
  it("says what is installed, and tries what works", async () => {
    const { exit, out, err } = await world.ptxrun(["doctor", "--self", "--json"], { env });
    const self = JSON.parse(out);
    expect([exit, err, violations(self, schema)]).toEqual([0, "", []]);
    expect(self).toMatchObject({
      version,
      build: "sources",
      installed: "sources",
      node: { version: process.versions.node },
      system: { platform: process.platform, arch: process.arch },
    });
    const parts = new Map((self.parts as Part[]).map((each) => [each.name, each]));
    for (const name of ["executor js", "executor wasm"])
      expect(parts.get(name)).toEqual({ name, works: true, needed: true });
    expect(parts.get("libraries for exec")).toMatchObject({
      works: true,
      detail: expect.stringMatching(/^~\/native: /),
    });
    expect(parts.get("threads")).toMatchObject({ works: false, detail: expect.stringContaining("scripts") });
    if (process.platform === "linux")
      expect(parts.get("folder for caches")).toMatchObject({ works: true, detail: "~/.cache/ptxrun" });
    expect(out).not.toContain(HOME);
  });

  it("says so in text, with the reason where something does not work", async () => {
    const { exit, out } = await world.ptxrun(["doctor", "--self"], { env: { PTXRUN_NATIVE: "nowhere" } });
    expect([exit, out]).toEqual([0, expect.stringMatching(/^ptxrun \d+\.\d+\.\d+, build sources, sources\nNode\.js /)]);
    expect(out).toMatch(/\n {2}yes {2}executor js\n {2}yes {2}executor wasm\n/);
    expect(out).toMatch(/\n {2}no {3}libraries for exec {2}no libptxrun\.\w+ in /);
    expect(out).toMatch(/\n {2}no {3}folder for caches +no home is known\n/);
  });

  it("fails where an executor gives other bits", async () => {
    // A clock that breaks each run: what is tried must not be taken for what works.
    const broken = {
      now: () => {
        throw new Error("broken");
      },
    };
    const { exit, out } = await world.ptxrun(["doctor", "--self"], broken);
    expect([exit, out]).toEqual([1, expect.stringMatching(/\n {2}no {3}executor js +bug in ptxrun .*: broken\n/)]);
  });

  it("takes a file or --self", async () => {
    expect(await world.ptxrun(["doctor", "--self", "k.ptx"])).toMatchObject({
      exit: 2,
      err: expect.stringContaining("PTX2001"),
    });
    expect(await world.ptxrun(["doctor"])).toMatchObject({ exit: 2, err: expect.stringContaining("needs a file") });
  });
});
