import { type Command, Option } from "commander";
import type { Model } from "../../../packages/memory-model/model/event.ts";
import type { ColourChoice } from "../../environment/colour.ts";
import type { RunCommandOptions } from "../../launch/options.ts";
import { readCount, readTime } from "../../launch/value/quantity.ts";
import { addFormat } from "../format.ts";
import { reading } from "../reading.ts";
import { addSomeProgramOptions } from "../run/options.ts";

/** The launch of `--from`. */
type LaunchWords = "entry" | "grid" | "block" | "cluster" | "smem" | "arg" | "global";
const launchWords: ReadonlySet<LaunchWords> = new Set(["entry", "grid", "block", "cluster", "smem", "arg", "global"]);

/** The options of `litmus`. */
export interface LitmusOptions extends Partial<Pick<RunCommandOptions, LaunchWords>> {
  readonly from?: string;
  readonly bound?: number;
  readonly model?: Model;
  readonly maxExecutions?: number;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly executions?: boolean;
  readonly why?: boolean;
  readonly svg?: string;
  readonly format: "text" | "json";
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly color: ColourChoice;
}

const positive = (text: string): number | undefined => {
  const count = readCount(text);
  return count === undefined || count < 1 ? undefined : count;
};

export const addLitmusOptions = (command: Command): Command =>
  addSomeProgramOptions(
    addTestOptions(command)
      .optionsGroup("A kernel:")
      .option("--from <kernel>", "print what its threads do to the same memory as a test"),
    launchWords,
  );

const addTestOptions = (command: Command): Command =>
  addFormat(command)
    .option("--executions", "show one execution for each final state")
    .option("--why", "say which axiom forbids an outcome, or what would")
    .option("--svg <file>", "draw the execution that decides, as .svg or .dot")
    .option("--bound <rounds>", "rounds of a loop (default 4, or what the test says)", reading(positive, "1 or more"))
    .addOption(
      new Option("--model <name>", "how atomics are read (default manual)").choices(["manual", "split-atomics"]),
    )
    .option("--max-executions <number>", "most that are looked at (default 4M)", reading(positive, "such as 1M"))
    .option("--timeout <time>", "time of a test at most, such as 10s", reading(readTime, "a time, such as 10s"));
