import { existsSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type CancellationToken, ErrorCodes, type MessageConnection, ResponseError } from "vscode-jsonrpc/node";
import type * as protocol from "vscode-languageserver-protocol";
import { Document, lintVisa, type Settings } from "../../../packages/lsp/src/index.ts";
import { platformNamed } from "../../../packages/visa/src/resolve/platform.ts";
import { archOf } from "../../resolve/module/header/target.ts";
import { version } from "../../system/version.ts";
import { diagnosticOf } from "./convert.ts";
import { capabilities, features, type Opened, Refusal } from "./features.ts";
import { wrongIn, wrongInNotice } from "./params.ts";
import { foldersIn, Workspace } from "./workspace.ts";

/**
 * The client's settings: `target`, `ptx` and `platform`. Missing or invalid ones default to those of the command line.
 */
export function settingsFrom(said: unknown, otherwise: Settings): Settings {
  if (typeof said !== "object" || said === null) return otherwise;
  const { target, ptx, platform } = said as Readonly<Record<string, unknown>>;
  const named = typeof platform === "string" ? platformNamed(platform) : undefined;
  return {
    ...otherwise,
    ...(typeof target === "string" && archOf(target) !== undefined && { target }),
    ...(typeof ptx === "string" && /^\d+\.\d$/.test(ptx) && { version: ptx }),
    ...(named !== undefined && { platform: named }),
  };
}

/** Milliseconds without a change before a text is checked. */
const QUIET = 40;
/** Milliseconds for which checking blocks requests. */
const SLICE = 20;
/** The protocol's code for a request that the client has cancelled. */
const CANCELLED = -32800;

interface Surroundings {
  readonly settings: Settings;
  now(): number;
}

/**
 * The language server: keeps the documents of a client, checks them as they change, and answers requests about them.
 */
export class Server {
  /** The client has requested shutdown. */
  shutDown = false;
  onExit: () => void = () => undefined;
  readonly #connection: MessageConnection;
  readonly #given: Surroundings;
  readonly #open = new Map<string, Opened>();
  readonly #waiting = new Map<string, NodeJS.Timeout>();
  readonly #workspace = new Workspace();
  #settings: Settings;
  #asks = false;

  constructor(connection: MessageConnection, given: Surroundings) {
    this.#connection = connection;
    this.#given = given;
    this.#settings = given.settings;
    this.#life();
    this.#synchronization();
    for (const [method, feature] of Object.entries(features))
      connection.onRequest(method, async (...given: readonly unknown[]) => {
        // Without parameters there is the token alone; a list of parameters would be one argument
        // each.
        const [params, token] = [given.length === 2 ? given[0] : undefined, given.at(-1) as CancellationToken];
        const wrong = wrongIn(method, params);
        if (wrong !== undefined) throw new ResponseError(ErrorCodes.InvalidParams, `${method}: ${wrong}`);
        // Pending messages of the client come first: they may cancel this request, or change the text.
        await rest();
        await rest();
        if (token.isCancellationRequested) throw new ResponseError(CANCELLED, "cancelled");
        const { textDocument } = params as { readonly textDocument: { readonly uri: string } };
        const opened = this.#open.get(textDocument.uri);
        if (opened === undefined) return null;
        return answer(() => feature(opened, params as never));
      });
  }

  close(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
    this.#open.clear();
  }

  #life(): void {
    const connection = this.#connection;
    connection.onRequest(
      "initialize",
      (params: Partial<protocol.InitializeParams> | undefined): protocol.InitializeResult => {
        this.#settings = settingsFrom(params?.initializationOptions, this.#given.settings);
        this.#asks = params?.capabilities?.workspace?.configuration === true;
        this.#workspace.folders = foldersIn(params);
        return { capabilities, serverInfo: { name: "ptxrun", version } };
      },
    );
    connection.onRequest("workspace/symbol", (params?: { readonly query?: unknown }) => {
      const query = params?.query;
      if (typeof query !== "string")
        throw new ResponseError(ErrorCodes.InvalidParams, "workspace/symbol: query is not a text");
      return this.#workspace.symbols(query, this.#open);
    });
    connection.onNotification("initialized", () => this.#ask());
    connection.onRequest("shutdown", () => {
      this.shutDown = true;
      return null;
    });
    connection.onNotification("exit", () => this.onExit());
    connection.onNotification("workspace/didChangeConfiguration", async (params?: { readonly settings?: unknown }) => {
      const settings = params?.settings;
      if (this.#asks) await this.#ask();
      else
        this.#configure(typeof settings === "object" && settings && "ptxrun" in settings ? settings.ptxrun : settings);
    });
  }

  #synchronization(): void {
    this.#onNotice("didOpen", ({ textDocument }: protocol.DidOpenTextDocumentParams) => {
      const { uri, text, version } = textDocument;
      const document = new Document(uri, text, { version, settings: this.#settings, visa: lintVisa });
      this.#open.set(uri, { uri, document, find: (path) => this.#find(uri, path) });
      this.#schedule(uri, 0);
    });
    this.#onNotice("didChange", (params: protocol.DidChangeTextDocumentParams) => {
      const { uri, version } = params.textDocument;
      const document = this.#open.get(uri)?.document;
      if (document === undefined) return;
      document.edit([], version);
      for (const change of params.contentChanges) {
        const span =
          "range" in change
            ? { start: document.lines.offset(change.range.start), end: document.lines.offset(change.range.end) }
            : { start: 0, end: document.text.length };
        document.edit([{ ...span, text: change.text }], version);
      }
      this.#schedule(uri, QUIET);
    });
    this.#onNotice("didClose", ({ textDocument: { uri } }: protocol.DidCloseTextDocumentParams) => {
      clearTimeout(this.#waiting.get(uri));
      this.#open.delete(uri);
      this.#publish({ uri, diagnostics: [] });
    });
  }

  /** A notification gets no answer: an invalid one is reported in the client's log. */
  #onNotice<P>(name: Parameters<typeof wrongInNotice>[0], act: (params: P) => void): void {
    const method = `textDocument/${name}`;
    this.#connection.onNotification(method, (...given: readonly unknown[]) => {
      const wrong = wrongInNotice(name, given[0]);
      if (wrong === undefined) act(given[0] as P);
      else this.#log(`${method}: ${wrong}`);
    });
  }

  #schedule(uri: string, after: number): void {
    clearTimeout(this.#waiting.get(uri));
    this.#waiting.set(
      uri,
      setTimeout(() => {
        this.#waiting.delete(uri);
        this.#check(uri).catch((error) => this.#failed(error));
      }, after),
    );
  }

  /** Checks a document a little at a time; a change aborts it, because there will be another check. */
  async #check(uri: string): Promise<void> {
    const opened = this.#open.get(uri);
    if (opened === undefined) return;
    const { document } = opened;
    const { source, version } = document;
    const checking = document.checking();
    let end = this.#given.now() + SLICE;
    for (let step = checking.next(); ; step = checking.next()) {
      if (step.done) {
        const diagnostics = step.value.map((each) => diagnosticOf(document, uri, each));
        this.#publish({ uri, version, diagnostics });
        return;
      }
      if (this.#given.now() < end) continue;
      await rest();
      if (document.source !== source || this.#open.get(uri) !== opened) return;
      end = this.#given.now() + SLICE;
    }
  }

  #publish(params: protocol.PublishDiagnosticsParams): void {
    this.#connection.sendNotification("textDocument/publishDiagnostics", params).catch(() => undefined);
  }

  /** Asks the client for its settings. */
  async #ask(): Promise<void> {
    if (!this.#asks) return;
    const answers: unknown = await this.#connection.sendRequest("workspace/configuration", {
      items: [{ section: "ptxrun" }],
    });
    if (Array.isArray(answers) && answers[0]) this.#configure(answers[0]);
  }

  #configure(said: unknown): void {
    this.#settings = settingsFrom(said, this.#given.settings);
    for (const [uri, { document }] of this.#open) {
      document.settings = this.#settings;
      this.#schedule(uri, 0);
    }
  }

  /** The URI of a file that a text names, absolute or relative to the text. */
  #find(uri: string, path: string): string | undefined {
    if (!uri.startsWith("file:")) return undefined;
    const full = isAbsolute(path) ? path : resolve(dirname(fileURLToPath(uri)), path);
    return existsSync(full) ? pathToFileURL(full).href : undefined;
  }

  /** A bug in checking must not end the server. */
  #failed(error: unknown): void {
    this.#log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  #log(message: string): void {
    this.#connection.sendNotification("window/logMessage", { type: 1, message }).catch(() => undefined);
  }
}

const rest = (): Promise<void> => new Promise((resume) => setImmediate(resume));

function answer(feature: () => unknown): unknown {
  try {
    return feature();
  } catch (error) {
    if (error instanceof Refusal) throw new ResponseError(ErrorCodes.InvalidRequest, error.message);
    throw error;
  }
}
