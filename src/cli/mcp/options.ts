import type { Command } from "commander";
import { readBytesCount, readCount, readTime } from "../../launch/value/quantity.ts";
import { addReadOptions } from "../check/arguments.ts";
import { reading } from "../reading.ts";

/** Commander's options of `mcp`: the limits of each call. Texts are passed on unchanged, once they can be read. */
export interface McpOptions {
  readonly allowRead?: readonly string[];
  readonly timeout: string;
  readonly maxSteps: string;
  readonly maxMem: string;
}

/** An option whose text is kept: it becomes one of the command line that a call makes. */
const checked =
  (read: (text: string) => unknown, wanted: string) =>
  (text: string): string => {
    reading(read, wanted)(text);
    return text;
  };

/** All options of `mcp`. */
export const addMcpOptions = (command: Command): Command =>
  addReadOptions(command)
    .option("--timeout <time>", "time of a call at most", checked(readTime, "a time, such as 10s"), "10s")
    .option("--max-steps <count>", "warp instructions of a call at most", checked(readCount, "such as 10M"), "10M")
    .option("--max-mem <bytes>", "memory of a call at most", checked(readBytesCount, "bytes, such as 1G"), "256M");
