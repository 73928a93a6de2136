import type { Readable } from "node:stream";
import {
  AbstractMessageReader,
  type DataCallback,
  type Disposable,
  Message,
  type MessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { Framing } from "../framing.ts";

/** The largest message, bytes: a text of the largest size that is read anywhere, and what JSON adds to it. */
const MOST = 2 ** 29;

/** Requests that have come whole and were not answered yet. */
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

/** Gives messages as soon as they are whole. That of vscode-jsonrpc waits for the rest of a message when its stream has ended. */
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
      MOST,
    );
    const push = (piece: Buffer): void => framing.push(piece);
    this.#input.on("data", push);
    this.#input.on("error", (error) => this.fireError(error));
    // After its end there is still something to answer.
    this.#input.on("close", () => this.#input.readableEnded || this.fireClose());
    return { dispose: () => this.#input.off("data", push) };
  }
}

/** Counts answers as they are written. */
export class Writer extends StreamMessageWriter {
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
