import { type Command, Option } from "commander";
import { readCount } from "../../launch/value/quantity.ts";
import { readShard } from "../../system/shard.ts";
import { addFormat } from "../format.ts";
import { reading } from "../reading.ts";

const seedIn = (text: string): number | undefined =>
  /^\d{1,10}$/.test(text) && Number(text) < 2 ** 32 ? Number(text) : undefined;

const positive = (text: string): number | undefined => {
  const count = readCount(text);
  return count === undefined || count < 1 ? undefined : count;
};

const few = (text: string): number | undefined =>
  /^\d{1,4}$/.test(text) && Number(text) <= 1000 ? Number(text) : undefined;

/** The options of `sweep`. */
export const addSweepOptions = (command: Command): Command =>
  addFormat(command)
    .option("--against <instructions>", "what to compare with, such as 'mul;add'; exact arithmetic unless told")
    .option(
      "--count <number>",
      "random inputs, such as 10M (default 1M; 64K against exact arithmetic)",
      reading(positive, "a number, such as 10M"),
    )
    .addOption(new Option("--all", "all inputs, as of forms of 16 bits; 2^40 at most").conflicts("count"))
    .option("--seed <number>", "which random inputs, 0 unless told", reading(seedIn, "a number below 2^32"), 0)
    .option("--shard <i/n>", "only the i-th of n parts of the inputs", reading(readShard, "I/N with I from 1 to N"))
    .option("--examples <number>", "differences that are shown", reading(few, "0 to 1000"), 5);
