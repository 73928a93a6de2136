import { PassThrough, type Readable } from "node:stream";
import {
  AbstractMessageReader,
  createMessageConnection,
  type DataCallback,
  type Disposable,
  Message,
  type MessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { platformNamed } from "../../../packages/visa/src/resolve/platform.ts";
import { Exit, type ExitCode } from "../../environment/exit.ts";
import { report } from "../../environment/report.ts";
import { checkTarget } from "../../host/launch/arch.ts";
import { problem } from "../../host/problem.ts";
import type { CommandIo } from "../../system/command-io.ts";
import { Framing } from "../../system/framing.ts";
import { Server } from "./server.ts";

/** The largest message, bytes: the largest text that is read anywhere, and JSON's overhead. */
const MAX_MESSAGE_BYTES = 2 ** 29;

/** Requests that have arrived completely and were not answered yet. */
export class Unanswered {
  #count = 0;
  #idle: (() => void) | undefined;

  asked(): void {
    this.#count += 1;
  }

  answered(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#idle?.();
  }

  /** Calls `act` when there are none: now, or later. */
  whenNone(act: () => void): void {
    this.#idle = act;
    if (this.#count === 0) act();
  }
}

/**
 * Delivers messages as soon as they are complete. The reader of vscode-jsonrpc waits for the rest of a message when its
 * stream has ended.
 */
export class Reader extends AbstractMessageReader implements MessageReader {
  readonly #input: Readable;
  readonly #unanswered: Unanswered;

  constructor(input: Readable, unanswered: Unanswered) {
    super();
    this.#input = input;
    this.#unanswered = unanswered;
  }

  listen(callback: DataCallback): Disposable {
    const framing = new Framing(
      (message) => {
        if (Message.isRequest(message as Message)) this.#unanswered.asked();
        callback(message as Message);
      },
      (why, ends) => {
        this.fireError(new Error(why));
        if (ends) this.fireClose();
      },
      MAX_MESSAGE_BYTES,
    );
    const push = (piece: Buffer): void => framing.push(piece);
    this.#input.on("data", push);
    this.#input.on("error", (error) => this.fireError(error));
    // After the end of input there are still requests to answer.
    this.#input.on("close", () => this.#input.readableEnded || this.fireClose());
    return { dispose: () => this.#input.off("data", push) };
  }
}

/** Counts answers as they are written. */
class Writer extends StreamMessageWriter {
  readonly #unanswered: Unanswered;

  constructor(output: NodeJS.WritableStream, unanswered: Unanswered) {
    super(output);
    this.#unanswered = unanswered;
  }

  override async write(message: Message): Promise<void> {
    try {
      await super.write(message);
    } finally {
      if (Message.isResponse(message)) this.#unanswered.answered();
    }
  }
}

export interface LspOptions {
  readonly stdio?: boolean;
  readonly target?: string;
  readonly ptx?: string;
  readonly platform?: string;
}

/** `ptxrun lsp --stdio`: the language server on standard input and output, until its client disconnects. */
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
    report([problem("PTX2003", `unknown platform ${platform}`)], { color: "auto" }, io);
    return Exit.usage;
  }
  const unknown = checkTarget(target);
  if (unknown.length > 0) {
    report(unknown, { color: "auto" }, io);
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
      // Otherwise the process would wait for more.
      input.destroy();
      done(server.shutDown ? Exit.ok : Exit.usage);
    };
    connection.onClose(end);
    // Complete requests are answered, even where a later message broke off.
    input.on("end", () => unanswered.whenNone(end));
    connection.onError(([{ message }]) => io.err(`ptxrun lsp: ${message}\n`));
    server.onExit = end;
    connection.listen();
  });
}
