import { availableParallelism } from "node:os";
import { type Command, Option } from "commander";
import type { Wanted } from "../../environment/report.ts";
import { readBytesCount, readCount, readTime } from "../../launch/value/quantity.ts";
import { readSchedule } from "../../launch/value/schedule.ts";
import { readTolerance } from "../../launch/value/tolerance.ts";
import { readShard } from "../../system/shard.ts";
import { addFindings, findingFormats } from "../findings/formats.ts";
import { reading, repeated } from "../reading.ts";
import { readingReports } from "../wanted-report.ts";

/** The names that `--reporter` accepts. Their code is loaded with the command, these names with every command line. */
const reporterNames = ["pretty", "tap", "junit", "json", "github", ...findingFormats] as const;
export type ReporterName = (typeof reporterNames)[number];

/** A requested report. */
export type WantedReport = Wanted<ReporterName>;

/** Threads at most. */
const MAX_THREADS = 64;

/** A number of threads; `auto` is as many as can run at the same time. */
export function readJobs(text: string): number | undefined {
  if (text === "auto") return Math.min(MAX_THREADS, availableParallelism());
  const jobs = Number(text);
  return /^\d+$/.test(text) && jobs >= 1 && jobs <= MAX_THREADS ? jobs : undefined;
}

/** `--allow-read`, of the commands that read files found in folders. */
export const addReadOptions = (command: Command): Command =>
  command.option(
    "--allow-read <folder>",
    "folder below which files and what they name may be read too; repeatable",
    repeated,
  );

/** The options of `diff` besides those of `run`. */
export const addDiffOptions = (command: Command): Command =>
  addFindings(withRandomOrder(command))
    .optionsGroup("What is compared:")
    .option("--batch <file>", "the pairs that a file lists, two paths a line")
    .option("--shard <i/n>", "only the i-th of n parts of the pairs", reading(readShard, "I/N with I from 1 to N"))
    .option(
      "--random <count>",
      "runs with drawn inputs; 100 of a pair without any",
      reading(readCount, "a count, such as 1000"),
    )
    .option("--outputs-only", "say what differs, not where it comes from: for reducers")
    .option(
      "--tolerance <amount>",
      "floats so near are equal: 4ulp, or 1e-6 of the larger",
      reading(readTolerance, "a count of ulps such as 4ulp, or a part such as 1e-6"),
    )
    .addOption(
      new Option("--jobs <count>", "threads that compare pairs, or auto").argParser(
        reading(readJobs, `1 to ${MAX_THREADS}, or auto`),
      ),
    );

/** `--schedule random` needs no seed here, where --seeds provides them. */
function withRandomOrder(command: Command): Command {
  const order = command.options.find(({ long }) => long === "--schedule");
  order?.argParser(
    reading(
      (text) => (text === "random" ? { seed: 0 } : readSchedule(text)),
      "fixed, random, or random:SEED with a seed below 2^32",
    ),
  );
  return command;
}

/** The options of `lint` that limit it, and its files of findings. */
export const addLintOptions = (command: Command): Command =>
  addReadOptions(addFindings(command))
    .option("--max-mem <bytes>", "memory that loading a file may take", reading(readBytesCount, "bytes, such as 1G"))
    .option("--timeout <time>", "time of a file at most, such as 10s", reading(readTime, "a time, such as 10s"));

const touches = `
What a checked file may touch: its directives read only below the file's own
folder, links followed, or below a folder of --allow-read; they write nothing.
--update writes the file, its sidecar and its snapshots, never through a link.
Of what is found in a folder, only files that lie in it are read. Limits of the
command line hold whatever a file asks.`;

/** The options of `check`. */
export const addCheckOptions = (command: Command): Command =>
  addReadOptions(command)
    .option("--filter <text>", "only cases whose name holds this text; without any, the check fails")
    .option("--bail", "stop at the first failure")
    .option("--update", "write what the cases give now into the expectations that failed, and for each ?")
    .addOption(
      new Option("--watch", "check again whenever a file, or what it reads, changes, until Ctrl-C").conflicts("update"),
    )
    .addOption(
      new Option("--reporter <name[=file]>", "how to print the results, or to write them to a file; repeatable")
        .choices(reporterNames)
        .argParser(readingReports(reporterNames)),
    )
    .option("--shard <i/n>", "only the i-th of n parts of the files", reading(readShard, "I/N with I from 1 to N"))
    .addOption(
      new Option("--jobs <count>", "threads that check at the same time; auto is as many as the machine has cores")
        .argParser(reading(readJobs, `1 to ${MAX_THREADS}, or auto`))
        .default(1),
    )
    .option("--cache <folder>", "keep in a folder what was read and compiled of programs: later checks start faster")
    .option("--max-steps <count>", "warp instructions of a case at most", reading(readCount, "a count, such as 100M"))
    .option("--max-mem <bytes>", "memory of a case at most", reading(readBytesCount, "bytes, such as 1G"))
    .option(
      "--timeout <time>",
      "time of a case at most, and of loading its file, such as 10s",
      reading(readTime, "a time, such as 10s"),
    )
    .addHelpText("after", touches);
