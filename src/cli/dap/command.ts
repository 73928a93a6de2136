import { createServer } from "node:net";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { Command, CommanderError } from "commander";
import { complete } from "../../../packages/debugger/console/commands/completion.ts";
import { dispatch, table } from "../../../packages/debugger/console/commands/every-command.ts";
import { Adapter } from "../../../packages/debugger/dap/adapter.ts";
import { DapError, refusedBy } from "../../../packages/debugger/dap/protocol/problem.ts";
import { Exit, type ExitCode } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { reason } from "../../environment/reason.ts";
import type { CommandIo } from "../../system/command-io.ts";
import { Framing, framed } from "../../system/framing.ts";
import { wordsOfCase } from "../check/case/words.ts";
import { addProgramOptions } from "../run/options.ts";

/**
 * Serves the clients of a local socket, one after the other or together, until a signal comes. Anyone who can write to
 * it can have files read, so only the user may access it.
 */
function listen(
  path: string,
  io: Io,
  serve: (input: Readable, output: Writable) => Promise<unknown>,
): Promise<ExitCode> {
  return new Promise((done) => {
    const server = createServer((socket) => {
      serve(socket, socket).then(() => socket.end());
    });
    server.on("error", (error) => {
      io.err(`ptxrun dap: cannot listen at ${path}: ${reason(error)}\n`);
      done(Exit.usage);
    });
    const before = process.umask(0o077);
    server.listen(path, () => io.err(`listening at ${path}\n`));
    process.umask(before);
    io.onSignal?.(() => {
      server.close();
      done(Exit.ok);
    });
  });
}

export interface DapOptions {
  /** The path of a socket, in place of standard input and output. */
  readonly socket?: string;
}

/** `ptxrun dap`: the debug adapter on standard input and output, or on a socket that only this user can reach. */
export async function dap({ socket }: DapOptions, io: CommandIo): Promise<ExitCode> {
  if (socket !== undefined) return listen(io.files.resolve(socket), io, (input, output) => serve(input, output, io));
  const { input, output } = io.streams?.() ?? nobody();
  return serve(input, output, io);
}

/** A client that has already disconnected. */
const nobody = () => ({ input: new PassThrough().end(), output: new PassThrough() });

/**
 * Serves one client until it disconnects: then the run is dropped. A client whose messages cannot be separated any more
 * counts as disconnected.
 */
function serve(input: Readable, output: Writable, io: Io): Promise<ExitCode> {
  return new Promise((ended) => {
    const adapter = new Adapter({
      io,
      send: (message) => output.write(framed(message)),
      rest: () => new Promise((resume) => setImmediate(resume)),
      dispatch,
      complete: (shell, line) => complete(table, shell, line),
      readArgs,
      wordsOfCase: (file, name) => {
        const { value, diagnostics } = wordsOfCase(io.files.resolve(file), name, io.cwd);
        if (value === undefined) throw refusedBy(diagnostics);
        return value;
      },
    });
    const end = (exit: ExitCode): void => {
      adapter.close();
      ended(exit);
    };
    const done = (): void => end(Exit.ok);
    const framing = new Framing(
      (message) => {
        adapter.receive(message).then(() => {
          if (adapter.ended) done();
        });
      },
      (why, ends) => {
        io.err(`ptxrun dap: ${why}\n`);
        if (!ends) return;
        // Otherwise the process would wait for more.
        input.destroy();
        end(Exit.usage);
      },
    );
    input.on("data", (piece: Buffer) => framing.push(piece));
    input.on("end", done);
    input.on("error", done);
    input.on("close", done);
    output.on("error", done);
  });
}

/** Words of `ptxrun run` as options; throws a `DapError` for an error in them. */
function readArgs(words: readonly string[]): object {
  const command = addProgramOptions(new Command("launch"))
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ writeErr: () => {}, writeOut: () => {} });
  try {
    command.parse([...words], { from: "user" });
    return command.opts();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new DapError(error.message.replace(/^error: /, ""));
  }
}
