import { PassThrough } from "node:stream";
import { createMessageConnection } from "vscode-jsonrpc/node";
import { Exit, type ExitCode } from "../../environment/exit.ts";
import { report } from "../../environment/report.ts";
import { problem } from "../../host/problem.ts";
import { platformNamed } from "../../visa/resolve/platform.ts";
import type { CommandIo } from "../command-io.ts";
import { Server } from "./server.ts";
import { Reader, Unanswered, Writer } from "./streams.ts";

export interface LspOptions {
  readonly stdio?: boolean;
  readonly target?: string;
  readonly ptx?: string;
  readonly platform?: string;
}

/** `ptxrun lsp --stdio`: the language server on standard input and output, until its client is gone. */
export async function lsp({ stdio, target, ptx, platform }: LspOptions, io: CommandIo): Promise<ExitCode> {
  if (stdio !== true) {
    const expected = "ptxrun lsp --stdio";
    report(
      [problem("PTX2003", "the language server speaks on standard input and output alone", { expected })],
      { color: "auto" },
      io,
    );
    return Exit.usage;
  }
  const named = platform === undefined ? undefined : platformNamed(platform);
  if (platform !== undefined && named === undefined) {
    report([problem("PTX2003", `there is no platform ${platform}`)], { color: "auto" }, io);
    return Exit.usage;
  }
  const settings = {
    ...(target !== undefined && { target }),
    ...(ptx !== undefined && { version: ptx }),
    ...(named !== undefined && { platform: named }),
  };
  const { input, output } = io.streams?.() ?? { input: new PassThrough().end(), output: new PassThrough() };
  const unanswered = new Unanswered();
  const connection = createMessageConnection(new Reader(input, unanswered), new Writer(output, unanswered));
  const server = new Server(connection, { settings, now: io.now });
  return new Promise((done) => {
    const end = (): void => {
      server.close();
      connection.dispose();
      // Else the process would wait for more.
      input.destroy();
      done(server.shutDown ? Exit.ok : Exit.usage);
    };
    connection.onClose(end);
    // What came whole is answered, also where a message broke off.
    input.on("end", () => unanswered.whenNone(end));
    connection.onError(([{ message }]) => io.err(`ptxrun lsp: ${message}\n`));
    server.onExit = end;
    connection.listen();
  });
}
