import { expect, it } from "vitest";
import { Device, must } from "../../src/index.ts";
import { OWNER_WORDS } from "../../src/interp/compiled/running/owner-words.ts";
import { Random } from "../../src/interp/contract/launch/random.ts";
import { compiled, javascript } from "../../src/interp/index.ts";
import { RaceDetector } from "../../src/interp/tools/race/race.ts";
import type { Diagnostic } from "../../src/source/diagnostic.ts";
import { draws } from "../share.ts";
import { raceProgram, tidyProgram } from "./race-program.ts";
import { ReferenceDetector } from "./race-reference.ts";

const PROGRAMS = Number(process.env["RACE_PROGRAMS"] ?? draws(1, 15));
/** Of two programs from there one has a race, and one has none. */
const FIRST = Number(process.env["RACE_SEED"] ?? 5);

/** Adds a finding to a list, or puts it in the place of one that says less. */
const into =
  (found: Diagnostic[]) =>
  (finding: Diagnostic, instead: Diagnostic | undefined): boolean => {
    const at = instead === undefined ? -1 : found.indexOf(instead);
    found.splice(at < 0 ? found.length : at, at < 0 ? 0 : 1, finding);
    return true;
  };

/** What both detectors find in one run of a program that `seed` draws. */
function findings(seed: number): readonly (readonly Diagnostic[])[] {
  const random = new Random(seed);
  const below = (count: number): number => random.below(count);
  const device = new Device({ maxMemory: 32 << 20 });
  const kernel = must(must(device.module(raceProgram(below))).kernel("k"));
  const grid = [1 + below(6), 1, 1] as const;
  const block = [[32, 40, 64, 96][below(4)]!, 1, 1] as const;
  const schedule = below(2) === 0 ? {} : { schedule: { seed: below(1000) } };
  const out = device.buffer(new Uint8Array(16384));
  const session = must(kernel.session({ grid, block, args: [out], maxSteps: 1500, ...schedule }))!;
  const found: Diagnostic[][] = [[], [], []];
  const rangeAt = (at: number) => session.state!.context.memory.allocations.find(at);
  const launch = { program: kernel.program, grid, block, cluster: undefined, rangeAt };
  const few = { global: 2048, shared: 4 };
  session.observe(new RaceDetector({ ...launch, limit: 1 << 30, report: into(found[0]!) }));
  session.observe(new ReferenceDetector({ ...launch, report: into(found[1]!) }));
  session.observe(new RaceDetector({ ...launch, limit: 1 << 30, deferred: few, report: into(found[2]!) }));
  session.run();
  session.close();
  return found;
}

it("the race detector finds what one that packs nothing finds, to the letter", () => {
  let races = 0;
  for (let seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
    const [packed = [], reference = [], small = []] = findings(seed);
    races += reference.length;
    // The advice, and whether there was a flag at all, come from a log of flags that only the detector keeps.
    const untold = (message: string): string =>
      message.replace(/(the flag does not order them|no barrier orders them)$/, "no release and acquire order them");
    const text = (each: Diagnostic): unknown => [untold(each.message), each.span, each.related];
    for (const each of [packed, small])
      expect(each.map(text), `RACE_SEED=${seed} RACE_PROGRAMS=1`).toEqual(reference.map(text));
  }
  expect(races).toBeGreaterThan(PROGRAMS);
});

it("it lets the same loads go of a word that very many have loaded", () => {
  const count = 40;
  const load = "ld.global.u32 %r1, [%rd1]; ".repeat(count);
  const text = `.version 8.0 .target sm_80 .address_size 64 .visible .entry k(.param .u64 out)
    { .reg .b32 %r<2>; .reg .b64 %rd<2>; ld.param.u64 %rd1, [out]; ${load} st.global.u32 [%rd1], 1; ret; }`;
  const device = new Device();
  const kernel = must(must(device.module(text)).kernel("k"));
  const session = must(kernel.session({ grid: 1, block: 1, args: [device.buffer(4)] }))!;
  const rangeAt = (at: number) => session.state!.context.memory.allocations.find(at);
  const { program } = kernel;
  const launch = { program, grid: [8, 1, 1], block: [128, 1, 1], cluster: undefined, rangeAt } as const;
  let races = 0;
  for (let seed = 1; seed <= draws(3, 60); seed++) {
    const random = new Random(seed);
    const found: Diagnostic[][] = [[], []];
    const both = [
      new RaceDetector({ ...launch, limit: 1 << 30, report: into(found[0]!) }),
      new ReferenceDetector({ ...launch, report: into(found[1]!) }),
    ];
    const blocks = 1 + random.below(8);
    for (let runs = 40; runs > 0; runs--) {
      const [block, warp, pc] = [random.below(blocks), random.below(4), 1 + random.below(count)];
      const [first, lanes] = [random.below(16), 1 + random.below(16)];
      const meeting = random.below(8);
      for (const detector of both) {
        if (meeting === 0) detector.barrier(block, 0, new Uint32Array(4).fill(0xffff_ffff), true);
        if (meeting === 1) detector.warpSync(block, warp, 0xffff_ffff);
        for (let lane = first; lane < first + lanes; lane++)
          detector.load({ block, warp, lane }, "global", 256n, 4, "weak", "gpu", 256, pc);
      }
    }
    for (const detector of both)
      detector.store({ block: 7, warp: 3, lane: 31 }, "global", 256n, 4, "weak", "gpu", 256, undefined, count + 1);
    races += found[1]!.length;
    expect(found[0]!.map(({ message }) => message)).toEqual(found[1]!.map(({ message }) => message));
  }
  expect(races).toBeGreaterThan(draws(10, 300));
});

it("it finds the same in compiled programs, which notify it late", () => {
  let races = 0;
  for (let seed = FIRST; seed < FIRST + 2 * PROGRAMS; seed++) {
    const found = [javascript, compiled].map((executor) => {
      const random = new Random(seed);
      const below = (count: number): number => random.below(count);
      const device = new Device();
      const kernel = must(must(device.module(raceProgram(below))).kernel("k"));
      const args = [device.buffer(new Uint8Array(16384))];
      const sanitize = { mem: true, init: false, race: true };
      const threads = [32, 40, 64, 96, 256][below(5)]!;
      const launch = { grid: 1 + below(6), block: threads, args, maxSteps: 4000, sanitize };
      const { findings, stop } = must(kernel.launch({ ...launch, executor, readableRegisters: false }))!;
      return [stop.reason, ...findings.map(({ message, span, related }) => ({ message, span, related }))];
    });
    races += found[0]!.length - 1;
    expect(found[1], `RACE_SEED=${seed}`).toEqual(found[0]);
  }
  expect(races).toBeGreaterThan(PROGRAMS);
});

it("it finds the same where modules judge that accesses race with none, until one may", () => {
  let [races, judged, tidy] = [0, 0, 0];
  for (let seed = FIRST; seed < FIRST + 2 * PROGRAMS; seed++) {
    const found = [javascript, compiled].map((executor) => {
      const random = new Random(seed);
      const below = (count: number): number => random.below(count);
      const device = new Device();
      const kernel = must(must(device.module(tidyProgram(below))).kernel("k"));
      const args = [device.buffer(new Uint8Array(131072))];
      const sanitize = { mem: true, init: false, race: true };
      const threads = [32, 40, 64, 96, 256][below(5)]!;
      const launch = { grid: 1 + below(6), block: threads, args, maxSteps: 200_000, sanitize };
      const session = must(kernel.session({ ...launch, executor, readableRegisters: false }))!;
      const stop = session.run();
      if (executor === compiled) {
        if (session.state!.context.memory.allocations.live.some(({ name }) => name === OWNER_WORDS)) judged++;
        if (session.findings.length === 0) tidy++;
      }
      session.close();
      return [stop.reason, ...session.findings.map(({ message, span, related }) => ({ message, span, related }))];
    });
    races += found[0]!.length - 1;
    expect(found[1], `RACE_SEED=${seed}`).toEqual(found[0]);
  }
  expect(races).toBeGreaterThan(0);
  // To the end of the launch: the detector has heard of nothing.
  expect(judged).toBeGreaterThan(0);
  expect(judged).toBeLessThanOrEqual(tidy);
});

it("it finds the same when a launch goes back to where it has been", () => {
  let races = 0;
  for (let seed = FIRST; seed < FIRST + Math.ceil(PROGRAMS / 3); seed++) {
    const found = [false, true].map((back) => {
      const random = new Random(seed);
      const device = new Device({ maxMemory: 32 << 20 });
      const kernel = must(must(device.module(raceProgram((count) => random.below(count)))).kernel("k"));
      const args = [device.buffer(new Uint8Array(16384))];
      const sanitize = { mem: true, init: true, race: true };
      const session = must(kernel.session({ grid: 3, block: 64, args, maxSteps: 1500, sanitize }))!;
      if (back) {
        session.run({ budget: 150 });
        const kept = session.snapshot();
        session.run({ budget: 200 });
        session.restore(kept);
      }
      session.run();
      session.close();
      return session.findings.map(({ message }) => message);
    });
    races += found[0]!.length;
    expect(found[1], `RACE_SEED=${seed}`).toEqual(found[0]);
  }
  expect(races).toBeGreaterThan(0);
});
