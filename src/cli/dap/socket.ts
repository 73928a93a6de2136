import { createServer } from "node:net";
import type { Readable, Writable } from "node:stream";
import { Exit, type ExitCode } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { reason } from "../../environment/reason.ts";

/**
 * Serves whoever connects to a socket of this machine, one after the other or together, until a signal comes. Whoever can write
 * to it can have files read, so it belongs to the user alone.
 */
export function listen(
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
