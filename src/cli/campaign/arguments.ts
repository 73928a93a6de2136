import { Argument, type Command, Option } from "commander";
import { engineNames, reportNames } from "../../../packages/lab/campaign/names.ts";
import { readWantedShard } from "../../../packages/lab/campaign/place.ts";
import { findingFormats } from "../findings/formats.ts";
import { reading } from "../reading.ts";
import { readingReports } from "../wanted-report.ts";

const mergeReports = [...reportNames, ...findingFormats];

const shards = (text: string): number | undefined =>
  /^\d{1,6}$/.test(text) && Number(text) >= 1 ? Number(text) : undefined;

/** The arguments and options of `campaign`. */
export const addCampaignOptions = (command: Command): Command => {
  command
    .addArgument(
      new Argument("<action>", "run a shard, merge all of them, or plan them").choices(["run", "merge", "plan"]),
    )
    .argument("<path>", "the plan, a file of JSON with jobs in parts; of merge: the folder with the shards")
    .option(
      "--shard <i/n>",
      "of run: the i-th of n shards; auto: as the scheduler that started it says (default: 1/1)",
      reading(readWantedShard, "I/N with I from 1 to N, auto, or auto/N"),
    )
    .option("-o, --output <folder>", "of run and plan: where shards are kept (default: the plan's file and .shards)")
    .addOption(
      new Option(
        "--reporter <name[=file]>",
        `of merge: ${mergeReports.join(", ")}; repeatable (default: text)`,
      ).argParser(readingReports(mergeReports)),
    )
    .option("--shards <number>", "of plan: how many", reading(shards, "a number from 1"));
  for (const [at, name] of engineNames.entries()) {
    const others = engineNames.filter((_, other) => other !== at);
    command.addOption(new Option(`--${name}`, `of plan: print the job file for ${titles[name]}`).conflicts(others));
  }
  return command;
};

const titles = {
  slurm: "Slurm: an array job",
  kubernetes: "Kubernetes: an indexed job",
  github: "GitHub Actions: a matrix",
  parallel: "GNU parallel: a script",
} as const;
