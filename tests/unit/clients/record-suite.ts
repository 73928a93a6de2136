import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, expect, it } from "vitest";
import type { Programs } from "../../../native/tests/programs.ts";
import { World } from "../cli/world.ts";

interface Recording {
  readonly options?: readonly string[];
  /** The suite's own unless told. */
  readonly program?: string;
}

/** Tests of `ptxrun exec --record` for the driver API, with libraries that somebody has built. */
export function recordSuite(built: () => Programs): void {
  let programs: Programs;
  let program: string;
  let world: World;
  beforeAll(() => {
    programs = built();
    program = programs.build("driver-record.c", "cuda");
  });
  afterEach(() => world.remove());

  /** Runs a part of the program; the folder with its launches, their command lines and what was said. */
  function record(part: string, { options = [], program: run = program }: Recording = {}) {
    world = new World();
    const folder = join(programs.folder, "kept");
    rmSync(folder, { recursive: true, force: true });
    const { exit, err } = programs.exec([...options, "--record", folder, run, part]);
    expect([exit, err]).toEqual([0, err]);
    const lines = readFileSync(join(folder, "launches"), "utf8").trim().split("\n");
    return { folder, err, launches: lines.map((line) => line.split(" ").slice(1)) };
  }

  it.each([
    ["beyond", "PTX3002"],
    ["freed", "PTX3005"],
  ])("replays a fault with the same addresses: %s", async (part, code) => {
    const { folder, err, launches } = record(part);
    const fault = err.split("\n").find((line) => line.startsWith("error")) ?? "";
    expect(fault).toContain(`error ${code}: ld.global.u32 reads 4 bytes at 0x4f00`);
    const words = launches.at(-1) ?? [];
    expect(await world.ptxrun(["run", ...words])).toMatchObject({ exit: 4, err: expect.stringContaining(fault) });
    const stepped = await world.ptxrun(["repl", ...words, "--command", "continue"]);
    expect(stepped.out + stepped.err).toContain(fault.slice("error ".length));
    expect(err).toContain(`ptxrun: to step through it: ptxrun repl ${words.join(" ")}\n`);
    expect(await world.ptxrun(["check", folder])).toMatchObject({ exit: 0 });
  });

  it("compares all that a launch leaves in memory, NaNs and variables too", async () => {
    const { folder } = record("well");
    const good = await world.ptxrun(["check", folder]);
    expect([good.exit, good.out]).toEqual([0, expect.stringContaining("2 passed, 0 failed")]);
    const text = join(folder, "0001-adding.ptx");
    const change = (from: string, to: string): void => {
      const now = readFileSync(text, "utf8");
      expect(now).toContain(from);
      writeFileSync(text, now.replace(from, to));
    };
    change("atom.global.add.u32 %r4, [counter], 1", "atom.global.add.u32 %r4, [counter], 2");
    const counted = await world.ptxrun(["check", text]);
    expect([counted.exit, counted.out]).toEqual([1, expect.stringContaining("byte 0 of counter is 0x10")]);
    expect(counted.out).toContain("expected 0x08");
    change("[counter], 2", "[counter], 1");
    change("add.s32 %r2, %r2, %r3;", "or.b32 %r2, %r2, 0x00400000;");
    const quieted = await world.ptxrun(["check", text]);
    expect([quieted.exit, quieted.out]).toEqual([1, expect.stringMatching(/byte 6 of buffer \d is 0xc0/)]);
  });

  it("keeps what the host shares with the device", async () => {
    const { folder } = record("shared");
    const { exit, out } = await world.ptxrun(["check", folder]);
    expect([exit, out]).toEqual([0, expect.stringContaining("2 passed, 0 failed")]);
  });

  it("keeps textures and surfaces, and those that are left without memory", async () => {
    const painting = programs.build("images.c", "cuda");
    const { folder } = record("recorded", { program: painting });
    const { exit, out } = await world.ptxrun(["check", folder]);
    expect([exit, out]).toEqual([0, expect.stringContaining("8 passed, 0 failed")]);
  });

  it("keeps a launch that never ends", async () => {
    const { folder, err, launches } = record("endless", { options: ["--timeout", "10m"] });
    expect(err).toContain(`the last line of ${folder}/launches replays it`);
    const { err: said } = await world.ptxrun(["run", ...(launches[0] ?? []), "--max-steps", "1000"]);
    expect(said).toContain("PTX6001: stopped after 1000 steps, the limit");
    expect(readFileSync(join(folder, "0001-endless.ptxcheck.json"), "utf8")).toMatch(
      /--timeout 600000ms .*-> fault limit/s,
    );
  });

  it("refuses memory that cannot be", async () => {
    const { folder } = record("well");
    const file = join(folder, "0001-adding.mem");
    const bytes = readFileSync(file);
    // The first record is one without bytes, the second a variable's: makes it a page.
    bytes[16] = 3;
    writeFileSync(file, bytes);
    const { exit, out } = await world.ptxrun(["check", join(folder, "0001-adding.ptx")]);
    expect([exit, out]).toEqual([1, expect.stringContaining("PTX2252")]);
    expect(readdirSync(folder)).toHaveLength(7);
  });
}
