import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ColourChoice, palette } from "../../environment/colour.ts";
import { Exit, type ExitCode, exitOf, worst } from "../../environment/exit.ts";
import { mostText, readText, writeFile } from "../../environment/file.ts";
import type { Io } from "../../environment/io.ts";
import { quoted } from "../../environment/quoted.ts";
import { reason } from "../../environment/reason.ts";
import { report } from "../../environment/report.ts";
import { problem } from "../../host/problem.ts";
import { printable } from "../../present/escape.ts";
import { plain } from "../../present/palette.ts";
import type { Diagnostic, Staged } from "../../source/diagnostic.ts";
import { Source } from "../../source/source.ts";
import type { CommandIo } from "../command-io.ts";
import { engines, MOST_GITHUB } from "./engine/engines.ts";
import type { Main } from "./execute.ts";
import { readKeptText } from "./kept.ts";
import { merge } from "./merge.ts";
import { type Engine, engineNames, type WantedReport } from "./names.ts";
import { shardHere, type WantedShard } from "./place.ts";
import { type Job, type Plan, readPlan } from "./plan.ts";
import { hasPassed } from "./report/facts.ts";
import { reports } from "./report/reports.ts";
import { PLAN, runShard } from "./run.ts";
import { unitsOf } from "./unit.ts";

export type Action = "run" | "merge" | "plan";

/** What commander gives for `campaign`. */
export interface CampaignOptions extends Partial<Readonly<Record<Engine, true>>> {
  readonly shard?: WantedShard;
  readonly shards?: number;
  readonly output?: string;
  readonly reporter?: readonly WantedReport[];
  readonly color: ColourChoice;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/**
 * `ptxrun campaign run|merge|plan`: does one shard of a plan, puts all together, or prints what starts them. Exit 1 when
 * anything was found; 2 when the plan, the shard or the folder is wrong.
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
  const { exit, diagnostics } = await runShard(plan, shard, folder, io, main, ({ job, part }, outcome, time) => {
    if (options.verbose)
      io.err(
        `${printable(job.name)}: part ${part} of ${job.parts}, exit ${outcome.exit}, ${(time / 1000).toFixed(1)} s\n`,
      );
  });
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
      [problem("PTX2011", `${folder} is no folder`, { expected: "the folder with a campaign's shards" })],
      options,
      io,
    );
  const { value: plan, diagnostics: wrong } = planIn(folder, io);
  if (plan === undefined) return end(wrong, options, io);
  const { value, diagnostics } = merge(plan, folder, io.cwd);
  if (value === undefined) return end(diagnostics, options, io);
  const exits: ExitCode[] = [hasPassed(value) ? Exit.ok : Exit.check];
  for (const { name, file } of options.reporter ?? [{ name: "text" as const }]) {
    if (file === undefined) io.out(reports[name](value, palette(options.color, "out", io)));
    else exits.push(end(writeFile(file, reports[name](value, plain), io.files), options, io));
  }
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

/** Another command is shown whole: it may be anything, and whoever runs the plan runs it. */
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

/** Options of another action. */
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
  return problem("PTX2003", `${option} says nothing to campaign ${action}`, {
    expected: `campaign ${of.join(" or ")} ${option}`,
  });
}

function end(diagnostics: readonly Diagnostic[], options: CampaignOptions, io: Io): ExitCode {
  report(diagnostics, options, io);
  return worst(diagnostics.map(exitOf));
}
