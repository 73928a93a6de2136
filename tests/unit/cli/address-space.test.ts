import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Bundle } from "./bundle.ts";

// `ulimit -v` is how batch systems hold a process's address space down; only Linux keeps it.
describe.runIf(process.platform === "linux")("with little address space", () => {
  let bundle: Bundle;
  let folder: string;
  beforeAll(async () => {
    bundle = await Bundle.make();
    folder = mkdtempSync(join(tmpdir(), "ptxrun-address-space-"));
    writeFileSync(
      join(folder, "big.ptx"),
      `.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry big() {\n  .shared .b8 s[600000000];\n  ret;\n}\n`,
    );
    writeFileSync(
      join(folder, "variable.ptx"),
      `.version 8.0\n.target sm_80\n.address_size 64\n.global .b8 table[600000000];\n.visible .entry k() { ret; }\n`,
    );
    // Takes what there is but 24 to 40 MiB, once everything has been loaded; with less the engine itself fails.
    writeFileSync(
      join(folder, "eat.mjs"),
      `const { Memory } = WebAssembly;
       const take = (size) => { try { return new SharedArrayBuffer(size * 2 ** 20); } catch {} };
       globalThis.eaten = [];
       WebAssembly.Memory = function (...rest) {
         if (eaten.length === 0) {
           let kept = take(24);
           for (const size of [256, 64, 16]) for (let more; (more = take(size)); ) eaten.push(more);
           kept = undefined;
           take(4096);
         }
         return new Memory(...rest);
       };`,
    );
  });
  afterAll(() => {
    bundle.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs `ptxrun ARGV...` with `kibibytes` of address space. */
  function run(kibibytes: number, argv: readonly string[], node: readonly string[] = []) {
    const { status, stdout, stderr } = spawnSync(
      "bash",
      ["-c", `ulimit -v ${kibibytes}; exec "$0" "$@"`, process.execPath, ...node, bundle.entry, ...argv],
      // One arena, where every thread would take 64 MiB of addresses for its own.
      { cwd: folder, encoding: "utf8", env: { ...process.env, CI: "", NO_COLOR: "1", MALLOC_ARENA_MAX: "1" } },
    );
    return { exit: status, out: stdout, err: stderr };
  }

  const add = ["-e", "add.u32 d, a, b;", "-r", "a=1", "-r", "b=2"];

  // Node itself needs 750 MB; WebAssembly's guard pages 10 GiB more, and what is below and above 2 GB runs further below.
  test.each([1_100_000, 6_000_000])("of %i KiB a small program runs", (kibibytes) => {
    const { exit, out, err } = run(kibibytes, add);
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toContain("d  b32  0x00000003  3");
  });

  test("a launch that needs more than there is says what there is", () => {
    const { exit, err } = run(2_000_000, ["big.ptx"]);
    expect(exit).toBe(6);
    expect(err).toMatch(/error PTX6002: big needs more memory than the \d+ bytes of this process leave/);
    expect(err).toMatch(
      /= help: the system gave \d+ of 1073741824 bytes: raise this process's limit of address space \(ulimit -v\)/,
    );
    expect(run(16_000_000, ["big.ptx"]).exit).toBe(0);
  });

  test.each([
    ["a variable", ["variable.ptx"], /PTX6003: no room for table, 600000000 bytes, within \d+ bytes of memory/],
    ["a buffer", ["-e", "ld.u32 d, [a];", "-r", "a=u32x150000000"], /PTX6003: no room for a, 600000000 bytes/],
  ])("so does %s", (_name, argv, says) => {
    const { exit, err } = run(2_000_000, argv);
    expect(exit).toBe(6);
    expect(err).toMatch(says);
    expect(err).toMatch(/= help: the system gave \d+ of 1073741824 bytes: raise/);
    expect(err).not.toContain("--max-mem");
  });

  test("where only the smallest memory fits, small programs run and others say why not", () => {
    const few = ["--import", "./eat.mjs", "--single-threaded", "--max-semi-space-size=1"];
    // Where what is left happens to be next to nothing, the engine itself gives up while it is eaten: then once more.
    const survive = (argv: readonly string[]): ReturnType<typeof run> => {
      for (let tries = 1; ; tries++) {
        const result = run(3_000_000, argv, few);
        if (result.exit !== null || tries === 5) return result;
      }
    };
    const { exit, out, err } = survive(add);
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toContain("d  b32  0x00000003  3");
    const full = survive(["big.ptx"]);
    expect(full.exit).toBe(6);
    expect(full.err).toMatch(/PTX6002: big needs.*the system gave (4194304|8388608) of 1073741824 bytes/s);
  });
});
