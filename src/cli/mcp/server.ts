import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import type { Command } from "commander";
import { nearest } from "../../resolve/nearest.ts";
import type { CommandIo } from "../../system/command-io.ts";
import { version } from "../../system/version.ts";
import { type Answer, call, problemsIn, refusal } from "./call.ts";
import type { McpOptions } from "./options.ts";
import { Stepping } from "./stepping.ts";
import { propertiesOf, type Tool, tools } from "./tools.ts";

const instructions = `ptxrun runs NVIDIA PTX without a GPU, bit for bit, and says what is wrong with a program. Give a program as text, or as a file where that is allowed. Answers are short; detail gives everything as JSON. A message's code, such as PTX3002, has a page: explain what=PTX3002.`;

/** A server, and when it has answered all that it was asked. */
export interface Serving {
  readonly server: Server;
  idle(): Promise<unknown>;
}

/** The server of the Model Context Protocol: tools that are commands, with the limits of `options`. */
export function serverOf(
  options: McpOptions,
  io: CommandIo,
  program: Command,
  main: (argv: readonly string[], io: CommandIo) => Promise<number>,
): Serving {
  const server = new Server({ name: "ptxrun", version }, { capabilities: { tools: {} }, instructions });
  const stepping = new Stepping(options, io);
  server.onclose = () => stepping.close();
  const asked = new Set<Promise<unknown>>();
  const commandOf = ({ command }: Tool): Command => {
    const found = program.commands.find((each) => each.name() === command);
    if (found === undefined) throw new Error(`there is no command ${command}`);
    return found;
  };
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map((tool) => ({
      name: tool.name,
      description: tool.about,
      inputSchema: {
        type: "object" as const,
        properties: Object.fromEntries(propertiesOf(tool, commandOf(tool))),
        ...(tool.word?.needed && { required: [tool.word.name] }),
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  }));
  const answered = async ({ params }: CallToolRequest, signal: AbortSignal): Promise<CallToolResult> => {
    const { name, arguments: input = {} } = params;
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) {
      const names = tools.map((each) => each.name);
      const near = nearest(name, names);
      const meant = near === undefined ? `the tools are ${names.join(", ")}` : `did you mean ${near}?`;
      throw new McpError(ErrorCode.InvalidParams, `there is no tool ${name}: ${meant}`);
    }
    const command = commandOf(tool);
    const wrong = problemsIn(input, tool, command);
    if (wrong.length > 0) return resultOf(refusal(wrong));
    if (tool.name === "step") return resultOf(await stepping.step(input, signal));
    return resultOf(await call(tool, input, command, options, io, main, signal));
  };
  server.setRequestHandler(CallToolRequestSchema, (request, { signal }) => {
    const answer = answered(request, signal).finally(() => asked.delete(answer));
    asked.add(answer);
    return answer;
  });
  return { server, idle: () => Promise.allSettled(asked) };
}

const resultOf = ({ text, failed, data }: Answer): CallToolResult => ({
  content: [{ type: "text", text }],
  ...(failed && { isError: true }),
  ...(data !== undefined && { structuredContent: data as Record<string, unknown> }),
});
