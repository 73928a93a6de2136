import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Io, Signal } from "../../../../src/environment/io.ts";
import { World } from "../world.ts";

const good = "//@ case one: a=1 b=1 -> d=2\nadd.f16 d, a, b;\n";
const bad = good.replace("d=2", "d=3");
const worlds: World[] = [];
afterAll(() => {
  for (const world of worlds) world.remove();
});

/** A look each 20 ms, and as many as it takes. */
const EVER = { timeout: 2 ** 31 - 1, interval: 20 };

/** A check that watches, until `end`. */
class Watching {
  readonly world: World = new World();
  out = "";
  err = "";
  #signal: ((signal: Signal) => void) | undefined;
  #exit: Promise<number> | undefined;

  constructor(files: Readonly<Record<string, string | Uint8Array>>) {
    worlds.push(this.world);
    for (const [path, text] of Object.entries(files)) this.world.write(path, text);
  }

  begin(argv: readonly string[], io: Partial<Io> = {}): this {
    this.#exit = this.world
      .ptxrun(["check", "--watch", ...argv], {
        out: (text) => {
          this.out += text;
        },
        err: (text) => {
          this.err += text;
        },
        onSignal: (act) => {
          this.#signal = act;
          return () => {};
        },
        ...io,
      })
      .then(({ exit }) => exit);
    return this;
  }

  /** Waits for the next report; gives what was printed since the one before. */
  async round(): Promise<{ readonly out: string; readonly err: string }> {
    await expect.poll(() => this.err, EVER).toContain("watching; Ctrl-C ends\n");
    const { out, err } = this;
    this.out = "";
    this.err = "";
    return { out, err };
  }

  end(signal: Signal = "SIGINT"): Promise<number> | undefined {
    this.#signal?.(signal);
    return this.#exit;
  }
}

describe("check --watch", () => {
  it("checks again what has changed, and reports on all", async () => {
    const watching = new Watching({ "t/a.ptx": good, "t/b.ptx": bad }).begin(["t"]);
    const first = await watching.round();
    expect(first.out).toMatch(/2 files: 1 passed, 1 failed\n$/);
    watching.world.write("t/b.ptx", good);
    const second = await watching.round();
    expect(second.err).toContain("changed: t/b.ptx\n");
    expect(second.out).toBe("ok    t/a.ptx  1 passed\nok    t/b.ptx  1 passed\n2 files: 2 passed, 0 failed\n");
    watching.world.write("t/a.ptx", bad);
    expect((await watching.round()).out).toMatch(/^FAIL {2}t\/a\.ptx[\s\S]*2 files: 1 passed, 1 failed\n$/);
    watching.world.write("t/b.ptx", bad);
    const last = await watching.round();
    expect(last.err).not.toContain("t/a.ptx");
    expect(last.out.match(/^error PTX7005/gm)).toHaveLength(2);
    expect(await watching.end()).toBe(130);
  });

  it("sees files that come and go", async () => {
    const watching = new Watching({ "t/a.ptx": good }).begin(["t"]);
    await watching.round();
    watching.world.write("t/new.ptx", bad);
    expect((await watching.round()).out).toContain("2 files: 1 passed, 1 failed\n");
    rmSync(join(watching.world.folder, "t/new.ptx"));
    expect((await watching.round()).out).toContain("1 file: 1 passed, 0 failed\n");
    rmSync(join(watching.world.folder, "t/a.ptx"));
    const { out, err } = await watching.round();
    expect([out, err]).toEqual(["0 files: 0 passed, 0 failed\n", expect.stringContaining("PTX7010")]);
    watching.world.write("t/a.ptx", good);
    expect((await watching.round()).out).toContain("1 file: 1 passed, 0 failed\n");
    expect(await watching.end("SIGTERM")).toBe(143);
  });

  it("sees sidecars, snapshots and data, there before or not", async () => {
    const load = "ld.global.u32 d, [p];\n";
    const watching = new Watching({
      "t/a.ptx": `//@ case data: p:u32=@in/x.bin -> d=1\n//@ snapshot: p=u32x1:4\n${load}`,
      "t/in/x.bin": new Uint8Array([1, 0, 0, 0]),
    }).begin(["t"]);
    expect((await watching.round()).out).toContain("there is no t/a.snap");
    watching.world.write("t/a.snap", "d  b32  0x00000004  4\n");
    await watching.round();
    watching.world.write("t/in/x.bin", new Uint8Array([2, 0, 0, 0]));
    expect((await watching.round()).out).toContain("d is 0x00000002 (2)");
    watching.world.write("t/a.ptxcheck.json", "{}");
    expect((await watching.round()).out).toContain("a sidecar of no known kind");
    rmSync(join(watching.world.folder, "t/a.ptxcheck.json"));
    watching.world.write("t/in/x.bin", new Uint8Array([1, 0, 0, 0]));
    expect((await watching.round()).out).not.toContain("case data");
    await watching.end();
  });

  it("writes each report anew, and says nothing else with -q", async () => {
    const watching = new Watching({ "t/a.ptx": bad, "t/b.ptx": good });
    watching.begin(["t", "-q", "--reporter", "json"]);
    await expect.poll(() => watching.out, EVER).toMatch(/\n\}\n$/);
    expect(JSON.parse(watching.out)).toMatchObject({ passed: 1, failed: 1 });
    watching.out = "";
    watching.world.write("t/a.ptx", good);
    await expect.poll(() => watching.out, EVER).toMatch(/\n\}\n$/);
    expect(JSON.parse(watching.out)).toMatchObject({ passed: 2, failed: 0 });
    expect(watching.err).toBe("");
    expect(await watching.end()).toBe(130);
  });

  it.each([
    [["--update"], {}, "--update"],
    [[], { env: { CI: "true" } }, "--watch never ends, and CI is set"],
  ])("is refused with %j %j", async (more, io, words) => {
    const { world } = new Watching({ "a.ptx": good });
    const { exit, err, out } = await world.ptxrun(["check", "a.ptx", "--watch", ...more], io);
    expect([exit, out, err]).toEqual([2, "", expect.stringContaining(words)]);
  });

  it("does not begin where a path is not there", async () => {
    const { world } = new Watching({ "a.ptx": good });
    expect((await world.ptxrun(["check", "a.ptx", "nowhere", "--watch"])).exit).toBe(2);
  });
});
