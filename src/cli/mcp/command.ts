import { PassThrough } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Command } from "commander";
import { Exit, type ExitCode } from "../../environment/exit.ts";
import type { CommandIo } from "../../system/command-io.ts";
import type { McpOptions } from "./options.ts";
import { serverOf } from "./server.ts";

/** `ptxrun mcp`: tools for agents on standard input and output, until their client disconnects. */
export async function mcp(
  options: McpOptions,
  io: CommandIo,
  program: Command,
  main: (argv: readonly string[], io: CommandIo) => Promise<number>,
): Promise<ExitCode> {
  const { input, output } = io.streams?.() ?? { input: new PassThrough().end(), output: new PassThrough() };
  const { server, idle } = serverOf(options, io, program, main);
  await server.connect(new StdioServerTransport(input, output));
  // The transport does not hear of the end of its input.
  await new Promise<void>((done) => {
    input.on("end", done);
    input.on("close", done);
  });
  // What was asked before the end is answered, also where the end came together with the question.
  await new Promise((heard) => setImmediate(heard));
  await idle();
  await new Promise((sent) => setImmediate(sent));
  await server.close();
  // Otherwise the process would wait for more.
  input.destroy();
  return Exit.ok;
}
