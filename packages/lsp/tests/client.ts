import { type ChildProcess, spawn } from "node:child_process";
import {
  createProtocolConnection,
  type Diagnostic,
  type InitializeResult,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { Bundle } from "../../../tests/unit/cli/bundle.ts";

/** A client of `ptxrun lsp --stdio`, as an editor is one. */
export class Client {
  readonly process: ChildProcess;
  readonly connection: ProtocolConnection;
  readonly exited: Promise<number | null>;
  initialized!: InitializeResult;
  readonly #published = new Map<string, PublishDiagnosticsParams>();
  readonly #listeners = new Set<() => void>();

  static async start(argv: readonly string[] = []): Promise<Client> {
    return new Client(await Bundle.make(), argv);
  }

  private constructor(bundle: Bundle, argv: readonly string[]) {
    this.process = spawn(process.execPath, [bundle.entry, "lsp", "--stdio", ...argv], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const { stdin, stdout } = this.process;
    if (stdin === null || stdout === null) throw new Error("no pipes");
    this.exited = new Promise((done) =>
      this.process.on("exit", (code) => {
        bundle.remove();
        done(code);
      }),
    );
    this.connection = createProtocolConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
    this.connection.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) => {
      this.#published.set(params.uri, params);
      for (const each of this.#listeners) each();
    });
    this.connection.listen();
    // Of one that has ended nobody waits for an answer.
    this.process.on("close", () => this.connection.dispose());
  }

  async begin(more: Readonly<Record<string, unknown>> = {}): Promise<this> {
    this.initialized = await this.connection.sendRequest("initialize", {
      processId: process.pid,
      rootUri: null,
      capabilities: {},
      ...more,
    });
    await this.connection.sendNotification("initialized", {});
    return this;
  }

  open(uri: string, text: string, version = 1): Promise<void> {
    const textDocument = { uri, languageId: "ptx", version, text };
    return this.connection.sendNotification("textDocument/didOpen", { textDocument });
  }

  change(uri: string, version: number, contentChanges: readonly unknown[]): Promise<void> {
    return this.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version },
      contentChanges,
    });
  }

  ask<T>(method: string, uri: string, params: Readonly<Record<string, unknown>> = {}): Promise<T> {
    return this.connection.sendRequest(method, { textDocument: { uri }, ...params });
  }

  /** The diagnostics of a version, as soon as they come. */
  diagnostics(uri: string, version = 1): Promise<readonly Diagnostic[]> {
    return new Promise((done, fail) => {
      this.process.on("close", () => fail(new Error("the server has ended")));
      const look = (): void => {
        const found = this.#published.get(uri);
        if (found?.version !== version) return;
        this.#listeners.delete(look);
        done(found.diagnostics);
      };
      this.#listeners.add(look);
      look();
    });
  }

  /** Ends the server as the protocol says, and gives its exit code. */
  async end(): Promise<number | null> {
    await this.connection.sendRequest("shutdown");
    await this.connection.sendNotification("exit");
    const code = await this.exited;
    this.connection.dispose();
    return code;
  }
}
