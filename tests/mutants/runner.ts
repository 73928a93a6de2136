import { appendFileSync, openSync, readSync, writeSync } from "node:fs";
import { relative, resolve } from "node:path";
import {
  type RunnerTestFile as File,
  inject,
  type RunnerTestSuite as Suite,
  type RunnerTask as Task,
  type RunnerTestCase as Test,
  TestRunner,
  vi,
} from "vitest";
import { startTests } from "vitest/internal/browser";
import { type Base, type Line, type Plan, readLog, SEEN } from "./log.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly plan: Plan;
  }
}

const plan = inject("plan");
process.env["PTXRUN_MUTANTS_SEEN"] = plan.seen;

/** What the changed sources ask, by a global name. */
class Switch {
  /** The mutant that is meant. */
  active = 0;
  readonly seen: Uint8Array;
  ticks = 0;
  most = Number.POSITIVE_INFINITY;

  constructor(mutants: number) {
    this.seen = new Uint8Array(mutants + 1);
  }

  /** What other processes come to. */
  readonly #file = openSync(plan.seen, "r+");

  forget(): void {
    this.seen.fill(0);
    this.ticks = 0;
    writeSync(this.#file, Buffer.alloc(SEEN), 0, SEEN, 0);
  }

  reached(): readonly number[] {
    const elsewhere = Buffer.alloc(this.seen.length);
    readSync(this.#file, elsewhere, 0, elsewhere.length, 0);
    return [...this.seen.keys()].filter((id) => this.seen[id] === 1 || elsewhere[id] === 1);
  }

  /** Says to all which mutant is meant. */
  mean(id: number): void {
    this.active = id;
    process.env["PTXRUN_MUTANT"] = String(id);
  }

  hit(id: number): boolean {
    this.seen[id] = 1;
    return id === this.active;
  }

  tick(): void {
    if (++this.ticks > this.most) throw new Error("a mutant made a loop endless");
  }
}

const mutants = new Switch(plan.mutants.length);
Object.assign(globalThis, { __mutants: mutants });
const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});

const log = (line: Line): void => appendFileSync(plan.log, `${JSON.stringify(line)}\n`);
const before = readLog(plan.log);
if (!before.some((line) => line.kind === "process" && line.pid === process.pid))
  log({ kind: "process", pid: process.pid });
const known = new Map(before.flatMap((line) => (line.kind === "base" ? [[line.file, line] as const] : [])));
const judged = new Set(before.flatMap((line) => (line.kind === "verdict" ? [line.id] : [])));
const unusable = new Set(before.flatMap((line) => (line.kind === "unusable" ? [line.file] : [])));

/** CPU seconds of this process. */
const spent = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const OUTSIDE = "outside of a test";

/** The first task that failed. */
const failure = (task: Task): string | undefined =>
  task.type === "suite"
    ? (task.tasks.map(failure).find((name) => name !== undefined) ??
      (task.result?.state === "fail" ? task.name : undefined))
    : task.result?.state === "fail"
      ? task.name
      : undefined;

/** Runs each test file with the sources as they are, and then, for each mutant, the files that came to its place. */
export default class MutantRunner extends TestRunner {
  #before = 0;
  #escaped: string | undefined;
  #failed = false;
  /** Which tests come to the mutant, where that is known of each. */
  #wanted: ReadonlySet<string> | undefined;
  readonly #tests = new Map<string, readonly number[]>();
  #finished = 0;
  readonly #kills = new Map<string, { runs: number; kills: number }>();

  constructor(config: ConstructorParameters<typeof TestRunner>[0]) {
    super(config);
    for (const event of ["unhandledRejection", "uncaughtException"])
      process.on(event, (error: unknown) => {
        this.#escaped ??= `${OUTSIDE}: ${error}`;
      });
  }

  override importFile(path: string, source: "collect" | "setup"): unknown {
    if (source === "collect") {
      collect();
      vi.resetModules();
      mutants.forget();
      this.#tests.clear();
      this.#before = spent();
    }
    return super.importFile(path, source);
  }

  override async onBeforeRunSuite(suite: Suite): Promise<void> {
    if (this.#failed) suite.mode = "skip";
    await super.onBeforeRunSuite(suite);
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    if (this.#failed || this.#wanted?.has(test.fullName) === false) test.mode = "skip";
    if (plan.built !== undefined) mutants.forget();
    await super.onBeforeRunTask(test);
  }

  override onAfterRunTask(test: Test): void {
    super.onAfterRunTask(test);
    if (plan.built !== undefined) this.#tests.set(test.fullName, mutants.reached());
    // The first failure is enough.
    if (mutants.active !== 0 && test.result?.state === "fail") this.#failed = true;
  }

  override async onAfterRunFiles(files?: File[]): Promise<void> {
    super.onAfterRunFiles();
    if (mutants.active !== 0 || this.#finished === plan.tests.length) return;
    for (const file of files ?? []) {
      const name = relative("", file.filepath);
      this.#finished++;
      if (known.has(name)) continue;
      const first: Base = {
        kind: "base",
        file: name,
        passes: failure(file) === undefined,
        cpu: spent() - this.#before,
        ticks: mutants.ticks,
        reached: plan.built === undefined ? mutants.reached() : [...new Set([...this.#tests.values()].flat())],
        ...(plan.built && { tests: Object.fromEntries(this.#tests) }),
      };
      // Programs that wait for each other have a second chance where a machine is busy.
      const base = { ...first, passes: first.passes || (await this.#run(-1, first)) === undefined };
      mutants.mean(0);
      known.set(name, base);
      log(base);
    }
    if (this.#finished < plan.tests.length) return;
    for (const { id } of plan.mutants) if (!judged.has(id)) await this.#judge(id);
    log({ kind: "end" });
  }

  /** What of a test file failed with this mutant, if anything did. */
  async #run(id: number, { file, cpu, ticks, tests }: Base): Promise<string | undefined> {
    mutants.mean(id);
    mutants.most = 20 * ticks + 1e6;
    this.#escaped = undefined;
    const coming = Object.entries(tests ?? {}).flatMap(([name, ids]) => (id < 0 || ids.includes(id) ? [name] : []));
    this.#wanted = tests && new Set(coming);
    log({ kind: "begin", id, file, most: 10 + 10 * cpu });
    const [ran] = await startTests([{ filepath: resolve(file), testLocations: undefined }], this);
    mutants.mean(-1);
    mutants.most = Number.POSITIVE_INFINITY;
    this.#failed = false;
    this.#wanted = undefined;
    return (ran && failure(ran)) ?? this.#escaped;
  }

  async #judge(id: number): Promise<void> {
    const worth = ({ file, cpu }: Base): number => {
      const { kills, runs } = this.#kills.get(file) ?? { kills: 0, runs: 0 };
      return (kills + 1) / (runs + 2) / cpu;
    };
    const reaching = [...known.values()].filter(({ passes, reached }) => passes && reached.includes(id));
    for (const base of reaching.toSorted((a, b) => worth(b) - worth(a))) {
      const { file } = base;
      if (unusable.has(file)) continue;
      const seen = this.#kills.get(file) ?? { runs: 0, kills: 0 };
      this.#kills.set(file, seen);
      seen.runs++;
      let killed = await this.#run(id, base);
      // That may have been left by the mutant before.
      if (killed?.startsWith(OUTSIDE)) killed = await this.#run(id, base);
      if (killed === undefined) continue;
      // Whether the file passes here a second time at all.
      if (seen.kills === 0 && (await this.#run(-1, base)) !== undefined) {
        unusable.add(file);
        log({ kind: "unusable", file });
        continue;
      }
      seen.kills++;
      log({ kind: "verdict", id, killed: `${file} > ${killed}`, files: reaching.length });
      return;
    }
    log({ kind: "verdict", id, files: reaching.length });
  }
}
