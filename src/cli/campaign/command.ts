import { createHash } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { engines, MOST_GITHUB } from "../../../packages/lab/campaign/engine/engines.ts";
import { execute, type Main } from "../../../packages/lab/campaign/execute.ts";
import { readKept, readKeptText } from "../../../packages/lab/campaign/kept.ts";
import { merge } from "../../../packages/lab/campaign/merge.ts";
import { type Engine, engineNames, type ReportName } from "../../../packages/lab/campaign/names.ts";
import { type Outcome, outcomeOf } from "../../../packages/lab/campaign/outcome.ts";
import { shardHere, type WantedShard } from "../../../packages/lab/campaign/place.ts";
import { type Job, type Plan, planText, readPlan } from "../../../packages/lab/campaign/plan.ts";
import { hasPassed } from "../../../packages/lab/campaign/report/facts.ts";
import { reports } from "../../../packages/lab/campaign/report/reports.ts";
import {
  type Head,
  nameOf,
  partHead,
  partNameOf,
  partUnit,
  readPart,
  readShardText,
  shardText,
  unlike,
} from "../../../packages/lab/campaign/shard-file.ts";
import { isIn, strayIn, type Unit, unitsIn, unitsOf, wordsOf } from "../../../packages/lab/campaign/unit.ts";
import { type ColourChoice, palette } from "../../environment/colour.ts";
import { Exit, type ExitCode, exitOf, exitOfSignal, worst } from "../../environment/exit.ts";
import { mostText, readText, writeFile } from "../../environment/file.ts";
import type { Io, Signal } from "../../environment/io.ts";
import { quoted } from "../../environment/quoted.ts";
import { reason } from "../../environment/reason.ts";
import { report, type Wanted } from "../../environment/report.ts";
import { inSlices, type WatchedSlicing } from "../../environment/slicing.ts";
import { problem } from "../../host/problem.ts";
import { printable } from "../../present/text/escape.ts";
import { plain } from "../../present/text/palette.ts";
import type { Diagnostic, Staged } from "../../source/diagnostic.ts";
import { Source } from "../../source/source.ts";
import type { CommandIo } from "../../system/command-io.ts";
import { filesIn } from "../../system/paths.ts";
import type { Shard } from "../../system/shard.ts";
import { version } from "../../system/version.ts";
import { inRepository } from "../annotation.ts";
import { sidecarOf } from "../check/file/sidecar.ts";
import { type FindingFormat, isFindingFormat } from "../findings/formats.ts";
import { findingsText, publish } from "../findings/write.ts";

/**
 * SHA-256 of the files that a plan's jobs name, and of their paths: programs and what `check` reads of them. The input
 * files of other commands are not known.
 */
function inputsOf({ jobs }: Plan, cwd: string): string {
  const all = createHash("sha256");
  for (const { kind, words } of jobs) {
    if (kind === "sweep" || kind === "hunt" || kind === "command") continue;
    const paths = words.filter((word) => !word.startsWith("-") && isThere(word, cwd));
    const files = filesIn(paths, cwd, /\.(?:ptx|visaasm|isa|litmus|npy|json)$/).value.map(({ path }) => path);
    for (const path of files.flatMap((each) => [each, sidecarOf(each)]).toSorted()) {
      const bytes = contents(resolve(cwd, path));
      if (bytes !== undefined) all.update(`${path}\0${bytes.length}\0`).update(bytes);
    }
  }
  return all.digest("hex");
}

const isThere = (path: string, cwd: string): boolean => {
  const found = statSync(resolve(cwd, path), { throwIfNoEntry: false });
  return found !== undefined && (found.isFile() || found.isDirectory());
};

/** Largest input file, bytes: a program, or an array. */
const MOST_INPUT = 2 ** 31;

function contents(path: string): Uint8Array | undefined {
  try {
    return readKept(path, MOST_INPUT);
  } catch {
    // A program without a sidecar; the job reports other files that cannot be read.
    return undefined;
  }
}

/** The name of the plan's file beside its shards. */
const PLAN = "plan.json";

/** The result of a shard: the worst of its outcomes, and the error if it could not be done. */
interface Ran {
  readonly exit: ExitCode;
  readonly diagnostics: readonly Diagnostic[];
}

/** Called when a part is done. */
type Watch = (unit: Unit, outcome: Outcome, milliseconds: number) => void;

/**
 * Runs a shard and writes its file into `folder`. After a kill nothing is done twice: each outcome is saved at once,
 * and the complete file appears by one rename.
 */
async function runShard(
  plan: Plan,
  shard: Shard,
  folder: string,
  io: CommandIo,
  main: Main,
  slicing: WatchedSlicing,
  watch: Watch,
): Promise<Ran> {
  const head: Head = {
    schema: "ptxrun.campaign-shard/1",
    name: plan.name,
    plan: plan.hash,
    version,
    build: io.build ?? "sources",
    inputs: inputsOf(plan, io.cwd),
    shard,
  };
  const place = resolve(io.cwd, folder);
  const [whole, part] = [join(place, nameOf(shard)), join(place, partNameOf(shard))];
  try {
    mkdirSync(place, { recursive: true });
    const planned = readKeptText(join(place, PLAN));
    if (planned !== undefined && planned !== planText(plan)) return foreign(join(folder, PLAN), "it is another plan");
    if (planned === undefined) replace(join(place, PLAN), planText(plan));
    const done = readKeptText(whole);
    const read = done === undefined ? undefined : readShardText(done);
    if (read !== undefined && "head" in read && strayIn(plan, shard, read.outcomes) === undefined) {
      const other = unlike(head, read.head);
      return other === undefined ? ended(read.outcomes.values()) : foreign(join(folder, nameOf(shard)), other);
    }
    const before = readPart(readKeptText(part) ?? "");
    const other = before && unlike(head, before.head);
    if (other !== undefined) return foreign(join(folder, partNameOf(shard)), other);
    const outcomes = new Map([...(before?.outcomes ?? [])].filter(([unit]) => isIn(plan, shard, unit)));
    // Drops the half line of a killed process, and files that cannot be read at all.
    replace(part, partHead(head) + [...outcomes].map(([unit, outcome]) => partUnit(unit, outcome)).join(""));
    const units = [...unitsIn(plan, shard)];
    for (const unit of units) {
      if (outcomes.has(unit.number)) continue;
      const begun = io.now();
      slicing.begin(`${outcomes.size} of ${units.length} parts are done, now ${unit.job.name}`);
      slicing.show();
      const before = await slicing.rest();
      const printed = before === undefined ? await execute(unit, io, main) : { asked: before };
      if (printed.asked !== undefined) return interrupted(printed.asked, outcomes.size, folder);
      if (isRefused(unit, printed.exit)) return refused(unit, printed.err);
      const outcome = outcomeOf(unit.job.kind, printed);
      outcomes.set(unit.number, outcome);
      appendFileSync(part, partUnit(unit.number, outcome));
      watch(unit, outcome, io.now() - begun);
    }
    replace(whole, shardText(head, outcomes));
    rmSync(part, { force: true });
    return ended(outcomes.values());
  } catch (error) {
    const message = `cannot keep the shard in ${folder}: ${reason(error)}`;
    return {
      exit: Exit.usage,
      diagnostics: [problem("PTX2013", message, { expected: "a folder that can be written" })],
    };
  }
}

function interrupted(signal: Signal, done: number, folder: string): Ran {
  const message = `interrupted: ${done} ${done === 1 ? "part is" : "parts are"} done and kept in ${folder}`;
  const help = [{ message: "the same command goes on from there" }];
  return { exit: exitOfSignal(signal), diagnostics: [problem("PTX6103", message, { help })] };
}

function ended(outcomes: Iterable<Outcome>): Ran {
  for (const { exit } of outcomes) if (exit !== 0) return { exit: Exit.check, diagnostics: [] };
  return { exit: Exit.ok, diagnostics: [] };
}

const foreign = (path: string, how: string): Ran => ({
  exit: Exit.usage,
  diagnostics: [
    problem("PTX2503", `${path} is there already, and ${how}`, { expected: "another --output, or that file removed" }),
  ],
});

/** Whether the job's command line was rejected, as opposed to a failure that it found. */
const isRefused = ({ job: { kind } }: Unit, exit: number): boolean =>
  kind !== "command" && (exit === Exit.usage || (kind === "sweep" && exit === Exit.rejected));

function refused(unit: Unit, err: string): Ran {
  const said = err.split("\n")[0] ?? "";
  const line = ["ptxrun", ...wordsOf(unit)].map(quoted).join(" ");
  return {
    exit: Exit.usage,
    diagnostics: [
      problem("PTX2504", `part ${unit.part} of ${unit.job.name} cannot be done: ${said}`, {
        help: [{ message: line }],
      }),
    ],
  };
}

/** Writes a file atomically: it is complete or absent, whenever the process or the machine stops. */
function replace(path: string, text: string): void {
  const beside = `${path}.${process.pid}`;
  // Created anew: an existing entry may be a link to somewhere else.
  rmSync(beside, { force: true });
  const file = openSync(beside, "wx");
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
}

export type Action = "run" | "merge" | "plan";

/** What commander gives for `campaign`. */
export interface CampaignOptions extends Partial<Readonly<Record<Engine, true>>> {
  readonly shard?: WantedShard;
  readonly shards?: number;
  readonly output?: string;
  readonly reporter?: readonly Wanted<ReportName | FindingFormat>[];
  readonly color: ColourChoice;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/**
 * `ptxrun campaign run|merge|plan`: runs one shard of a plan, merges all, or prints a job file that starts them. Exit 1
 * when anything was found; 2 when the plan, the shard or the folder is wrong.
 */
export async function campaign(
  action: Action,
  path: string,
  options: CampaignOptions,
  io: CommandIo,
  main: Main,
): Promise<ExitCode> {
  const idle = withoutEffect(action, options);
  if (idle !== undefined) return end([idle], options, io);
  if (action === "merge") return merged(path, options, io);
  const { value: plan, diagnostics } = planAt(path, io);
  if (plan === undefined) return end(diagnostics, options, io);
  const folder = options.output ?? `${path.replace(/\.json$/, "")}.shards`;
  return action === "plan" ? planned(plan, path, folder, options, io) : ran(plan, folder, options, io, main);
}

async function ran(plan: Plan, folder: string, options: CampaignOptions, io: CommandIo, main: Main): Promise<ExitCode> {
  const shard = shardHere(options.shard ?? { index: 1, count: 1 }, io.env);
  if ("code" in shard) return end([shard], options, io);
  const { exit, diagnostics } = await inSlices(io, options.quiet !== true, (slicing, shown) =>
    runShard(plan, shard, folder, io, main, slicing, ({ job, part }, outcome, time) => {
      if (options.verbose)
        shown.err(
          `${printable(job.name)}: part ${part} of ${job.parts}, exit ${outcome.exit}, ${(time / 1000).toFixed(1)} s\n`,
        );
    }),
  );
  report(diagnostics, options, io);
  if (diagnostics.length === 0 && !options.quiet && exit <= Exit.check) {
    const found = exit === Exit.ok ? "nothing found" : "with findings: ptxrun campaign merge lists them";
    io.out(`shard ${shard.index}/${shard.count} of ${printable(plan.name)} is in ${folder}, ${found}\n`);
  }
  return exit;
}

function merged(folder: string, options: CampaignOptions, io: Io): ExitCode {
  if (!isFolder(folder, io.cwd))
    return end(
      [problem("PTX2011", `${folder} is not a folder`, { expected: "the folder with a campaign's shards" })],
      options,
      io,
    );
  const { value: plan, diagnostics: wrong } = planIn(folder, io);
  if (plan === undefined) return end(wrong, options, io);
  const { value, diagnostics } = merge(plan, folder, io.cwd);
  if (value === undefined) return end(diagnostics, options, io);
  const exits: ExitCode[] = [hasPassed(value) ? Exit.ok : Exit.check];
  const located = value.jobs.flatMap(({ outcomes }) => outcomes.flatMap((each) => each.located ?? []));
  const wanted = options.reporter ?? [{ name: "text" as const }];
  for (const { name, file } of wanted) {
    const colours = file === undefined ? palette(options.color, "out", io) : plain;
    const text = isFindingFormat(name)
      ? findingsText(name, "campaign", located, inRepository(io))
      : reports[name](value, colours);
    if (file === undefined) io.out(text);
    else exits.push(end(writeFile(file, text, io.files), options, io));
  }
  const annotates = wanted.every(({ name, file }) => file !== undefined || name === "text");
  const heading = `${printable(plan.name)}: ${value.jobs.filter(({ passed }) => !passed).length} of ${value.jobs.length} jobs with findings`;
  exits.push(end(publish({ command: "campaign", heading, findings: located, annotates }, io), options, io));
  return worst(exits);
}

function planned(plan: Plan, file: string, folder: string, options: CampaignOptions, io: Io): ExitCode {
  const engine = engineNames.find((name) => options[name]);
  const units = unitsOf(plan);
  const shards = options.shards ?? Math.min(units, 16);
  if (shards > units) {
    const message = `${shards} shards for ${units} parts: some would have nothing to do`;
    return end([problem("PTX2003", message, { expected: `at most ${units}, or more parts in the plan` })], options, io);
  }
  if (engine === undefined) {
    const { name, jobs, hash } = plan;
    io.out(`${printable(name)}: ${jobs.length} jobs, ${units} parts, plan ${hash.slice(0, 12)}\n`);
    io.out(jobs.map(jobLine).join(""));
    return Exit.ok;
  }
  if (engine === "github" && shards > MOST_GITHUB) {
    const message = `GitHub starts ${MOST_GITHUB} jobs of a matrix at most, and ${shards} are wanted`;
    return end([problem("PTX2003", message, { expected: `--shards ${MOST_GITHUB}` })], options, io);
  }
  io.out(engines[engine]({ plan, file, folder, shards }));
  return Exit.ok;
}

/** Another command is shown completely: it may be anything, and the user who runs the plan runs it. */
function jobLine({ name, kind, words, parts }: Job): string {
  const line = `  ${printable(name)}: ${kind}, ${parts} ${parts === 1 ? "part" : "parts"}`;
  return kind === "command" ? `${line}: ${printable(words.map(quoted).join(" "))}\n` : `${line}\n`;
}

/** The plan that lies beside shards. */
function planIn(folder: string, io: Io): Staged<Plan | undefined> {
  const path = join(folder, PLAN);
  const wrong = (why: string): Staged<undefined> => ({
    value: undefined,
    diagnostics: [
      problem("PTX2011", `cannot read ${path}: ${why}`, { expected: "what ptxrun campaign run has left there" }),
    ],
  });
  try {
    const text = readKeptText(resolve(io.cwd, path));
    return text === undefined ? wrong("there is none") : readPlan(new Source(path, text));
  } catch (error) {
    return wrong(reason(error));
  }
}

function planAt(path: string, io: Io): Staged<Plan | undefined> {
  const { value: source, diagnostics } = readText(path, { files: io.files }, mostText(io));
  return source === undefined ? { value: undefined, diagnostics } : readPlan(source);
}

const isFolder = (path: string, cwd: string): boolean =>
  statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory() === true;

/** Options that belong to another action. */
function withoutEffect(action: Action, options: CampaignOptions): Diagnostic | undefined {
  const given: readonly (readonly [option: string, of: readonly Action[], value: unknown])[] = [
    ["--shard", ["run"], options.shard],
    ["--output", ["run", "plan"], options.output],
    ["--reporter", ["merge"], options.reporter],
    ["--shards", ["plan"], options.shards],
    ...engineNames.map((name) => [`--${name}`, ["plan"], options[name]] as const),
  ];
  const idle = given.find(([, of, value]) => value !== undefined && !of.includes(action));
  if (idle === undefined) return undefined;
  const [option, of] = idle;
  return problem("PTX2003", `${option} does not apply to campaign ${action}`, {
    expected: `campaign ${of.join(" or ")} ${option}`,
  });
}

function end(diagnostics: readonly Diagnostic[], options: CampaignOptions, io: Io): ExitCode {
  report(diagnostics, options, io);
  return worst(diagnostics.map(exitOf));
}
